"""What the commands that solve share: building the form, and running with a progress bar."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pokerlab.cli._output import check_writable, error_console, literal, wants_json
from pokerlab.cli._progress import Lines, ProgressBar
from pokerlab.display.elements.numbers import duration, game_title
from pokerlab.errors import BadSetting
from pokerlab.lab.solve.limits import stopping
from pokerlab.lab.solve.solving import check_elsewhere, check_keep, prepare
from pokerlab.tree.forecast import bytes_text, count_text, run_bytes
from pokerlab.tree.form import kind_of
from pokerlab.tree.public.forecast import file_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from pokerlab.events import Event, OnProgress
    from pokerlab.lab.solve.solving import BuiltTask, Running
    from pokerlab.lab.solve.tasks import Task
    from pokerlab.strategy.files.solution import Solution
    from pokerlab.tree.resources import Resources


def build_form(task: Task, *, algorithm: Any = None, form: str = "auto", resources: Resources) -> BuiltTask:
    """Build the form of a task; prints which form it is if there was a choice, and its size while it is built."""
    title = f"building {literal(game_title(task.name))}"
    with Lines(lambda seconds: f"building {game_title(task.name)}: {duration(seconds)}"):
        if wants_json():
            return prepare(task, algorithm=algorithm, form=form, resources=resources)
        notes = error_console()
        status = notes.status(title)
        with status if notes.is_terminal else nullcontext():
            show = _build_progress(task, status, notes, title)
            return prepare(task, algorithm=algorithm, form=form, resources=resources, on_progress=show)


def _build_progress(task: Task, status: Any, notes: Any, title: str) -> OnProgress:
    """Shows the choice of a form and, while it is built, its size."""
    players = 2 if task.spot is not None else task.problem.players  # type: ignore[union-attr]
    printed = False

    def show(event: Event) -> None:
        nonlocal printed
        choice, nodes, expected = event.payload, event.done, event.total
        if choice is not None and choice.reasons:
            notes.print(f"[dim]{choice.kind} form: {literal('; '.join(choice.reasons))}[/dim]")
        if not nodes or expected is None:
            return
        left = duration(event.seconds * (expected / nodes - 1))
        memory = bytes_text(run_bytes(players, expected, expected / 2))
        size = f"about {count_text(expected)} nodes, {memory}"
        if notes.is_terminal:
            status.update(f"{title}: {count_text(nodes)} of {size}; about {left} left")
        elif not printed:
            notes.print(f"{title}: {size}; it will take about {left}")
        printed = True

    return show


def run_shown(
    running: Running,
    title: str,
    limits: Mapping[str, Any],
    *,
    default_seconds: float | None = None,
    out: Path | None = None,
    keep: str = "full",
) -> Solution:
    """Run with a bar; without any limit, to the default target and for at most `default_seconds`."""
    form = running.solver.form
    stop = stopping(limits, form, spot=running.task.spot, algorithm=running.algorithm)
    if all(limit is None for limit in limits.values()) and running.task.spot is None:
        stop = replace(stop, seconds=default_seconds)
    pot = form.pot if kind_of(form.kind).in_percent else None
    with ProgressBar(title, pot=pot) as bar:
        return running.run(stop, on_progress=bar, save=out, keep=keep)


def check_saved(out: Path | None, keep: str, resume: Path | None = None) -> None:
    """BadFile or BadSetting, before any work is done, for a file or contents that cannot be saved."""
    check_keep(keep)
    if out is not None:
        check_writable(out, "save a solution")
    if resume is not None:
        check_elsewhere(resume, out, keep)
    elif out is None and keep != "full":
        raise BadSetting(f"--keep {keep} says what to save: name a file with --out")


def file_words(slots: int, storage: str, keep: str) -> str:
    """The size of a solution file of the public form, and of one with the strategy alone."""
    full, alone = file_bytes(slots, storage=storage)
    if keep != "full":
        return f"the file will have about {bytes_text(alone)}"
    return f"the file will have about {bytes_text(full)}, with --keep strategy {bytes_text(alone)}"


def read_percent(text: str | None) -> str | None:
    """A target as a percentage of the pot, "0.3%"; the sign may be missing in `text`."""
    if text is None:
        return None
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        value = 0.0
    if not 0 < value < 1000:
        raise BadSetting(f"--target must be a percentage of the pot, such as 0.3%, not {text[:40]!r}")
    return f"{value!r}%"
