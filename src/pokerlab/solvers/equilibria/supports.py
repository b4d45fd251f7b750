"""Support enumeration: an equilibrium for each pair of supports that has one.

Dickhaut and Kaplan 1991, in the order and with the pruning of Porter, Nudelman and Shoham, "Simple search methods for
finding a Nash equilibrium", 2008: small and balanced supports first, and no strategy of a support may be dominated
given the other. The test of a pair is an exact linear program, so that degenerate games are no exception; without
degeneracy supports have equal sizes, and each pair has one equilibrium at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

from pokerlab.errors import TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.solvers.equilibria.bimatrix import Bimatrix, Equilibrium, Mix, normalised
from pokerlab.solvers.equilibria.tableau import integers, point_of

MOST_PAIRS = 2**16


def enumerate_supports(game: Bimatrix, *, watch: Watch = SILENT) -> Iterator[Equilibrium]:
    """An equilibrium of each pair of supports that has one."""
    rows, columns = game.counts
    pairs = (2**rows - 1) * (2**columns - 1)
    if pairs > MOST_PAIRS:
        raise TooLarge(
            f"{rows} x {columns} strategies have {pairs:,} pairs of supports, and {MOST_PAIRS:,} are searched"
        )
    sizes = [(i, j) for i in range(1, rows + 1) for j in range(1, columns + 1)]
    sizes.sort(key=lambda size: (abs(size[0] - size[1]), sum(size)))
    mine, theirs = game.positive
    for row_count, column_count in sizes:
        watch.at(f"supports of {row_count} x {column_count}", row_count + column_count, None)
        for support in combinations(range(rows), row_count):
            kept = _undominated(theirs[list(support), :].T)  # columns that some mix on the support may be best against
            for other in combinations(kept, column_count):
                if set(support) - set(_undominated(mine[:, list(other)])):
                    continue
                x, y = mix_on(theirs.T, support, other), None
                if x is not None:
                    y = mix_on(mine, other, support)
                if x is not None and y is not None:
                    yield game.equilibrium(x, y)


def _undominated(table: np.ndarray) -> list[int]:
    """The strategies that no other one strictly dominates.  # [own, other]"""
    return [i for i, own in enumerate(table) if not any(all(better > own) for better in table)]


def mix_on(payoffs: np.ndarray, support: tuple[int, ...], replies: tuple[int, ...]) -> Mix | None:
    """A mix with this support against which these replies are best; None if there is none.

    `payoffs` [reply, own] are positive. Each share is 1 or more before normalising, which is no restriction.
    """
    own = payoffs[:, list(support)]
    count, size = own.shape
    best = np.zeros(count, bool)
    best[list(replies)] = True
    surplus = np.flatnonzero(~best)
    matrix = np.zeros((count, size + 1 + len(surplus)), object)
    matrix[:, :size], matrix[:, size] = (
        -own,
        1,
    )  # value - payoff of each reply = the payoff against the ones (+ surplus)
    matrix[surplus, size + 1 + np.arange(len(surplus))] = -1
    found = point_of(integers(matrix), own.sum(axis=1))
    if found is None:
        return None
    weights = dict(zip(support, found[:size], strict=True))
    return normalised([1 + weights[i] if i in weights else Fraction(0) for i in range(payoffs.shape[1])])
