"""`pokerlab compact`: only the strategy of a solution, in a much smaller file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli._options import Solution, argument, option
from pokerlab.cli._output import announcing_compilation, check_outputs, literal, write_results


def command(
    file: Solution,
    out: Annotated[Path, argument("File for the strategy.")],
    bits: Annotated[int, option("Blueprints: bits per probability, 8 or 16.")] = 8,
) -> None:
    """Save only the strategy of a solution, in a much smaller file: to browse, verify and play, but not to resume.

    In the public form, probabilities are accurate to 0.001 in a tenth of the bytes or less, and the exploitability in
    the new file is measured on the stored probabilities. In other forms only the solver's state is omitted.
    `spot --out FILE --keep strategy` writes such a file directly.

    pokerlab compact turn.spot small.spot
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.solve.solution import compact_words
    from pokerlab.lab.solve.solving import check_elsewhere, compact

    check_outputs(out=out)
    check_elsewhere(file, out, "strategy")
    with announcing_compilation(), ProgressBar(f"compacting {file}"):
        solution = compact(file, out, bits=bits)
    sizes = {"file_bytes": file.stat().st_size, "out_bytes": out.stat().st_size}
    write_results(
        solution.summary() | {"file": str(file), "out": str(out)} | sizes,
        lambda screen: screen.print(literal(compact_words(solution, file, out)), soft_wrap=True),
    )
