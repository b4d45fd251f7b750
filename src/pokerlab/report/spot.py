"""A place of a solved spot in the terminal: the grid of what each class of hands does, and the totals by action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.cards.card import FULL_DECK, SUIT_SYMBOLS
from pokerlab.cards.combos import CLASS_COUNT, COMBO_CLASS
from pokerlab.report.grid import Colour, Grid, MixGrid

if TYPE_CHECKING:
    from pokerlab.strategy.spot_view import SpotView

PASSIVE: dict[str, Colour] = {"fold": (70, 110, 170), "check": (72, 150, 96), "call": (72, 150, 96)}
AGGRESSIVE: tuple[Colour, Colour] = ((226, 150, 84), (150, 30, 40))  # from the smallest bet to the largest
SEAT_NAMES = ("out of position", "in position")


def action_colours(actions: Sequence[str]) -> list[Colour]:
    """A colour for each action: blue folds, green checks and calls, orange to dark red bets."""
    bets = [action for action in actions if action.split()[0] not in PASSIVE]
    colours = []
    for action in actions:
        word = action.split()[0]
        if word in PASSIVE:
            colours.append(PASSIVE[word])
            continue
        place = bets.index(action) / max(1, len(bets) - 1) if len(bets) > 1 else 0.5
        low, high = AGGRESSIVE
        red, green, blue = (round(a + (b - a) * place) for a, b in zip(low, high, strict=True))
        colours.append((red, green, blue))
    return colours


def strategy_grid(view: SpotView) -> MixGrid:
    """What each class of hands does, weighted by how likely its hands are here."""
    player = view.player
    assert player is not None
    likely, frequencies = view.likelihood(player), np.nan_to_num(view.frequencies)
    total = np.bincount(COMBO_CLASS, likely, CLASS_COUNT)
    shares = np.stack(
        [np.bincount(COMBO_CLASS, likely * frequencies[:, k], CLASS_COUNT) for k in range(len(view.actions))], axis=1
    )
    shares = np.divide(shares, total[:, None], out=np.zeros_like(shares), where=total[:, None] > 0)
    return MixGrid(shares.reshape(13, 13, -1), action_colours(view.actions))


def range_grid(view: SpotView, player: int) -> Grid:
    """How much of each class a player still holds."""
    from pokerlab.cards.ranges import class_averages

    present = ~np.isnan(view._present(player))
    return Grid(class_averages(np.where(present, view.range(player), 0.0), present))


def board_text(cards: Sequence[int]) -> str:
    """Cards with suit symbols, coloured."""
    styles = {"c": "green", "d": "blue", "h": "red", "s": "white"}
    words = []
    for card in cards:
        name = FULL_DECK.name(card)
        words.append(f"[bold {styles[name[1]]}]{name[0]}{SUIT_SYMBOLS[name[1]]}[/]")
    return " ".join(words)


def action_rows(view: SpotView) -> list[dict[str, Any]]:
    """Frequency, EV and equity of each action, over the hands that take it."""
    player = view.player
    assert player is not None
    likely, values, equities = view.likelihood(player), view.action_values, view.equities(player)
    rows = []
    for number, action in enumerate(view.actions):
        weight = np.nan_to_num(likely * view.frequencies[:, number])
        rows.append(
            {
                "action": action,
                "frequency": float(weight.sum()),
                "ev": _mean(weight, values[:, number]),
                "equity": _mean(weight, equities),
            }
        )
    return rows


def _mean(weight: np.ndarray, values: np.ndarray) -> float | None:
    known = np.where(np.isnan(values), 0.0, weight)
    return float(known @ np.nan_to_num(values) / known.sum()) if known.sum() > 1e-12 else None


def show_view(screen: Any, view: SpotView) -> None:
    """Print a place: board, pot, whose turn, the grid and the table of actions."""
    from rich.table import Table

    moves = " · ".join(view.moves) or "start"
    screen.print(f"{board_text(view.board)}   pot {view.pot:g}   [dim]{moves}[/dim]")
    if view.player is None:
        screen.print("a card comes: type it, as Td" if view.is_deal else "the hand is over")
    else:
        screen.print(f"[bold]{SEAT_NAMES[view.player]}[/bold] to act")
        grid = strategy_grid(view)
        screen.print(grid)
        table = Table(box=None, pad_edge=False)
        for heading in ("", "action", "frequency", "EV", "equity"):
            table.add_column(heading, justify="right" if heading in ("frequency", "EV", "equity") else "left")
        for number, row in enumerate(action_rows(view)):
            table.add_row(
                grid.mark(screen, number),
                row["action"],
                f"{100 * row['frequency']:.1f} %",
                "–" if row["ev"] is None else f"{row['ev']:.2f}",
                "–" if row["equity"] is None else f"{100 * row['equity']:.1f} %",
            )
        screen.print(table)
    for player in (0, 1):
        screen.print(
            f"[dim]{SEAT_NAMES[player]:16}[/dim] EV {view.ev(player):.3f}   equity {100 * view.equity(player):.1f} %"
        )


def csv_rows(view: SpotView, player: int) -> list[list[Any]]:
    """The hands of a player here as rows of a CSV file, the heading first."""
    acting = player == view.player
    heading = ["hand", "reach", "likelihood", "ev", "equity"]
    if acting:
        heading += [f"{action} frequency" for action in view.actions] + [f"{action} ev" for action in view.actions]
    rows: list[list[Any]] = [heading]
    for row in view.table(player):
        line = [row["hand"], row["reach"], row["likelihood"], row["ev"], row["equity"]]
        if acting:
            line += [*row["strategy"].values(), *row["action_ev"].values()]
        rows.append(line)
    return rows
