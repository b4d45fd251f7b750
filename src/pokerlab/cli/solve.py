"""`pokerlab solve`: an equilibrium of a game, to a measured distance."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli._options import (
    Algorithm,
    Csv,
    Form,
    Iterations,
    Json,
    Keep,
    OptionalGame,
    Out,
    Plot,
    Resume,
    Seconds,
    Seed,
    Storage,
    Target,
    Threads,
)
from pokerlab.cli._output import announcing_compilation, check_outputs, note, write_results
from pokerlab.display.solve.solution import show_solution

if TYPE_CHECKING:
    from pokerlab.strategy.files.solution import Solution

DEFAULT_SECONDS = 60.0
WORTH_NOTING = 50e6  # bytes of a file


def command(
    game: OptionalGame = None,
    algorithm: Algorithm = None,
    target: Target = None,
    iterations: Iterations = None,
    seconds: Seconds = None,
    form: Form = "auto",
    threads: Threads = 1,
    storage: Storage = "float32",
    seed: Seed = 0,
    out: Out = None,
    keep: Keep = "full",
    resume: Resume = None,
    plot: Plot = None,
    csv: Csv = None,
    as_json: Json = False,
) -> None:
    """Solve a game until a target exploitability, a number of iterations or of seconds, whichever comes first.

    By default: dcfr, to 1/10,000 of the largest payoff, for at most a minute. The form is chosen by size, and the
    choice is printed if there was one. Ctrl-C stops the run, saves the result and reports it: without --out, in a new
    file GAME.solution. Setup time does not count toward --seconds. --plot draws the convergence (for push or fold, the
    charts), and --csv writes it, one row per measurement.

    [dim]pokerlab solve leduc --with dcfr --target 0.001 --out leduc.solution
    pokerlab solve rhode-island --target 0.1%
    pokerlab solve "push-fold(stack=8)" --plot chart.png
    pokerlab solve examples/river.toml --target 0.3%[/dim]
    """
    from pokerlab.cli._solving import check_saved
    from pokerlab.display.solve.solution import solution_figure
    from pokerlab.errors import BadSetting
    from pokerlab.solvers.core.curve import curve_columns

    if (game is None) == (resume is None):
        raise BadSetting("name a game to solve, or a file to --resume: one of the two")
    if resume is not None and (seed or form != "auto" or storage != "float32"):
        raise BadSetting(
            "a resumed run has the seed, form and storage of its file: leave out --seed, --form and --storage"
        )
    check_outputs(picture=plot)
    check_saved(out, keep, resume)
    check_outputs(out=out, csv=csv)
    limits = {"target": target, "iterations": iterations, "seconds": seconds}
    with announcing_compilation():
        if resume is not None:
            solution = _resumed(resume, limits, (threads, algorithm), out, keep=keep, quiet=as_json)
        else:
            options = {"algorithm": algorithm, "form": form, "threads": threads, "storage": storage, "keep": keep}
            solution = _solved(str(game), limits, options, seed=seed, out=out, quiet=as_json)
    saved = out or resume
    if saved is None and solution.stopped == "interrupted":
        saved = solution.save(unused_file(solution.game))
    write_results(
        lambda: solution.summary() | {"out": saved and str(saved)},
        lambda screen: show_solution(screen, solution, saved=saved),
        as_json=as_json,
        plot=(plot, lambda _: solution_figure(solution)),
        csv=(csv, lambda _: curve_columns(solution.curve, players=solution.strategy.players)),
    )


def unused_file(game: str) -> Path:
    """A new file in this folder for a solution, named after its game."""
    from pokerlab.formats.game_file import path_in

    path = path_in(game)
    stem = re.sub(r"[^\w.-]+", "-", path.stem if path else game).strip("-")[:80] or "game"
    number, unused = 1, Path(f"{stem}.solution")
    while unused.exists():
        number += 1
        unused = Path(f"{stem}-{number}.solution")
    return unused


def _resumed(
    path: Path, limits: dict[str, Any], how: tuple[int, str | None], out: Path | None, *, keep: str, quiet: bool
) -> Solution:
    from pokerlab.cli._solving import run_shown
    from pokerlab.lab.solve.limits import check_limits
    from pokerlab.lab.solve.solving import reopened

    check_limits(limits)  # fails before the work
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
    from pokerlab.lab.solve.limits import check_limits
    from pokerlab.lab.solve.solving import start
    from pokerlab.lab.solve.tasks import open_task
    from pokerlab.tree.public.forecast import file_bytes
    from pokerlab.tree.resources import Resources

    method = None if options["algorithm"] is None else registry.load("algorithms", options["algorithm"])
    check_limits(limits)  # fails before the work
    resources = Resources(options["threads"], options["storage"])
    laid = laid_out(open_task(game), algorithm=method, form=options["form"], resources=resources, quiet=quiet)
    running = start(laid, seed=seed, resources=resources)
    title, keep = f"{laid.task.name}, {options['algorithm'] or laid.algorithm.name}", options["keep"]
    slots = laid.form.file_slots
    if out is not None and not quiet and file_bytes(slots, storage=resources.storage)[0] > WORTH_NOTING:
        note(file_words(slots, resources.storage, keep))
    return run_shown(running, title, limits, default_seconds=DEFAULT_SECONDS, out=out, keep=keep, quiet=quiet)
