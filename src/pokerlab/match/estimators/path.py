"""A finished hand as the sequence of its public events: the deal, actions, and boards."""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.games.poker.action import Action, actions_of
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State

Cards = tuple[int, ...]


class Acted(NamedTuple):
    """An action, with the board that was seen."""

    before: Betting
    action: Action
    after: Betting
    board: Cards


class Dealt(NamedTuple):
    """Public cards that were dealt while betting continued."""

    betting: Betting  # at the start of the round
    before: Cards  # the board before them
    board: Cards


class Path(NamedTuple):
    """The public events of a hand, in order, up to the last action."""

    start: Betting
    hands: tuple[Cards, ...]  # by seat, lowest card first
    first_board: Cards  # dealt with the private cards
    events: tuple[Acted | Dealt, ...]
    end: Betting
    board: Cards  # that was seen when betting ended: the rest is a run-out
    full_board: Cards


def path_of(game: PokerGame, state: State) -> Path:
    """The path of a finished hand of a game whose private cards are dealt at once."""
    dealing = game.dealing
    first = game.players * len(game.hand(state, 0))
    cards = state.cards[first : dealing.needed[-1]]
    boards = [cards[: dealing.public(number)] for number in range(len(game.rules.rounds))]
    betting = start = game.betting.start()
    board, events = boards[betting.round], list[Acted | Dealt]()
    for action in actions_of(state.betting.history):
        after = game.betting.act(betting, action)
        events.append(Acted(betting, action, after, board))
        if after.round != betting.round and after.actor >= 0:
            board, before = boards[after.round], board
            if board != before:
                events.append(Dealt(after, before, board))
        betting = after
    hands = tuple(tuple(sorted(game.hand(state, seat))) for seat in range(game.players))
    return Path(start, hands, boards[start.round], tuple(events), betting, board, cards)
