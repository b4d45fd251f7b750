"""Games over hand classes: what each player wins, in big blinds, and charts of the hands that act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.display.elements.grid import Grid
from pokerlab.display.elements.numbers import value_text
from pokerlab.figure import Figure, Panel

if TYPE_CHECKING:
    from pokerlab.strategy.files.solution import Solution
    from pokerlab.strategy.forms.classes import ClassStrategy
    from pokerlab.tree.classes import ClassForm

IN_PART = (0.005, 0.995)  # shares between these are shown as a mixture
MOST_MIXED = 12  # hands that are named
EXACT = 5e-7  # bounds nearer than this are one number on the screen


def value_rows(solution: Solution) -> list[tuple[str, str]]:
    """What each player wins and the exploitability, as rows of text in the units of the game."""
    form: ClassForm = solution.strategy.form
    rows = []
    for seat in form.order:
        words = f"[bold]{value_text(solution.measure.values[seat] / form.chips)}[/bold] {form.money} a hand"
        number = f"player {seat}"
        rows.append((form.seats[seat], words if form.seats[seat] == number else f"{words} ({number})"))
    if solution.bounds is not None:
        low, high = (bound / form.chips for bound in solution.bounds)
        if form.order != (0, 1):
            low, high = -high, -low
        if high - low > EXACT:
            rows.append(("value", f"between {value_text(low)} and {value_text(high)} for the {form.roles[0]}"))
    gap, both = (
        max(number, 0.0) / form.chips for number in (solution.measure.exploitability, solution.measure.nash_conv)
    )
    rows.append(("exploitability", f"[bold]{gap:.3g}[/bold] {form.money} (NashConv {both:.3g})"))
    return rows


def has_chart(solution: Solution) -> bool:
    """Whether charts show a whole solution: one decision each with the 169 classes of two cards."""
    return bool(solution.strategy.has_charts)


def show_charts(screen: Any, strategy: ClassStrategy) -> None:
    """The hands that act: both players side by side, or one below the other on a narrow screen."""
    form = strategy.form
    grids = [act_grid(acts) for acts in strategy.acts]
    titles = [f"{role} {act}" for role, act in zip(form.roles, form.acts, strict=True)]
    screen.print()
    print_beside(screen, [f"[bold]{title}[/bold]" for title in titles], grids)
    for role in (0, 1):
        screen.print(legend(strategy, role))


def act_grid(acts: np.ndarray) -> Grid:
    """How often each class acts; hardly ever counts as never."""
    return Grid(np.where(acts < IN_PART[0], 0.0, acts).reshape(13, 13))


def legend(strategy: ClassStrategy, role: int) -> str:
    """How often a player acts, and the hands that act in part."""
    form = strategy.form
    share = form.one_decision.frequencies(*strategy.acts)[role]
    mixed = [
        f"{hand}\N{NO-BREAK SPACE}{100 * act:.0f}\N{NO-BREAK SPACE}%"
        for hand, act in zip(form.hands, strategy.acts[role].tolist(), strict=True)
        if IN_PART[0] < act < IN_PART[1]
    ]
    if len(mixed) > MOST_MIXED:
        mixed = [*mixed[:MOST_MIXED], f"{len(mixed) - MOST_MIXED} more"]
    parts = f"; in part: {', '.join(mixed)}" if mixed else ""
    return f"[dim]{form.roles[role]} {form.acts[role]}[/dim] [bold]{100 * share:.1f} %[/bold] of hands{parts}"


def print_beside(screen: Any, titles: list[str], grids: list[Grid]) -> None:
    """Grids side by side under their titles, or one below the other on a narrow screen."""
    width = 13 * grids[0].width
    if screen.width < len(grids) * width + 3 * (len(grids) - 1):
        for title, grid in zip(titles, grids, strict=True):
            screen.print(title)
            screen.print(grid)
        return
    table = Table.grid(padding=(0, 3))
    for _ in grids:
        table.add_column(width=width)
    table.add_row(*titles)
    table.add_row(*grids)
    screen.print(table)


def charts_figure(strategy: ClassStrategy) -> Figure:
    """The charts of both players."""
    return Figure("charts", strategy.form.name, tuple(chart_panels(strategy)), columns=2)


def chart_panels(strategy: ClassStrategy) -> list[Panel]:
    """The charts of both players."""
    form, panels = strategy.form, []
    value = form.one_decision.value(*strategy.acts)
    shares = form.one_decision.frequencies(*strategy.acts)
    for role in (0, 1):
        won = value if role == 0 else -value
        acts = f"{form.roles[role]} {form.acts[role]} {100 * shares[role]:.1f} %"
        title = f"{form.name}\n{acts}, wins {value_text(won, 4)} {form.money} a hand"
        panels.append(chart_panel(title, strategy.acts[role]))
    return panels


def chart_panel(title: str, acts: np.ndarray) -> Panel:
    """How often each of the 169 classes acts."""
    texts = [
        f"{hand}\n{100 * act:.0f} %" if IN_PART[0] < act < IN_PART[1] else hand
        for hand, act in zip(CLASS_NAMES, acts.reshape(-1).tolist(), strict=True)
    ]
    return Panel(title=title, cells=np.reshape(acts, (13, 13)), cell_text=np.reshape(texts, (13, 13)).tolist())
