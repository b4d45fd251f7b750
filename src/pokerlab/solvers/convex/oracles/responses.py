"""What oracle methods share: best responses in the full game, and plans of both players as the result."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.solvers.core.plan_solver import PlanSolver
from pokerlab.tree.form import Form
from pokerlab.tree.units import middle_power

ROUNDING = 1e-12  # fraction of the largest payoff: smaller gains do not count


class Response(NamedTuple):
    """A pure best response of one player, as a plan over that player's sequences, the empty one first."""

    plan: np.ndarray  # [own sequence]
    choice: np.ndarray  # [own sequence]: whether it is taken if its infoset is reached, at every infoset
    gain: float  # over the player's own plan


class OracleSolver(PlanSolver):
    """Each round computes best responses in the full game and solves a restricted game. The state holds `plan` [S].

    Payoffs far to one side of zero are shifted to it first, and scaled to about 1 for linear programs.
    """

    counted = ("iterations", "passes", "finished")

    def __init__(self, game: Form) -> None:
        super().__init__(game)
        self.finished = False
        self.trees = game.treeplexes
        self._centred = game.centred()
        self.max_abs_payoff = self._centred.max_abs_payoff
        self.plan = self.trees.plan(self.trees.uniform())
        leaves = self._centred.treeplexes.payoff
        self._unit = middle_power(leaves if len(leaves) else np.array([self.max_abs_payoff]))

    def result(self) -> np.ndarray:
        return self.game.behaviour(self.plan)

    def own(self, player: int, numbers: np.ndarray) -> np.ndarray:
        """One player's part of numbers by sequence [S].  # [own sequence], the empty one first"""
        return np.append(numbers[player], numbers[self.trees.sequences_of(player)])

    def whole(self, player: int, own: np.ndarray) -> np.ndarray:
        """Plans [S] with this plan for one player; the opponent's part is not used."""
        plan = np.ones(self.trees.sequences)
        plan[self.trees.sequences_of(player)] = own[1:]
        return plan

    def payoffs(self, player: int, plan: np.ndarray) -> np.ndarray:
        """The value of each own sequence against plans [S], in the units of the linear program.  # [own sequence]"""
        return self.own(player, self._values(player, plan)) / self._unit

    def _values(self, player: int, plan: np.ndarray) -> np.ndarray:
        values = np.zeros(self.trees.sequences)
        self._centred.payoffs(player, plan, values)
        return values

    def responses(self) -> list[Response]:
        """The best response of each player to the opponent's plan."""
        plan = self.trees.plan(self.trees.behaviour(self.plan))  # renormalised against rounding
        responses = []
        for player in (0, 1):
            self.passes += 1
            values = self._values(player, plan)
            won = self.own(player, values)
            best = self.trees.best_response(player, values)
            choice = np.append(1.0, best.choice[self.trees.sequences_of(player)])
            taken = self.own(player, self.trees.plan(best.choice[2:]))
            gain = best.value - float((self.own(player, plan) * won).sum())  # not a dot product, shared among threads
            responses.append(Response(taken, choice, gain))
        return responses

    def advance(self, iterations: int) -> None:
        """Run this many more rounds, or as many as remain; a round sets `finished` when nothing is left to do."""
        for _ in range(iterations):
            if self.finished:
                return
            self.step()
            self.iterations += 1

    def own_arrays(self) -> dict[str, np.ndarray]:
        return {"plan": self.plan}
