"""A poker hand in readable form, as one line and as a table; and parsing of actions.

Both take a state, with every card shown, or a view, with only those that its seat sees.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from pokerlab.cards.card import SUIT_SYMBOLS
from pokerlab.errors import IllegalAction, shortened
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Action, Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import HOLDEM_ROUNDS
from pokerlab.games.poker.state import State, View

STREETS = dict(zip((0, 3, 4, 5), HOLDEM_ROUNDS, strict=True))  # by public cards
_ACTION = re.compile(r"(f|c|r)([0-9]{0,12})|d(?:\(([^()]*)\)|0)?")


def one_line(game: PokerGame, shown: State | View) -> str:
    """Cards, betting, pot and the seat to act: "9s8h|9c6h/8c8d5c  cc/r250  pot 350, seat 1 to act"."""
    betting = shown.betting
    hands = "|".join(game.text(hand) for hand in _hands(game, shown))
    boards = ["/" + game.text(board) for board in _boards(game, shown)]
    cards, pot = hands + "".join(boards), game.chips(game.pot(betting))
    return f"{cards}  {betting.history or '-'}  pot {pot}, {_to_act(game, shown)}"


def view_text(view: View) -> str:
    """What one seat sees, on a line: "holdem-limit, seat 0 (big blind): AhKh, board Td7s2c, cr/c, pot 8, 2 to call"."""
    game, betting = view.game, view.betting
    board = "/".join(game.text(board) for board in _boards(game, view) if board)
    words = [f"{game.name}, {seat_name(game, view.seat)}: {game.text(view.cards) or 'no cards'}"]
    words += [f"board {board}"] if board else []
    words += [betting.history or "no action yet", f"pot {game.chips(game.pot(betting)):,}"]
    if view.is_turn:
        cost = 0 if betting.drawing else view.to_call
        words.append("to draw" if betting.drawing else f"{game.chips(cost):,} to call" if cost else "to act")
    else:
        words.append(_to_act(game, view))
    return ", ".join(words)


def table_text(game: PokerGame, shown: State | View, *, names: Sequence[str] = ()) -> str:
    """The table as a small picture: the board and the pots, then a line per seat."""
    betting = shown.betting
    board = " ".join(pretty(game, board) for board in _boards(game, shown) if board)
    pots = game.payoffs.pots(betting)
    words = f"pot {game.chips(game.pot(betting)):,}"
    if len(pots) > 1 and betting.actor == TERMINAL and not betting.folded_out:
        amounts = [f"{game.chips(pot.amount):,}" for pot in pots]
        words = ", ".join([f"main pot {amounts[0]}", *(f"side pot {amount}" for amount in amounts[1:])])
    lines = [f"{game.name} · {round_name(game, betting.round)} · {words}", f"  board  {board or '-'}"]
    rows = [_row(game, shown, seat, names) for seat in range(game.players)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{cell:{side}{width}}" for cell, side, width in zip(row, "<<<>><", widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([*lines, f"  {betting.history or 'no action yet'} · {_to_act(game, shown)}"])


def round_name(game: PokerGame, round_: int) -> str:
    """The name of a round: preflop, flop, turn, river in hold'em; else its number."""
    rounds = game.rules.rounds
    is_holdem = sum(own.private for own in rounds) == 2 and game.dealing.public(len(rounds) - 1) == 5
    other = "draw" if rounds[round_].draw else f"round {round_ + 1}"
    return STREETS.get(game.dealing.public(round_), other) if is_holdem else other


def seat_name(game: PokerGame, seat: int) -> str:
    """The position of a seat: small blind, big blind, button; else its number."""
    blinds = game.rules.blinds
    words = []
    posted = sorted({blind for blind in blinds if blind})
    if blinds[seat] and len(posted) == 2:
        words.append("big blind" if blinds[seat] == posted[1] else "small blind")
    if seat == game.players - 1:
        words.append("button")
    return f"seat {seat}" + (f" ({', '.join(words)})" if words else "")


def action_words(
    game: PokerGame, betting: Betting, action: Action, *, base: int | None = None, you: bool = False
) -> str:
    """An action in words, before it is made: "calls 50", "bets 20", "raises to 300"; for "you" without the s.

    A raise is to the game's displayed total or, with `base`, the player's earlier chips, to the total on this street.
    """
    legal = game.betting.legal(betting)
    s = "" if you else "s"
    if action.kind == "f":
        return f"fold{s}"
    if action.kind == "c":
        return f"call{s} {game.chips(legal.call):,}" if legal.call else f"check{s}"
    if action.kind == "d":
        return f"discard{s} {len(action.cards)}" if action.cards else f"stand{s} pat"
    total = action.amount or legal.least
    seat = betting.actor
    everything = total == game.betting.behind[seat] + game.betting.antes[seat]
    all_in = f" and {'are' if you else 'is'} all-in" if everything else ""
    opened = betting.raises or (betting.round == 0 and betting.level)
    if opened:
        shown = game.said_total(betting, total) if base is None else game.chips(total - base)
        return f"raise{s} to {shown:,}{all_in}"
    return f"bet{s} {game.chips(total - game.spent(betting)[seat]):,}{all_in}"


