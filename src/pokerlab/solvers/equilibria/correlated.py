"""Correlated and coarse correlated equilibria: the linear programs over their polytopes, and the distance to them.

A mediator draws a profile and shows each player their part. In a *correlated* equilibrium (Aumann 1974) nobody gains by
playing another strategy instead of the one shown; in a *coarse* one (Moulin and Vial 1978) nobody gains by deciding on
one strategy before. Joint play with small internal regret is near the former, with small external regret near the
latter (Foster and Vohra 1997; Stoltz and Lugosi 2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.errors import TooLarge
from pokerlab.solvers.convex.program.linear_program import minimise

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

MOST_CELLS = 20_000


@dataclass(frozen=True, eq=False)
class CorrelatedOptimum:
    """The best distribution over profiles, and what each player wins."""

    joint: np.ndarray  # [strategy of 0, strategy of 1, ...]
    payoffs: tuple[float, ...]


def deviation_gains(table: np.ndarray, player: int) -> np.ndarray:
    """What a player gains at each profile by each strategy instead of their own.  # [strategy, profile of all ...]"""
    payoffs = table[player]
    gains = [np.take(payoffs, [i], axis=player) - payoffs for i in range(payoffs.shape[player])]
    return np.array(gains)


def external_regrets(table: np.ndarray, joint: np.ndarray) -> list[float]:
    """What each player would have gained by the best fixed strategy."""
    return [
        max(0.0, float(deviation_gains(table, player).reshape(joint.shape[player], -1).dot(joint.ravel()).max()))
        for player in range(joint.ndim)
    ]


def internal_regrets(table: np.ndarray, joint: np.ndarray) -> list[float]:
    """What each player would have gained by the best replacement of one strategy by another, wherever it was played."""
    regrets = []
    for player in range(joint.ndim):
        gained = deviation_gains(table, player) * joint[None]
        others = tuple(axis for axis in range(1, joint.ndim + 1) if axis != player + 1)
        regrets.append(max(0.0, float(gained.sum(axis=others).max())))
    return regrets


def best_correlated(table: np.ndarray, weights: np.ndarray, *, coarse: bool = False) -> CorrelatedOptimum:
    """The equilibrium with the largest weighted sum of payoffs.  # weights: [P]"""
    from scipy.sparse import csr_matrix, vstack

    shape = table.shape[1:]
    limits = _limits(table, coarse=coarse)
    count = int(np.prod(shape))
    rows = csr_matrix(vstack([limits, csr_matrix(np.ones((1, count)))]))
    point = minimise(
        -np.tensordot(weights, table, axes=1).ravel() / _scale(table),
        rows,
        row_bounds=(np.r_[np.full(limits.shape[0], -np.inf), 1.0], np.r_[np.zeros(limits.shape[0]), 1.0]),
        column_bounds=(np.zeros(count), np.ones(count)),
    ).point
    joint = np.maximum(point, 0.0).reshape(shape)
    joint /= joint.sum()
    return CorrelatedOptimum(joint, tuple(float((joint * payoffs).sum()) for payoffs in table))


def distance(table: np.ndarray, joint: np.ndarray, *, coarse: bool = False) -> float:
    """The least probability that must be moved to make a distribution an equilibrium: total variation."""
    from scipy.sparse import csr_matrix, eye, hstack, vstack

    limits, count = _limits(table, coarse=coarse), joint.size
    ones, same = csr_matrix(np.ones((1, count))), eye(count)
    blank = csr_matrix((limits.shape[0] + 1, 2 * count))
    rows = csr_matrix(vstack([hstack([vstack([limits, ones]), blank]), hstack([same, -same, same])]))
    bounds = np.r_[np.zeros(limits.shape[0]), 1.0, joint.ravel()]
    optimum = minimise(
        np.r_[np.zeros(count), np.full(2 * count, 0.5)],
        rows,
        row_bounds=(np.r_[np.full(limits.shape[0], -np.inf), bounds[limits.shape[0] :]], bounds),
        column_bounds=(np.zeros(3 * count), np.full(3 * count, np.inf)),
    )
    return max(0.0, float(optimum.point[count:].sum() / 2))


def _scale(table: np.ndarray) -> float:
    return float(np.ptp(table)) or 1.0


def _limits(table: np.ndarray, *, coarse: bool) -> csr_matrix:
    """The rows that must not be positive: the gain of each deviation.  # [deviation, profile]"""
    from scipy.sparse import csr_matrix

    shape = table.shape[1:]
    count = int(np.prod(shape))
    if count > MOST_CELLS:
        raise TooLarge(f"correlated equilibria are computed over up to {MOST_CELLS:,} profiles, not {count:,}")
    rows = []
    for player, own in enumerate(shape):
        gains = deviation_gains(table, player) / _scale(table)
        if coarse:
            rows.append(gains.reshape(own, count))
            continue
        played = np.indices(shape)[player]
        for strategy in range(own):
            here = np.where(played == strategy, gains, 0.0).reshape(own, count)
            rows.append(np.delete(here, strategy, axis=0))
    return csr_matrix(np.concatenate(rows) if rows else np.zeros((0, count)))
