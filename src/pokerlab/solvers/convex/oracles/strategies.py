"""Restricted games over whole strategies: each player mixes those found so far.

Double oracle, McMahan, Gordon and Blum, "Planning in the presence of cost functions controlled by an adversary", 2003:
the matrix game of the strategies found is solved, and best responses to its equilibrium join them.

Range of skill, Zinkevich, Bowling and Burch, "A new algorithm for generating equilibria in massive zero-sum games",
2007: what joins is a *generalised best response*, the strategy of the whole game that does best against every mix of
those that the other has, so that it beats each of them by as much as can be. A player's answer is the mix that held it
to that. The list ends where nothing beats the mixes by epsilon; a list of strategies of which each beats those before
it by epsilon is never longer than the game's range of skill. They find generalised best responses by best responses
and matrix games, we by one program.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.errors import BadFile
from pokerlab.solvers.convex.oracles.responses import ROUNDING, OracleSolver
from pokerlab.solvers.convex.program.linear_program import Basis
from pokerlab.solvers.convex.program.plan_program import best_plan
from pokerlab.solvers.convex.program.treeplex import rows_of
from pokerlab.solvers.library.normal_lp import solve_matrix
from pokerlab.tree.form import Form

MOST_STATUS = 4  # of a variable of a basis, as HiGHS counts them


class PooledSolver(OracleSolver):
    """`pools`: the strategies of each player as plans [strategy, own sequence], the empty one first."""

    def __init__(self, game: Form) -> None:
        super().__init__(game)
        self.pools = [self.own(player, self.plan)[None] for player in (0, 1)]
        self._known_payoffs: list[list[np.ndarray]] = [[], []]  # of each player, against the other's pool

    def add(self, player: int, plan: np.ndarray) -> None:
        """One more strategy of a player.  # [own sequence]"""
        self.pools[player] = np.vstack([self.pools[player], plan])

    def against(self, player: int) -> np.ndarray:
        """What a player's sequences win against each strategy of the other, each computed once.

        [strategy, own sequence]
        """
        known, pool = self._known_payoffs[player], self.pools[1 - player]
        known.extend(self.payoffs(player, self.whole(1 - player, plan)) for plan in pool[len(known) :])
        return np.stack(known)

    def mix(self, player: int, weights: np.ndarray) -> None:
        """Answer with a mix of the first strategies of a player."""
        self.plan[self.trees.sequences_of(player)] = (weights @ self.pools[player][: len(weights)])[1:]

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return super().arrays() | {"pool0": self.pools[0].copy(), "pool1": self.pools[1].copy()}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; BadFile where a player has no strategy."""
        pools = [np.array(arrays[f"pool{player}"]) for player in (0, 1)]
        if not (len(pools[0]) and len(pools[1])):
            raise BadFile("this state is damaged: a player has no strategy")
        super().restore(arrays)
        self.pools, self._known_payoffs = pools, [[], []]


class StrategyOracle(PooledSolver):
    """Double oracle over strategies. The first one of each player is uniform."""

    def step(self) -> None:
        """Add best responses to the pools, and solve their matrix game; finished where neither is better."""
        responses = self.responses()
        better = [
            response.gain > ROUNDING * self.max_abs_payoff and not self._known(player, response.plan)
            for player, response in enumerate(responses)
        ]
        if not any(better):
            self.finished = True
            return
        for player in (0, 1):
            if better[player]:
                self.add(player, responses[player].plan)
        table = self.pools[0] @ self.against(0).T
        for player, weights in enumerate(solve_matrix(table)):
            self.mix(player, weights)
        self.passes += 1

    def _known(self, player: int, plan: np.ndarray) -> bool:
        """Whether a strategy is in a pool: what is better than a mix of it by rounding adds nothing."""
        return bool((self.pools[player] == plan).all(axis=1).any())


class RangeOfSkill(PooledSolver):
    """The list ends where nothing beats the mixes by `epsilon`, a share of the stakes."""

    def __init__(self, game: Form, *, epsilon: float) -> None:
        super().__init__(game)
        self.epsilon = max(epsilon, ROUNDING)
        self._rows = [rows_of(*self.trees.single(player)) for player in (0, 1)]
        self._bases = [Basis(np.zeros(0, np.int8), np.zeros(0, np.int8)) for _ in (0, 1)]

    def step(self) -> None:
        """A generalised best response of each player in turn, and the mixes of the other that they were held to."""
        for player in (0, 1):
            plan, weights = self._generalised(player)
            self.mix(1 - player, weights)
            self.add(player, plan)
        gap = sum(response.gain for response in self.responses())
        self.finished = gap <= self.epsilon * self.max_abs_payoff

    def _generalised(self, player: int) -> tuple[np.ndarray, np.ndarray]:
        """The plan that wins most against every strategy of the other's pool, and the mix of them that it meets.

        The program's variables are the plan x and its worth w; a strategy y of the other says w <= x A y. A round
        adds one row to the program of the round before, so that its basis is where this one starts.
        """
        from scipy.sparse import csr_matrix, hstack

        pool, basis, against = self.pools[1 - player], self._bases[player], self.against(player)
        limits = hstack([csr_matrix(-against), csr_matrix(np.ones((len(pool), 1)))])
        optimum = best_plan(self._rows[player], limits, start=basis if len(basis.columns) else None)
        self.passes += 1
        self._bases[player] = optimum.basis or basis
        weights = np.maximum(-optimum.prices, 0.0)
        return optimum.plan, weights / weights.sum()

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        bases = {f"basis{player}": np.append(basis.columns, basis.rows) for player, basis in enumerate(self._bases)}
        return super().arrays() | bases

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; ValueError where a basis is of another program."""
        bases = []
        for player in (0, 1):
            numbers, columns = np.array(arrays[f"basis{player}"]), self._rows[player].shape[1] + 1
            rows = self._rows[player].shape[0] + len(arrays[f"pool{1 - player}"]) - (1 - player)
            if len(numbers) not in (0, columns + rows) or not ((numbers >= 0) & (numbers <= MOST_STATUS)).all():
                raise ValueError("a basis of another program")
            bases.append(Basis(numbers[:columns], numbers[columns:]))
        super().restore(arrays)
        self._bases = bases
