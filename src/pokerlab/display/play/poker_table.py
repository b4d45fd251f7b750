"""A hand of poker, drawn: cards, seats, chips, and actions as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pokerlab.cards.card import FULL_DECK, SUIT_SYMBOLS
from pokerlab.cards.strength import describe
from pokerlab.games.poker.engine import Action, PokerGame, State, View
from pokerlab.games.poker.text import action_words
from pokerlab.games.poker.typed import street_base

if TYPE_CHECKING:
    from pokerlab.cards.card import Deck

_INKS = {"c": "green", "d": "blue", "h": "red", "s": "black"}


def cards(deck: Deck, held: Iterable[int], *, hidden: int = 0) -> Text:
    """Cards as white tiles in four colours; hidden ones as backs."""
    drawn = Text()
    for card in held:
        name = deck.name(card)
        suit = name[-1] if len(deck.suits) > 1 else ""
        rank = name[: len(name) - len(suit)]
        drawn.append(f" {rank}{SUIT_SYMBOLS.get(suit, suit)} ", style=f"bold {_INKS.get(suit, 'black')} on white")
        drawn.append(" ")
    for _ in range(hidden):
        drawn.append(" ▒▒ ", style="bright_black on blue")
        drawn.append(" ")
    return drawn


def table(view: View, names: Sequence[str], *, title: str = "") -> RenderableType:
    """The table as one seat sees it."""
    game = view.game
    seats = Table.grid(padding=(0, 2))
    unlimited = game.rules.stacks is None
    for seat in range(game.players):
        alive = bool(view.betting.alive >> seat & 1)
        mine = seat == view.seat
        shown = view.shown[seat] if view.shown else ()
        back = 0 if mine or shown or not alive else len(view.cards)
        seats.add_row(
            Text("●" if seat == view.button else " ", style="yellow"),
            Text(names[seat], style="bold" if mine else ("" if alive else "dim strike")),
            cards(game.deck, view.cards if mine else shown, hidden=back) if alive or mine else Text("folded", "dim"),
            Text(f"in {game.chips(view.spent[seat])}", style="cyan"),
            Text("" if unlimited else f"behind {game.chips(view.stacks[seat])}", style="dim"),
        )
    middle = Text.assemble(("pot ", "dim"), (str(game.chips(view.pot)), "bold yellow"), "   ")
    if any(round_.public for round_ in game.rules.rounds):
        middle.append_text(cards(game.deck, view.board) if view.board else Text("no cards yet", "dim"))
    return Panel(Group(seats, Text(), middle), title=title, title_align="left", border_style="green", expand=False)


def said(game: PokerGame, state: State, action: Action, name: str) -> str:
    """An action as spoken at the table: "you raise to 300", "formula checks"."""
    base = street_base(game.view(state, state.betting.actor))
    return f"{name} {action_words(game, state.betting, action, base=base, you=name == 'you')}"


def result_words(game: PokerGame, state: State, names: Sequence[str], returns: Sequence[float]) -> list[Text]:
    """The end of a hand: board and hands at a showdown, then the chips won."""
    lines = []
    view = game.view(state, 0)
    if view.shown and view.board:
        lines.append(Text.assemble("board ", cards(game.deck, view.board)))
    for seat, shown in enumerate(view.shown):
        if shown:
            line = Text.assemble(f"{names[seat]} {_says(names[seat], 'show')} ", cards(game.deck, shown))
            if game.deck == FULL_DECK and game.rules.showdown == "high" and len(shown + view.board) >= 5:
                line.append(describe(shown + view.board), style="dim")
            lines.append(line)
    for seat, won in enumerate(returns):
        if won > 0:
            lines.append(Text(f"{names[seat]} {_says(names[seat], 'win')} {won:g}", style="bold green"))
    if not any(won > 0 for won in returns):
        lines.append(Text("the pot is split", style="bold"))
    return lines


def _says(name: str, verb: str) -> str:
    return verb if name == "you" else verb + "s"
