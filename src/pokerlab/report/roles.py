"""A solved game of two roles for people: what each wins in the units of the game, and charts of who acts with what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.figure import Figure, Panel
from pokerlab.report.grid import Grid
from pokerlab.report.numbers import value_text

if TYPE_CHECKING:
    from pokerlab.strategy.roles import RoleStrategy, RoleView
    from pokerlab.strategy.solution import Solution
    from pokerlab.tree.roles import RoleForm

CLASSES = 169
IN_PART = (0.005, 0.995)  # what is between is told as a mixture
MOST_MIXED = 12  # hands that are told by name
EXACT = 5e-7  # bounds nearer than this are one number on the screen


def role_rows(solution: Solution) -> list[tuple[str, str]]:
    """What each role wins and how far that is from equilibrium, as rows of words, in the units of the game."""
    form: RoleForm = solution.strategy.form
    rows = []
    for role, seat in enumerate(form.seats):
        words = f"[bold]{value_text(solution.measure.values[seat] / form.chips)}[/bold] {form.money} a hand"
        rows.append((form.roles[role], f"{words} (player {seat})"))
    if solution.bounds is not None:
        low, high = (bound / form.chips for bound in solution.bounds)
        if form.seats != (0, 1):
            low, high = -high, -low
        if high - low > EXACT:
            rows.append(("value", f"between {value_text(low)} and {value_text(high)} for the {form.roles[0]}"))
    gap, both = (
        max(number, 0.0) / form.chips for number in (solution.measure.exploitability, solution.measure.nash_conv)
    )
    rows.append(("exploitability", f"[bold]{gap:.3g}[/bold] {form.money} (NashConv {both:.3g})"))
    return rows


def has_chart(form: RoleForm) -> bool:
    """Whether hands are the 169 classes of two cards, which a chart shows."""
    return all(len(hands) == CLASSES for hands in form.hands)


def show_charts(screen: Any, strategy: RoleStrategy) -> None:
    """Who acts with what: both roles side by side, or one under the other where the screen is narrow."""
    form = strategy.form
    grids = [_grid(acts) for acts in strategy.acts]
    titles = [f"{role} {act}" for role, act in zip(form.roles, form.acts, strict=True)]
    screen.print()
    print_beside(screen, [f"[bold]{title}[/bold]" for title in titles], grids)
    for role in (0, 1):
        screen.print(legend(strategy, role))


def _grid(acts: np.ndarray) -> Grid:
    return Grid(np.where(acts < IN_PART[0], 0.0, acts).reshape(13, 13))


def legend(strategy: RoleStrategy, role: int) -> str:
    """How often a role acts, and the hands with which it does so in part."""
    form = strategy.form
    share = form.frequencies(*strategy.acts)[role]
    low, high = IN_PART
    mixed = [
        f"{hand}\N{NO-BREAK SPACE}{100 * act:.0f}\N{NO-BREAK SPACE}%"
        for hand, act in zip(form.hands[role], strategy.acts[role].tolist(), strict=True)
        if low < act < high
    ]
    if len(mixed) > MOST_MIXED:
        mixed = [*mixed[:MOST_MIXED], f"{len(mixed) - MOST_MIXED} more"]
    parts = f"; in part: {', '.join(mixed)}" if mixed else ""
    return f"[dim]{form.roles[role]} {form.acts[role]}[/dim] [bold]{100 * share:.1f} %[/bold] of hands{parts}"


def print_beside(screen: Any, titles: list[str], grids: list[Grid]) -> None:
    """Grids side by side under their titles, or one under the other where the screen is narrow."""
    from rich.table import Table

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


def show_place(screen: Any, view: RoleView) -> None:
    """The chart of the role to act."""
    assert view.role is not None
    screen.print(_grid(view.source.acts[view.role]))
    screen.print(legend(view.source, view.role))


def draw_charts(strategy: RoleStrategy, path: Path) -> None:
    """The charts of both roles as a picture."""
    from pokerlab.report.figure import write_figure

    write_figure(Figure("charts", strategy.form.name, tuple(chart_panels(strategy)), columns=2), path)


def chart_panels(strategy: RoleStrategy) -> list[Panel]:
    """The charts of both roles."""
    form, panels = strategy.form, []
    value = form.value(*strategy.acts)
    shares = form.frequencies(*strategy.acts)
    for role in (0, 1):
        won = value if role == 0 else -value
        acts = f"{form.roles[role]} {form.acts[role]} {100 * shares[role]:.1f} %"
        title = f"{form.name}\n{acts}, wins {value_text(won, 4)} {form.money} a hand"
        panels.append(chart_panel(title, strategy.acts[role]))
    return panels


def chart_panel(title: str, acts: np.ndarray) -> Panel:
    """How often each of the 169 classes acts."""
    texts = [_cell(hand, act) for hand, act in zip(CLASS_NAMES, acts.reshape(-1).tolist(), strict=True)]
    rows = [texts[13 * row : 13 * row + 13] for row in range(13)]
    return Panel(title=title, cells=np.reshape(acts, (13, 13)), cell_text=rows)


def _cell(hand: str, act: float) -> str:
    low, high = IN_PART
    return f"{hand}\n{100 * act:.0f} %" if low < act < high else hand
