"""DIVAT's values in a large two-player game: equity in the pot after a round of sensible bets.

Billings and Kan, "A tool for the direct assessment of poker decisions", 2006: in each round both players bet as often
as the strength of their hands says, and equity in the resulting pot is the value. Here a player is willing to put in
one bet for each of `STRENGTHS` that its hand reaches, and both put in what the less willing one does; nobody folds.

The expectation over the cards that may come is computed where there are at most `MOST_BOARDS` sets of them (the turn
and the river), and follows from symmetry before the deal. At the flop, equity in the pot as it is counts.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from pokerlab.agents.parts.hand_reading import read
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.match.estimators.equity_values import share_of
from pokerlab.match.estimators.path import Acted, Cards, Dealt, Path
from pokerlab.match.estimators.values import Side

STRENGTHS = (0.5, 0.65, 0.8, 0.9)  # immediate hand ranks for one, two, three and four bets
POT_FRACTION = 0.5  # a bet outside fixed limit
MOST_BOARDS = 100


class BetValues:
    """Values of a game for two players, in one column."""

    weights = np.ones(1)

    def __init__(self, game: PokerGame) -> None:
        self.game = game

    def start(self, *, varies: bool) -> np.ndarray:
        antes = self.game.betting.antes  # the hands of both are equally likely, and so are won and lost bets
        half = (antes[1] - antes[0]) / 2
        return np.array([[half, -half]])

    def of(self, path: Path, side: Side) -> BetDeal:
        return BetDeal(self, path)

    def value(self, hands: tuple[Cards, Cards], betting: Betting, board: Cards, *, bets: bool) -> float:
        """What the first seat wins by equity, with or without a round of bets."""
        game = self.game
        equity, live = share_of(game, *hands, board), min(max(betting.live), *game.betting.behind)
        if bets:
            round_ = game.rules.rounds[betting.round]
            size = round_.bet if game.rules.limit == "fixed" else POT_FRACTION * game.pot(betting)
            most = len(STRENGTHS) if round_.raises is None else round_.raises
            willing = min(*(willing_bets(game, hand, board) for hand in hands), most)
            live = int(min(live + willing * size, *game.betting.behind))
        antes = game.betting.antes
        return equity * (live + antes[1]) - (1 - equity) * (live + antes[0])


class BetDeal:
    """The values in one deal, for the hands that were dealt."""

    def __init__(self, values: BetValues, path: Path) -> None:
        self._values, self._path = values, path

    def deal(self) -> np.ndarray:
        path = self._path
        return self._column(self._value(path.start, path.first_board, bets=True))

    def dealt(self, event: Dealt) -> tuple[np.ndarray, np.ndarray]:
        game, hands = self._values.game, self._path.hands
        seen = {*event.before}.union(*hands)
        unseen = [card for card in range(game.deck.size) if card not in seen]
        count = len(event.board) - len(event.before)
        bets = comb(len(unseen), count) <= MOST_BOARDS
        after = self._value(event.betting, event.board, bets=bets)
        if not bets:
            return self._column(self._value(event.betting, event.before, bets=False)), self._column(after)
        values = [self._value(event.betting, event.before + new, bets=True) for new in combinations(unseen, count)]
        return self._column(sum(values) / len(values)), self._column(after)

    def acted(self, event: Acted, after: Betting) -> np.ndarray:
        raise NotImplementedError("DIVAT corrects chance alone")

    def end(self) -> np.ndarray:
        game, path = self._values.game, self._path
        if path.end.folded_out:
            return np.array(game.payoffs.returns(path.end, ()), float)[:, None]
        won = self._value(path.end, path.board, bets=False)
        return np.array([[won], [-won]])

    def _value(self, betting: Betting, board: Cards, *, bets: bool) -> float:
        first, second = self._path.hands
        return self._values.value((first, second), betting, board, bets=bets)

    def _column(self, value: float) -> np.ndarray:
        return np.array([[[value], [-value]]])


def willing_bets(game: PokerGame, hand: Cards, board: Cards) -> int:
    """How many bets a hand is worth."""
    return sum(_strength(game, hand, tuple(sorted(board))) >= least for least in STRENGTHS)


@lru_cache(maxsize=20_000)
def _strength(game: PokerGame, hand: Cards, board: Cards) -> float:
    return read(View(game, 0, hand, board, game.betting.start(), hand, (), ()), None, lookahead=0).now
