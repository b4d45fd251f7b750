"""CFR and CFR-BR with any schedule on the operations of a form: every infoset is updated in every iteration.

The form must provide its treeplexes and payoffs. If it lists payoffs by leaf, as the sequence form does, all steps run
in one kernel; forms with their own kernels override it (solvers/cfr/public).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.solvers.core.plan_solver import PlanSolver
from pokerlab.solvers.core.schedule import Schedule, Step
from pokerlab.tree.form import Form
from pokerlab.tree.measure import Measure

if TYPE_CHECKING:
    from pokerlab.solvers.cfr._kernels.sequence import FixedStrategy


class GeneralCfr(PlanSolver):
    """The state is `sums`: regret, current behaviour and the weighted sum of plans, by sequence [S]."""

    fixed: FixedStrategy | None = None  # the fixed part of the strategies: see fixed.py

    def __init__(self, game: Form, schedule: Schedule) -> None:
        from pokerlab.solvers.cfr._kernels.sequence import SequenceSums

        super().__init__(game)
        self.schedule, self.trees = schedule, game.treeplexes
        value, average, regret = np.zeros((3, self.trees.sequences))
        uniform = self.trees.uniform()
        current = np.concatenate([np.ones(self.trees.players), uniform])
        self.sums = SequenceSums(value, current, self.trees.plan(uniform), average, regret)
        self.fused = len(self.trees.payoff) > 0  # whether one kernel runs all steps: it needs leaves

    def advance(self, iterations: int) -> None:
        if not self.fused:
            super().advance(iterations)
            return
        self.run_kernel(self.schedule.table(self.iterations + 1, iterations))
        self.iterations += iterations

    def run_kernel(self, steps: np.ndarray) -> None:
        """Run these steps in one kernel.  # [count, 6]"""
        self.passes += len(steps) * self.trees.players
        self._advance(steps)

    def _advance(self, steps: np.ndarray, *, pruning: bool = False) -> int:
        """Run these steps; returns the number of leaves read."""
        from pokerlab.solvers.cfr._kernels.sequence import advance

        return int(advance(steps, self.schedule.alternating, pruning, self.trees.arrays, self.fixed, self.sums))

    def step(self) -> None:
        """One iteration: alternating or simultaneous updates."""
        step, players = self.schedule.step(self.iterations), list(range(self.trees.players))
        for together in [[player] for player in players] if self.schedule.alternating else [players]:
            for player in together:
                self.passes += 1
                self.game.payoffs(player, self.sums.plan, self.sums.value)
                self.remember(player, step)
            for player in together:
                self.learn(player, step)

    def remember(self, player: int, step: Step) -> None:
        """Add the current plan to the average."""
        from pokerlab.solvers.cfr._kernels.sequence import accumulate

        first, last = self.trees.own[player]
        accumulate(first, last, self.sums.plan, self.sums.average, step.keep_average, step.average_weight)

    def learn(self, player: int, step: Step) -> None:
        """Add a player's regrets and apply regret matching."""
        from pokerlab.solvers.cfr._kernels.sequence import sweep

        (low, high), sums = self.trees.infosets[player], self.sums
        sweep(low, high, self.trees.arrays, self.fixed, sums.value, sums.current, sums.regret, step)
        self.realize(player)

    def realize(self, player: int) -> None:
        """A player's plan for the current behaviour."""
        from pokerlab.tree._kernels.treeplex import descend

        low, high = self.trees.infosets[player]
        descend(low, high, self.trees.arrays, self.sums.current, self.sums.plan)

    def result(self) -> np.ndarray:
        return self.game.behaviour(self.sums.average)

    def own_arrays(self) -> dict[str, np.ndarray]:
        return {"regret": self.sums.regret, "current": self.sums.current, "average": self.sums.average}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        super().restore(arrays)
        for player in range(self.trees.players):
            self.realize(player)


class SequenceCfr(GeneralCfr):
    """CFR on the sequence form. `passes` counts the leaves that were read, since pruning skips some.

    With pruning, subtrees that a player's opponents never reach are skipped; the result is the same. It saves work in
    two-player zero-sum games; in others it would only cut short products that have become zero.
    """

    def __init__(self, game: Form, schedule: Schedule, *, pruning: bool = False) -> None:
        super().__init__(game, schedule)
        self.fused, self.pruning = True, pruning and game.players == 2 and game.is_zero_sum

    @property
    def nodes_touched(self) -> int:
        """Histories visited: all of them for each player whose values are computed, minus those pruned."""
        leaves = max(1, len(self.trees.payoff)) / self.trees.players
        return round(self.passes / leaves * self.game.nodes_per_pass)

    def run_kernel(self, steps: np.ndarray) -> None:
        self.passes += self._advance(steps, pruning=self.pruning)


class GeneralCfrBr(GeneralCfr):
    """CFR-BR: two players learn, each against a best response to them; the result is the average or current play."""

    def __init__(self, game: Form, schedule: Schedule, *, current: bool = False) -> None:
        super().__init__(game, schedule)
        self.current = current
        self._choice, self._response = np.ones((2, self.trees.sequences))  # buffers for best responses

    @property
    def nodes_touched(self) -> int:
        """Each best response, and each player's values against it, visit every history."""
        return 4 * self.iterations * self.game.nodes_per_pass

    def run_kernel(self, steps: np.ndarray) -> None:
        from pokerlab.solvers.cfr._kernels.sequence import advance_cfr_br

        advance_cfr_br(steps, self.trees.arrays, self.sums, self._choice, self._response)

    def step(self) -> None:
        from pokerlab.tree._kernels.treeplex import descend

        step = self.schedule.step(self.iterations)
        for player in (0, 1):
            self.passes += 2
            response = self.game.best_response_to_plan(1 - player, self.sums.plan)
            low, high = self.trees.infosets[1 - player]
            descend(low, high, self.trees.arrays, response.choice, self._response)
            self.game.payoffs(player, self._response, self.sums.value)
            self.remember(player, step)
            self.learn(player, step)

    def _playing(self) -> np.ndarray:
        """The current profile."""
        if self.fused:
            return np.array(self.sums.current[self.trees.players :])
        return self.game.behaviour(self.sums.plan)

    def result(self) -> np.ndarray:
        return self._playing() if self.current else super().result()

    def measure_current(self) -> Measure:
        """Exploitability of the current strategies, which approach equilibrium too (with high probability)."""
        return self.game.measure(self._playing())
