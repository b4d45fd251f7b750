"""Control variates with weights fitted to the hands before: unbiased, because no hand helps to weigh itself.

A control variate is a number whose mean is zero given everything that players decided, so any multiple of it may be
subtracted. Least squares finds the multiples that leave the least variance (White and Bowling, "Learning a value
analysis tool for agent evaluation", 2009). Cross-fitting is sequential here: the weights for a hand come from the
earlier hands of its pass alone. Therefore they do not depend on its cards, even if agents learn.
"""

from __future__ import annotations

import numpy as np

PRIOR_HANDS = 40.0  # how many hands' worth of evidence the initial weights are


class SequentialFit:
    """Running least squares of payoffs on control variates, shrunk to initial weights."""

    def __init__(self, prior: np.ndarray) -> None:
        count = len(prior)
        self._prior = prior  # [column]
        self._squares = np.zeros((count, count))
        self._products = np.zeros(count)
        self._hands, self._mean = 0, 0.0
        self.weights = prior.copy()  # [column] for the next hand

    def add(self, payoff: float, variates: np.ndarray) -> None:
        """Learn from a hand.  # variates [column]"""
        self._squares += np.outer(variates, variates)
        self._products += variates * (payoff - self._mean)
        self._hands += 1
        self._mean += (payoff - self._mean) / self._hands
        spread = np.diagonal(self._squares).copy()
        spread[spread == 0] = 1.0
        shrinking = spread * (PRIOR_HANDS / self._hands)
        self.weights = np.linalg.solve(self._squares + np.diag(shrinking), self._products + shrinking * self._prior)
