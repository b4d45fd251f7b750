"""An equilibrium of a two-player game in the sequence form, by Lemke's algorithm; the game need not be zero-sum.

Koller, Megiddo and von Stengel, "Efficient computation of equilibria for extensive two-person games", 1996: plans and
the values of infosets form a linear complementarity problem. Its covering vector says where the path starts: another
one may lead to another equilibrium (von Stengel, van den Elzen and Talman 2002).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from pokerlab.errors import BadGame, PokerlabError, TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.solvers.convex.program.linear_program import plan_rows
from pokerlab.solvers.equilibria.bimatrix import whole_table
from pokerlab.solvers.equilibria.tableau import Tableau
from pokerlab.tree.sequence import SequenceForm, leaves_of

MOST_ROWS = 2_000  # of a tableau of floats: 64 MB
MOST_EXACT = 150  # rows that are pivoted in integers
MOST_COVER = 10  # of a covering vector's numbers


@dataclass(frozen=True, eq=False)
class LemkeResult:
    """Realization plans of both players, the end of one path."""

    plan: np.ndarray  # [S]
    pivots: int
    exact: bool


def problem_rows(form: SequenceForm) -> int:
    """The rows of the complementarity problem."""
    return form.sequences + 2 * (form.tree.infosets + 2)


def lemke(form: SequenceForm, *, start: int = 0, exact: bool | None = None, watch: Watch = SILENT) -> LemkeResult:
    """One equilibrium; `start` numbers the covering vector: 0 has ones, others are random."""
    if form.players != 2:
        raise BadGame(f"Lemke's algorithm is for two players, and {form.name} has {form.players}")
    count = problem_rows(form)
    if count > MOST_ROWS:
        raise TooLarge(
            f"Lemke's algorithm keeps a table of {count:,} rows for {form.name}, and {MOST_ROWS:,} are the most; "
            "solve approximates an equilibrium by regret matching"
        )
    exact = count <= MOST_EXACT if exact is None else exact
    matrix, bounds = _problem(form, exact=exact)
    random = np.random.default_rng(start)
    cover = random.integers(1, MOST_COVER, count) if start else np.ones(count, np.int64)
    point, pivots = solve_complementarity(matrix, bounds, cover, exact=exact, watch=watch)
    plan = np.ones(form.sequences)
    own = [form.sequences_of(player) for player in (0, 1)]
    sizes = [part.stop - part.start + 1 for part in own]
    plan[own[0]] = np.maximum(point[1 : sizes[0]], 0.0)
    plan[own[1]] = np.maximum(point[sizes[0] + 1 : sum(sizes)], 0.0)
    return LemkeResult(plan, pivots, exact)


def _problem(form: SequenceForm, *, exact: bool) -> tuple[np.ndarray, np.ndarray]:
    """The matrix M and the vector q of: find z >= 0 with M z + q >= 0 and z · (M z + q) = 0.

    z has both plans, then for each player the values of infosets, the empty sequence's first, as differences of two
    numbers >= 0. Payoffs are turned into costs, which must not be negative.
    """
    rules = [plan_rows(form, player).toarray() for player in (0, 1)]
    costs = [_costs(form, player, exact=exact) for player in (0, 1)]
    sizes = [len(costs[0]), len(costs[0].T), len(rules[0]), len(rules[0]), len(rules[1]), len(rules[1])]
    ends = np.cumsum([0, *sizes])
    x, y, p, p_minus, q, q_minus = (slice(*pair) for pair in itertools.pairwise(ends))
    matrix = np.zeros((ends[-1], ends[-1]), costs[0].dtype)
    matrix[x, y], matrix[y, x] = costs[0], costs[1].T
    for own, rule, plus, minus in ((x, rules[0], p, p_minus), (y, rules[1], q, q_minus)):
        whole = rule.astype(np.int64)
        matrix[own, plus], matrix[own, minus] = whole.T, -whole.T
        matrix[plus, own], matrix[minus, own] = -whole, whole
    bounds = np.zeros(ends[-1], np.int64)
    for plus, minus in ((p, p_minus), (q, q_minus)):
        bounds[plus.start], bounds[minus.start] = 1, -1
    return matrix, bounds


def _costs(form: SequenceForm, player: int, *, exact: bool) -> np.ndarray:
    """What a player loses against the best terminal node, by both players' sequences.  # [sequence, sequence]"""
    sequence, chance = leaves_of(form.tree)
    own = [form.sequences_of(seat) for seat in (0, 1)]
    places = [np.where(sequence[:, seat] == seat, 0, sequence[:, seat] - own[seat].start + 1) for seat in (0, 1)]
    returns = form.tree.returns[:, player]
    table = np.zeros((own[0].stop - own[0].start + 1, own[1].stop - own[1].start + 1))
    np.add.at(table, tuple(places), (returns.max(initial=0.0) - returns) * chance)
    largest = float(table.max(initial=0.0)) or 1.0
    if not exact:
        return table / largest
    return np.asarray(whole_table(table[None]).table[0].astype(object))


def solve_complementarity(
    matrix: np.ndarray, bounds: np.ndarray, cover: np.ndarray, *, exact: bool, watch: Watch = SILENT
) -> tuple[np.ndarray, int]:
    """The solution of a linear complementarity problem that Lemke's path from a covering vector ends in, and pivots."""
    count = len(bounds)
    kind = object if exact else float
    identity = np.zeros((count, count), kind)
    identity[np.arange(count), np.arange(count)] = 1
    columns = [identity, -matrix, -cover[:, None], bounds[:, None]]
    entries = np.hstack([part.astype(kind) for part in columns])
    if exact:
        entries = np.array([[int(number) for number in row] for row in entries], object)
    tableau = Tableau(entries, list(range(count)), list(range(count)))
    artificial = 2 * count
    ratios = bounds / cover
    row = int(np.flatnonzero(ratios == ratios.min())[-1])  # the lexicographic minimum
    left, pivots = tableau.pivot(row, artificial), 1
    while left != artificial:
        entering = left + count if left < count else left - count
        leaving = tableau.leaving(entering, last=artificial)
        if leaving is None or pivots > 100 * count:
            raise PokerlabError("rounding errors stop Lemke's path; solve approximates an equilibrium")
        left, pivots = tableau.pivot(leaving, entering), pivots + 1
        if pivots % 50 == 0:
            watch.at(f"{pivots:,} pivots", pivots, None)
    return np.array([float(value) for value in tableau.values(2 * count)[count:]]), pivots
