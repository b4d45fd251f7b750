"""Lemke and Howson's algorithm: an equilibrium of a two-player game for each label that is dropped.

Lemke and Howson, "Equilibrium points of bimatrix games", 1964, as complementary pivoting in two tableaux (von Stengel
2002). Labels are the strategies of both players: the row player's 0 .. m-1, then the column player's. Each path leads
from the artificial equilibrium, or from one that was found before, to another one; those that paths connect are called
accessible (Shapley 1974), and in many games some equilibria are not.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.events import SILENT, Watch
from pokerlab.solvers.equilibria.bimatrix import Bimatrix, Equilibrium, normalised
from pokerlab.solvers.equilibria.tableau import Tableau, with_slacks

MOST_PIVOTS = 1_000_000
MOST_STARTS = 1_000  # equilibria from which paths are followed


class RoundingFailure(PokerlabError):
    """A path in floats that does not end in an equilibrium."""


@dataclass(frozen=True)
class Path:
    """One path of complementary pivoting."""

    label: int  # that was dropped
    pivots: int
    equilibrium: Equilibrium


Pair = tuple[Tableau, Tableau]  # of the column player's mixes and the row player's; both have a variable per label


def start_pair(game: Bimatrix, *, exact: bool = True) -> Pair:
    """The tableaux of the artificial equilibrium, in which nobody plays anything."""
    rows, columns = game.positive
    if not exact:
        rows, columns = (part.astype(float) / float(part.max()) for part in (rows, columns))
    ones = [np.array([1] * count, rows.dtype) for count in rows.shape]
    mine, theirs = with_slacks(rows, ones[0], first=True), with_slacks(columns.T, ones[1])
    return mine, theirs


def follow(pair: Pair, label: int, *, most_pivots: int = MOST_PIVOTS) -> tuple[Pair, int]:
    """Drop a label and pivot until it is found again: the new pair and the number of pivots."""
    tableaux = pair[0].copy(), pair[1].copy()
    side = 1 if label in tableaux[0].basis else 0  # the tableau where the variable of this label is not basic
    entering, pivots = label, 0
    while True:
        tableau = tableaux[side]
        row = tableau.leaving(entering)
        if row is None or pivots >= most_pivots:
            raise RoundingFailure("rounding errors stop Lemke and Howson's path: exact numbers are needed")
        left = tableau.pivot(row, entering)
        pivots += 1
        if left == label:
            return tableaux, pivots
        entering, side = left, 1 - side


def equilibrium_of(game: Bimatrix, pair: Pair) -> Equilibrium:
    """The equilibrium of two complementary tableaux."""
    rows, columns = game.counts
    x, y = pair[1].values(rows), pair[0].values(rows + columns)[rows:]
    if pair[0].exact:
        return game.equilibrium(normalised(x), normalised(y))
    found = game.in_floats(*(normalised([max(share, 0.0) for share in mix]) for mix in (x, y)))
    if found is None:
        raise RoundingFailure("rounding errors lead Lemke and Howson's path astray: exact numbers are needed")
    return found


def lemke_howson(game: Bimatrix, *, exact: bool = True, watch: Watch = SILENT) -> list[Path]:
    """The path from the artificial equilibrium for every label; in floats, paths that rounding spoils are repeated."""
    count = sum(game.counts)
    paths = []
    for label in range(count):
        watch.at(f"dropping label {label + 1}", label, count)
        try:
            paths.append(path(game, label, exact=exact))
        except RoundingFailure:
            paths.append(path(game, label))
    return paths


def path(game: Bimatrix, label: int, *, exact: bool = True) -> Path:
    """The path from the artificial equilibrium when one label is dropped."""
    end, pivots = follow(start_pair(game, exact=exact), label)
    return Path(label, pivots, equilibrium_of(game, end))


def accessible(game: Bimatrix, *, watch: Watch = SILENT) -> list[Equilibrium]:
    """Every equilibrium that exact paths reach from the artificial one or from each other."""
    first = start_pair(game)
    seen, queue = {_key(first)}, deque([first])
    found: list[Equilibrium] = []
    while queue and len(seen) <= MOST_STARTS:
        pair = queue.popleft()
        watch.at(f"{len(found)} equilibria", len(found), None)
        for label in range(sum(game.counts)):
            end, _ = follow(pair, label)
            if (key := _key(end)) not in seen:
                seen.add(key)
                queue.append(end)
                found.append(equilibrium_of(game, end))
    return list(dict.fromkeys(found))


def _key(pair: Pair) -> tuple[frozenset[int], frozenset[int]]:
    return frozenset(pair[0].basis), frozenset(pair[1].basis)
