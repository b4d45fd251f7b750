"""Every equilibrium of a two-player game, by the vertices of the best-response polytopes.

The mixes at which each strategy of a player is unused or a best response are vertices of a polytope; two vertices that
have every label between them are an *extreme* equilibrium, and all equilibria are convex combinations of extreme ones
within the *maximal Nash subsets*, the maximal sets of interchangeable mixes (Winkels 1979; Mangasarian 1964; Avis,
Rosenberg, Savani and von Stengel 2010). Subsets that share a point form a component.

Vertices are visited by pivoting from one feasible basis to the next. The lexicographic rule visits the bases of a
perturbed, simple polytope, whose vertices cover all those of a degenerate one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pokerlab.errors import TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.solvers.equilibria.bimatrix import Bimatrix, Equilibrium, Mix, normalised
from pokerlab.solvers.equilibria.lemke_howson import start_pair
from pokerlab.solvers.equilibria.tableau import Tableau

MOST_BASES = 20_000
MOST_LABELS = 62  # one bit each


@dataclass(frozen=True, eq=False)
class NashSubset:
    """A maximal set of interchangeable mixes: every combination of a row and a column mix is an equilibrium."""

    rows: tuple[Mix, ...]  # its extreme mixes of the row player
    columns: tuple[Mix, ...]

    @property
    def is_point(self) -> bool:
        """Whether it is a single equilibrium."""
        return len(self.rows) == len(self.columns) == 1


@dataclass(frozen=True, eq=False)
class AllEquilibria:
    """The extreme equilibria of a game, its maximal Nash subsets, and the components that these form."""

    extreme: tuple[Equilibrium, ...]
    subsets: tuple[NashSubset, ...]
    components: tuple[tuple[int, ...], ...]  # numbers of the extreme equilibria of each
    bases: int  # that were visited

    @property
    def is_unique(self) -> bool:
        """Whether there is no other."""
        return len(self.extreme) == 1

    @property
    def is_finite(self) -> bool:
        """Whether there are as many equilibria as extreme ones."""
        return all(subset.is_point for subset in self.subsets)


def all_equilibria(game: Bimatrix, *, most_bases: int = MOST_BASES, watch: Watch = SILENT) -> AllEquilibria:
    """Every equilibrium, exactly; TooLarge where the polytopes have too many vertices."""
    rows, columns = game.counts
    if rows + columns > MOST_LABELS:
        raise TooLarge(f"all equilibria are computed for {MOST_LABELS} strategies in all, not for {rows + columns}")
    mine, theirs = start_pair(game)
    ys, met = _vertices(mine, slice(rows, rows + columns), most_bases, watch)
    xs, more = _vertices(theirs, slice(0, rows), most_bases, watch)
    full = (1 << (rows + columns)) - 1
    y_mixes, y_labels = list(ys), np.array(list(ys.values()), np.int64)
    pairs = []
    for x, label in xs.items():
        for index in np.flatnonzero((y_labels | label) == full).tolist():
            if any(x) and any(y_mixes[index]):  # all but the artificial equilibrium
                pairs.append((normalised(x), normalised(y_mixes[index])))
    pairs.sort(reverse=True)
    extreme = tuple(game.equilibrium(x, y) for x, y in pairs)
    subsets = tuple(_subsets(pairs))
    return AllEquilibria(extreme, subsets, tuple(_components(pairs)), met + more)


def _vertices(start: Tableau, own: slice, most_bases: int, watch: Watch) -> tuple[dict[tuple[Fraction, ...], int], int]:
    """The vertices with the bits of their labels, and the number of bases."""
    variables = start.entries.shape[1] - 1
    seen, stack, vertices = {frozenset(start.basis)}, [start], {}
    while stack:
        tableau = stack.pop()
        values = tableau.values(variables)
        vertices[tuple(values[own])] = sum(1 << label for label, value in enumerate(values) if not value)
        if len(seen) % 100 == 0:
            watch.at(f"{len(seen):,} bases", len(seen), None)
        for column in sorted(set(range(variables)) - set(tableau.basis)):
            row = tableau.leaving(column)
            if row is None:
                continue
            basis = frozenset([*tableau.basis[:row], *tableau.basis[row + 1 :], column])
            if basis in seen:
                continue
            if len(seen) >= most_bases:
                raise TooLarge(
                    f"the best-response polytopes have more than {most_bases:,} bases: Lemke and Howson's algorithm "
                    "finds some equilibria, and a program answers questions about the others"
                )
            seen.add(basis)
            following = tableau.copy()
            following.pivot(row, column)
            stack.append(following)
    return vertices, len(seen)


def _subsets(pairs: list[tuple[Mix, Mix]]) -> Iterator[NashSubset]:
    """The maximal bicliques of the graph of extreme mixes that are in equilibrium with each other."""
    with_x: dict[Mix, set[Mix]] = {}
    for x, y in pairs:
        with_x.setdefault(x, set()).add(y)
    closed: dict[frozenset[Mix], None] = {}  # every non-empty intersection of the sets of columns
    for replies in with_x.values():
        own = frozenset(replies)
        new = {own} | {shared for one in closed if (shared := one & own)}
        closed |= dict.fromkeys(new)
    for ys in sorted(closed, key=lambda one: sorted(one, reverse=True), reverse=True):
        xs = tuple(sorted((x for x, replies in with_x.items() if ys <= replies), reverse=True))
        yield NashSubset(xs, tuple(sorted(ys, reverse=True)))


def _components(pairs: list[tuple[Mix, Mix]]) -> Iterator[tuple[int, ...]]:
    """Extreme equilibria that are connected by shared mixes."""
    left = list(range(len(pairs)))
    while left:
        group, border = [left[0]], [left[0]]
        left.remove(left[0])
        while border:
            one = border.pop()
            near = [other for other in left if pairs[other][0] == pairs[one][0] or pairs[other][1] == pairs[one][1]]
            left = [other for other in left if other not in near]
            group += near
            border += near
        yield tuple(sorted(group))
