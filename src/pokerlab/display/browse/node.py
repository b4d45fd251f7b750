"""A node of a solution in the terminal: the strategy of each hand or class, and the totals by action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.markup import escape

from pokerlab.cards.card import FULL_DECK, SUIT_SYMBOLS
from pokerlab.display.browse.node_grids import (
    action_table,
    chips,
    has_grid,
    number_grid,
    number_words,
    percent,
    strategy_grid,
)
from pokerlab.display.elements.numbers import card_text
from pokerlab.display.elements.table import plain_table

if TYPE_CHECKING:
    from rich.table import Table

    from pokerlab.lab.analyse.browsing import HandAt
    from pokerlab.strategy.views.hands import HandPlace


HEADINGS = {"reach": "reach", "bucket": "bucket", "ev": "EV", "equity": "equity"}


def show_view(screen: Any, view: Any, *, grid: str = "strategy", player: int | None = None) -> None:
    """Print a node: the history, the player to act, the strategy of each hand, and the totals.

    `grid` is what a grid of starting hands shows; `player` is whose, by default the player to act.
    """
    screen.print(_heading(view))
    if view.is_deal:
        screen.print(_next_cards(view))
    elif view.player is None:
        screen.print("the hand is over")
    else:
        screen.print(f"[bold]{view.seats[view.player]}[/bold] to act")
    if has_grid(view):
        _show_grid(screen, view, grid, player)
    elif view.player is not None:
        screen.print(row_table(view, width=screen.width))
        if view.note:
            screen.print(f"[dim]{view.note}[/dim]")
    _show_values(screen, view)


def _next_cards(view: Any) -> str:
    """The number of cards to be dealt, and how to type them."""
    count = view.coming
    if count == 1:
        card = view.actions[0] if view.actions else view.deck.name(view.deck.size - 3)
        return f"a card is dealt: type it, for example {escape(card)}"
    free = [card for card in range(view.deck.size - 3, -1, -1) if card not in view.board]
    example = view.deck.text(free[:: max(1, len(free) // 9)][:count])
    return f"{count} cards are dealt: type them, for example {escape(example)}"


def _heading(view: Any) -> str:
    moves = escape(" · ".join(view.moves)) or "start"
    board = card_text(FULL_DECK.text(view.board)) + "   " if has_grid(view) and view.board else ""
    pot = "" if view.pot is None else f"pot {view.pot:g}   "
    return f"{board}{pot}[dim]{moves}[/dim]"


def _show_grid(screen: Any, view: HandPlace, grid: str, player: int | None) -> None:
    """The requested grid and a row per action; before a card is dealt, the EV of each card."""
    whose = player if player is not None else (view.player if view.player is not None else 0)
    if grid not in view.grids:
        screen.print(f"[dim]{grid} is unknown here[/dim]")
        grid = "strategy"
    if grid == "strategy" and view.is_deal:
        if view.coming == 1 and (children := view.cards()):
            screen.print(card_table(children))
        return
    if grid == "strategy" and view.player is None:
        return
    if grid == "strategy" and whose != view.player:
        screen.print(f"[dim]{view.seats[whose]} is not to act here: the grid shows reach[/dim]")
        grid = "reach"
    if grid == "strategy":
        mixed = strategy_grid(view)
        screen.print(mixed)
        if mixed.key(screen):
            screen.print(f"[dim]{mixed.key(screen)}[/dim]", soft_wrap=True)
        screen.print(action_table(screen, view, mixed))
        return
    numbers = number_grid(view, grid, whose)
    screen.print(numbers)
    screen.print(f"[dim]{number_words(view, grid, whose)}[/dim]", soft_wrap=True)
    screen.print(numbers.legend(screen), soft_wrap=True)
    if view.player is not None:
        screen.print(action_table(screen, view, None))


def _show_values(screen: Any, view: Any) -> None:
    values = view.summary()
    money = f" {view.money}" if view.money else ""
    width = max(16, *map(len, view.seats))
    for player, seat in enumerate(view.seats):
        texts = [f"EV {chips(values['ev'][player], 3)}{money}"] if "ev" in values else []
        texts += [f"equity {chips(percent(values['equity'][player]), 1)} %"] if "equity" in values else []
        if texts:
            screen.print(f"[dim]{seat:{width}}[/dim] {'   '.join(texts)}")


def show_hand(screen: Any, view: Any, found: HandAt) -> None:
    """One hand at a node: its action probabilities and, if known, EV, equity and bucket."""
    for action, share in (found.strategy or {}).items():
        worth = f"   EV {chips(found.action_ev[action], 3)}" if found.action_ev else ""
        gone = f"   discards {found.thrown[action]}" if found.thrown.get(action) else ""
        screen.print(f"{action:14} {100 * share:5.1f} %{worth}{gone}")
    for option, played in found.options.items() if len(found.options) > 1 else ():
        shares = ", ".join(f"{action} {100 * share:.1f} %" for action, share in played.items())
        screen.print(f"[dim]after {option}:[/dim] {shares}", soft_wrap=True)
    texts = [] if found.ev is None else [f"EV {chips(found.ev, 3)}"]
    texts += [] if found.equity is None else [f"equity {chips(100 * found.equity, 1)} %"]
    if texts:
        screen.print(f"{view.seats[found.player]}: {'   '.join(texts)}")
    if found.buckets:
        hands = int(np.count_nonzero(view.is_present(found.player)))
        for one in found.buckets:
            part = f"{one.hands:,} of the {hands:,} possible hands"
            screen.print(f"bucket {one.bucket} of {view.bucket_count:,} (from 0): {part}", soft_wrap=True)


def row_table(view: Any, *, width: int, rows: int = 60) -> Table:
    """A row per hand of the player to act; if there are many, the likeliest first."""
    found = view.table(view.player)
    shown = found if len(found) <= rows else sorted(found, key=lambda row: -row["likelihood"])[:rows]
    plain = [name for name in ("bucket", "ev") if found and name in found[0]]
    headings = ("hand", "likely", *(HEADINGS[name] for name in plain), *view.actions)
    lines: list[Sequence[str]] = []
    digits = _digits(view.actions, 12 + max((len(row["hand"]) for row in shown), default=0) + 9 * len(plain), width)
    for row in shown:
        shares = [_share(row["strategy"].get(action), digits) for action in view.actions]
        numbers = [_cell(row, name, 3) for name in plain]
        lines.append((escape(row["hand"]) or "(start)", f"{100 * row['likelihood']:.1f} %", *numbers, *shares))
    shares = [_share(share, digits) for share in view.strategy().values()]
    every = "[bold]all[/bold]" if len(shown) == len(found) else f"all {len(found):,}"
    lines.append((every, "", *([""] * len(plain)), *shares))
    return plain_table(headings, lines)


def _cell(row: dict[str, Any], name: str, digits: int = 2) -> str:
    """One number of a hand in a table."""
    value = row[name]
    if name == "bucket":
        return f"{value}"
    if name == "reach":
        return f"{value:.3f}"
    return f"{chips(percent(value), 1)} %" if name == "equity" else chips(value, digits)


def _share(share: float | None, digits: int) -> str:
    return "" if share is None else f"{100 * share:.{digits}f}{' ' * digits}%"


def _digits(actions: Sequence[str], before: int, width: int) -> int:
    """Decimals of percentages: none if the table would be too wide with one."""
    return 1 if before + sum(max(len(action), len("100.0 %")) + 2 for action in actions) <= width else 0


def card_table(children: Sequence[HandPlace]) -> Table:
    """The EV out of position after each card: a row per rank and a column per suit."""
    evs = {after.moves[-1]: chips(after.ev(0)) for after in children}
    headings = ("", *(f"{SUIT_SYMBOLS[suit]:>7}" for suit in "shdc"))
    rows = [(rank, *(evs.get(rank + suit, "") for suit in "shdc")) for rank in "AKQJT98765432"]
    return plain_table(headings, rows, title="EV out of position by card", title_justify="left")


def _or_least(number: float | None) -> float:
    return -np.inf if number is None else number


def show_hands(screen: Any, view: Any, player: int | None) -> None:
    """A table of the hands of one player, or of each."""
    for seat in range(len(view.seats)):
        if player in (None, seat) and view.table(seat):
            screen.print(hand_table(view, seat))


def hand_table(view: Any, player: int) -> Table:
    """A row per hand with which a player reaches this node, the most valuable first."""
    acting = player == view.player
    rows = view.table(player)
    plain = [name for name in ("reach", "bucket", "ev", "equity") if rows and name in rows[0]]
    headings = ("hand", *(HEADINGS[name] for name in plain), *(view.actions if acting else ()))
    held = "reach" if "reach" in plain else "likelihood"
    least = 1e-6 * max((row[held] for row in rows), default=0.0)  # rarer hands are not shown
    rows = [row for row in rows if row[held] > least]
    lines = []
    worth = next((name for name in ("ev", "equity") if name in plain), None)
    for row in sorted(rows, key=lambda row: -_or_least(row.get(worth))):
        shares = [f"{100 * row['strategy'].get(action, 0.0):.0f} %" for action in view.actions] if acting else []
        lines.append((escape(row["hand"]), *(_cell(row, name) for name in plain), *shares))
    return plain_table(headings, lines, title=view.seats[player], title_justify="left")
