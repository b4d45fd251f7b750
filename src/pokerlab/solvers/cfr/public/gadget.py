"""Scheduled CFR on a subgame with a gadget: the engine of tree/public/gadget.py.

The opponent's choices at the root have regrets of their own. Before each walk they set the weights of the opponent's
hands at the root of the subgame; after each walk in which the opponent updates, the values that are passed up to the
root are those of following.
"""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.cfr.public.solver import BOTH, ONE, OTHER, PublicSolver
from pokerlab.solvers.core.schedule import Schedule, Step, as_step
from pokerlab.tree.public.gadget import MAXMARGIN, Gadget
from pokerlab.tree.public.treeplex import LANES


class GadgetSolver(PublicSolver):
    """Solves a gadget; its strategies are those in the subgame."""

    def __init__(self, problem: Gadget, schedule: Schedule, *, threads: int = 1) -> None:
        super().__init__(problem.tree, schedule, threads=threads)
        self.problem = problem
        weights = problem.tree.weights[problem.opponent]
        self._weights = weights[weights > 0]
        self._alternatives = problem.alternatives[weights > 0]
        rows = 1 if problem.method == MAXMARGIN else 2  # one choice among hands, or one of each hand
        self._regret = np.zeros((rows, len(self._weights)))  # [choice, hand]; following comes first
        self._enter(self._regret)

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            table = self._table(1)
            for mover in (ONE, OTHER) if self.schedule.alternating else (BOTH,):
                self.prepare(np.array([mover]), table)
                self._waste[self.problem.opponent].fill(0.0)
                self.walk(self.roots, self._waste)
                if self.problem.opponent in self.carried:
                    self._choose(as_step(table[0]))
            self.iterations += 1

    def _choose(self, step: Step) -> None:
        """Update the regrets of the choices by the values of following."""
        opponent, count = self.problem.opponent, len(self._weights)
        values = self._waste[opponent].reshape(-1, LANES)[:count, 0].astype(np.float64) * self._weights
        if self.problem.method == MAXMARGIN:
            instant = (values - self._alternatives)[None]
            instant -= float(self._follow[0] @ instant[0])
        else:
            instant = np.stack([values, self._alternatives])
            instant -= (self._follow * instant).sum(axis=0)
        kept = np.where(self._regret > 0, step.keep_positive, step.keep_negative)
        self._regret = self._regret * kept + instant
        if step.floor:
            self._regret = np.maximum(self._regret, 0.0)
        self._enter(self._regret + step.prediction * instant)

    def _enter(self, regret: np.ndarray) -> None:
        """Match regrets, and set the weights of the opponent's hands at the root."""
        positive, among = np.maximum(regret, 0.0), 1 if self.problem.method == MAXMARGIN else 0
        total = positive.sum(axis=among, keepdims=True)
        uniform = np.full_like(positive, 1 / positive.shape[among])
        self._follow = np.divide(positive, total, out=uniform, where=total > 0)
        tile = self.roots[self.problem.opponent].reshape(-1, LANES)
        tile[: len(self._weights), 0] = self._weights * self._follow[0]
