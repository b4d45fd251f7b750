"""Selection and breeding: the operators of the genetic algorithm, each on arrays alone."""

from __future__ import annotations

import numpy as np


def breed(parents: np.ndarray, weights: np.ndarray, children: int, *, mutation: float, start: np.uint64) -> np.ndarray:
    """Children [children, genes] of the parents [parents, genes], drawn in proportion to the weights [parents]."""
    from pokerlab.solvers.evolve._kernels.genetic import breed as kernel

    weights = np.asarray(weights, np.float64)
    weights = np.where(weights > 1e-9 * weights.max(), np.maximum(weights, 0.0), 0.0)
    if np.count_nonzero(weights) < 2:  # at most one parent: all children are equal
        weights = np.ones(len(parents))
    born = np.empty((children, parents.shape[1]), np.uint8)
    kernel(start, np.ascontiguousarray(parents), np.cumsum(weights), weights, mutation, born)
    return born


def select(scores: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """The indices of the best scores, best first; ties are broken at random. [count]

    Scores against several opponents [agents, opponents] go by Pareto fronts first, then by their mean.
    """
    if scores.ndim == 1:
        return np.lexsort((rng.random(len(scores)), -scores))[:count]
    return np.lexsort((rng.random(len(scores)), -scores.mean(1), pareto_fronts(scores, count)))[:count]


def pareto_fronts(scores: np.ndarray, count: int) -> np.ndarray:
    """The front of each agent [agents]: 0 where no other agent is as good against all and better against one.

    Front 1 is what comes first when front 0 is left out, and so on, until the fronts hold `count` agents.
    """
    matched = np.ones((len(scores), len(scores)), np.bool_)  # [agent, other]: the other is as good against all
    for column in scores.T:
        matched &= column[:, None] <= column
    beaten = matched & ~matched.T  # and the agent is not as good as the other: the other dominates it
    fronts = np.full(len(scores), len(scores))
    left = np.arange(len(scores))
    front = 0
    while len(scores) - len(left) < count:
        behind = beaten[np.ix_(left, left)].any(1)
        fronts[left[~behind]] = front
        left, front = left[behind], front + 1
    return fronts
