"""Oracle methods: restricted games that grow by best responses in the full game until nothing outside is better.

Double oracle over strategies (McMahan, Gordon and Blum, 2003): the matrix game of the strategies collected so far is
solved, and best responses to its equilibrium are added.

Double oracle over sequences: players may take the actions that some best response has taken. Bošanský, Kiekintveld,
Lisý and Pěchouček, 2014 (see library/double_oracle.py); McAleer, Lanier, Wang, Baldi and Fox, "XDO: a double oracle
algorithm for extensive-form games", 2021. As in the latter, every infoset has an action from the first round on, that
of the best response to uniform play, so a restricted game is the game with fewer actions; as in the former, it is
solved by its sequence-form program, and a response adds only the sequences that it reaches.

Range of skill (Zinkevich, Bowling and Burch, 2007): what is added is a *generalised best response*, the strategy of the
full game that maximises its minimum against the opponent's strategies. A player's result is the mixture that held the
opponent to that minimum. The list ends when nothing beats the mixtures by epsilon; a list of strategies of which each
beats the earlier ones by epsilon is never longer than the game's range of skill. The paper computes generalised best
responses by alternating best responses and matrix games, we by one linear program.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pokerlab.errors import BadFile
from pokerlab.solvers.convex.program.linear_program import Basis, OutOfTime, best_plan, plan_rows
from pokerlab.solvers.core.plan_solver import PlanSolver
from pokerlab.solvers.library.lp import solve_sequence_form
from pokerlab.solvers.library.normal_lp import solve_matrix
from pokerlab.tree.form import Form
from pokerlab.tree.sequence import SequenceForm
from pokerlab.tree.units import middle_power

ROUNDING = 1e-12  # fraction of the largest payoff: smaller gains do not count
MOST_STATUS = 4  # largest status of a basic variable in HiGHS's numbering


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


class SequenceOracle(OracleSolver):
    """`allowed` [S] says which sequences the restricted game has; none before the first round."""

    def __init__(self, form: SequenceForm) -> None:
        super().__init__(form)
        self.sequence_form = form
        self.allowed = np.zeros(form.sequences, np.uint8)

    def step(self) -> None:
        """Add the sequences of best responses and solve the enlarged game; finished when they add nothing."""
        allowed = self.allowed.copy()
        for player, response in enumerate(self.responses()):
            own = self.trees.sequences_of(player)
            if self.iterations == 0:
                allowed[own] = response.choice[1:] > 0
            elif response.gain > ROUNDING * self.max_abs_payoff:
                allowed[own] |= (response.plan[1:] > 0).astype(np.uint8)
        if self.iterations > 0 and np.array_equal(allowed, self.allowed):
            self.finished = True
            return
        self.allowed = allowed
        self.plan = solve_sequence_form(self.sequence_form, allowed=allowed > 0)
        self.passes += 1

    def own_arrays(self) -> dict[str, np.ndarray]:
        return super().own_arrays() | {"allowed": self.allowed}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; ValueError if an infoset has no action."""
        allowed = arrays["allowed"]
        starts = self.sequence_form.start[:-1].astype(np.int64)
        if int(arrays["counts"][0]) and len(starts) and not np.add.reduceat(allowed > 0, starts).all():
            raise ValueError("an infoset without an action")
        super().restore(arrays)


