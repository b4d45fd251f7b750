"""`pokerlab thin`: a solution that wins as much with fewer actions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._output import Json, announcing_compilation, check_writable, console, literal, print_json


def command(
    file: Annotated[Path, typer.Argument(help="A solution kept by `pokerlab solve --out`.", show_default=False)],
    out: Annotated[
        Path | None, typer.Option("--out", help="Keep the thinned strategy in this file.", show_default=False)
    ] = None,
    rows: Annotated[int, typer.Option("--rows", min=1, help="The most states to print.")] = 20,
    as_json: Json = False,
) -> None:
    """Thin out the actions of a solution: wherever many bets are mixed, few do as well. Two players, zero-sum.

    At each public state sizes are played more or less often, with every hand alike, so that ranges stay what they are
    and most sizes are not needed any more. The result is measured: a best response wins no more against it than before.

    [dim]pokerlab thin kuhn.solution
    pokerlab thin leduc.solution --out thin.solution --rows 5[/dim]
    """
    from pokerlab.display.analyse.thinning import show_thinned
    from pokerlab.errors import BadSetting
    from pokerlab.lab.thinning import thin_solution
    from pokerlab.strategy.solution_file import load

    if out is not None:
        check_writable(out, "keep a solution")
        if out.resolve() == file.resolve():
            raise BadSetting(f"{file} may be resumed, and what is thinned out may not: name another file for --out")
    solution = load(file)
    with announcing_compilation():
        found = thin_solution(solution)
    if out is not None:
        found.solution.save(out)
    if as_json:
        print_json(found.as_dict(rows) | {"file": str(file), "out": out and str(out)})
        return
    show_thinned(console(), found, rows=rows)
    if out is not None:
        console().print(f"[dim]kept in[/dim] {literal(out)}", soft_wrap=True)
