"""What the commands that solve share: word of the layout, the bar of a run, and the time it still needs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pokerlab.cli._output import error_console, literal
from pokerlab.report.numbers import duration

if TYPE_CHECKING:
    from pathlib import Path

    from pokerlab.lab.solving import LaidOut, Running, Task
    from pokerlab.solvers.algorithm import Resources
    from pokerlab.solvers.run import Progress, Stop
    from pokerlab.strategy.solution import Solution


NARROWEST_BAR = 10  # characters


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
        """The iteration at which the target will be reached, if the curve goes on as it goes."""
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
def progress_bar(
    title: str, stop: Stop, *, quiet: bool = False, pot: float | None = None
) -> Iterator[Callable[[Progress], None] | None]:
    """A bar on standard error: exploitability, time left, iterations; none when it is not a terminal.

    With a pot, exploitability is told in percent of it. On a narrow screen the rate goes first, then the iterations.
    """
    screen = error_console()
    if quiet or not screen.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    estimate = Estimate(stop)
    columns: tuple[Any, ...] = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[numbers]}", markup=False),
    )
    title = title if len(title) <= screen.width // 2 else title[: screen.width // 2 - 3] + "..."
    room = screen.width - len(title) - NARROWEST_BAR - len(columns) + 1
    with Bar(*columns, console=screen, transient=True, expand=True) as bar:
        task = bar.add_task(title, total=1.0, numbers="")
        first: tuple[int, float] | None = None

        def show(progress: Progress) -> None:
            nonlocal first
            share, left = estimate.update(progress)
            first = first or (progress.iterations, progress.seconds)
            done, spent = progress.iterations - first[0], progress.seconds - first[1]
            parts = [
                _gap(progress.measure.exploitability, pot) if progress.measure else "",
                "" if left is None else f"{duration(left)} left",
                f"{progress.iterations:,} it",
                f"{done / spent:,.0f} it/s" if done and spent > 0 else "",
            ]
            bar.update(task, completed=share, numbers=fitting(parts, room))

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


def split_specs(text: str) -> list[str]:
    """Names with settings, separated by commas that are not inside brackets.

    >>> split_specs("cfr, dcfr(alpha=1, beta=0),external")
    ['cfr', 'dcfr(alpha=1, beta=0)', 'external']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _gap(exploitability: float, pot: float | None) -> str:
    return f"expl. {exploitability:.3g}" if pot is None else f"expl. {100 * exploitability / pot:.3g} % of pot"


def laid_out(
    task: Task, *, algorithm: Any = None, form: str = "auto", resources: Resources | None = None, quiet: bool = False
) -> LaidOut:
    """A task in its form, with word of which it is where that was a choice, and of its size while it is made."""
    from pokerlab.lab.solving import prepare

    if quiet:
        return prepare(task, algorithm=algorithm, form=form, resources=resources)
    notes = error_console()
    shown = literal(task.name)
    status = notes.status(f"laying out {shown}")
    told = _layout_words(task, status, notes, shown)

    def chosen(choice: Any) -> None:
        if choice.reasons:
            notes.print(f"[dim]{choice.kind} form: {literal('; '.join(choice.reasons))}[/dim]", soft_wrap=True)

    if not notes.is_terminal:
        return prepare(task, algorithm=algorithm, form=form, resources=resources, on_choice=chosen, on_layout=told)
    with status:
        return prepare(task, algorithm=algorithm, form=form, resources=resources, on_choice=chosen, on_layout=told)


def _layout_words(task: Task, status: Any, notes: Any, shown: str) -> Callable[[int, float], None]:
    from pokerlab.tree.forecast import bytes_text, count_text, run_bytes

    players = 2 if task.spot is not None else task.problem.players  # type: ignore[union-attr]
    began, said = time.perf_counter(), False

    def told(nodes: int, expected: float) -> None:
        nonlocal said
        left = duration((time.perf_counter() - began) * (expected / nodes - 1))
        memory = bytes_text(run_bytes(players, expected, expected / 2))
        size = f"about {count_text(expected)} nodes, {memory}"
        if notes.is_terminal:
            status.update(f"laying out {shown}: {count_text(nodes)} of {size}; about {left} left")
        elif not said:
            notes.print(f"laying out {shown}: {size}; it will take about {left}")
        said = True

    return told


def run_shown(
    running: Running,
    title: str,
    limits: Mapping[str, Any],
    *,
    default_seconds: float | None = None,
    out: Path | None = None,
    quiet: bool = False,
) -> Solution:
    """Run with a bar; where no limit is given, to the default target and no longer than `default_seconds`."""
    from dataclasses import replace

    from pokerlab.lab.solving import stopping

    form = running.solver.form
    stop = stopping(limits, form, spot=running.task.spot)
    if all(limit is None for limit in limits.values()) and running.task.spot is None:
        stop = replace(stop, seconds=default_seconds)
    pot = form.pot if form.kind == "public" else None
    with progress_bar(title, stop, quiet=quiet, pot=pot) as show:
        return running.run(stop, on_progress=show, save=out)
