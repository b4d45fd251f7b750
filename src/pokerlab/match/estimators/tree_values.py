"""Values in a small game: what every hand is worth if all players follow a given strategy from here on, exactly.

By default the strategy is a solution by CFR+. If the players follow it themselves, nothing but chance and their random
choices made the difference between a result and its mean, and AIVAT removes all of it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.agents.opening import open_policy
from pokerlab.errors import TooLarge
from pokerlab.games.game import CHANCE, TERMINAL, decision_of
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.estimators.path import Acted, Cards, Dealt, Path
from pokerlab.match.estimators.values import Side
from pokerlab.registry import load
from pokerlab.strategy.forms.sequence import named
from pokerlab.strategy.policy import Policy
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form

MOST_NODES = 60_000  # histories: takes a few seconds
ITERATIONS = 200  # of CFR+
SOLVED = "solved"

Key = tuple[str, tuple[Cards, ...], Cards]  # betting, hands by seat, board


class TreeValues:
    """The expected payoffs of a strategy at every history."""

    def __init__(self, game: PokerGame, policy: Policy) -> None:
        self._game, self._policy = game, policy
        self._known: dict[Key, np.ndarray] = {}
        self._start = self._add(game.root())

    @property
    def weights(self) -> np.ndarray:
        return np.ones(2)  # chance, actions

    def start(self, *, varies: bool) -> np.ndarray:
        return np.array([self._start, np.zeros(self._game.players)])

    def of(self, path: Path, side: Side) -> TreeDeal:
        return TreeDeal(self, path, side)

    def at(self, betting: Betting, hands: tuple[Cards, ...], board: Cards) -> np.ndarray | None:
        """Expected payoffs; None if the hands cannot be held.  # [seat]"""
        return self._known.get((betting.history, hands, self._by_round(board)))

    def _by_round(self, board: Cards) -> Cards:
        """A board with the cards of each round in order."""
        ends = [self._game.dealing.public(number) for number in range(len(self._game.rules.rounds))]
        return tuple(card for first, end in pairwise((0, *ends)) for card in sorted(board[first:end]))

    def _add(self, state: Any) -> np.ndarray:
        game, player = self._game, self._game.player(state)
        if player == TERMINAL:
            value = np.array(game.returns(state), float)
        elif player == CHANCE:
            if len(self._known) + game.outcome_count(state) > MOST_NODES:
                raise TooLarge(f"{game.name} has more than {MOST_NODES:,} histories, too many to compute all values")
            value = np.sum([chance * self._add(game.child(state, cards)) for cards, chance in game.outcomes(state)], 0)
        else:
            chances, value = self._policy.probabilities(decision_of(game, state)), np.zeros(game.players)
            for action in game.actions(state):
                value += chances.get(game.action_text(action), 0.0) * self._add(game.child(state, action))
        if state.cards:
            hands = tuple(tuple(sorted(game.hand(state, seat))) for seat in range(game.players))
            self._known[state.betting.history, hands, self._by_round(game.board(state))] = value
        return value


class TreeDeal:
    """The values in one deal."""

    def __init__(self, values: TreeValues, path: Path, side: Side) -> None:
        self._values, self._path = values, path
        self._hands = [(*path.hands[: side.seat], hand, *path.hands[side.seat + 1 :]) for hand in side.hands]
        self._players = len(path.hands)

    def deal(self) -> np.ndarray:
        return self._column(0, self._at(self._path.start, self._path.first_board))

    def dealt(self, event: Dealt) -> tuple[np.ndarray, np.ndarray]:
        before, after = self._at(event.betting, event.before), self._at(event.betting, event.board)
        return self._column(0, before), self._column(0, after)

    def acted(self, event: Acted, after: Betting) -> np.ndarray:
        return self._column(1, self._at(after, event.board))

    def end(self) -> np.ndarray:
        return self._at(self._path.end, self._path.board)

    def _at(self, betting: Betting, board: Cards) -> np.ndarray:
        """[seat, hand]"""
        rows = np.zeros((self._players, len(self._hands)))
        for number, hands in enumerate(self._hands):
            value = self._values.at(betting, hands, board)
            if value is not None:
                rows[:, number] = value
        return rows

    def _column(self, column: int, values: np.ndarray) -> np.ndarray:
        full = np.zeros((2, *values.shape))
        full[column] = values
        return full


def is_small(game: PokerGame) -> bool:
    """Whether the values of all histories can be computed."""
    size = None if game.outcome_count(game.root()) > MOST_NODES else game.size(effort=0.05)
    return size is not None and size.nodes is not None and size.nodes <= MOST_NODES


@lru_cache(maxsize=4)
def tree_values(game: PokerGame, strategy: str = SOLVED) -> TreeValues:
    """The values of a game when all follow an agent, or by default a solution."""
    if strategy != SOLVED:
        return TreeValues(game, open_policy(strategy, game))
    form = sequence_form(build(game))
    solver = load("algorithms", "cfr+").start(form)
    solver.advance(ITERATIONS)
    return TreeValues(game, named(form, form.unpack(solver.strategy_arrays())))
