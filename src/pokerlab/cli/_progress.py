"""The progress bar of counted work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pokerlab.cli._output import error_console


@contextmanager
def progress_bar(what: str = "") -> Iterator[Callable[[str, int, int], None]]:
    """A bar on standard error, moved by calling what is given with (what is done, done, total)."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=error_console(), transient=True) as progress:
        task = progress.add_task(what, total=None)

        def moved(now: str, done: int, total: int) -> None:
            progress.update(task, description=now, completed=done, total=total)

        yield moved
