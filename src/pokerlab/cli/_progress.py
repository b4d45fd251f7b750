"""Progress on standard error, from the events of a job: a bar on a terminal, otherwise a line every few seconds."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from statistics import linear_regression
from typing import TYPE_CHECKING, Any, Self

from pokerlab.cli._output import error_console, literal, stop_spinner
from pokerlab.display.elements.numbers import duration

if TYPE_CHECKING:
    from pokerlab.events import Event
    from pokerlab.solvers.core.run import Progress

SOON = 0.5  # seconds before a bar appears for work that often takes no time
NARROWEST_BAR = 10  # characters
BETWEEN_LINES = 5.0  # seconds between lines where no bar is drawn
MOST_LINES = 60  # the share of the time so far that passes between lines of long jobs is one in this many
RECENT = 50  # events from which the pace is estimated


class Estimate:
    """The share of a job that is done and the time left, from its events so far.

    For a run with a target, exploitability is taken to fall as a power of the iterations, fitted to the later half of
    the curve. A job starts again, with its next stage or algorithm, when `done` falls.
    """

    def __init__(self) -> None:
        self.recent: deque[tuple[float, float]] = deque(maxlen=RECENT)  # seconds, done
        self.points: list[tuple[float, float]] = []  # log iterations, log exploitability
        self.first = 0.0  # done at the start

    def update(self, event: Event) -> tuple[float | None, float | None]:
        """The share of the work that is done, and the seconds left, where they can be estimated."""
        if not self.recent or event.done < self.recent[-1][1]:
            self.recent.clear()
            self.points.clear()
            self.first = max(0.0, event.done - 1) if event.unit == "iterations" else event.done
        self.recent.append((event.seconds, event.done))
        progress = run_progress(event)
        if progress is not None:
            return self._of_run(progress)
        remaining = None if event.total is None else event.total - event.done
        return event.share, remaining / self.pace if remaining and remaining > 0 and self.pace else None

    @property
    def pace(self) -> float | None:
        """Units a second, lately."""
        (before, had), (now, done) = self.recent[0], self.recent[-1]
        return (done - had) / (now - before) if done > had and now > before else None

    def _of_run(self, progress: Progress) -> tuple[float, float | None]:
        stop = progress.stop
        assert stop is not None
        if progress.measure and stop.is_met(progress.measure):
            return 1.0, None
        if progress.fresh and progress.measure and progress.measure.exploitability > 0 and progress.iterations:
            self.points.append((math.log(progress.iterations), math.log(progress.measure.exploitability)))
        shares, left = [0.0], []
        done = progress.iterations - self.first
        if stop.seconds is not None:
            shares.append(progress.seconds / stop.seconds)
            left.append(stop.seconds - progress.seconds)
        ends: list[float | None] = [stop.iterations] if stop.iterations is not None else []
        if stop.target is not None:
            ends.append(self._reaching(stop.target))
        for end in ends:
            if end is not None and done > 0:
                shares.append(done / max(1.0, end - self.first))
                left.append(progress.seconds / done * (end - progress.iterations))
        share = min(1.0, max(shares))
        return share, max(0.0, min(left)) if left and share < 1 else None

    def _reaching(self, target: float) -> float | None:
        """The iteration at which the target will be reached, if the curve keeps falling at its recent rate."""
        recent = self.points[len(self.points) // 2 :]
        if len(recent) < 4:
            return None
        iterations, gaps = zip(*recent, strict=True)
        slope = linear_regression(iterations, gaps).slope if len(set(iterations)) > 1 else 0.0
        if slope >= -0.05:
            return None
        return math.exp(min(recent[-1][0] + (math.log(target) - recent[-1][1]) / slope, 60.0))


def run_progress(event: Event) -> Progress | None:
    """The progress of a run, where the event is of one that says when it stops."""
    payload = event.payload
    if payload is None:
        return None
    from pokerlab.solvers.core.run import Progress

    return payload if isinstance(payload, Progress) and payload.stop is not None else None


class Lines:
    """Prints a line on standard error every few seconds of a block, from a thread of its own; nothing on a terminal."""

    def __init__(self, text: Callable[[float], str]) -> None:
        self._text, self._screen = text, error_console()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._print, daemon=True)

    def __enter__(self) -> Self:
        if not self._screen.is_terminal:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def _print(self) -> None:
        began, seconds = time.monotonic(), 0.0
        while not self._ended.wait(max(BETWEEN_LINES, seconds / MOST_LINES)):
            seconds = time.monotonic() - began
            self._screen.print(f"[dim]{literal(self._text(seconds))}[/dim]", soft_wrap=True)


class ProgressBar:
    """Draws the events that it is called with: a title or the current stage, a bar, numbers and the time left.

    With a pot, the exploitability of a run is shown in percent of it. `left` replaces the estimate of the time left.
    The bar appears `after` some seconds. If standard error is not a terminal, a line with the same words and the time
    so far is printed every few seconds, whether or not there was an event: one iteration of a large spot takes minutes.
    """

    def __init__(
        self,
        title: str = "",
        *,
        after: float = 0.0,
        pot: float | None = None,
        left: Callable[[], float] | None = None,
    ) -> None:
        self._screen = error_console()
        self._after, self._pot, self._left = after, pot, left
        width = self._screen.width
        self._title = title if len(title) <= width // 2 else title[: width // 2 - 3] + "..."
        self._estimate = Estimate()
        self._event: Event | None = None
        self._seconds_left: float | None = None
        self._began = self._last = time.monotonic()
        self._bar: Any = self._made() if self._screen.is_terminal else None
        self._drawn = False
        self._lines = Lines(self._line)
        self._lock = threading.Lock()  # of the estimate, which lines read in their own thread

    def _made(self) -> Any:
        from rich.progress import BarColumn, ProgressColumn, TextColumn
        from rich.progress import Progress as Bar
        from rich.table import Column
        from rich.text import Text

        numbers = self._numbers

        class Numbers(ProgressColumn):
            """Drawn again as time passes, so that the time left counts down."""

            def render(self, task: Any) -> Text:
                return Text(numbers(str(task.description)))

        title = TextColumn("{task.description}", markup=False)
        columns = title, BarColumn(bar_width=None), Numbers(Column(no_wrap=True))
        bar = Bar(*columns, console=self._screen, transient=True, expand=True)
        bar.add_task(self._title, total=None)
        return bar

    def __enter__(self) -> Self:
        self._lines.__enter__()
        if self._bar is not None and not self._after:
            self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.__exit__()
        if self._drawn:
            self._bar.stop()

    def _start(self) -> None:
        stop_spinner()
        self._bar.start()
        self._drawn = True

    def __call__(self, event: Event) -> None:
        """Draw an event."""
        with self._lock:
            share, left = self._estimate.update(event)
            self._event, self._seconds_left, self._last = event, left, time.monotonic()
        if self._bar is None:
            return
        if not self._drawn and self._last - self._began >= self._after:
            self._start()
        description = self._description
        total = None if share is None else 1.0
        self._bar.update(self._bar.task_ids[0], description=description, completed=share or 0.0, total=total)

    @property
    def _description(self) -> str:
        """The title, or what the job is doing now."""
        event = self._event
        return self._title or ((event.message or event.unit or event.job) if event else "")

    def _line(self, seconds: float) -> str:
        """What a line says after some seconds."""
        with self._lock:
            description = self._description or "working"
            return "  ".join(filter(None, (f"{description}: {duration(seconds)}", self._numbers(description))))

    def _numbers(self, description: str) -> str:
        """What stands behind the bar, as much of it as fits."""
        event = self._event
        if event is None:
            return ""
        left = self._seconds_left
        if self._left is not None:
            left = self._left() if event.share != 1.0 else None
        elif left is not None:
            left = max(0.0, left - (time.monotonic() - self._last))
        time_left = "" if left is None else f"{duration(left)} left"
        progress = run_progress(event)
        if progress is not None:
            measure, pace = progress.measure, self._estimate.pace
            parts = [
                self._gap(measure.exploitability) if measure and measure.is_known else "",
                time_left,
                f"{progress.iterations:,} it",
                f"{pace:,.0f} it/s" if pace else "",
            ]
        else:
            words = event.message if self._title else ""
            parts = [_count(event), time_left, words]
        return fitting(parts, self._screen.width - len(description) - NARROWEST_BAR - 2)

    def _gap(self, exploitability: float) -> str:
        if self._pot is None:
            return f"expl. {exploitability:.3g}"
        return f"expl. {100 * exploitability / self._pot:.3g} % of pot"


def _count(event: Event) -> str:
    """How far a job is, as a count or in percent."""
    if not event.unit:
        return "" if event.share is None else f"{100 * event.share:.0f} %"
    if event.total is None:
        return f"{event.done:,} {event.unit}" if event.done else ""
    return f"{event.done:,}/{event.total:,.0f} {event.unit}"


def fitting(parts: list[str], width: int) -> str:
    """As many of these texts, the first ones first, as fit in the width.

    >>> fitting(["expl. 0.01", "", "9 s left", "12 it/s"], 22)
    'expl. 0.01  9 s left'
    """
    text = ""
    for part in filter(None, parts):
        longer = f"{text}  {part}" if text else part
        if len(longer) > width:
            break
        text = longer
    return text
