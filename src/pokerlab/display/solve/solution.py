"""A solution as text: how it was solved, its value and its exploitability; and the progress of training."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.markup import escape

from pokerlab.display.browse.node import show_categories, show_view
from pokerlab.display.elements.numbers import counted, duration, game_title, gap_text, value_text
from pokerlab.display.elements.table import fact_table, plain_table
from pokerlab.display.preflop.charts import charts_figure, has_chart, show_charts, value_rows
from pokerlab.display.solve.convergence import convergence_figure
from pokerlab.display.solve.evolution import shaded, threshold_words
from pokerlab.errors import PokerlabError
from pokerlab.strategy.files.shipped import name_of
from pokerlab.strategy.forms.kinds import StrategyNames, profile_in, strategy_of
from pokerlab.tree.forecast import bytes_text, count_text
from pokerlab.tree.form import build_form, kind_of

if TYPE_CHECKING:
    from pokerlab.figure import Figure
    from pokerlab.lab.solve.training import TrainingProgress
    from pokerlab.lab.solve.training_memory import TrainingMemory
    from pokerlab.strategy.files.solution import Solution
    from pokerlab.tree.bucketed.form import BucketedForm

SEAT_WIDTH = len("out of position")  # the lines above begin with seats
CLASSES = "classes"
MOST_CARDS_SHOWN = 1000
STOPPED = {"target": ", target reached", "solved": ", nothing left to improve", "interrupted": ", interrupted"}


def show_solution(screen: Any, solution: Solution, *, saved: Path | None = None, inside: float | None = None) -> None:
    """Print the result of a run; for a spot its root too, and for push or fold its charts.

    `inside` is the exploitability inside the abstraction, for blueprints.
    """
    if solution.spot is not None:
        show_spot(screen, solution, saved=saved)
        return
    kind = kind_of(solution.form)
    form = "" if kind.is_usual else f", {solution.form} form"
    title = f"[bold]{escape(game_title(solution.game))}[/bold], {len(solution.strategy):,} infosets{form}"
    rows = [("game", title), ("algorithm", escape(solution.algorithm_text))]
    if solution.strategy.has_buckets:
        rows.append(("buckets", escape(_bucket_words(solution))))
    rows += value_rows(solution) if solution.strategy.money else _measured(solution)
    if inside is not None:
        rows.append(("inside", f"[bold]{gap_text(inside)}[/bold] exploitability inside the abstraction, over buckets"))
    rate = solution.iterations / max(solution.seconds, 1e-9)
    why = STOPPED.get(solution.stopped, "")
    done = f"{solution.iterations:,} in {solution.seconds:.2f} s ({rate:,.0f}/s){why}"
    at_once = solution.stopped == "solved" and solution.iterations == 1
    rows.append(("solved", f"exactly, in {max(solution.seconds, 0.01):.2f} s") if at_once else ("iterations", done))
    rows.append(("setup", f"{solution.setup_seconds:.2f} s, building and compiling"))
    if saved is not None:
        rows.append(("saved in", escape(name_of(saved)) + saved_words(solution, saved)))
        if solution.stopped == "interrupted":
            rows.append(("resume with", f"pokerlab {kind.command} --resume {escape(shlex.quote(str(saved)))}"))
    screen.print(fact_table(rows))
    if has_chart(solution):
        show_charts(screen, solution.strategy)
    elif (acts := _von_neumann_acts(solution)) is not None:
        for line in _von_neumann_lines(*acts, width=screen.width):
            screen.print(line, soft_wrap=True)


def _von_neumann_acts(solution: Solution) -> tuple[np.ndarray, np.ndarray] | None:
    """How often each card bets and calls, the lowest first, in von Neumann's poker; None in other games."""
    if solution.strategy.has_buckets or len(solution.strategy) > MOST_CARDS_SHOWN * 2:
        return None
    try:
        game = solution.open_game()
    except PokerlabError:  # its file is gone
        return None
    classes = kind_of(CLASSES)
    if classes.why_not(game):
        return None
    form: Any = build_form(game, CLASSES)
    if not form.is_von_neumann:
        return None
    profile = profile_in(solution.strategy, game, form)
    strategy: Any = strategy_of(form, form.pack(profile), StrategyNames())
    return strategy.acts  # type: ignore[no-any-return]


