"""`pokerlab thin`: a solution with fewer actions and the same exploitability."""

from __future__ import annotations

from os.path import realpath

from pokerlab.cli._options import Out, Rows, Solution
from pokerlab.cli._output import announcing_compilation, check_outputs, write_results


def command(file: Solution, out: Out = None, rows: Rows = 20) -> None:
    """Drop the bet sizes that a solution can do without: where many are mixed, few do as well. Two players, zero-sum.

    At each public state the frequencies of the sizes change by the same factor for every hand, so that ranges stay the
    same and most sizes are no longer used. The result is measured: a best response gains no more against it.

    pokerlab thin kuhn.solution
    pokerlab thin leduc.solution --out thin.solution --rows 5
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.analyse.assessment import show_thinned
    from pokerlab.errors import BadSetting
    from pokerlab.lab.analyse.thinning import thin_solution
    from pokerlab.strategy.files.solution_file import load

    check_outputs(out=out)
    if out is not None and realpath(out) == realpath(file):
        raise BadSetting(f"{file} can be resumed, and a thinned strategy cannot: name another file for --out")
    solution = load(file)
    with announcing_compilation(), ProgressBar(f"thinning {file}"):
        thinned = thin_solution(solution)
    write_results(
        thinned.as_dict(rows) | {"file": str(file)},
        lambda screen: show_thinned(screen, thinned, rows=rows),
        out=(out, lambda _: thinned.solution),
    )
