"""Hands played out from a view: every seat draws its actions from what a model predicts for its sampled cards.

The model is asked once for each node of the betting and for all strengths at once, rounded to `LEVELS` steps; an action
then costs a random number and two comparisons.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from random import Random

import numpy as np

from pokerlab.agents.parts.betting_graph import BettingGraph, Node, betting_graph
from pokerlab.agents.parts.deal_sampling import sample_deals
from pokerlab.agents.parts.hand_tables import NOW, percentiles
from pokerlab.agents.parts.opponent_model import RepeatingModel
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.triple import allowed
from pokerlab.games.poker.action import FOLD, Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State, View

LEVELS = 256  # of strength
_GRID = np.linspace(0.0, 1.0, LEVELS)
_Steps = tuple[list[float], list[float]]  # by level: the probability of a raise, and of a raise or call


class SampledDeal:
    """One complete deal, with strengths as they are asked for."""

    __slots__ = ("board", "hands", "levels", "state", "values")

    def __init__(self, game: PokerGame, state: State) -> None:
        private = game.rules.rounds[0].private
        self.state = state
        self.hands = [state.cards[seat * private : (seat + 1) * private] for seat in range(game.players)]
        self.board = state.cards[private * game.players :]
        self.levels = [[-1] * len(game.rules.rounds) for _ in range(game.players)]  # by seat and round
        self.values: list[int] = [0] * game.players  # strengths at the showdown, 0 if not known yet


class PlayOuts:
    """The play-outs of one decision."""

    def __init__(
        self, view: View, model: RepeatingModel, rng: np.random.Generator, *, pot_fraction: float = 1.0
    ) -> None:
        self.game, self.seat, self.model = view.game, view.seat, model
        self.graph: BettingGraph = betting_graph(view.game, pot_fraction)
        self.start = self.graph.start(view.betting)
        self.random = Random(int(rng.integers(2**62))).random
        self._numbers = hands_of(view.game)
        self.public = [view.game.dealing.public(number) for number in range(len(view.game.rules.rounds))]
        self._steps: dict[Node, _Steps] = {}
        self._like: dict[Hashable, _Steps] = {}
        self._of_board: dict[tuple[int, ...], list[int]] = {}

    def deals(
        self, view: View, weights: Mapping[int, np.ndarray], count: int, rng: np.random.Generator, *, run_outs: int
    ) -> list[SampledDeal]:
        """Complete deals that agree with the view."""
        states = sample_deals(view, weights, count, rng, run_outs=run_outs)
        return [SampledDeal(self.game, state) for state in states]

    def move(self, node: Node, deal: SampledDeal) -> Action:
        """An action of the seat to act, drawn from the model's prediction."""
        level = deal.levels[node.actor][node.round]
        if level < 0:
            level = self.level(deal, node.actor, node.round)
        steps = self._steps.get(node) or self._predicted(node)
        point = self.random()
        if point < steps[0][level]:
            return node.moves[2]
        return node.moves[1] if point < steps[1][level] else FOLD

    def value(self, node: Node, deal: SampledDeal) -> float:
        """Play a deal to its end; the result of one's own seat in chips."""
        child = self.graph.child
        while node.actor >= 0:
            action = self.move(node, deal)
            if action is FOLD and node.actor == self.seat:
                return -self.spent(node)
            node = node.children.get(action) or child(node, action)
        return self.result(node, deal)

    def spent(self, node: Node) -> float:
        """What one's own seat has put in."""
        return float(node.betting.live[self.seat] + self.game.betting.antes[self.seat])

    def result(self, node: Node, deal: SampledDeal) -> float:
        """What one's own seat wins at the end of a hand."""
        if not node.betting.alive >> self.seat & 1:
            return -self.spent(node)
        return float(self.returns(node, deal)[self.seat])

    def returns(self, node: Node, deal: SampledDeal) -> tuple[float, ...]:
        """What every seat wins at the end of a hand."""
        alive = node.betting.alive
        if alive & (alive - 1) == 0:
            return self.game.payoffs.returns(node.betting, ())
        strengths = [
            (deal.values[seat] or self._shown(deal, seat)) if alive >> seat & 1 else None
            for seat in range(self.game.players)
        ]
        if alive.bit_count() > 2:
            return self.game.payoffs.returns(node.betting, strengths)
        first, second = (strength for strength in strengths if strength is not None)
        ahead = (first > second) - (first < second)
        if ahead not in node.showdowns:
            node.showdowns[ahead] = self.game.payoffs.returns(node.betting, strengths)
        return node.showdowns[ahead]

    def level(self, deal: SampledDeal, seat: int, round_: int) -> int:
        """The strength of a seat's hand in a round, 0 to LEVELS - 1."""
        board = deal.board[: self.public[round_]]
        if board not in self._of_board:
            shares = percentiles(self.game, board, measure=NOW)
            self._of_board[board] = np.rint(shares * (LEVELS - 1)).astype(np.int64).tolist()
        level = self._of_board[board][self._numbers.number(deal.hands[seat])]
        deal.levels[seat][round_] = level
        return level

    def _shown(self, deal: SampledDeal, seat: int) -> int:
        deal.values[seat] = self.game.strength((*deal.hands[seat], *deal.board))
        return deal.values[seat]

    def _predicted(self, node: Node) -> _Steps:
        now, legal, player = node.situation, node.legal, (node.actor - self.seat) % self.game.players
        key = self.model.inputs(now, player), legal.fold, legal.call >= 0, legal.can_raise
        if key not in self._like:
            fold, call, raise_ = allowed(self.model.triple(_GRID, now, player), legal)
            raises = np.broadcast_to(raise_ / (fold + call + raise_), LEVELS)
            stays = np.broadcast_to((raise_ + call) / (fold + call + raise_), LEVELS)
            if not legal.fold:
                stays = np.full(LEVELS, 2.0)
            self._like[key] = raises.tolist(), stays.tolist()
        self._steps[node] = self._like[key]
        return self._steps[node]
