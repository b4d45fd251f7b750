"""Hold'em before the flop with roll-outs: a row per decision, and one of them as a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from rich.markup import escape

from pokerlab.display.browse.node import action_colours, ev_grid
from pokerlab.display.elements.grid import MixGrid
from pokerlab.display.elements.numbers import value_text
from pokerlab.display.elements.table import plain_table
from pokerlab.display.preflop.charts import chart_panel
from pokerlab.figure import Figure
from pokerlab.lab.preflop.rollout import RollOut
from pokerlab.solvers.core.algorithm import short_spec
from pokerlab.tables import Columns

if TYPE_CHECKING:
    from pokerlab.strategy.forms.classes import ClassView

MOST_ROWS = 40
SELDOM = 5e-4  # rarer decisions are left out


def show_roll_out(screen: Any, result: RollOut, view: ClassView, *, with_ev: bool = False) -> None:
    """The value, every decision, and the hands at one of them."""
    screen.print(f"[bold]{escape(result.solution.game)}[/bold]", soft_wrap=True)
    screen.print(f"[dim]small blind wins[/dim] [bold]{value_text(result.value)}[/bold] big blinds a hand")
    screen.print(
        f"[dim]exploitability[/dim]   [bold]{result.exploitability:.2g}[/bold] big blinds, "
        f"[dim]over all hands; {escape(short_spec(result.solution.algorithm))}[/dim]",
        soft_wrap=True,
    )
    rows = result.rows()
    often = [row for row in rows if row["share"] >= SELDOM]
    lines = []
    for row in often[:MOST_ROWS]:
        actions = ", ".join(f"{word} {100 * share:.1f} %" for word, share in row["frequencies"].items())
        path = " · ".join(row["betting"]) or "start"
        lines.append((escape(path), row["seat"], f"{100 * row['share']:.1f} %", escape(actions)))
    screen.print()
    headings = ("betting", "to act", "reached", "actions")
    screen.print(plain_table(headings, lines, left=("betting", "to act", "actions")))
    if len(rows) > len(often[:MOST_ROWS]):
        left = len(rows) - len(often[:MOST_ROWS])
        screen.print(f"[dim]{left} more decisions are rarely or never reached; --json and --csv have all[/dim]")
    _show_hands(screen, result, view, with_ev=with_ev)


def _show_hands(screen: Any, result: RollOut, view: ClassView, *, with_ev: bool) -> None:
    assert view.player is not None
    words, grid = result.words(view), strategy_grid(result, view)
    screen.print(f"\n[bold]{view.seats[view.player]}[/bold] {_after(view)}")
    screen.print(grid)
    if grid.key(screen):
        screen.print(f"[dim]{grid.key(screen)}[/dim]", soft_wrap=True)
    screen.print("   ".join(f"{grid.mark(screen, place)} {word}" for place, word in enumerate(words)), soft_wrap=True)
    if not view.likelihood(view.player).any():
        screen.print("[dim]never reached in equilibrium, so that hands have no EV[/dim]")
    elif with_ev:
        rows = result.hands(view)
        for word in words:
            numbers = ev_grid(np.array([row["action_ev"][word] for row in rows]))
            screen.print(f"\nEV of each hand by {word}, in big blinds")
            screen.print(numbers)


def strategy_grid(result: RollOut, view: ClassView) -> MixGrid:
    """The strategy of each class at a decision, without the classes that never reach it while others do."""
    rows = result.hands(view)
    shares = np.array([list(row["strategy"].values()) for row in rows])
    likely = np.array([row["likelihood"] for row in rows])
    if likely.any():
        shares[likely == 0] = 0.0
    return MixGrid(shares.reshape(13, 13, -1), action_colours([word.split()[0] for word in result.words(view)]))


def roll_out_figure(result: RollOut, view: ClassView) -> Figure:
    """The hands at a decision, a grid per action."""
    rows = result.hands(view)
    panels = [
        chart_panel(f"{_after(view)}: {word}, {100 * share:.1f} %", np.array([row["strategy"][word] for row in rows]))
        for word, share in zip(result.words(view), view.strategy().values(), strict=True)
    ]
    return Figure("roll-out", result.solution.game, tuple(panels), columns=2)


def csv_columns(result: RollOut) -> Columns:
    """Every class at every decision, a row per action."""
    headings = ("moves", "betting", "seat", "hand", "likelihood", "action", "probability", "ev")
    return dict(zip(headings, zip(*_table_rows(result), strict=True), strict=True))


def _table_rows(result: RollOut) -> Any:
    for path, view in result.places():
        assert view.player is not None
        node = " ".join(view.moves), " · ".join(path), view.seats[view.player]
        for row in result.hands(view):
            for word, share in row["strategy"].items():
                ev = row["action_ev"][word]
                yield *node, row["hand"], row["likelihood"], word, share, None if np.isnan(ev) else ev


def _after(view: ClassView) -> str:
    return f"after {' '.join(view.moves)}" if view.moves else "at the start"
