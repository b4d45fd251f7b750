"""What the commands that solve share: word of the layout, and a run with its bar."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from pokerlab.cli._output import error_console, literal
from pokerlab.cli._progress import ProgressBar
from pokerlab.display.elements.numbers import duration

if TYPE_CHECKING:
    from pathlib import Path

    from pokerlab.events import Event, OnProgress
    from pokerlab.lab.solve.solving import BuiltTask, Running
    from pokerlab.lab.solve.tasks import Task
    from pokerlab.strategy.files.solution import Solution
    from pokerlab.tree.resources import Resources


def laid_out(
    task: Task, *, algorithm: Any = None, form: str = "auto", resources: Resources | None = None, quiet: bool = False
) -> BuiltTask:
    """A task in its form, with word of which it is where that was a choice, and of its size while it is made."""
    from pokerlab.lab.solve.solving import prepare

    if quiet:
        return prepare(task, algorithm=algorithm, form=form, resources=resources)
    notes = error_console()
    shown = literal(task.name)
    status = notes.status(f"laying out {shown}")
    show = _build_progress(task, status, notes, shown)
    with status if notes.is_terminal else nullcontext():
        return prepare(task, algorithm=algorithm, form=form, resources=resources, on_progress=show)


def _build_progress(task: Task, status: Any, notes: Any, shown: str) -> OnProgress:
    """Shows the choice of a form and, while it is built, its size."""
    from pokerlab.tree.forecast import bytes_text, count_text, run_bytes

    players = 2 if task.spot is not None else task.problem.players  # type: ignore[union-attr]
    said = False

    def show(event: Event) -> None:
        nonlocal said
        choice, nodes, expected = event.payload, event.done, event.total
        if choice is not None and choice.reasons:
            notes.print(f"[dim]{choice.kind} form: {literal('; '.join(choice.reasons))}[/dim]")
        if not nodes or expected is None:
            return
        left = duration(event.seconds * (expected / nodes - 1))
        memory = bytes_text(run_bytes(players, expected, expected / 2))
        size = f"about {count_text(expected)} nodes, {memory}"
        if notes.is_terminal:
            status.update(f"laying out {shown}: {count_text(nodes)} of {size}; about {left} left")
        elif not said:
            notes.print(f"laying out {shown}: {size}; it will take about {left}")
        said = True

    return show


def run_shown(
    running: Running,
    title: str,
    limits: Mapping[str, Any],
    *,
    default_seconds: float | None = None,
    out: Path | None = None,
    keep: str = "full",
    quiet: bool = False,
) -> Solution:
    """Run with a bar; where no limit is given, to the default target and no longer than `default_seconds`."""
    from dataclasses import replace

    from pokerlab.lab.solve.limits import stopping
    from pokerlab.tree.form import kind_of

    form = running.solver.form
    stop = stopping(limits, form, spot=running.task.spot, algorithm=running.algorithm)
    if all(limit is None for limit in limits.values()) and running.task.spot is None:
        stop = replace(stop, seconds=default_seconds)
    pot = form.pot if kind_of(form.kind).in_percent else None
    with ProgressBar(title, quiet=quiet, pot=pot) as bar:
        return running.run(stop, on_progress=bar, save=out, keep=keep)


def check_saved(out: Path | None, keep: str, resume: Path | None = None) -> None:
    """Complain, before any work, about what is to be kept and where."""
    from pokerlab.cli._output import check_writable
    from pokerlab.errors import BadSetting
    from pokerlab.lab.solve.solving import check_elsewhere, check_keep

    check_keep(keep)
    if out is not None:
        check_writable(out, "save a solution")
    if resume is not None:
        check_elsewhere(resume, out, keep)
    elif out is None and keep != "full":
        raise BadSetting(f"--keep {keep} says what a file keeps: name it with --out")


def file_words(slots: int, storage: str, keep: str) -> str:
    """How large the file of a public form will be, and how much smaller it could be."""
    from pokerlab.tree.forecast import bytes_text
    from pokerlab.tree.public.forecast import file_bytes

    full, alone = file_bytes(slots, storage=storage)
    if keep != "full":
        return f"the file will have about {bytes_text(alone)}"
    return f"the file will have about {bytes_text(full)}, with --keep strategy {bytes_text(alone)}"
