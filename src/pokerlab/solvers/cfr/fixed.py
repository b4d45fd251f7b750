"""CFR in a game in which part of the strategies is fixed: opponents held to a model, and trembling hands.

A player takes each action with at least its fixed probability and chooses the rest freely; or is, with some probability
drawn before the game, held to a plan throughout. Regrets are of the chosen part, values and averages of the resulting
play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.solvers.cfr.general import GeneralCfr
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.form import Form
from pokerlab.tree.measure import Measure
from pokerlab.tree.treeplex import Treeplexes

if TYPE_CHECKING:
    from pokerlab.solvers.cfr._kernels.sequence import FixedStrategy

FIRST_TREMBLE = 0.1
STAGE = 16  # iterations of the first stage; each stage is twice as long as the last, and trembles a quarter as often


def held_to(trees: Treeplexes, player: int, model: np.ndarray, *, whole: float, shares: np.ndarray) -> FixedStrategy:
    """A player held to a model [A]: for the whole game with probability `whole`, at each infoset by `shares` [A]."""
    from pokerlab.solvers.cfr._kernels.sequence import FixedStrategy

    own, floor, free = trees.slots_of(player), np.zeros(trees.sequences), np.ones(len(trees.parent))
    floor[trees.sequences_of(player)] = (shares * model)[own]
    low, high = (int(bound) for bound in trees.infosets[player])
    free[low:high] = 1.0 - shares[trees.first_slots[low:high]]
    return FixedStrategy(floor, free, np.uint64(player), whole, trees.plan(model))


def trembling(trees: Treeplexes, tremble: float) -> FixedStrategy:
    """Every player trembles with the same probability, spread evenly over the actions of an infoset."""
    from pokerlab.solvers.cfr._kernels.sequence import FixedStrategy

    floor = np.concatenate([np.zeros(trees.players), tremble * trees.uniform()])
    free = np.full(len(trees.parent), 1.0 - tremble)
    return FixedStrategy(floor, free, np.uint64(0), 0.0, np.zeros(trees.sequences))


class FixedCfr(GeneralCfr):
    """CFR with a schedule in a game with a fixed part. `sums.current` is the choice, `sums.plan` the resulting play."""

    fixed: FixedStrategy

    def __init__(self, game: Form, schedule: Schedule, fixed: FixedStrategy) -> None:
        super().__init__(game, schedule)
        self._fix(fixed)

    def _fix(self, fixed: FixedStrategy) -> None:
        """Replace the fixed part, and recompute the plans."""
        self.fixed = fixed
        for player in range(self.trees.players):
            self.realize(player)

    def realize(self, player: int) -> None:
        """The resulting play: the fixed part and the choice."""
        from pokerlab.solvers.cfr._kernels.sequence import descend_fixed

        descend_fixed(np.uint64(player), self.trees.arrays, self.fixed, self.sums.current, self.sums.plan)

    def measure(self) -> Measure:
        """How far the averages are from an equilibrium of the game with the fixed part."""
        return measure_fixed(self.game, self.fixed, self.game.plan(self.result()))


def measure_fixed(game: Form, fixed: FixedStrategy, plan: np.ndarray) -> Measure:
    """Values of plans [S], and best responses within the free part."""
    from pokerlab.solvers.cfr._kernels.sequence import respond_fixed

    trees, values, best = game.treeplexes, [], []
    value = np.zeros(trees.sequences)
    for player in range(trees.players):
        game.payoffs(player, plan, value)
        own = trees.sequences_of(player)
        values.append(float(value[player] + value[own] @ plan[own]))
        best.append(float(respond_fixed(np.uint64(player), trees.arrays, fixed, value)))
    return Measure(tuple(values), tuple(best), zero_sum=game.is_zero_sum)


def trembles(tremble: float, first: int, count: int) -> np.ndarray:
    """The tremble probabilities at iterations first, first + 1, ..., counted from 1.  # [count]

    >>> trembles(0.001, 16, 2).round(4), trembles(0.001, 10**6, 1)
    (array([0.1  , 0.025]), array([0.001]))
    """
    iterations = np.maximum(np.arange(first, first + count), 1)
    stage = np.floor(np.log2((iterations - 1) / STAGE + 1))
    return np.maximum(max(FIRST_TREMBLE, tremble) / 4.0 ** np.minimum(stage, 500), tremble)


class TremblingCfr(FixedCfr):
    """CFR with trembles that decrease to the given probability.

    Regret matching treats each infoset separately and is unaffected by the scale of the values there, so infosets
    behind several trembles are learned like any other. Whenever the tremble decreases, the average restarts:
    earlier play would weigh most at just those infosets that are now rarely reached.
    """

    def __init__(self, game: Form, schedule: Schedule, *, tremble: float) -> None:
        self.tremble = tremble
        super().__init__(game, schedule, trembling(game.treeplexes, float(trembles(tremble, 0, 1)[0])))

    def advance(self, iterations: int) -> None:
        left = iterations
        while left:
            shaking = trembles(self.tremble, self.iterations, left + 1)
            if shaking[1] != shaking[0]:
                self._fix(trembling(self.trees, float(shaking[1])))
                self.sums.average[self.trees.players :] = 0.0
            count = int(np.argmax(np.append(shaking[1:], -1.0) != shaking[1]))
            super().advance(count)
            left -= count

    def measure(self) -> Measure:
        """Exploitability in the game without trembles."""
        return self.game.measure(self.result())

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        super().restore(arrays)
        self._fix(trembling(self.trees, float(trembles(self.tremble, self.iterations, 1)[0])))