def action_label(game: PokerGame, betting: Betting, action: Action) -> str:
    """An action in a list of options: "call", "bet 50", "raise 300" on this street, "all-in 200".

    In fixed limit, with only one size, "bet" and "raise" have no amount.
    """
    rules, seat = game.betting, betting.actor
    if action.kind == "f":
        return "fold"
    if action.kind == "c":
        return "call" if betting.level > betting.live[seat] else "check"
    base = rules.level_before(betting.history)
    verb = "raise" if betting.level > base else "bet"
    if game.rules.limit == "fixed":
        return verb
    total = action.amount - rules.antes[seat]
    return f"{'all-in' if total >= rules.behind[seat] else verb} {game.chips(total - base):g}"


def read_action(game: PokerGame, text: str) -> Action:
    """Parse the text of `game.action_text`; raises IllegalAction for anything else. Legality is checked by the rules.

    In fixed limit a raise may omit its size; elsewhere it may not.
    """
    match = _ACTION.fullmatch(text)
    fixed = game.rules.limit == "fixed"
    if match and (match[1] is None or (match[2] == "") == (match[1] != "r" or (fixed and text == "r"))):
        if match[1]:
            return Action(match[1], int(match[2] or 0))
        if game.dealing.draws:
            return Action("d", 0, tuple(game.deck.cards(match[3] or "")))
    sizes = "" if fixed else "SIZE"
    known = f"f, c, r{sizes}, or d(CARDS)" if game.dealing.draws else f"f, c, or r{sizes}"
    raise IllegalAction(f"{shortened(text)!r} is not an action of {game.name}: {known}")


def pretty(game: PokerGame, cards: Sequence[int]) -> str:
    """Cards with suit symbols, spaced: "A♠ T♦"; -1 is an unseen card."""
    deck = game.deck
    symbols = [SUIT_SYMBOLS.get(suit, suit) for suit in deck.suits]
    return " ".join(deck.ranks[deck.rank(card)] + symbols[deck.suit(card)] if card >= 0 else "??" for card in cards)


def _row(game: PokerGame, shown: State | View, seat: int, names: Sequence[str]) -> list[str]:
    betting = shown.betting
    mark = "→" if betting.actor == seat else " "
    name = f"{names[seat]}, {seat_name(game, seat)}" if names else seat_name(game, seat)
    hand = _hands(game, shown)[seat]
    hidden = sum(round_.private for round_ in game.rules.rounds[: betting.round + 1])
    cards = pretty(game, hand or (-1,) * hidden)
    stack = f"{game.chips(game.stacks(betting)[seat]):,}" if game.rules.stacks else "∞"
    spent = f"{game.chips(game.spent(betting)[seat]):,} in"
    status = "" if betting.able >> seat & 1 else "all-in" if betting.alive >> seat & 1 else "folded"
    return [mark, name, cards, stack, spent, status]


def _to_act(game: PokerGame, shown: State | View) -> str:
    betting = shown.betting
    if betting.actor != TERMINAL:
        return f"{seat_name(game, betting.actor)} to act"
    if isinstance(shown, State) and game.player(shown) == TERMINAL:
        return "won " + ", ".join(f"{value:+g}" for value in game.returns(shown))
    return "the hand is over"


def _hands(game: PokerGame, shown: State | View) -> list[tuple[int, ...]]:
    """The visible cards of each seat."""
    if isinstance(shown, State):
        return [game.hand(shown, seat) for seat in range(game.players)]
    hands: list[tuple[int, ...]] = list(shown.shown) if shown.shown else [()] * game.players
    hands[shown.seat] = shown.cards
    return hands


def _boards(game: PokerGame, shown: State | View) -> list[tuple[int, ...]]:
    """The public cards of each round so far that has any."""
    board = shown.board if isinstance(shown, View) else game.board(shown)
    dealt = iter(board)
    rounds = game.rules.rounds[: shown.betting.round + 1]
    return [tuple(islice(dealt, round_.public)) for round_ in rounds if round_.public]
