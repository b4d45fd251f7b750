"""`pokerlab train`: a blueprint for a game too large to solve, by sampling over buckets of hands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from pokerlab.cli._options import (
    Algorithm,
    Iterations,
    Json,
    Keep,
    Menu,
    OptionalGame,
    Out,
    Resume,
    Seed,
    Stack,
    Threads,
)
from pokerlab.cli._output import announcing_compilation, error_console, note, write_results

if TYPE_CHECKING:
    from pokerlab.events import Event
    from pokerlab.lab.solve.solving import Running
    from pokerlab.lab.solve.training import TrainingProgress

DEFAULT_MINUTES = 1.0


def command(
    game: OptionalGame = None,
    buckets: Annotated[
        Path | None, Option(help="Bucket file, made by `pokerlab abstract`; small games need none.")
    ] = None,
    minutes: Annotated[float | None, Option(help="Stop after this many minutes.", show_default="1")] = None,
    iterations: Iterations = None,
    players: Annotated[int | None, Option(min=2, max=10, help="Number of players.")] = None,
    stack: Stack = None,
    menu: Menu = None,
    algorithm: Algorithm = None,
    threads: Threads = 1,
    seed: Seed = 0,
    out: Out = None,
    keep: Keep = "full",
    resume: Resume = None,
    every: Annotated[float, Option(min=0.1, help="Minutes between progress lines, and between checkpoints.")] = 1.0,
    snapshots: Annotated[Path | None, Option(help="Save the strategy at every progress line to this folder.")] = None,
    as_json: Json = False,
) -> None:
    """Train a blueprint for a large poker game: cards are sampled, and the hands of a bucket are treated as one.

    A blueprint plays wherever an agent does, by its file name. It is saved every minute, so that a crash loses at most
    the last minute; Ctrl-C stops the run and saves. Each progress line shows the share of infosets visited, the mean
    positive regret per iteration, and how much the current average strategy wins against the one from the previous line
    (95 % interval). Default algorithm: pure. With one thread, the same seed gives the same result.

    [dim]pokerlab train leduc --minutes 0.1 --out leduc.blueprint
    pokerlab train holdem-limit --buckets small.buckets --minutes 60 --out limit.blueprint
    pokerlab match leduc.blueprint formula --game leduc[/dim]
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.cli._solving import check_saved
    from pokerlab.display.solve.solution import show_solution
    from pokerlab.display.solve.training import ProgressPrinter
    from pokerlab.errors import BadSetting
    from pokerlab.lab.solve import training
    from pokerlab.solvers.core.run import Stop

    if (game is None) == (resume is None):
        raise BadSetting("name a game to train on, or a blueprint to --resume: one of the two")
    check_saved(out, keep, resume)
    if minutes is None and iterations is None:
        minutes = DEFAULT_MINUTES
    stop = Stop(iterations=iterations, seconds=None if minutes is None else 60 * minutes)
    progress: list[TrainingProgress] = []
    with announcing_compilation():
        if resume is not None:
            _check_alone(players=players, stack=stack, menu=menu, buckets=buckets, seed=seed or None)
            running = _resumed(resume, threads, algorithm)
        else:
            name = training.named_game(str(game), players=players, stack=stack, menu=menu)
            running = _started(name, buckets, algorithm=algorithm, threads=threads, seed=seed, quiet=as_json)
        printer = ProgressPrinter(error_console(), running.solver.form)
        with ProgressBar(running.task.name, quiet=as_json) as bar:

            def show(event: Event) -> None:
                if not isinstance(event.payload, training.TrainingProgress):
                    bar(event)
                    return
                progress.append(event.payload)
                if not as_json:
                    printer.line(event.payload)

            solution = training.run(
                running,
                stop,
                save=out or resume,
                keep=keep,
                on_progress=show,
                checkpoint_seconds=60 * every,
                snapshots=snapshots,
            )
    saved = out or resume
    write_results(
        lambda: solution.summary() | {"news": [one.as_dict() for one in progress], "out": saved and str(saved)},
        lambda screen: show_solution(screen, solution, saved=saved),
        as_json=as_json,
    )


def _check_alone(**given: Any) -> None:
    from pokerlab.errors import BadSetting

    named = [f"--{name}" for name, value in given.items() if value is not None]
    if named:
        raise BadSetting(
            f"a resumed blueprint has the game, buckets and seed of its file: leave out {', '.join(named)}"
        )


def _resumed(path: Path, threads: int, algorithm: str | None) -> Running:
    from pokerlab.lab.solve.solving import reopened

    return reopened(path, threads=threads, algorithm=algorithm)


def _started(
    name: str, buckets: Path | None, *, algorithm: str | None, threads: int, seed: int, quiet: bool
) -> Running:
    from pokerlab.display.solve.training import size_words
    from pokerlab.lab.solve.solving import start
    from pokerlab.lab.solve.training import NO_PROMISE, abstracted, build_form
    from pokerlab.tree.resources import Resources

    problem = abstracted(name, buckets)
    laid = build_form(problem, algorithm=algorithm, threads=threads)
    if not quiet:
        note(size_words(laid.form))  # type: ignore[arg-type]
        if laid.form.players > 2:
            error_console().print(NO_PROMISE.format(players=laid.form.players), soft_wrap=True)
    return start(laid, seed=seed, resources=Resources(threads))
