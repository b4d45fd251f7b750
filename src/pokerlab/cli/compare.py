"""`pokerlab compare`: several algorithms on one game, and their curves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._completion import AXES, FORMS, choices, game_names, several_algorithm_names
from pokerlab.cli._output import (
    Json,
    Seed,
    announcing_compilation,
    check_table,
    check_writable,
    console,
    error_console,
    print_json,
)

if TYPE_CHECKING:
    pass


def command(
    game: Annotated[
        str,
        typer.Argument(
            help='The game: "leduc", "kuhn(players=3)", or a file.', show_default=False, autocompletion=game_names
        ),
    ],
    algorithms: Annotated[
        str, typer.Option("--with", help="The algorithms, separated by commas.", autocompletion=several_algorithm_names)
    ] = "cfr,cfr+,linear-cfr,dcfr,pcfr+,external",
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", help="How long each may run: 3 when nothing else is said.", show_default=False),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help="How many iterations each may do.", show_default=False)
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", help="Stop each at this exploitability, or at 0.1% of the pot.", show_default=False),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--form",
            help="The form to run in: sequence, public or classes; auto: each in its best.",
            autocompletion=choices(*FORMS),
        ),
    ] = "auto",
    against: Annotated[
        str,
        typer.Option(
            "--x",
            help="What curves are drawn against: seconds, iterations, nodes (touched) or passes (over the game).",
            autocompletion=choices(*AXES),
        ),
    ] = "seconds",
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the curves into this picture.", show_default=False)
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", help="Write the curves to this file, a row for each measurement.", show_default=False),
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Run several algorithms on one game, and tell and draw how their exploitability falls.

    [dim]pokerlab compare leduc --with cfr,cfr+,dcfr,pcfr+,external --x nodes
    pokerlab compare leduc --with egt,mirror-prox,cfr+,dcfr,pcfr+ --x passes
    pokerlab compare leduc --with cfr,dcfr --csv curves.csv --plot curves.png[/dim]
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.solve.comparison import show_comparison
    from pokerlab.display.solve.convergence import check_axis, check_picture, draw_convergence, pass_sizes
    from pokerlab.lab.comparing import compare
    from pokerlab.specs import split_specs
    from pokerlab.tables import rows_of, write_csv

    check_axis(against)
    if csv is not None:
        check_table(csv, "write the curves")
    if plot is not None:
        check_writable(plot, "draw a picture")
        check_picture(plot)
    limits: dict[str, Any] = {"target": target, "iterations": iterations, "seconds": seconds}
    with announcing_compilation(), ProgressBar(quiet=as_json) as bar:
        found = compare(game, split_specs(algorithms), **limits, seed=seed, form=form, on_progress=bar)
    if against in ("nodes", "passes") and not any(one.nodes_touched for one in found.solutions.values()):
        error_console().print(f"[dim]nobody counts {against} here, so curves are drawn against seconds[/dim]")
        against = "seconds"
    if csv is not None:
        columns = dict(found.columns())
        sizes = pass_sizes(found.solutions, against)
        if sizes:
            each = zip(columns["algorithm"], columns["nodes_touched"], strict=True)
            columns["passes"] = [nodes / sizes[name] for name, nodes in each]
        write_csv(csv, list(columns), rows_of(columns))
    if plot is not None:
        curves = {name: one.curve for name, one in found.solutions.items()}
        sizes = pass_sizes(found.solutions, against)
        draw_convergence(curves, plot, title=found.game, axis=against, sizes=sizes)
    if as_json:
        print_json(found.as_dict() | {"plot": plot and str(plot), "csv": csv and str(csv)})
        return
    show_comparison(console(), found, axis=against, written=[path for path in (csv, plot) if path is not None])