def _von_neumann_lines(bets: np.ndarray, calls: np.ndarray, *, width: int) -> list[str]:
    """Both strategies as bars over the cards, and where they change."""
    bars = [
        f"  {label:<12}  │{shaded(numbers, width - 20)}│"
        for label, numbers in (("Player bets", bets), ("Dealer calls", calls))
    ]
    return [
        "",
        *bars,
        f"  {threshold_words(bets, calls)}",
        "  [dim]Player bluffs below x1 and bets above x2, Dealer calls above y0[/dim]",
    ]


def _bucket_words(solution: Solution) -> str:
    """The number of buckets per round, their methods, and their file."""
    buckets = solution.strategy.form.buckets
    if buckets.is_lossless:
        return f"{buckets.text}, one for every hand"
    return f"{buckets.text} by {', '.join(buckets.methods)}" + (f", in {buckets.file}" if buckets.file else "")


def _measured(solution: Solution) -> list[tuple[str, str]]:
    """Value and exploitability."""
    measure = solution.measure
    if not measure.is_known:
        return [("exploitability", "not measured: too large or too slow here; play matches to judge its strength")]
    rows = []
    if solution.bounds is not None:
        low, high = solution.bounds
        text = f"[bold]{value_text(measure.values[0])}[/bold] to player 0; "
        rows.append(("value", f"{text}game value {value_text(low)} to {value_text(high)}"))
    else:
        rows.append(("values", ", ".join(map(value_text, measure.values))))
        rows.append(("epsilon", f"{measure.epsilon:.3g}, the largest gain of a best response"))
    percent = f", {solution.exploitability_percent:.3g} % of the pot" if kind_of(solution.form).in_percent else ""
    gap, both = gap_text(measure.exploitability), gap_text(measure.nash_conv)
    where = " in the real game, hand by hand" if solution.strategy.has_buckets else ""
    return [*rows, ("exploitability", f"[bold]{gap}[/bold] (NashConv {both}{percent}){where}")]


def show_spot(
    screen: Any,
    solution: Solution,
    *,
    saved: Path | None = None,
    free: Solution | None = None,
    categories: Sequence[Mapping[str, Any]] | None = None,
) -> None:
    """Print the root of a solved spot, by category if these are given, and its exploitability.

    `free` is its solution without locks.
    """
    if categories is None:
        show_view(screen, solution.root)
    else:
        show_categories(screen, solution.root, categories)
    gap = f"[bold]{solution.exploitability_percent:.3g} %[/bold] of the pot"
    spent = f"{counted(solution.iterations, 'iteration')}, {solution.seconds:.2f} s{STOPPED.get(solution.stopped, '')}"
    rows = [("exploitability", f"{gap}, {spent}")]
    if solution.locks:
        words = counted(len(solution.locks), "strategy is fixed", "strategies are fixed")
        rows.append(("locks", f"{words}; exploitability is of the locked game"))
    if free is not None:
        seats = solution.root.seats
        costs = [
            f"{name} {'loses' if cost >= 0 else 'gains'} {abs(cost):.3f}"
            for name, cost in zip(seats, cost_of_locks(solution, free), strict=True)
        ]
        within = max(solution.exploitability_percent, free.exploitability_percent) * solution.pot / 50
        screen.print(lock_table(solution, free))
        rows.append(("cost of locks", ", ".join(costs)))
        rows.append(("", f"in {solution.root.money or 'chips'} a hand, accurate to {within:.2g}"))
    if saved is not None:
        path = escape(str(saved))
        rows.append(
            ("saved in", f"{path}{saved_words(solution, saved)}   (pokerlab browse {escape(shlex.quote(str(saved)))})")
        )
    screen.print(fact_table(rows, width=SEAT_WIDTH))


