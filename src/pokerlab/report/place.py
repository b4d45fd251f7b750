"""A place of a solution in the terminal: what each hand or class of hands does, and the totals by action."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.color import blend_rgb
from rich.color_triplet import ColorTriplet

from pokerlab.cards.card import FULL_DECK, SUIT_SYMBOLS
from pokerlab.cards.combos import CLASS_COUNT, COMBO_CLASS
from pokerlab.errors import BadFile
from pokerlab.report.grid import Grid, MixGrid
from pokerlab.writing import replacing

if TYPE_CHECKING:
    from rich.table import Table

    from pokerlab.lab.browsing import HandAt
    from pokerlab.strategy.public_view import PublicView
    from pokerlab.strategy.solution import AnyView

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


def strategy_grid(view: PublicView) -> MixGrid:
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


def range_grid(view: PublicView, player: int) -> Grid:
    """How much of each class a player still holds."""
    from pokerlab.cards.ranges import class_averages

    present = view.is_present(player)
    return Grid(class_averages(np.where(present, view.range(player), 0.0), present))


def board_text(cards: Sequence[int]) -> str:
    """Cards with suit symbols, coloured."""
    styles = {"c": "green", "d": "blue", "h": "red", "s": "white"}
    words = []
    for card in cards:
        name = FULL_DECK.name(card)
        words.append(f"[bold {styles[name[1]]}]{name[0]}{SUIT_SYMBOLS[name[1]]}[/]")
    return " ".join(words)


def action_rows(view: PublicView) -> list[dict[str, Any]]:
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


def has_grid(view: AnyView) -> bool:
    """Whether hands are two cards of the full deck, so that a grid of classes shows them."""
    from pokerlab.strategy.public_view import PublicView

    return isinstance(view, PublicView) and view.tree.deck == FULL_DECK and len(view.tree.hands[0]) == 2


def show_view(screen: Any, view: Any) -> None:
    """Print a place: what has happened, whose turn it is, what each hand does, and the totals."""
    from rich.markup import escape

    moves = escape(" · ".join(view.moves)) or "start"
    board = board_text(view.board) + "   " if has_grid(view) else ""
    pot = f"pot {view.pot:g}   " if hasattr(view, "pot") else ""
    screen.print(f"{board}{pot}[dim]{moves}[/dim]")
    if view.is_deal:
        coming = getattr(view, "coming", 1)
        cards = view.actions or (view.tree.deck.name(view.tree.deck.size - 3),)
        what = "a card comes: type it" if coming == 1 else f"{coming} cards come: type them"
        screen.print(f"{what}, as {escape(cards[0]) if coming == 1 else '7h2d9s'}")
        if has_grid(view) and coming == 1:
            screen.print(card_table(view))
    elif view.player is None:
        screen.print("the hand is over")
    else:
        screen.print(f"[bold]{view.seats[view.player]}[/bold] to act")
        _show_actions(screen, view)
    _show_values(screen, view)


def _show_actions(screen: Any, view: Any) -> None:
    from rich.table import Table

    from pokerlab.report.roles import has_chart, show_place
    from pokerlab.strategy.roles import RoleView

    if isinstance(view, RoleView) and has_chart(view.source.form):
        show_place(screen, view)
        return
    if not has_grid(view):
        screen.print(row_table(view, width=screen.width))
        return
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


def _show_values(screen: Any, view: Any) -> None:
    values = view.summary()
    for player, value in enumerate(values["ev"]):
        equity = f"   equity {chips(_percent(values['equity'][player]), 1)} %" if "equity" in values else ""
        money = f" {view.money}" if hasattr(view, "money") else ""
        screen.print(f"[dim]{view.seats[player]:16}[/dim] EV {chips(value, 3)}{money}{equity}")


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def show_hand(screen: Any, view: Any, found: HandAt) -> None:
    """One hand at a place: what each action of it is worth and how often it is taken, its EV and its equity."""
    for action, share in (found.strategy or {}).items():
        screen.print(f"{action:14} {100 * share:5.1f} %   EV {chips(found.action_ev[action], 3)}")
    screen.print(f"{view.seats[found.player]}: EV {chips(found.ev, 3)}   equity {chips(100 * found.equity, 1)} %")


def row_table(view: Any, *, width: int, rows: int = 60) -> Table:
    """A line for each hand of the player to act, the likeliest first where there are many."""
    from rich.markup import escape
    from rich.table import Table

    found = view.table(view.player)
    shown = found if len(found) <= rows else sorted(found, key=lambda row: -row["likelihood"])[:rows]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("hand", "likely", "EV", *view.actions):
        table.add_column(escape(heading), justify="left" if heading == "hand" else "right")
    for row in shown:
        shares = [_share(row["strategy"].get(action)) for action in view.actions]
        table.add_row(
            escape(row["hand"]) or "(start)", f"{100 * row['likelihood']:.1f} %", chips(row["ev"], 3), *shares
        )
    shares = [_share(share) for share in view.strategy().values()]
    table.add_row("[bold]all[/bold]" if len(shown) == len(found) else f"all {len(found):,}", "", "", *shares)
    return table


def _share(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def card_table(view: PublicView) -> Table:
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


def hand_table(view: Any, player: int) -> Table:
    """A line for every hand of a player that comes here, the most valuable first."""
    from rich.markup import escape
    from rich.table import Table

    acting = player == view.player
    rows = view.table(player)
    plain = [name for name in ("reach", "equity") if rows and name in rows[0]]
    table = Table(box=None, pad_edge=False, title=view.seats[player], title_justify="left")
    for heading in ("hand", *plain[:1], "EV", *plain[1:], *(view.actions if acting else ())):
        table.add_column(escape(heading), justify="left" if heading == "hand" else "right")
    held = "reach" if "reach" in plain else "likelihood"
    least = 1e-6 * max((row[held] for row in rows), default=0.0)  # of the likeliest hand; what is below is not shown
    rows = [row for row in rows if row[held] > least]
    for row in sorted(rows, key=lambda row: -(row["ev"] if row["ev"] is not None else -np.inf)):
        shares = [f"{100 * row['strategy'].get(action, 0.0):.0f} %" for action in view.actions] if acting else []
        reach = [f"{row['reach']:.3f}"] if "reach" in plain else []
        equity = [f"{chips(_percent(row['equity']), 1)} %"] if "equity" in plain else []
        table.add_row(escape(row["hand"]), *reach, chips(row["ev"]), *equity, *shares)
    return table


def csv_rows(view: Any, player: int | None) -> list[list[Any]]:
    """The hands of a player here, or of all, as rows of a CSV file, the heading first."""
    seats = range(len(view.seats)) if player is None else (player,)
    tables = {seat: view.table(seat) for seat in seats}
    plain = [
        name
        for name in ("hand", "reach", "likelihood", "ev", "equity")
        if any(name in row for rows in tables.values() for row in rows)
    ]
    heading = ["player", *plain]
    heading += [f"{action} frequency" for action in view.actions] + [f"{action} ev" for action in view.actions]
    lines: list[list[Any]] = [heading]
    for seat, rows in tables.items():
        for row in rows:
            line = [seat, *(row.get(name) for name in plain)]
            if "strategy" in row:
                line += [row["strategy"].get(action) for action in view.actions]
                line += [row["action_ev"].get(action) for action in view.actions]
            lines.append(line + [""] * (len(heading) - len(line)))
    return lines


def write_csv(view: Any, player: int | None, path: Path) -> None:
    """The hands of one player or of both as a CSV file."""
    if path.is_dir() or not path.parent.is_dir():
        raise BadFile(f"cannot write {str(path)[:80]!r}: it is not a file in a folder that exists")
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as target:
        csv.writer(target).writerows(csv_rows(view, player))
