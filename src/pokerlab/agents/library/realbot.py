"""Simulates as selective-sampling does, and folds less before the flop to opponents who have lost money to it.

AKI-RealBot, second in the six-player limit competition of 2008 (Rubin and Watson, "Computer poker: a review", 2011,
section 3.3): an opponent who lost money to it over the last 500 hands is weak, and it is less likely to fold to a weak
opponent before the flop, even if folding has the higher value.

The review does not give the size of the effect. Ours: a call or raise may lose, compared with folding, as much as the
weakest opponent still in has lost to it per hand, times `generosity`, up to `most` big blinds. What an opponent lost to
it in a hand is its net result, shared among those with the opposite result in proportion to theirs.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from pokerlab.agents.library.selective_sampling import SelectiveSampling
from pokerlab.agents.parts.simulation import best_of
from pokerlab.agents.parts.situations import relative_seat
from pokerlab.games.poker.action import FOLD, Action
from pokerlab.games.poker.state import View
from pokerlab.settings import number, whole


@dataclass(frozen=True)
class RealBot(SelectiveSampling):
    """The simulating player who looks for weak opponents."""

    label = "realbot"
    window: Annotated[int, whole(1, 1_000_000)] = 500  # hands over which losses are counted
    generosity: Annotated[float, number(0, 100)] = 1.0  # of an opponent's losses per hand
    most: Annotated[float, number(0, 100)] = 0.5  # big blinds that a call may lose

    @cached_property
    def won_from(self) -> deque[dict[int, float]]:
        """What it won from each opponent, by place, in the last hands."""
        return deque(maxlen=self.window)

    def tolerance(self, view: View) -> float:
        """How many chips a call may lose compared with folding."""
        if view.betting.round or not self.won_from:
            return 0.0
        players = [relative_seat(view, seat) for seat in range(view.game.players) if view.betting.alive >> seat & 1]
        losses = [sum(hand.get(player, 0.0) for hand in self.won_from) / len(self.won_from) for player in players]
        return min(max(0.0, *losses) * self.generosity, self.most * max(view.game.rules.blinds))

    def act(self, view: View, rng: np.random.Generator) -> Action:
        self.check_game(view.game)
        values = self.values(view, rng)
        action = best_of(values, view)
        if action != FOLD:
            return action
        best = max(values, key=lambda value: value.mean)
        return best.action if best.mean + self.tolerance(view) > 0 else FOLD

    def observe(self, view: View) -> None:
        super().observe(view)
        self.won_from.append(winnings_by_opponent(view))

    def reset(self) -> None:
        super().reset()
        self.won_from.clear()


def winnings_by_opponent(view: View) -> dict[int, float]:
    """What a seat won from each opponent in a finished hand, by the opponent's place; negative if it lost."""
    strengths = [view.game.strength((*hand, *view.board)) if hand else None for hand in view.shown]
    results = view.game.payoffs.returns(view.betting, strengths)
    own = results[view.seat]
    opposite = {seat: result for seat, result in enumerate(results) if result * own < 0}
    total = sum(opposite.values())
    return {relative_seat(view, seat): own * result / total for seat, result in opposite.items()}


agent = RealBot
