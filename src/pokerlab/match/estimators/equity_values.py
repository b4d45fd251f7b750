"""Values by equity in a two-player game: what a hand wins if betting stops, in the pot as it is.

Equity is a martingale: its expectation over the cards to come is the equity before them, so no cards have to be
enumerated to correct for chance. What the pot leaves out, later betting, is learned: each kind of event has its own
column, and in fixed limit a second one counts in bets of the new round instead of the pot.
"""

from __future__ import annotations

from math import comb

import numpy as np

from pokerlab.agents.parts.roll_out import shares_are_exact, win_shares
from pokerlab.cards.card import FULL_DECK
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.showdown import is_looked_up
from pokerlab.match.estimators.path import Acted, Cards, Dealt, Path
from pokerlab.match.estimators.run_outs import run_out_orders
from pokerlab.match.estimators.values import Side

MOST_LOOKED_UP = 2_000_000  # run-outs of two given hands that are counted
MOST_COMPUTED = 20_000  # the same where each hand's strength is computed
DEAL = 0  # the column of the private cards


class EquityValues:
    """Values of a game for two players, in columns: the deal, each later board (twice in fixed limit), actions."""

    def __init__(self, game: PokerGame) -> None:
        self.game = game
        rounds = game.rules.rounds
        self.dealt_column: dict[int, int] = {}  # by round
        self.bet_column: dict[int, int] = {}
        columns = 1
        for number, round_ in enumerate(rounds):
            if number and round_.public:
                self.dealt_column[number] = columns
                columns += 1
                if game.rules.limit == "fixed":
                    self.bet_column[number] = columns
                    columns += 1
        self.action_column = {number: columns + number for number in range(len(rounds))}
        weights = np.ones(columns + len(rounds))
        weights[list(self.bet_column.values())] = 0.0
        self.weights = weights  # [column]

    def start(self, *, varies: bool) -> np.ndarray:
        start = self.game.betting.start()
        expected = np.zeros((len(self.weights), 2))
        if self.equity_is_exact(self.game.dealing.public(start.round), varies=varies):
            expected[DEAL] = self.if_checked_down(start, np.full(1, 0.5), seat=0)[:, 0]
        return expected

    def of(self, path: Path, side: Side) -> EquityDeal:
        return EquityDeal(self, path, side)

    def equity_is_exact(self, shown: int, *, varies: bool) -> bool:
        """Whether equity on a board with this number of cards is computed over all run-outs, and so is a martingale."""
        if varies:
            return shares_are_exact(self.game, shown)
        return _can_count(self.game, shown)

    def if_checked_down(self, betting: Betting, equity: np.ndarray, *, seat: int) -> np.ndarray:
        """What each seat wins with the chips that are in, or will be after a call.  # equity [hand] -> [seat, hand]"""
        rules = self.game.betting
        live, other = min(max(betting.live), *rules.behind), 1 - seat
        won = equity * (live + rules.antes[other]) - (1 - equity) * (live + rules.antes[seat])
        return np.array([won, -won] if seat == 0 else [-won, won])


class EquityDeal:
    """The values in one deal."""

    def __init__(self, values: EquityValues, path: Path, side: Side) -> None:
        self._values, self._game, self._path, self._side = values, values.game, path, side
        self._known: dict[int, np.ndarray] = {}  # by the number of cards on the board

    def deal(self) -> np.ndarray:
        full = self._zeros()
        if self._exact(self._path.first_board):
            full[DEAL] = self._if_checked_down(self._path.start, self._path.first_board)
        return full

    def dealt(self, event: Dealt) -> tuple[np.ndarray, np.ndarray]:
        return self._dealt(event, event.before), self._dealt(event, event.board)

    def _dealt(self, event: Dealt, board: Cards) -> np.ndarray:
        full, values, number = self._zeros(), self._values, event.betting.round
        if not self._exact(event.before):
            return full
        full[values.dealt_column[number]] = self._if_checked_down(event.betting, board)
        if number in values.bet_column:
            sign = np.array([1, -1] if self._side.seat == 0 else [-1, 1])
            bets = (2 * self._equity(board) - 1) * self._game.rules.rounds[number].bet
            full[values.bet_column[number]] = sign[:, None] * bets
        return full

    def acted(self, event: Acted, after: Betting) -> np.ndarray:
        full = self._zeros()
        alive = after.alive
        column = self._values.action_column[event.before.round]
        if alive & (alive - 1) == 0:
            full[column] = np.array(self._game.payoffs.returns(after, ()))[:, None]
        else:
            full[column] = self._if_checked_down(after, event.board)
        return full

    def end(self) -> np.ndarray:
        end, alive = self._path.end, self._path.end.alive
        if alive & (alive - 1) == 0:
            paid = np.array(self._game.payoffs.returns(end, ()), float)
            return np.repeat(paid[:, None], len(self._side.hands), axis=1)
        equity = self._equity(self._path.board if self._exact(self._path.board) else self._path.full_board)
        ranks = {seat: 1 - (seat == self._side.seat) for seat in (0, 1)}
        won = np.array(self._game.payoffs.returns(end, [ranks[0], ranks[1]]), float)
        lost = np.array(self._game.payoffs.returns(end, [1 - ranks[0], 1 - ranks[1]]), float)
        return np.asarray(won[:, None] * equity + lost[:, None] * (1 - equity))

    def _zeros(self) -> np.ndarray:
        return np.zeros((len(self._values.weights), 2, len(self._side.hands)))

    def _exact(self, board: Cards) -> bool:
        return self._values.equity_is_exact(len(board), varies=self._side.varies)

    def _if_checked_down(self, betting: Betting, board: Cards) -> np.ndarray:
        return self._values.if_checked_down(betting, self._equity(board), seat=self._side.seat)

    def _equity(self, board: Cards) -> np.ndarray:
        """The share of the pot of each hand of the side, run-outs averaged.  # [hand]"""
        if len(board) not in self._known:
            side, other = self._side, self._path.hands[1 - self._side.seat]
            if side.varies:
                equity = 1 - win_shares(self._game, other, tuple(sorted(board)))
            else:
                equity = np.array([share_of(self._game, side.hands[0], other, board)])
            self._known[len(board)] = equity
        return self._known[len(board)]


def share_of(game: PokerGame, hand: Cards, other: Cards, board: Cards) -> float:
    """The share of the pot that one hand wins against another, over all run-outs."""
    coming = sum(round_.public for round_ in game.rules.rounds) - len(board)
    if not coming:
        mine, theirs = (game.strength((*cards, *board)) for cards in (hand, other))
        return 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
    orders = run_out_orders(game, [hand, other], board, alive=[0, 1], coming=coming)
    won = sum(count * (1.0 if first < second else 0.5 * (first == second)) for (first, second), count in orders.items())
    return won / sum(orders.values())


def _can_count(game: PokerGame, shown: int) -> bool:
    private = game.rules.rounds[0].private
    public = sum(round_.public for round_ in game.rules.rounds)
    quick = is_looked_up(game.rules.showdown, game.deck, private + public)
    if quick and game.deck == FULL_DECK and (private, public, shown) == (2, 5, 0):
        return True  # from the preflop table
    return comb(game.deck.size - 2 * private - shown, public - shown) <= (MOST_LOOKED_UP if quick else MOST_COMPUTED)
