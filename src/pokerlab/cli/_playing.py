"""What the commands that play matches share: workers, the progress bar, and keeping hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._output import error_console

Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        help="Processes; all cores by default, one where a person or a waiting program plays. "
        "The result does not depend on it.",
    ),
]


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


def play_shown(settings: Any, *, workers: int | None, out: Path | None = None, resume: bool = False) -> Any:
    """Play a match with a progress bar, keeping its hands where a file is named."""

    from pokerlab.match.hands.history import History
    from pokerlab.match.run.match import play_match
    from pokerlab.parallel import core_count

    with ExitStack() as stack:
        kept = None
        if out is not None:
            history = stack.enter_context(History(out))
            kept = history.begin(settings.as_dict(), resume=resume)
        bar = stack.enter_context(progress_bar("hands"))
        return play_match(
            settings,
            workers=workers or core_count(),
            kept=kept,
            progress=lambda done, total: bar("hands", done, total),
        )
