"""`pokerlab solve`: an equilibrium of a game, to a measured distance."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._output import (
    Json,
    Seed,
    announcing_compilation,
    check_writable,
    console,
    error_console,
    literal,
    print_json,
)

if TYPE_CHECKING:
    from pokerlab.strategy.solution import Solution

DEFAULT_SECONDS = 60.0


def command(
    game: Annotated[
        str | None,
        typer.Argument(
            help='The game: "leduc", "kuhn(players=3)", or a .efg, .nfg or .csv file; not needed with --resume.',
            show_default=False,
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--with", help='The algorithm: "dcfr" (the default), "cfr+", "lp", "external", ...', show_default=False
        ),
    ] = None,
    target: Annotated[
        float | None,
        typer.Option("--target", help="Stop at this exploitability, in the game's units.", show_default=False),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help="Stop after so many iterations.", show_default=False)
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop after so long.", show_default=False)] = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", help="Keep the solution in this file.", show_default=False)
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            help="Go on from this file, to the very same result; it is overwritten unless --out names another.",
            show_default=False,
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the convergence into this picture.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve a game until a target exploitability, a number of iterations or of seconds, whichever comes first.

    Without any of them: to a ten-thousandth of the largest payoff, but for no longer than a minute. Ctrl-C ends a run
    in good order, keeps and reports: without --out in a new file GAME.solution here. Laying out and compiling come
    before the seconds.

    Example: [bold]pokerlab solve leduc --with dcfr --target 0.001 --out leduc.solution[/bold]
    """
    from pokerlab.errors import BadSetting
    from pokerlab.report.convergence import check_picture, draw_convergence

    if (game is None) == (resume is None):
        raise BadSetting("name a game to solve, or a file to --resume, one of the two")
    if resume is not None and (algorithm is not None or seed):
        raise BadSetting("a resumed run keeps the algorithm and the seed of its file: leave out --with and --seed")
    if plot is not None:
        check_picture(plot)
        check_writable(plot, "draw a picture")
    if out is not None:
        check_writable(out, "keep a solution")
    limits = {"target": target, "iterations": iterations, "seconds": seconds}
    with announcing_compilation():
        solution = (
            _resumed(resume, limits, out, as_json)
            if resume
            else _solved(str(game), algorithm, limits, seed, out, as_json)
        )
    kept = out or resume
    if kept is None and solution.stopped == "interrupted":
        kept = solution.save(unused_file(solution.game))
    if plot is not None:
        name = solution.algorithm_text
        draw_convergence({name: solution.curve}, plot, title=f"{solution.game}: {name}")
    if as_json:
        print_json(solution.summary() | {"out": kept and str(kept), "plot": plot and str(plot)})
        return
    _show(solution, kept, plot)


def unused_file(game: str) -> Path:
    """A file in this folder for a solution of a game, named after it, that does not exist."""
    from pokerlab.strategy.game_file import path_in

    path = path_in(game)
    stem = re.sub(r"[^\w.-]+", "-", path.stem if path else game).strip("-")[:80] or "game"
    number, found = 1, Path(f"{stem}.solution")
    while found.exists():
        number += 1
        found = Path(f"{stem}-{number}.solution")
    return found


def _stop(limits: dict[str, Any], stakes: float) -> Any:
    from pokerlab.strategy import facade

    if all(limit is None for limit in limits.values()):
        limits |= {"target": facade.default_target(stakes), "seconds": DEFAULT_SECONDS}
    return facade.stopping(limits)


def _resumed(path: Path, limits: dict[str, Any], out: Path | None, quiet: bool) -> Solution:
    from pokerlab.cli._solving import progress_bar
    from pokerlab.strategy import facade

    facade.stopping(limits)  # complains before the work
    running = facade.reopened(path)
    stop = _stop(limits, running.stakes)
    with progress_bar(path.name, stop, quiet=quiet) as show:
        return running.run(stop, on_progress=show, save=out or path)


def _solved(
    game: str, algorithm: str | None, limits: dict[str, Any], seed: int, out: Path | None, quiet: bool
) -> Solution:
    from pokerlab import registry
    from pokerlab.cli._solving import progress_bar
    from pokerlab.formats.opening import open_game
    from pokerlab.strategy import facade

    spec = algorithm or facade.DEFAULT_ALGORITHM
    method = registry.load("algorithms", spec)
    facade.stopping(limits)  # complains before the work
    began = time.perf_counter()
    form = laid_out(open_game(game), quiet=quiet)
    spent = time.perf_counter() - began
    stop = _stop(limits, form.tree.stakes)
    with progress_bar(f"{form.tree.game}, {spec}", stop, quiet=quiet) as show:
        return facade.solve(
            form, algorithm=method, seed=seed, **limits, on_progress=show, save=out, setup_seconds=spent
        )


def laid_out(game: Any, *, quiet: bool) -> Any:
    """The sequence form of a game, with word of its size while a large one is laid out."""
    from pokerlab.report.numbers import duration
    from pokerlab.tree.forecast import bytes_text, count_text, run_bytes
    from pokerlab.tree.history.layout import build
    from pokerlab.tree.sequence import sequence_form

    notes = error_console()
    shown = literal(game.name)
    status = notes.status(f"laying out {shown}")
    began, said = time.perf_counter(), False

    def told(nodes: int, expected: float) -> None:
        nonlocal said
        left = duration((time.perf_counter() - began) * (expected / nodes - 1))
        memory = bytes_text(run_bytes(game.players, expected, expected / 2))
        size = f"about {count_text(expected)} nodes, {memory}"
        if notes.is_terminal:
            status.update(f"laying out {shown}: {count_text(nodes)} of {size}; about {left} left")
        elif not said:
            notes.print(f"laying out {shown}: {size}; it will take about {left}")
        said = True

    if quiet:
        return sequence_form(build(game))
    if not notes.is_terminal:
        return sequence_form(build(game, on_progress=told))
    with status:
        return sequence_form(build(game, on_progress=told))


def _show(solution: Solution, kept: Path | None, plot: Path | None) -> None:
    from rich.table import Table

    from pokerlab.report.numbers import value_text

    found = solution.measure
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="dim")
    table.add_column()
    table.add_row("game", f"[bold]{literal(solution.game)}[/bold], {len(solution.strategy):,} infosets")
    table.add_row("algorithm", literal(solution.algorithm_text))
    if solution.bounds is not None:
        low, high = solution.bounds
        table.add_row(
            "value",
            f"[bold]{value_text(found.values[0])}[/bold] to player 0; "
            f"the game's is {value_text(low)} to {value_text(high)}",
        )
    else:
        table.add_row("values", ", ".join(map(value_text, found.values)))
        table.add_row("epsilon", f"{found.epsilon:.3g}, the largest gain of a best response")
    table.add_row("exploitability", f"[bold]{found.exploitability:.3g}[/bold] (NashConv {found.nash_conv:.3g})")
    why = {"target": ", target reached", "interrupted": ", interrupted"}.get(solution.stopped, "")
    rate = solution.iterations / max(solution.seconds, 1e-9)
    table.add_row("iterations", f"{solution.iterations:,} in {solution.seconds:.2f} s ({rate:,.0f}/s){why}")
    table.add_row("set-up", f"{solution.setup_seconds:.2f} s, laying out and compiling")
    for what, path in (("kept in", kept), ("picture", plot)):
        if path is not None:
            table.add_row(what, literal(path))
    if kept is not None and solution.stopped == "interrupted":
        table.add_row("go on with", f"pokerlab solve --resume {literal(shlex.quote(str(kept)))}")
    console().print(table)