def lock_table(locked: Solution, free: Solution) -> Any:
    """The first decision of a spot with and without locks, side by side: how often each action, and what each gets."""
    with_locks, without = locked.root, free.root
    rows = [
        (escape(action), f"{100 * share:.1f} %", f"{100 * without.strategy()[action]:.1f} %")
        for action, share in with_locks.strategy().items()
    ]
    rows += [
        (f"EV {seat}", f"{mine:.3f}", f"{base:.3f}")
        for seat, mine, base in zip(with_locks.seats, locked.values, free.values, strict=True)
    ]
    title = f"{with_locks.seats[with_locks.acting]} at the start"
    return plain_table(("", "with locks", "without"), rows, left=1, title=title, title_justify="left")


def saved_words(solution: Solution, path: Path) -> str:
    """The size of a solution file, and what it lacks."""
    size = f", {bytes_text(path.stat().st_size)}" if path.is_file() else ""
    return size + (": only the strategy; cannot be resumed" if solution.keeps == "strategy" else "")


def cost_of_locks(locked: Solution, free: Solution) -> list[float]:
    """What the locks cost each player, in chips."""
    return [before - after for before, after in zip(free.values, locked.values, strict=True)]


def compact_words(solution: Solution, file: Path, out: Path) -> str:
    """The sizes of a file before and after compaction, and the exploitability."""
    sizes = f"{bytes_text(out.stat().st_size)} instead of {bytes_text(file.stat().st_size)}"
    gap = gap_text(solution.exploitability)
    if kind_of(solution.form).in_percent:
        gap = f"{solution.exploitability_percent:.4g} % of the pot"
    return f"wrote {out}: {sizes}; exploitability as stored {gap}"


def solution_figure(solution: Solution) -> Figure:
    """The convergence of a run or, for push or fold, its charts."""
    if has_chart(solution):
        return charts_figure(solution.strategy)
    name = solution.algorithm_text
    return convergence_figure({name: solution}, title=f"{solution.game}: {name}")


# ---- training --------------------------------------------------------------------------------------------------------


HEADING = f"{'time':>7}{'iterations':>14}{'per second':>12}{'visited':>9}{'regret':>11}   against the last"


class ProgressPrinter:
    """Prints a line per progress report, with the speed since the previous one."""

    def __init__(self, screen: Any, form: BucketedForm) -> None:
        self.screen, self.form = screen, form
        self.last: TrainingProgress | None = None

    def line(self, progress: TrainingProgress) -> None:
        """Print one line, and before the first one the headings."""
        before, self.last = self.last, progress
        if before is None:
            self.screen.print(f"[dim]{HEADING}[/dim]", soft_wrap=True)
        done = progress.iterations - (before.iterations if before else 0)
        spent = progress.seconds - (before.seconds if before else 0.0)
        learned = progress.learned
        rate = f"{done / spent:,.0f}" if spent > 0 else ""
        text = f"{duration(progress.seconds):>7}{progress.iterations:>14,}{rate:>12}{100 * learned.touched:>8.1f}%"
        text += f"{'':>11}" if learned.regret is None else f"{learned.regret:>11.3g}"
        if learned.gain is not None and learned.half is not None:
            text += f"   {learned.gain:+.4g} ± {learned.half:.2g} chips a hand"
        if learned.inside is not None:
            text += f"   {learned.inside:.4g} left to gain inside the abstraction"
        self.screen.print(text, soft_wrap=True, highlight=False)


def size_words(form: BucketedForm, memory: TrainingMemory) -> str:
    """The size of a bucketed form, and the memory that training it takes, in one sentence."""
    size = form.size
    assert size.infosets is not None
    return (
        f"{form.name} with buckets {form.buckets.text}: {count_text(form.betting.nodes)} betting nodes, "
        f"{count_text(size.infosets)} infosets; {memory.text()}"
    )
