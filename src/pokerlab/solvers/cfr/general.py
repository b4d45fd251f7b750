"""CFR with any schedule on the operations of a form: the general path of the CFR family.

Every infoset is updated in every iteration. The form must provide its treeplexes and payoffs; forms with their own
kernels override it (solvers/cfr/sequence.py, solvers/cfr/public).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.solvers.core.plan_solver import PlanSolver
from pokerlab.solvers.core.schedule import Schedule, Step
from pokerlab.tree.form import Form
from pokerlab.tree.measure import Measure


class GeneralCfr(PlanSolver):
    """The state is `sums`: regret, current behaviour and the weighted sum of plans, by sequence [S]."""

    def __init__(self, game: Form, schedule: Schedule) -> None:
        from pokerlab.solvers.cfr._kernels.sequence import SequenceSums

        super().__init__(game)
        self.schedule, self.trees = schedule, game.treeplexes
        value, average, regret = np.zeros((3, self.trees.sequences))
        uniform = self.trees.uniform()
        current = np.concatenate([np.ones(self.trees.players), uniform])
        self.sums = SequenceSums(value, current, self.trees.plan(uniform), average, regret)

    def step(self) -> None:
        """One iteration: alternating or simultaneous updates."""
        step, players = self.schedule.step(self.iterations), range(self.trees.players)
        for turn in players:
            if self.schedule.alternating:
                self.gather(turn, step)
            elif turn == 0:
                for player in players:
                    self.gather(player, step)
            self.learn(turn, step)

    def gather(self, player: int, step: Step) -> None:
        """A player's payoffs against the others' current strategies, and the others' share of the average."""
        self.passes += 1
        self.game.payoffs(player, self.sums.plan, self.sums.value)
        self.remember(player, step)

    def remember(self, player: int, step: Step) -> None:
        """Add the current plan to the average."""
        from pokerlab.solvers.cfr._kernels.sequence import accumulate

        first, last = self.trees.own[player]
        accumulate(first, last, self.sums.plan, self.sums.average, step.keep_average, step.average_weight)

    def learn(self, player: int, step: Step) -> None:
        """Add a player's regrets and apply regret matching."""
        from pokerlab.solvers.cfr._kernels.sequence import sweep

        low, high = self.trees.infosets[player]
        sweep(low, high, self.trees.arrays, self.sums.value, self.sums.current, self.sums.regret, step)
        self.realize(player)

    def realize(self, player: int) -> None:
        """A player's plan for the current behaviour."""
        from pokerlab.tree._kernels.treeplex import descend

        low, high = self.trees.infosets[player]
        descend(low, high, self.trees.arrays, self.sums.current, self.sums.plan)

    def result(self) -> np.ndarray:
        """The average strategies."""
        return self.game.behaviour(self.sums.average)

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return self.state(regret=self.sums.regret, current=self.sums.current, average=self.sums.average)

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`."""
        super().restore(arrays)
        for name in ("regret", "current", "average"):
            getattr(self.sums, name)[:] = self.read(arrays, name)
        for player in range(self.trees.players):
            self.realize(player)


class GeneralCfrBr(GeneralCfr):
    """CFR-BR: each of two players learns against a best response to their current strategy.

    The result is the average strategies, or the current ones on request.
    """

    def __init__(self, game: Form, schedule: Schedule, *, current: bool = False) -> None:
        super().__init__(game, schedule)
        self.current = current
        self._response = np.ones(self.trees.sequences)  # a buffer for best responses

    def step(self) -> None:
        """One step of each player."""
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
        return self.game.behaviour(self.sums.plan)

    def result(self) -> np.ndarray:
        """The average strategies, or the current ones."""
        return self._playing() if self.current else super().result()

    def measure_current(self) -> Measure:
        """Exploitability of the current strategies, which approach equilibrium too (with high probability)."""
        return self.game.measure(self._playing())
