"""`pokerlab train`: a player of a game that is too large to be solved, by sampling over buckets of hands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._completion import algorithm_names, game_names
from pokerlab.cli._output import (
    Json,
    Keep,
    Seed,
    announcing_compilation,
    console,
    error_console,
    literal,
    print_json,
)

if TYPE_CHECKING:
    from pokerlab.events import Event
    from pokerlab.lab.solving import Running
    from pokerlab.lab.training import TrainingProgress

DEFAULT_MINUTES = 1.0


def command(
    game: Annotated[
        str | None,
        typer.Argument(
            help='The game: "holdem-limit", "holdem-nolimit", "leduc"; not needed with --resume.',
            show_default=False,
            autocompletion=game_names,
        ),
    ] = None,
    buckets: Annotated[
        Path | None,
        typer.Option(
            "--buckets",
            help="Buckets of hands that `pokerlab abstract` made; small games need none.",
            show_default=False,
        ),
    ] = None,
    minutes: Annotated[
        float | None, typer.Option("--minutes", help="Stop after so long; a minute unless told.", show_default=False)
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help="Stop after so many iterations.", show_default=False)
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", min=2, max=10, help="How many play.", show_default=False)
    ] = None,
    stack: Annotated[
        str | None,
        typer.Option("--stack", help="Chips of each player, or big blinds as 200bb.", show_default=False),
    ] = None,
    menu: Annotated[
        str | None,
        typer.Option(
            "--menu",
            help='What may be bet, as "50%,100%,allin", or for each round, as "allin / 50%,allin / allin / allin".',
            show_default=False,
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--with",
            help="The algorithm: pure (the default), external, outcome ...",
            show_default=False,
            autocompletion=algorithm_names,
        ),
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=256, help="Threads; with one, the same seed gives the same result.")
    ] = 1,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", help="Keep the blueprint in this file, every minute.", show_default=False)
    ] = None,
    keep: Keep = "full",
    resume: Annotated[Path | None, typer.Option("--resume", help="Resume this blueprint.", show_default=False)] = None,
    every: Annotated[
        float, typer.Option("--every", min=0.1, help="Minutes between news, and between checkpoints.")
    ] = 1.0,
    snapshots: Annotated[
        Path | None,
        typer.Option("--snapshots", help="Keep the strategy at every line of news in this folder.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Train a player of a large poker game: cards are sampled, and hands of one bucket are treated as one.

    The result, a blueprint, plays wherever an agent does, by the name of its file. It is kept every minute; killed at
    any moment, at most the last minute is lost. Ctrl-C stops it, saves and reports. Each progress line shows the
    share of infosets visited, the mean positive regret per iteration, and how much the current average strategy wins
    against the one from the previous line (95 % interval).

    [dim]pokerlab train leduc --minutes 0.1 --out leduc.blueprint
    pokerlab train holdem-limit --buckets small.buckets --minutes 60 --out limit.blueprint
    pokerlab match leduc.blueprint formula --game leduc[/dim]
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.cli._solving import check_kept
    from pokerlab.display.solve.solution import show_solution
    from pokerlab.display.solve.training import ProgressPrinter
    from pokerlab.errors import BadSetting
    from pokerlab.lab import training
    from pokerlab.solvers.run import Stop

    if (game is None) == (resume is None):
        raise BadSetting("name a game to train a player of, or a blueprint to --resume, one of the two")
    check_kept(out, keep, resume)
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
    kept = out or resume
    if as_json:
        print_json(solution.summary() | {"news": [one.as_dict() for one in progress], "out": kept and str(kept)})
        return
    show_solution(console(), solution, kept=kept)


def _check_alone(**given: Any) -> None:
    from pokerlab.errors import BadSetting

    named = [f"--{name}" for name, value in given.items() if value is not None]
    if named:
        raise BadSetting(f"a resumed blueprint keeps its game, its buckets and its seed: leave out {', '.join(named)}")


def _resumed(path: Path, threads: int, algorithm: str | None) -> Running:
    from pokerlab.lab.solving import reopened

    return reopened(path, threads=threads, algorithm=algorithm)


def _started(
    name: str, buckets: Path | None, *, algorithm: str | None, threads: int, seed: int, quiet: bool
) -> Running:
    from pokerlab.display.solve.training import size_words
    from pokerlab.lab.solving import start
    from pokerlab.lab.training import NO_PROMISE, abstracted, lay_out
    from pokerlab.tree.bucketed.form import BucketedForm
    from pokerlab.tree.resources import Resources

    problem = abstracted(name, buckets)
    notes = error_console()
    laid = lay_out(problem, algorithm=algorithm, threads=threads)
    assert isinstance(laid.form, BucketedForm)
    if not quiet:
        notes.print(f"[dim]{literal(size_words(laid.form))}[/dim]", soft_wrap=True)
        if laid.form.players > 2:
            notes.print(NO_PROMISE.format(players=laid.form.players), soft_wrap=True)
    return start(laid, seed=seed, resources=Resources(threads))
