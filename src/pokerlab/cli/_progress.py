"""Progress bars on standard error: of runs that are measured, of counted work, and of work known by its share.

None is drawn where standard error is no terminal; some work tells lines instead.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pokerlab.cli._output import error_console
from pokerlab.report.numbers import duration

if TYPE_CHECKING:
    from pokerlab.solvers.run import Progress, Stop

SOON = 0.5  # seconds before a bar appears for work that is often done at once
NARROWEST_BAR = 10  # characters
BETWEEN_LINES = 60.0  # seconds between lines where no bar is drawn


class Estimate:
    """How much of a run is done and how long the rest will take, from its measurements so far.

    Towards a target, exploitability is taken to fall as a power of the iterations, fitted to the later half of the
    curve.
    """

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self.points: list[tuple[float, float]] = []  # log iterations, log exploitability
        self.begun_at = -1

    def update(self, progress: Progress) -> tuple[float, float | None]:
        """Share of the work that is done, and seconds left where they can be told."""
        if self.begun_at < 0:
            self.begun_at = max(0, progress.iterations - 1)
        if progress.fresh and progress.measure and progress.measure.exploitability > 0 and progress.iterations:
            self.points.append((math.log(progress.iterations), math.log(progress.measure.exploitability)))
        shares, left = [0.0], []
        done = progress.iterations - self.begun_at
        pace = progress.seconds / done if done > 0 else None
        if self.stop.seconds is not None:
            shares.append(progress.seconds / self.stop.seconds)
            left.append(self.stop.seconds - progress.seconds)
        ends: list[float | None] = [self.stop.iterations] if self.stop.iterations is not None else []
        if self.stop.target is not None:
            ends.append(self._reaching(self.stop.target))
        for end in ends:
            if end is not None and pace is not None:
                shares.append(done / max(1.0, end - self.begun_at))
                left.append(pace * (end - progress.iterations))
        return min(1.0, max(shares)), max(0.0, min(left)) if left else None

    def _reaching(self, target: float) -> float | None:
        """The iteration at which the target will be reached, if the curve keeps falling at its recent rate."""
        recent = self.points[len(self.points) // 2 :]
        if len(recent) < 4:
            return None
        mean_x = sum(x for x, _ in recent) / len(recent)
        mean_y = sum(y for _, y in recent) / len(recent)
        spread = sum((x - mean_x) ** 2 for x, _ in recent)
        slope = sum((x - mean_x) * (y - mean_y) for x, y in recent) / spread if spread > 0 else 0.0
        if slope >= -0.05:
            return None
        return math.exp(min(recent[-1][0] + (math.log(target) - recent[-1][1]) / slope, 60.0))


@contextmanager
def run_bar(
    title: str, stop: Stop, *, quiet: bool = False, pot: float | None = None
) -> Iterator[Callable[[Progress], None] | None]:
    """A bar on standard error: exploitability, time left, iterations; none when it is not a terminal.

    With a pot, exploitability is told in percent of it. On a narrow screen the rate goes first, then the iterations.
    """
    from rich.progress import BarColumn, TextColumn

    width = error_console().width
    title = title if len(title) <= width // 2 else title[: width // 2 - 3] + "..."
    columns = (BarColumn(bar_width=None), TextColumn("{task.fields[numbers]}", markup=False))
    room = width - len(title) - NARROWEST_BAR - len(columns)
    estimate = Estimate(stop)
    with _bar(title, *columns, total=1.0, quiet=quiet, expand=True, numbers="") as moved:
        if moved is None:
            yield None
            return
        first: tuple[int, float] | None = None

        def show(progress: Progress) -> None:
            nonlocal first
            share, left = estimate.update(progress)
            first = first or (progress.iterations, progress.seconds)
            done, spent = progress.iterations - first[0], progress.seconds - first[1]
            parts = [
                _gap(progress.measure.exploitability, pot) if progress.measure and progress.measure.is_known else "",
                "" if left is None else f"{duration(left)} left",
                f"{progress.iterations:,} it",
                f"{done / spent:,.0f} it/s" if done and spent > 0 else "",
            ]
            moved(completed=share, numbers=fitting(parts, room))

        yield show


def fitting(parts: list[str], room: int) -> str:
    """As many of these texts, the first ones first, as there is room for.

    >>> fitting(["expl. 0.01", "", "9 s left", "12 it/s"], 22)
    'expl. 0.01  9 s left'
    """
    text = ""
    for part in filter(None, parts):
        longer = f"{text}  {part}" if text else part
        if len(longer) > room:
            break
        text = longer
    return text


def _gap(exploitability: float, pot: float | None) -> str:
    return f"expl. {exploitability:.3g}" if pot is None else f"expl. {100 * exploitability / pot:.3g} % of pot"


@contextmanager
def counted_bar(
    what: str = "", *, after: float = 0.0, lines: bool = False
) -> Iterator[Callable[[str, int, int], None]]:
    """Moved by calling what is given with (what is done, done, total).

    With `lines`, a line every minute tells the same where no bar is drawn.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

    with _bar(what, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), total=None, after=after) as moved:
        last = time.monotonic()

        def told(now: str, done: int, total: int) -> None:
            nonlocal last
            if moved is not None:
                moved(description=now, completed=done, total=total)
            elif lines and time.monotonic() - last >= BETWEEN_LINES and done < total:
                last = time.monotonic()
                error_console().print(f"[dim]{done:,} of {total:,} {now}[/dim]")

        yield told


