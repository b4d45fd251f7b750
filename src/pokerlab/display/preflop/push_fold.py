"""Heads-up push or fold: charts of pushes and calls, EV of hands, and charts over stacks."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.cards.ranges import class_averages
from pokerlab.display.elements.grid import EQUITY, Grid, NumberGrid, Scale
from pokerlab.display.elements.numbers import value_text
from pokerlab.display.preflop.charts import chart_panel, chart_panels, print_beside, show_charts
from pokerlab.figure import Figure
from pokerlab.lab.preflop.push_fold import CALL, ORDER, PUSH, Answer, HeadsUp
from pokerlab.lab.preflop.push_fold_chart import PushFoldChart
from pokerlab.lab.preflop.push_fold_table import TableSolution
from pokerlab.solvers.core.algorithm import short_spec
from pokerlab.solvers.preflop.classes.chart import span_text

ROLES = ("small blind", "big blind")
ACTS = ("pushes", "calls")
MOST_GAPS = 8  # spans of a hand that are printed


def show_push_fold(screen: Any, found: HeadsUp, *, with_ev: bool = False) -> None:
    """Both ranges, the value, the exploitability, and best responses to the given ranges."""
    screen.print(f"[bold]push or fold[/bold] with {found.stakes.text()}")
    show_charts(screen, found.strategy)
    if not found.game.second_decides:
        screen.print("[dim]the big blind is already all-in and has nothing to decide[/dim]")
    value = found.value
    screen.print(f"[dim]small blind wins[/dim] [bold]{value_text(value)}[/bold] big blinds a hand", soft_wrap=True)
    screen.print(
        f"[dim]exploitability[/dim]   [bold]{found.exploitability:.2g}[/bold] big blinds, "
        f"[dim]by best responses of all 1,326 hands; {short_spec(found.solution.algorithm)}[/dim]",
        soft_wrap=True,
    )
    for role in (PUSH, CALL):
        screen.print(f"[dim]{ACTS[role]}[/dim] {found.range_of(role).text()}", soft_wrap=True)
    if with_ev:
        for role in (PUSH, CALL):
            _show_evs(screen, found.evs[role], role)
    for answer in found.answers:
        show_answer(screen, answer)


def _show_evs(screen: Any, evs: np.ndarray, role: int) -> None:
    """EV of pushing, or of calling a push, with each class."""
    grid = ev_grid(evs[1])
    what = "pushes" if role == PUSH else "calls a push"
    screen.print(f"\nEV of each hand that the {ROLES[role]} {what} with, in big blinds; a fold has {evs[0, 0]:.3g}")
    screen.print(grid)
    screen.print(grid.legend(screen), soft_wrap=True)


def ev_grid(evs: np.ndarray) -> NumberGrid:
    """EV by class as a grid of numbers."""
    known = evs[~np.isnan(evs)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    return NumberGrid(evs.reshape(13, 13), Scale(low, high, EQUITY.colours))


def show_answer(screen: Any, answer: Answer) -> None:
    """The best response to a range, and its gain over equilibrium play."""
    other = 1 - answer.role
    share = f"{100 * answer.given.fraction:.1f} %"
    screen.print(f"\n[bold]the {ROLES[other]} {ACTS[other]} {share} of hands[/bold]; best response:")
    titles = [f"[bold]{ROLES[other]} {ACTS[other]}[/bold]", f"[bold]{ROLES[answer.role]} {ACTS[answer.role]}[/bold]"]
    print_beside(screen, titles, [Grid(answer.given.grid()), Grid(class_averages(answer.best))])
    own = f"[dim]{ROLES[answer.role]} {ACTS[answer.role]}[/dim] [bold]{100 * answer.range.fraction:.1f} %[/bold]"
    screen.print(f"{own} of hands: {answer.range.text()}", soft_wrap=True)
    screen.print(
        f"[dim]wins[/dim] [bold]{value_text(answer.value)}[/bold] big blinds a hand, "
        f"[bold]{value_text(answer.gain)}[/bold] more than in equilibrium",
        soft_wrap=True,
    )
    screen.print(f"[dim]the equilibrium strategy wins {value_text(answer.keeping)} against it[/dim]", soft_wrap=True)
    screen.print(f"[dim]a percentage is the best hands {ORDER}[/dim]", soft_wrap=True)


def show_chart(screen: Any, found: PushFoldChart) -> None:
    """The largest stack of each hand for pusher and caller, and the hands with gaps."""
    chart = found.chart
    stakes = f"ante {float(found.ante):g}, small blind {float(found.small_blind):g}"
    screen.print(f"[bold]push or fold[/bold], the largest stack in big blinds for each hand; {stakes}")
    scale = Scale(0.0, float(chart.stacks[-1]))
    for role, title in ((PUSH, "pusher"), (CALL, "caller")):
        gaps = chart.with_gaps(role)
        cells = {hand: text + "*" * (hand in gaps) for hand, text in chart.cells(role).items()}
        screen.print(f"\n[bold]{title}[/bold] [dim]({ROLES[role]}; * marks gaps)[/dim]")
        texts = [cells[name] for name in CLASS_NAMES]
        largest = np.nan_to_num(chart.largest(role)).reshape(13, 13)
        screen.print(Grid(largest, scale, texts, max(5, 1 + max(map(len, texts))), ranks=True))
        for hand, spans in gaps.items():
            stacks = ", ".join(map(span_text, spans[:MOST_GAPS])) + (", ..." if len(spans) > MOST_GAPS else "")
            screen.print(f"[dim]*[/dim] {hand} at {stacks}", soft_wrap=True)
    low, high = float(chart.stacks[0]), float(chart.stacks[-1])
    screen.print(
        f"\n{len(chart.stacks)} linear programs, from {low:g} to {high:g} big blinds; a hand counts where it acts at "
        f"least half of the time; exploitability at most {chart.exploitabilities.max():.1g}",
        soft_wrap=True,
    )
    _show_published(screen, found)


def _show_published(screen: Any, found: PushFoldChart) -> None:
    if found.published is None:
        return
    cells = 2 * len(CLASS_NAMES)
    screen.print(
        f"{cells - len(found.published)} of {cells} cells agree with figure 6.1 of Schmid's thesis", style="dim"
    )
    for row in found.published:
        screen.print(
            f"[dim]{row.what}: printed {row.printed}, here {row.ours['ours']}; {row.note}[/dim]", soft_wrap=True
        )


def range_figure(found: HeadsUp) -> Figure:
    """Both ranges and, below them, the given ranges beside their best responses."""
    panels = chart_panels(found.strategy)
    for answer in found.answers:
        other = 1 - answer.role
        given = f"{ROLES[other]} {ACTS[other]} {100 * answer.given.fraction:.1f} %, as given"
        best = f"{ROLES[answer.role]} {ACTS[answer.role]} {100 * answer.range.fraction:.1f} %, the best response"
        panels.append(chart_panel(given, answer.given.grid()))
        panels.append(chart_panel(f"{best},\nwins {value_text(answer.value, 4)}", class_averages(answer.best)))
    return Figure("ranges", found.form.name, tuple(panels), columns=2)


def stack_figure(found: PushFoldChart) -> Figure:
    """The largest stacks of a chart."""
    from pokerlab.papers.schmid_pushfold import chart_figure

    return chart_figure(found.chart)


def csv_rows(found: HeadsUp | PushFoldChart | TableSolution) -> list[dict[str, Any]]:
    """A row per hand, spans of stacks as text."""
    return [
        {
            name: ", ".join(span_text((low, high)) for low, high in value) if isinstance(value, list) else value
            for name, value in row.items()
        }
        for row in found.rows()
    ]
