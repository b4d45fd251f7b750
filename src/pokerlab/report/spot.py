"""A place of a solved spot in the terminal: the grid of what each class of hands does, and the totals by action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.color import blend_rgb
from rich.color_triplet import ColorTriplet

from pokerlab.cards.card import FULL_DECK, SUIT_SYMBOLS
from pokerlab.cards.combos import CLASS_COUNT, COMBO_CLASS
from pokerlab.report.grid import Grid, MixGrid
from pokerlab.strategy.spot_view import SEAT_WORDS

if TYPE_CHECKING:
    from rich.table import Table

    from pokerlab.strategy.spot_view import SpotView

PASSIVE: dict[str, ColorTriplet] = {
    "fold": ColorTriplet(70, 110, 170),
    "check": ColorTriplet(72, 150, 96),
    "call": ColorTriplet(72, 150, 96),
}
AGGRESSIVE = (ColorTriplet(226, 150, 84), ColorTriplet(150, 30, 40))  # from the smallest bet to the largest


def action_colours(actions: Sequence[str]) -> list[ColorTriplet]:
    """A colour for each action: blue folds, green checks and calls, orange to dark red bets."""
    bets = [action for action in actions if action.split()[0] not in PASSIVE]
    colours = []
    for action in actions:
        word = action.split()[0]
        if word in PASSIVE:
            colours.append(PASSIVE[word])
            continue
        place = bets.index(action) / max(1, len(bets) - 1) if len(bets) > 1 else 0.5
        colours.append(blend_rgb(*AGGRESSIVE, cross_fade=place))
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
    likely, values, equities = view.likelihood(player), view.action_ev(), view.equities(player)
    rows = []
    for number, action in enumerate(view.actions):
        weight = np.nan_to_num(likely * view.frequencies[:, number])
        known = np.where(np.isnan(equities), 0.0, weight)
        equity = float(known @ np.nan_to_num(equities) / known.sum()) if known.sum() > 0 else float("nan")
        rows.append({"action": action, "frequency": float(weight.sum()), "ev": values[action], "equity": equity})
    return rows


def chips(number: float | None, digits: int = 2) -> str:
    """A number as people read it: a dash where there is none, and no minus before zero."""
    if number is None or number != number:
        return "–"
    return f"{round(number, digits) + 0.0:.{digits}f}"


def show_view(screen: Any, view: SpotView) -> None:
    """Print a place: board, pot, whose turn, the grid and the table of actions."""
    from rich.table import Table

    moves = " · ".join(view.moves) or "start"
    screen.print(f"{board_text(view.board)}   pot {view.pot:g}   [dim]{moves}[/dim]")
    if view.is_deal:
        screen.print("a card comes: type it, as Td")
        screen.print(card_table(view))
    elif view.player is None:
        screen.print("the hand is over")
    else:
        screen.print(f"[bold]{SEAT_WORDS[view.player]}[/bold] to act")
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
                chips(row["ev"]),
                f"{chips(100 * row['equity'], 1)} %",
            )
        screen.print(table)
    for player in (0, 1):
        screen.print(
            f"[dim]{SEAT_WORDS[player]:16}[/dim] EV {chips(view.ev(player), 3)}   "
            f"equity {chips(100 * view.equity(player), 1)} %"
        )


def card_table(view: SpotView) -> Table:
    """What each card that may come is worth: EV out of position, a row a rank and a column a suit."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title="EV out of position by card", title_justify="left")
    table.add_column("")
    for suit in "shdc":
        table.add_column(SUIT_SYMBOLS[suit], justify="right", min_width=7)
    found = {after.moves[-1]: after.ev(0) for after in view.cards()}
    for rank in "AKQJT98765432":
        table.add_row(rank, *(chips(found.get(rank + suit)) if rank + suit in found else "" for suit in "shdc"))
    return table


def hand_table(view: SpotView, player: int) -> Table:
    """A line for every hand of a player that comes here, the most valuable first."""
    from rich.table import Table

    acting = player == view.player
    table = Table(box=None, pad_edge=False, title=SEAT_WORDS[player], title_justify="left")
    for heading in ("hand", "reach", "EV", "equity", *(view.actions if acting else ())):
        table.add_column(heading, justify="left" if heading == "hand" else "right")
    rows = view.table(player)
    least = 1e-6 * max((row["reach"] for row in rows), default=0.0)  # of the likeliest hand; what is below is not shown
    rows = [row for row in rows if row["reach"] > least]
    for row in sorted(rows, key=lambda row: -(row["ev"] if row["ev"] is not None else -np.inf)):
        shares = [f"{100 * share:.0f} %" for share in row["strategy"].values()] if acting else []
        equity = None if row["equity"] is None else 100 * row["equity"]
        table.add_row(row["hand"], f"{row['reach']:.3f}", chips(row["ev"]), f"{chips(equity, 1)} %", *shares)
    return table


def csv_rows(view: SpotView, player: int | None) -> list[list[Any]]:
    """The hands of a player here, or of both, as rows of a CSV file, the heading first."""
    heading = ["player", "hand", "reach", "likelihood", "ev", "equity"]
    heading += [f"{action} frequency" for action in view.actions] + [f"{action} ev" for action in view.actions]
    rows: list[list[Any]] = [heading]
    for seat in (0, 1) if player is None else (player,):
        for row in view.table(seat):
            line = [seat, *(row[name] for name in ("hand", "reach", "likelihood", "ev", "equity"))]
            if seat == view.player:
                line += [*row["strategy"].values(), *row["action_ev"].values()]
            rows.append(line + [""] * (len(heading) - len(line)))
    return rows
