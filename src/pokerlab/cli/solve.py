"""`pokerlab solve`: an equilibrium of a game, to a measured distance."""

from __future__ import annotations

import re
from pathlib import Path

from pokerlab.cli import _options as options
from pokerlab.cli._output import announcing_compilation, check_outputs, hint, write_results

DEFAULT_SECONDS = 60.0
WORTH_NOTING = 50e6  # bytes of a file


def command(
    game: options.OptionalGame = None,
    algorithm: options.Algorithm = None,
    target: options.Target = None,
    iterations: options.Iterations = None,
    seconds: options.Seconds = None,
    form: options.Form = "auto",
    threads: options.Threads = 1,
    storage: options.Storage = "float32",
    seed: options.Seed = 0,
    out: options.Out = None,
    keep: options.Keep = "full",
    resume: options.Resume = None,
    plot: options.Plot = None,
    csv: options.Csv = None,
) -> None:
    """Solve a game: until a target exploitability, a number of iterations or of seconds, whichever comes first.

    By default: dcfr, to 1/10,000 of the largest payoff, for at most a minute. The form, which is how the game is
    represented (pokerlab help forms), is chosen by size, and the choice is printed if there was one. Ctrl-C stops the
    run, saves the result and reports it: without --out, in a new file GAME.solution. Setup time does not count toward
    --seconds. --plot draws the convergence (for push or fold, the charts), and --csv writes it, one row per
    measurement.

    pokerlab solve leduc --with dcfr --target 0.001 --out leduc.solution
    pokerlab solve rhode-island --target 0.1%
    pokerlab solve "push-fold(stack=8)" --plot chart.png
    pokerlab solve examples/river.toml --target 0.3%
    """
    from pokerlab.cli._solving import build_form, check_saved, file_words, run_shown
    from pokerlab.display.elements.numbers import game_title
    from pokerlab.display.solve.solution import show_solution, solution_figure
    from pokerlab.errors import BadSetting
    from pokerlab.lab.solve.limits import check_limits
    from pokerlab.lab.solve.solving import reopened, start
    from pokerlab.lab.solve.tasks import open_task
    from pokerlab.solvers.core.curve import curve_columns
    from pokerlab.tree.public.forecast import file_bytes
    from pokerlab.tree.resources import Resources

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
    check_limits(limits)
    saved = out or resume
    with announcing_compilation():
        if resume is not None:
            running, title = reopened(resume, threads=threads, algorithm=algorithm), resume.name
        else:
            resources = Resources(threads, storage)
            built = build_form(open_task(str(game)), algorithm=algorithm, form=form, resources=resources)
            running, title = (
                start(built, seed=seed, resources=resources),
                f"{game_title(built.task.name)}, {algorithm or built.algorithm.name}",
            )
            slots = built.form.file_slots
            if out is not None and file_bytes(slots, storage=storage)[0] > WORTH_NOTING:
                hint(file_words(slots, storage, keep))
        solution = run_shown(running, title, limits, default_seconds=DEFAULT_SECONDS, out=saved, keep=keep)
    if saved is None and solution.stopped == "interrupted":
        saved = solution.save(unused_file(solution.game))
    write_results(
        lambda: solution.summary() | {"out": saved and str(saved)},
        lambda screen: show_solution(screen, solution, saved=saved),
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
