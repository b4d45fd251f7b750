"""Push or fold with more players: the ranges of every decision, the values, and a figure."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.display.elements.grid import Grid
from pokerlab.display.elements.numbers import value_text
from pokerlab.display.elements.table import plain_table
from pokerlab.display.preflop.charts import IN_PART, chart_panel, print_beside
from pokerlab.figure import Figure
from pokerlab.lab.preflop.push_fold_table import Decision, TableSolution

FEW_PLAYERS = 3  # up to this number, every decision is shown as a grid
RARELY = 0.002  # rarer over-calls are left to CSV and JSON
COLUMNS = 3


def show_table(screen: Any, found: TableSolution) -> None:
    """Ranges, values and epsilon."""
    stakes = found.stakes
    screen.print(f"[bold]push or fold[/bold] with {stakes.text()}", soft_wrap=True)
    shown = [one for one in found.decisions if len(stakes.stacks) <= FEW_PLAYERS or not one.against]
    for first in range(0, len(shown), COLUMNS):
        row = shown[first : first + COLUMNS]
        screen.print()
        print_beside(screen, [f"[bold]{_title(one)}[/bold]" for one in row], [_grid(one) for one in row])
    screen.print()
    left_out = 0
    for one in found.decisions:
        if len(one.against) > 2 or (len(one.against) == 2 and len(stakes.stacks) > FEW_PLAYERS and one.chance < RARELY):
            left_out += 1
            continue
        screen.print(
            f"[dim]{_title(one)}[/dim] [bold]{100 * one.share:.1f} %[/bold]: {one.range.text() or 'nothing'}",
            soft_wrap=True,
        )
    if left_out:
        screen.print(f"[dim]{left_out} rarer decisions are left out; --csv and --json have over-calls of two[/dim]")
    _show_values(screen, found)
    tail = (
        f"; four and more all-in {100 * found.multiway_chance:.2g} % of hands, sampled" if found.multiway_chance else ""
    )
    screen.print(
        f"[dim]\N{GREEK SMALL LETTER EPSILON}[/dim] [bold]{found.epsilon_percent:.2g} %[/bold] of "
        f"{'the prize pool' if stakes.payouts else 'all chips'}, [dim]the most that a best response of one seat wins "
        f"more; {found.solution.iterations} iterations of {found.algorithm}{tail}[/dim]",
        soft_wrap=True,
    )


def _show_values(screen: Any, found: TableSolution) -> None:
    headings = ("seat", "stack", f"before ({found.stakes.unit})", "after", "change", "gain by a best response")
    gains, rows = found.assessment.gains, []
    for place, seat in enumerate(found.stakes.seats):
        before, after = float(found.before[place]), float(found.values[place])
        stack = f"{float(found.stakes.stacks[place]):g}"
        change = value_text(after - before, 4)
        rows.append((seat, stack, f"{before:.4f}", f"{after:.4f}", change, f"{gains[place]:.2g}"))
    screen.print()
    screen.print(plain_table(headings, rows))


def _title(one: Decision) -> str:
    does = {"push": "pushes", "call": "calls", "over-call": "over-calls"}[one.kind]
    return f"{one.seat} {does} {' and '.join(one.against)}".strip()


def _grid(one: Decision) -> Grid:
    return Grid(np.where(one.pushes < IN_PART[0], 0.0, one.pushes).reshape(13, 13))


def table_figure(found: TableSolution) -> Figure:
    """The grids of pushes and, for few players, of calls and over-calls."""
    panels = [
        chart_panel(f"{_title(one)} {100 * one.share:.1f} %", one.pushes)
        for one in found.decisions
        if not one.against or len(found.stakes.stacks) <= FEW_PLAYERS
    ]
    return Figure("table", found.stakes.text(), tuple(panels), columns=min(COLUMNS, len(panels)))
