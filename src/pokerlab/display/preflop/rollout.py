"""Hold'em before the flop with roll-outs, for people: every decision in a line, and one of them as a grid."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.display.browse.node_grids import action_colours
from pokerlab.display.elements.grid import MixGrid
from pokerlab.display.elements.numbers import value_text
from pokerlab.display.preflop.push_fold import ev_grid
from pokerlab.figure import Figure, Panel
from pokerlab.lab.rollout import RollOut
from pokerlab.solvers.algorithm import short_spec

if TYPE_CHECKING:
    from pokerlab.strategy.classes import ClassView

MOST_PLACES = 40  # told in the terminal
SELDOM = 5e-4  # decisions that come up less often are left out


def show_roll_out(screen: Any, found: RollOut, view: ClassView, *, with_ev: bool = False) -> None:
    """What is won, every decision, and the hands at one of them."""
    from rich.markup import escape
    from rich.table import Table

    screen.print(f"[bold]{escape(found.solution.game)}[/bold]", soft_wrap=True)
    screen.print(f"[dim]small blind wins[/dim] [bold]{value_text(found.value)}[/bold] big blinds a hand")
    screen.print(
        f"[dim]exploitability[/dim]   [bold]{found.exploitability:.2g}[/bold] big blinds, "
        f"[dim]over all hands; {escape(short_spec(found.solution.algorithm))}[/dim]",
        soft_wrap=True,
    )
    rows = found.rows()
    often = [row for row in rows if row["share"] >= SELDOM]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("betting", "to act", "comes up", "what is done"):
        table.add_column(heading, justify="right" if heading == "comes up" else "left")
    for row in often[:MOST_PLACES]:
        done = ", ".join(f"{word} {100 * share:.1f} %" for word, share in row["frequencies"].items())
        path = " · ".join(row["betting"]) or "start"
        table.add_row(escape(path), row["seat"], f"{100 * row['share']:.1f} %", escape(done))
    screen.print()
    screen.print(table)
    if len(rows) > len(often[:MOST_PLACES]):
        left = len(rows) - len(often[:MOST_PLACES])
        screen.print(f"[dim]{left} more decisions come up seldom or never; --json and --csv have all[/dim]")
    _show_hands(screen, found, view, with_ev=with_ev)


def _show_hands(screen: Any, found: RollOut, view: ClassView, *, with_ev: bool) -> None:
    assert view.player is not None
    words, grid = found.words(view), strategy_grid(found, view)
    screen.print(f"\n[bold]{view.seats[view.player]}[/bold] {_after(view)}")
    screen.print(grid)
    if grid.key(screen):
        screen.print(f"[dim]{grid.key(screen)}[/dim]", soft_wrap=True)
    screen.print("   ".join(f"{grid.mark(screen, place)} {word}" for place, word in enumerate(words)), soft_wrap=True)
    if not view.likelihood(view.player).any():
        screen.print("[dim]nobody plays on to here in equilibrium, so that hands have no EV[/dim]")
    elif with_ev:
        rows = found.hands(view)
        for word in words:
            numbers = ev_grid(np.array([row["action_ev"][word] for row in rows]))
            screen.print(f"\nEV of each hand by {word}, in big blinds")
            screen.print(numbers)


def strategy_grid(found: RollOut, view: ClassView) -> MixGrid:
    """What each class does at a decision; nothing of classes that never come to it, where others do."""
    rows = found.hands(view)
    shares = np.array([list(row["strategy"].values()) for row in rows])
    likely = np.array([row["likelihood"] for row in rows])
    if likely.any():
        shares[likely == 0] = 0.0
    return MixGrid(shares.reshape(13, 13, -1), action_colours([word.split()[0] for word in found.words(view)]))


def draw_roll_out(found: RollOut, view: ClassView, path: Path) -> None:
    """The hands at a decision as a picture, a grid for each action."""
    from pokerlab.display.elements.figure import write_figure

    rows, panels = found.hands(view), []
    shares = view.strategy()
    for word, share in zip(found.words(view), shares.values(), strict=True):
        acts = np.array([row["strategy"][word] for row in rows])
        texts = [
            f"{row['hand']}\n{100 * act:.0f}" if act > 5e-3 else row["hand"]
            for row, act in zip(rows, acts, strict=True)
        ]
        title = f"{_after(view)}: {word}, {100 * share:.1f} %"
        cells = [texts[13 * line : 13 * line + 13] for line in range(13)]
        panels.append(Panel(title=title, cells=acts.reshape(13, 13), cell_text=cells))
    write_figure(Figure("roll-out", found.solution.game, tuple(panels), columns=2), path)


def write_table(found: RollOut, path: Path) -> None:
    """Every class at every decision as a CSV file."""
    from pokerlab.tables import write_csv

    heading = ("moves", "betting", "seat", "hand", "likelihood", "action", "probability", "ev")
    write_csv(path, heading, _table_rows(found))


def _table_rows(found: RollOut) -> Any:
    for path, view in found.places():
        assert view.player is not None
        place = " ".join(view.moves), " · ".join(path), view.seats[view.player]
        for row in found.hands(view):
            for word, share in row["strategy"].items():
                worth = row["action_ev"][word]
                yield *place, row["hand"], row["likelihood"], word, share, None if np.isnan(worth) else worth


def _after(view: ClassView) -> str:
    return f"after {' '.join(view.moves)}" if view.moves else "at the start"
