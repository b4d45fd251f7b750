"""`pokerlab train`: a blueprint for a game too large to solve, by sampling over buckets of hands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pokerlab.cli import _options as options
from pokerlab.cli._options import option
from pokerlab.cli._output import announcing_compilation, error_console, hint, wants_json, write_results

if TYPE_CHECKING:
    from pokerlab.events import Event
    from pokerlab.lab.solve.training import TrainingProgress

DEFAULT_SECONDS = 60.0


def command(
    game: options.OptionalGame = None,
    buckets: Annotated[
        Path | None,
        option(
            "Bucket file of `pokerlab abstract`; small games need none. Draw games: no-suits, highest-suit-mini, "
            "'by-draws(before=500, after=300)' (their default) or lossless."
        ),
    ] = None,
    seconds: Annotated[float | None, option("Stop after this many seconds.", default="60")] = None,
    iterations: options.Iterations = None,
    players: Annotated[int | None, option("Number of players.", min=2, max=10)] = None,
    stack: options.Stack = None,
    menu: options.Menu = None,
    algorithm: options.Algorithm = None,
    threads: options.Threads = 1,
    device: options.Device = "cpu",
    cluster: options.Cluster = None,
    workers: Annotated[
        int | None,
        option(
            "With --cluster: parts of an interval; a fixed number makes runs repeatable.", min=1, default="its cores"
        ),
    ] = None,
    interval: Annotated[
        int | None,
        option(
            "With --cluster: iterations between two exchanges of regrets and averages; fewer at first.",
            min=1,
            default="8 for each number learned",
        ),
    ] = None,
    seed: options.Seed = 0,
    out: options.Out = None,
    keep: options.Keep = "full",
    resume: options.Resume = None,
    checkpoint_seconds: Annotated[
        float, option("Seconds between progress lines, and between checkpoints.", min=6)
    ] = 60.0,
    snapshots: Annotated[
        Path | None, option("Save the strategy at every progress line to this folder.", metavar="FOLDER")
    ] = None,
) -> None:
    """Train a blueprint for a large poker game: cards are sampled, and the hands of a bucket are treated as one.

    A blueprint plays wherever an agent does, by its file name. It is saved every minute, so that a crash loses at most
    the last minute; Ctrl-C stops the run and saves. Each progress line shows the share of infosets visited, the mean
    positive regret per iteration, and how much the current average strategy wins against the one from the previous line
    (95 % interval). Default algorithm: pure, in draw games external. With one thread, the same seed gives the same
    result.

    pokerlab train leduc --seconds 6 --out leduc.blueprint
    pokerlab train holdem-limit --buckets holdem.buckets --seconds 3600
    pokerlab train leduc --device cuda --with public-chance
    pokerlab match leduc.blueprint formula --game leduc
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.cli._solving import check_saved
    from pokerlab.display.elements.numbers import game_title
    from pokerlab.display.solve.solution import ProgressPrinter, show_solution, size_words
    from pokerlab.errors import BadSetting
    from pokerlab.lab.solve import training
    from pokerlab.lab.solve.solving import reopened, start
    from pokerlab.lab.solve.training_memory import training_memory
    from pokerlab.solvers.core.run import Stop
    from pokerlab.tree.machines import device_named
    from pokerlab.tree.resources import Resources

    if (game is None) == (resume is None):
        raise BadSetting("name a game to train on, or a blueprint to --resume: one of the two")
    check_saved(out, keep, resume)
    if seconds is None and iterations is None:
        seconds = DEFAULT_SECONDS
    stop = Stop(iterations=iterations, seconds=seconds)
    if cluster is None and (workers or interval):
        raise BadSetting("--workers and --interval are for training on a cluster: name it with --cluster")
    where = {} if cluster is None else {"backend": options.backend_of(cluster, cores=threads)}
    resources = Resources(threads, device=device_named(device), workers=workers, interval=interval, **where)
    saved = out or resume
    progress: list[TrainingProgress] = []
    with announcing_compilation():
        if resume is not None:
            given = {"players": players, "stack": stack, "menu": menu, "buckets": buckets, "seed": seed or None}
            if named := [f"--{name}" for name, value in given.items() if value is not None]:
                raise BadSetting(
                    f"a resumed blueprint has the game, buckets and seed of its file: leave out {', '.join(named)}"
                )
            with ProgressBar(f"opening {resume}"):
                running = reopened(resume, threads=threads, algorithm=algorithm, resources=resources)
        else:
            name = training.named_game(str(game), players=players, stack=stack, menu=menu)
            with ProgressBar(f"building {name}"):
                built = training.build_form(training.abstracted(name, buckets), algorithm=algorithm, threads=threads)
            memory = training_memory(built.form, stop, algorithm=built.algorithm)  # type: ignore[arg-type]
            hint(size_words(built.form, memory))  # type: ignore[arg-type]
            if built.form.players > 2 and not wants_json():
                error_console().print(training.NO_PROMISE.format(players=built.form.players), soft_wrap=True)
            running = start(built, seed=seed, resources=resources)
        printer = ProgressPrinter(error_console(), running.solver.form)
        with ProgressBar(game_title(running.task.name)) as bar:

            def show(event: Event) -> None:
                if not isinstance(event.payload, training.TrainingProgress):
                    bar(event)
                    return
                progress.append(event.payload)
                if not wants_json():
                    printer.line(event.payload)

            saving: dict[str, Any] = {"save": saved, "keep": keep, "snapshots": snapshots}
            solution = training.run(running, stop, **saving, checkpoint_seconds=checkpoint_seconds, on_progress=show)
    write_results(
        lambda: solution.summary() | {"news": [one.as_dict() for one in progress], "out": saved and str(saved)},
        lambda screen: show_solution(
            screen, solution, saved=saved, inside=progress[-1].learned.inside if progress else None
        ),
    )
