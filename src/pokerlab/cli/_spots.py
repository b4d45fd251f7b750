"""What the commands about spots share: targets, the progress bar in percent of the pot, settings from options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pokerlab.cli._output import error_console

if TYPE_CHECKING:
    from pokerlab.solve.solver import Progress, Stop


def read_percent(text: str | None) -> float | None:
    """A target in percent of the pot: "0.3%" or "0.3"."""
    from pokerlab.errors import BadSetting

    if text is None:
        return None
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        value = 0.0
    if not 0 < value < 1000:
        raise BadSetting(f"a target is a part of the pot in percent, as 0.3%, not {text[:40]!r}")
    return value


@contextmanager
def spot_bar(title: str, stop: Stop, pot: float, *, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """A bar on standard error with exploitability in percent of the pot; none when it is not a terminal."""
    screen = error_console()
    if quiet or not screen.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    from pokerlab.cli._solving import Estimate, duration

    estimate = Estimate(stop)
    columns: tuple[Any, ...] = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[numbers]}"),
        TimeElapsedColumn(),
        TextColumn("[dim]{task.fields[left]}"),
    )
    with Bar(*columns, console=screen, transient=True) as bar:
        task = bar.add_task(title, total=1.0, numbers="", left="")

        def show(progress: Progress) -> None:
            share, left = estimate.update(progress)
            gap = f"{100 * progress.measure.exploitability / pot:.3g} % of the pot" if progress.measure else ""
            bar.update(
                task,
                completed=share,
                numbers=f"{progress.iterations:,} iterations  {gap}",
                left="" if left is None else f"about {duration(left)} left",
            )

        yield show
