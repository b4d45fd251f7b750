"""`pokerlab compare`: several algorithms on one game, in one picture."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._completion import AXES, FORMS, choices, game_names, several_algorithm_names
from pokerlab.cli._output import Json, Seed, announcing_compilation, check_writable, console, print_json

if TYPE_CHECKING:
    from pokerlab.lab.solving import Task
    from pokerlab.solvers.run import Stop
    from pokerlab.strategy.solution import Solution

DEFAULT_SECONDS = 3.0


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
            help="The form to run in: sequence, public or roles; auto: each in its best.",
            autocompletion=choices(*FORMS),
        ),
    ] = "auto",
    against: Annotated[
        str,
        typer.Option(
            "--x",
            help="seconds, iterations or nodes (touched).",
            autocompletion=choices(*AXES),
        ),
    ] = "seconds",
    plot: Annotated[
        Path | None, typer.Option("--plot", help="The picture; GAME-compared.png when left out.", show_default=False)
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Run several algorithms on one game and draw how their exploitability falls.

    Example: [bold]pokerlab compare leduc --with cfr,cfr+,dcfr,pcfr+,external --x nodes[/bold]
    """
    from pokerlab import registry
    from pokerlab.cli._solving import split_specs
    from pokerlab.errors import BadSetting
    from pokerlab.lab.solving import check_limits, open_task
    from pokerlab.report.comparison import show_comparison
    from pokerlab.report.convergence import check_axis, check_picture, draw_convergence

    specs = split_specs(algorithms)
    if not specs:
        raise BadSetting("name the algorithms to compare, as in --with cfr,dcfr,external")
    methods = {spec: registry.load("algorithms", spec) for spec in specs}
    check_axis(against)
    opened = open_task(game)
    picture = check_picture(plot or Path(re.sub(r"[^\w.-]+", "-", opened.name).strip("-")[:80] + "-compared.png"))
    check_writable(picture, "draw a picture")
    if seconds is None and iterations is None and target is None:
        seconds = DEFAULT_SECONDS
    with announcing_compilation():
        limits = {"target": target, "iterations": iterations, "seconds": seconds}
        check_limits(limits)
        solutions = _solutions(opened, methods, limits, form=form, seed=seed, quiet=as_json)
    curves = {spec: found.curve for spec, found in solutions.items()}
    draw_convergence(curves, picture, title=opened.name, axis=against)
    interrupted = any(found.stopped == "interrupted" for found in solutions.values())
    left_out = [spec for spec in specs if spec not in solutions]
    if as_json:
        results = {spec: found.summary() for spec, found in solutions.items()}
        words = {"interrupted": interrupted, "not_run": left_out}
        print_json({"game": opened.name, "plot": str(picture), "results": results} | words)
        return
    show_comparison(console(), solutions, picture=picture)
    if interrupted:
        console().print("interrupted" + (f"; not run: {', '.join(left_out)}" if left_out else ""), markup=False)


def _solutions(
    task: Task, methods: dict[str, Any], limits: dict[str, Any], *, form: str, seed: int, quiet: bool
) -> dict[str, Solution]:
    from pokerlab.cli._progress import run_bar
    from pokerlab.lab.comparing import compare

    def watching(spec: str, stop: Stop) -> Any:
        return run_bar(f"{task.name}, {spec}", stop, quiet=quiet)

    return dict(compare(task, methods, limits=limits, seed=seed, watching=watching, form=form))
