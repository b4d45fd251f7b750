"""What oracle methods share: best responses in the whole game, and plans of both players as the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pokerlab.solvers.core.plan_solver import PlanSolver
from pokerlab.tree.form import Form, best_response_rule
from pokerlab.tree.units import middle_power

ROUNDING = 1e-12  # of the largest payoff: what beats a plan by less does not beat it


class Response(NamedTuple):
    """A pure best response of one player, in plans of that player alone: the empty sequence first."""

    plan: np.ndarray  # [own sequence]
    choice: np.ndarray  # [own sequence]: whether it is taken where its infoset is reached, at every infoset
    gain: float  # by how much it beats the player's own plan


class OracleSolver(PlanSolver):
    """A round asks oracles in the whole game, and solves a restricted one. The state holds `plan` [S], both plans.

    Payoffs that lie far on one side of zero are moved to it first, and linear programs see them in a unit in which
    they are about 1.
    """

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
        """The equilibrium of the restricted game."""
        return self.game.behaviour(self.plan)

    def own(self, player: int, plan: np.ndarray) -> np.ndarray:
        """A player's plan, of plans [S].  # [own sequence], the empty one first"""
        return np.append(1.0, plan[self.trees.sequences_of(player)])

    def whole(self, player: int, own: np.ndarray) -> np.ndarray:
        """Plans [S] of which a player's is this one; the other's is not looked at."""
        plan = np.ones(self.trees.sequences)
        plan[self.trees.sequences_of(player)] = own[1:]
        return plan

    def payoffs(self, player: int, plan: np.ndarray) -> np.ndarray:
        """What a player's sequences win against plans [S], in units of linear programs.  # [own sequence]"""
        return self._raw_payoffs(player, plan) / self._unit

    def _raw_payoffs(self, player: int, plan: np.ndarray) -> np.ndarray:
        value = np.zeros(self.trees.sequences)
        self._centred.payoffs(player, plan, value)
        return np.append(value[player], value[self.trees.sequences_of(player)])

    def responses(self) -> list[Response]:
        """The best that each player can do against the other's plan."""
        plan = self.trees.plan(self.trees.behaviour(self.plan))  # made one where rounding has left it less than that
        found = []
        for player in (0, 1):
            self.passes += 1
            won = self._raw_payoffs(player, plan)
            value = np.zeros(self.trees.sequences)
            value[player], value[self.trees.sequences_of(player)] = won[0], won[1:]
            best = best_response_rule(self.trees, player, value)
            choice = np.append(1.0, best.choice[self.trees.sequences_of(player)])
            taken = self.own(player, self.trees.plan(best.choice[2:]))
            gain = best.value - float((self.own(player, plan) * won).sum())  # not a dot product, shared among threads
            found.append(Response(taken, choice, gain))
        return found

    def advance(self, iterations: int) -> None:
        """Do this many more rounds, or as many as are left; a round says in `finished` that nothing is left to do."""
        for _ in range(iterations):
            if self.finished:
                return
            self.step()
            self.iterations += 1

    def state(self) -> dict[str, np.ndarray]:
        """The plans and the counts."""
        counts = np.array([self.iterations, self.passes, int(self.finished)])
        return super().state() | {"plan": self.plan.copy(), "counts": counts}

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return self.state()

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`."""
        super().restore(arrays)
        self.plan = np.array(arrays["plan"])
        self.finished = bool(arrays["counts"][2])
