"""`pokerlab solve`: an equilibrium of a game, to a measured distance."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._completion import FORMS, STORAGE, algorithm_names, choices, game_names
from pokerlab.cli._output import (
    Json,
    Keep,
    Seed,
    announcing_compilation,
    check_table,
    check_writable,
    console,
    error_console,
    print_json,
)
from pokerlab.display.solve.solution import show_solution

if TYPE_CHECKING:
    from pokerlab.strategy.solution import Solution

DEFAULT_SECONDS = 60.0
WORTH_TELLING = 50e6  # bytes of a file


def command(
    game: Annotated[
        str | None,
        typer.Argument(
            help='The game: "leduc", "kuhn(players=3)", a .efg, .nfg or .csv file, or a spot as a .toml file; '
            "not needed with --resume.",
            show_default=False,
            autocompletion=game_names,
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--with",
            help='The algorithm: "dcfr" (the default), "cfr+", "lp", ..., or your own, ./mine.py.',
            show_default=False,
            autocompletion=algorithm_names,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            help="Stop at this exploitability, in the game's units or in percent of the pot at the start: 0.1%.",
            show_default=False,
        ),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help="Stop after so many iterations.", show_default=False)
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop after so long.", show_default=False)] = None,
    form: Annotated[
        str,
        typer.Option(
            "--form",
            help="How the game is laid out: sequence, public, classes or bucketed; auto: the best but the last.",
            autocompletion=choices(*FORMS),
        ),
    ] = "auto",
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=256, help="Threads, in the public and the bucketed form.")
    ] = 1,
    storage: Annotated[
        str,
        typer.Option(
            "--storage",
            help="float32, or int16 at half the memory, in the public form.",
            autocompletion=choices(*STORAGE),
        ),
    ] = "float32",
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", help="Keep the solution in this file.", show_default=False)
    ] = None,
    keep: Keep = "full",
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            help="Resume this file, to the very same result; it is overwritten unless --out names another.",
            show_default=False,
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", help="Draw the convergence into this picture; of push or fold, the charts.", show_default=False
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", help="Write the convergence to this file, a row for each measurement.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve a game until a target exploitability, a number of iterations or of seconds, whichever comes first.

    Without any of them: to a ten-thousandth of the largest payoff, but for no longer than a minute. The form is chosen
    by how large each would be, and told where that was a choice. Ctrl-C ends a run in good order, keeps and reports:
    without --out in a new file GAME.solution here. Laying out and compiling come before the seconds.

    [dim]pokerlab solve leduc --with dcfr --target 0.001 --out leduc.solution
    pokerlab solve rhode-island --target 0.1%
    pokerlab solve "push-fold(stack=8)" --plot chart.png
    pokerlab solve examples/river.toml --target 0.3%[/dim]
    """
    from pokerlab.cli._solving import check_kept
    from pokerlab.display.solve.convergence import check_picture
    from pokerlab.display.solve.solution import draw_solution
    from pokerlab.errors import BadSetting
    from pokerlab.solvers.curve import curve_columns
    from pokerlab.tables import rows_of, write_csv

    if (game is None) == (resume is None):
        raise BadSetting("name a game to solve, or a file to --resume, one of the two")
    if resume is not None and (seed or form != "auto" or storage != "float32"):
        raise BadSetting(
            "a resumed run keeps the seed of its file, its form and its storage: leave out --seed, --form and --storage"
        )
    if plot is not None:
        check_picture(plot)
        check_writable(plot, "draw a picture")
    check_kept(out, keep, resume)
    if csv is not None:
        check_table(csv, "write the convergence", out=out)
    limits = {"target": target, "iterations": iterations, "seconds": seconds}
    with announcing_compilation():
        if resume is not None:
            solution = _resumed(resume, limits, (threads, algorithm), out, keep=keep, quiet=as_json)
        else:
            options = {"algorithm": algorithm, "form": form, "threads": threads, "storage": storage, "keep": keep}
            solution = _solved(str(game), limits, options, seed=seed, out=out, quiet=as_json)
    kept = out or resume
    if kept is None and solution.stopped == "interrupted":
        kept = solution.save(unused_file(solution.game))
    if csv is not None:
        columns = curve_columns(solution.curve, players=solution.strategy.players)
        write_csv(csv, list(columns), rows_of(columns))
    if plot is not None:
        draw_solution(solution, plot)
    if as_json:
        paths = {"out": kept, "plot": plot, "csv": csv}
        print_json(solution.summary() | {name: path and str(path) for name, path in paths.items()})
        return
    show_solution(console(), solution, kept=kept, plot=plot, csv=csv)


def unused_file(game: str) -> Path:
    """A file in this folder for a solution of a game, named after it, that does not exist."""
    from pokerlab.formats.game_file import path_in

    path = path_in(game)
    stem = re.sub(r"[^\w.-]+", "-", path.stem if path else game).strip("-")[:80] or "game"
    number, found = 1, Path(f"{stem}.solution")
    while found.exists():
        number += 1
        found = Path(f"{stem}-{number}.solution")
    return found


def _resumed(
    path: Path, limits: dict[str, Any], how: tuple[int, str | None], out: Path | None, *, keep: str, quiet: bool
) -> Solution:
    from pokerlab.cli._solving import run_shown
    from pokerlab.lab.limits import check_limits
    from pokerlab.lab.solving import reopened

    check_limits(limits)  # complains before the work
    threads, algorithm = how
    running = reopened(path, threads=threads, algorithm=algorithm)
    return run_shown(
        running, path.name, limits, default_seconds=DEFAULT_SECONDS, out=out or path, keep=keep, quiet=quiet
    )


def _solved(
    game: str, limits: dict[str, Any], options: dict[str, Any], *, seed: int, out: Path | None, quiet: bool
) -> Solution:
    from pokerlab import registry
    from pokerlab.cli._solving import file_words, laid_out, run_shown
    from pokerlab.lab.limits import check_limits
    from pokerlab.lab.solving import start
    from pokerlab.lab.tasks import open_task
    from pokerlab.tree.public.forecast import file_bytes
    from pokerlab.tree.resources import Resources

    method = None if options["algorithm"] is None else registry.load("algorithms", options["algorithm"])
    check_limits(limits)  # complains before the work
    resources = Resources(options["threads"], options["storage"])
    laid = laid_out(open_task(game), algorithm=method, form=options["form"], resources=resources, quiet=quiet)
    running = start(laid, seed=seed, resources=resources)
    title, keep = f"{laid.task.name}, {options['algorithm'] or laid.algorithm.name}", options["keep"]
    slots = getattr(laid.form, "slots", 0) if laid.form.kind == "public" else 0
    if out is not None and not quiet and file_bytes(slots, storage=resources.storage)[0] > WORTH_TELLING:
        error_console().print(f"[dim]{file_words(slots, resources.storage, keep)}[/dim]", soft_wrap=True)
    return run_shown(running, title, limits, default_seconds=DEFAULT_SECONDS, out=out, keep=keep, quiet=quiet)
