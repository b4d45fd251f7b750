"""`pokerlab compact`: the strategy of a kept solution alone, in a far smaller file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._output import Json, announcing_compilation, check_writable, console, literal, print_json


def command(
    file: Annotated[Path, typer.Argument(help="A solution that `spot --out` or `solve --out` kept.")],
    out: Annotated[Path, typer.Argument(help="Where the strategy alone is written.")],
    bits: Annotated[int, typer.Option("--bits", help="Of a blueprint: bits of a probability, 8 or 16.")] = 8,
    as_json: Json = False,
) -> None:
    """Write the strategy of a kept solution alone: far smaller, to be walked, checked and played, not to be resumed.

    Spots and other games of the public form are kept with every probability right to a thousandth, in a tenth of the
    bytes or less; what the new file says of its distance from equilibrium is measured on what it keeps. Of other forms
    only the solver's state is left out. `spot --out FILE --keep strategy` writes such a file at once.

    [dim]pokerlab compact turn.spot small.spot[/dim]
    """
    from pokerlab.display.solve.solution import compact_words
    from pokerlab.lab.keeping import check_elsewhere, compact

    check_writable(out, "keep a solution")
    check_elsewhere(file, out, "strategy")
    with announcing_compilation():
        found = compact(file, out, bits=bits)
    if as_json:
        sizes = {"file_bytes": file.stat().st_size, "out_bytes": out.stat().st_size}
        print_json(found.summary() | {"file": str(file), "out": str(out)} | sizes)
        return
    console().print(literal(compact_words(found, file, out)), soft_wrap=True)