class PooledSolver(OracleSolver):
    """`pools`: the strategies of each player as plans [strategy, own sequence], the empty one first."""

    def __init__(self, game: Form) -> None:
        super().__init__(game)
        self.pools = [self.own(player, self.plan)[None] for player in (0, 1)]
        self._known_payoffs: list[list[np.ndarray]] = [[], []]  # of each player, against the opponent's pool

    def add(self, player: int, plan: np.ndarray) -> None:
        """Add a strategy of a player.  # [own sequence]"""
        self.pools[player] = np.vstack([self.pools[player], plan])

    def against(self, player: int) -> np.ndarray:
        """Values of a player's sequences against each strategy of the opponent, cached.  # [strategy, own sequence]"""
        known, pool = self._known_payoffs[player], self.pools[1 - player]
        known.extend(self.payoffs(player, self.whole(1 - player, plan)) for plan in pool[len(known) :])
        return np.stack(known)

    def mix(self, player: int, weights: np.ndarray) -> None:
        """Set the result to a mixture of a player's first strategies."""
        self.plan[self.trees.sequences_of(player)] = (weights @ self.pools[player][: len(weights)])[1:]

    def arrays(self) -> dict[str, np.ndarray]:
        return super().arrays() | {"pool0": self.pools[0].copy(), "pool1": self.pools[1].copy()}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; BadFile if a player has no strategy."""
        pools = [np.array(arrays[f"pool{player}"]) for player in (0, 1)]
        if not (len(pools[0]) and len(pools[1])):
            raise BadFile("this state is damaged: a player has no strategy")
        super().restore(arrays)
        self.pools, self._known_payoffs = pools, [[], []]


class StrategyOracle(PooledSolver):
    """Double oracle over strategies. Each player's first strategy is uniform."""

    def step(self) -> None:
        """Add best responses to the pools and solve their matrix game; finished when neither improves."""
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
        """Whether a strategy is already in a pool: a gain that is only rounding adds nothing."""
        return bool((self.pools[player] == plan).all(axis=1).any())


class RangeOfSkill(PooledSolver):
    """The list ends when nothing beats the mixtures by `epsilon`, a fraction of the largest payoff."""

    def __init__(self, game: Form, *, epsilon: float) -> None:
        super().__init__(game)
        self.epsilon = max(epsilon, ROUNDING)
        self.deadline = math.inf  # of the current run; a round that is not over then is given up
        self._rows = [plan_rows(game, player) for player in (0, 1)]
        self._bases = [Basis(np.zeros(0, np.int8), np.zeros(0, np.int8)) for _ in (0, 1)]

    def advance(self, iterations: int) -> None:
        """Run this many more rounds, as far as the deadline allows."""
        for _ in range(iterations):
            before = self.plan.copy(), list(self.pools), list(self._bases), self.passes
            try:
                super().advance(1)
            except OutOfTime:
                self.plan, self.pools, self._bases, self.passes = before
                for player, known in enumerate(self._known_payoffs):
                    del known[len(self.pools[1 - player]) :]
                return

    def step(self) -> None:
        """A generalised best response of each player in turn, and the opponent mixtures that they face."""
        for player in (0, 1):
            plan, weights = self._generalised(player)
            self.mix(1 - player, weights)
            self.add(player, plan)
        gap = sum(response.gain for response in self.responses())
        self.finished = gap <= self.epsilon * self.max_abs_payoff

    def _generalised(self, player: int) -> tuple[np.ndarray, np.ndarray]:
        """The plan with the largest minimum against the opponent's pool, and the mixture of the pool that it faces.

        The program's variables are the plan x and its value w; each opponent strategy y gives a constraint w <=
        x A y. A round adds one row to the previous round's program and starts from its basis.
        """
        from scipy.sparse import csr_matrix, hstack

        pool, basis, against = self.pools[1 - player], self._bases[player], self.against(player)
        limits = hstack([csr_matrix(-against), csr_matrix(np.ones((len(pool), 1)))])
        seconds = max(0.0, self.deadline - time.perf_counter()) if self.deadline < math.inf else None
        start = basis if len(basis.columns) else None
        optimum = best_plan(self._rows[player], limits, start=start, seconds=seconds)
        self.passes += 1
        self._bases[player] = optimum.basis or basis
        weights = np.maximum(-optimum.prices, 0.0)
        return optimum.plan, weights / weights.sum()

    def arrays(self) -> dict[str, np.ndarray]:
        bases = {f"basis{player}": np.append(basis.columns, basis.rows) for player, basis in enumerate(self._bases)}
        return super().arrays() | bases

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; ValueError if a basis belongs to another program."""
        bases = []
        for player in (0, 1):
            numbers, columns = np.array(arrays[f"basis{player}"]), self._rows[player].shape[1] + 1
            rows = self._rows[player].shape[0] + len(arrays[f"pool{1 - player}"]) - (1 - player)
            if len(numbers) not in (0, columns + rows) or not ((numbers >= 0) & (numbers <= MOST_STATUS)).all():
                raise ValueError("a basis of another program")
            bases.append(Basis(numbers[:columns], numbers[columns:]))
        super().restore(arrays)
        self._bases = bases