@contextmanager
def timed_bar(
    what: str, total: int, left: Callable[[], float], *, quiet: bool = False
) -> Iterator[Callable[[str, int], None] | None]:
    """A bar of counted work whose rest `left` estimates, asked again as time passes; moved by (what is done, done)."""
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn
    from rich.text import Text

    class Left(ProgressColumn):
        """The time left, by the estimate."""

        def render(self, task: Any) -> Text:
            return Text(f"{duration(left())} left" if task.completed < total else "")

    columns = (BarColumn(bar_width=None), MofNCompleteColumn(), Left(), TextColumn("{task.fields[now]}", markup=False))
    with _bar(what, *columns, total=total, quiet=quiet, expand=True, now="") as moved:
        if moved is None:
            yield None
            return

        def told(now: str, done: int) -> None:
            moved(now=now, completed=done)

        yield told


@contextmanager
def share_bar(what: str, *, after: float = 0.0) -> Iterator[Callable[[str, float], None]]:
    """Moved by calling what is given with (what is done, share of the work)."""
    from rich.progress import BarColumn, TaskProgressColumn, TimeRemainingColumn

    with _bar(what, BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), total=1.0, after=after) as moved:

        def told(now: str, share: float) -> None:
            if moved is not None:
                moved(description=now, completed=min(1.0, share))

        yield told


@contextmanager
def _bar(
    title: str,
    *columns: Any,
    total: float | None,
    quiet: bool = False,
    after: float = 0.0,
    expand: bool = False,
    **fields: Any,
) -> Iterator[Callable[..., None] | None]:
    """A bar with a title before its columns, drawn once the work has taken `after` seconds; None where none is."""
    screen = error_console()
    if quiet or not screen.is_terminal:
        yield None
        return
    from rich.progress import Progress as Bar
    from rich.progress import TextColumn

    text = TextColumn("{task.description}", markup=False)
    bar = Bar(text, *columns, console=screen, transient=True, expand=expand)
    task = bar.add_task(title, total=total, **fields)
    began, drawn = time.perf_counter(), False

    def moved(**changes: Any) -> None:
        nonlocal drawn
        if not drawn and time.perf_counter() - began >= after:
            bar.start()
            drawn = True
        bar.update(task, **changes)

    try:
        if not after:
            moved()
        yield moved
    finally:
        if drawn:
            bar.stop()
