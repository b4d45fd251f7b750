"""An equilibrium of a two-player game in the sequence form, by Lemke's algorithm; the game need not be zero-sum.

Koller, Megiddo and von Stengel, "Efficient computation of equilibria for extensive two-person games", 1996: plans and
the values of infosets form a linear complementarity problem. The covering vector, which says where the path starts, is
that of von Stengel, van den Elzen and Talman, "Computing normal form perfect equilibria for extensive two-person
games", 2002: both players first respond to a mixed *prior*, whose weight then falls to zero. Another prior may lead to
another equilibrium. Payoffs are turned into costs above zero, so that with the prior's help every infoset has a value
above zero: then a plan need not be held to sum to its parent from above.

Path lengths differ: in Leduc hold'em a covering vector of ones has not ended after 100,000 pivots, the uniform prior
ends after 6,000.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import BadGame, PokerlabError, TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.solvers.convex.program.linear_program import plan_rows
from pokerlab.solvers.equilibria.bimatrix import whole_table
from pokerlab.solvers.equilibria.factored_basis import solve_sparse_complementarity
from pokerlab.solvers.equilibria.tableau import Tableau
from pokerlab.tree.sequence import SequenceForm, leaves_of

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

MOST_ROWS = 10_000  # in floats: minutes
MOST_EXACT = 120  # rows that are pivoted in integers
MOST_WEIGHT = 10  # of an action in a random prior


@dataclass(frozen=True, eq=False)
class LemkeResult:
    """Realization plans of both players, the end of one path."""

    plan: np.ndarray  # [S]
    pivots: int
    exact: bool


def problem_rows(form: SequenceForm) -> int:
    """The rows of the complementarity problem."""
    return form.sequences + form.tree.infosets + 2


def lemke(form: SequenceForm, *, start: int = 0, exact: bool | None = None, watch: Watch = SILENT) -> LemkeResult:
    """One equilibrium; `start` numbers the prior: 0 is uniform play, others are random."""
    if form.players != 2:
        raise BadGame(f"Lemke's algorithm is for two players, and {form.name} has {form.players}")
    count = problem_rows(form)
    if count > MOST_ROWS:
        raise TooLarge(
            f"Lemke's algorithm pivots in {count:,} rows for {form.name}, and {MOST_ROWS:,} are the most; "
            "solve approximates an equilibrium by regret matching"
        )
    exact = count <= MOST_EXACT if exact is None else exact
    costs = [_costs(form, player, exact=exact) for player in (0, 1)]
    random = np.random.default_rng(start)
    weights = random.integers(1, MOST_WEIGHT, form.sequences) if start else np.ones(form.sequences, np.int64)
    if exact:
        matrix, bounds, cover = _exact_problem(form, costs, _exact_plan(form, weights))
        point, pivots = solve_complementarity(matrix, bounds, cover, watch=watch)
    else:
        prior = form.plan(form.normalize(weights[form.players :].astype(float)))
        point, pivots = solve_sparse_complementarity(*_sparse_problem(form, costs, prior), seed=start, watch=watch)
    plan = np.ones(form.sequences)
    width = len(costs[0])
    plan[form.sequences_of(0)] = np.maximum(point[1:width], 0.0)
    plan[form.sequences_of(1)] = np.maximum(point[width + 1 : form.sequences], 0.0)
    return LemkeResult(plan, pivots, exact)


def _sparse_problem(
    form: SequenceForm, costs: list[np.ndarray], prior: np.ndarray
) -> tuple[csc_matrix, np.ndarray, np.ndarray]:
    """M, q and the covering vector d of: find z >= 0 with M z + q >= 0 and z · (M z + q) = 0.

    z has both plans, then the values of each player's infosets, the empty sequence's first.
    """
    from scipy.sparse import bmat, csc_matrix

    rules = [plan_rows(form, player) for player in (0, 1)]
    blocks: Any = [
        [None, csc_matrix(costs[0]), -rules[0].T, None],
        [csc_matrix(costs[1].T), None, None, -rules[1].T],
        [rules[0], None, None, None],
        [None, rules[1], None, None],
    ]
    mine, theirs = (np.append(1.0, prior[form.sequences_of(player)]) for player in (0, 1))
    bounds = _bounds(form, costs)
    return csc_matrix(bmat(blocks)), bounds, np.r_[costs[0] @ theirs, costs[1].T @ mine, -bounds[form.sequences :]]


def _bounds(form: SequenceForm, costs: list[np.ndarray]) -> np.ndarray:
    """q: the empty sequences of both players must have probability 1."""
    bounds = np.zeros(problem_rows(form))
    bounds[form.sequences] = bounds[form.sequences + plan_rows(form, 0).shape[0]] = -1.0
    return bounds


def _exact_problem(
    form: SequenceForm, costs: list[np.ndarray], prior: list[Fraction]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same in integers; the covering vector is scaled to be whole."""
    rules = [plan_rows(form, player).toarray().astype(np.int64) for player in (0, 1)]
    width, sequences = len(costs[0]), form.sequences
    bounds = _bounds(form, costs).astype(np.int64)
    matrix = np.zeros((len(bounds), len(bounds)), object)
    matrix[:width, width:sequences], matrix[width:sequences, :width] = costs[0], costs[1].T
    values = slice(sequences, sequences + len(rules[0])), slice(sequences + len(rules[0]), len(bounds))
    for own, rule, value in zip((slice(width), slice(width, sequences)), rules, values, strict=True):
        matrix[own, value], matrix[value, own] = -rule.T, rule
    mine, theirs = (np.array([Fraction(1), *prior[form.sequences_of(player)]], object).reshape(-1) for player in (0, 1))
    cover = [*(costs[0] @ theirs), *(costs[1].T @ mine), *(-int(bound) for bound in bounds[sequences:])]
    unit = math.lcm(*(Fraction(number).denominator for number in cover))
    return matrix, bounds, np.array([int(number * unit) for number in cover], object)


def _exact_plan(form: SequenceForm, weights: np.ndarray) -> list[Fraction]:
    """The plan of actions in proportion to whole weights [S].  # [S]"""
    plan = [Fraction(1)] * form.sequences
    for infoset in range(form.tree.infosets):  # a parent's infoset comes first
        first, end = int(form.start[infoset]), int(form.start[infoset + 1])
        total = int(weights[first:end].sum())
        for sequence in range(first, end):
            plan[sequence] = plan[int(form.parent[infoset])] * Fraction(int(weights[sequence]), total)
    return plan


def _costs(form: SequenceForm, player: int, *, exact: bool) -> np.ndarray:
    """What a player loses against the best terminal node, by both players' sequences.  # [sequence, sequence]

    The range of the payoffs is added to every loss, so that each is above zero.
    """
    sequence, chance = leaves_of(form.tree)
    own = [form.sequences_of(seat) for seat in (0, 1)]
    places = [np.where(sequence[:, seat] == seat, 0, sequence[:, seat] - own[seat].start + 1) for seat in (0, 1)]
    returns = form.tree.returns[:, player]
    best, worst = float(returns.max(initial=0.0)), float(returns.min(initial=0.0))
    table = np.zeros((own[0].stop - own[0].start + 1, own[1].stop - own[1].start + 1))
    np.add.at(table, tuple(places), (best - returns + ((best - worst) or 1.0)) * chance)
    if not exact:
        return table / float(table.max())
    return np.asarray(whole_table(table[None]).table[0].astype(object))


def solve_complementarity(
    matrix: np.ndarray, bounds: np.ndarray, cover: np.ndarray, *, watch: Watch = SILENT
) -> tuple[np.ndarray, int]:
    """The solution of a problem in integers that Lemke's path from a covering vector ends in, and pivots."""
    count = len(bounds)
    identity = np.zeros((count, count), object)
    identity[np.arange(count), np.arange(count)] = 1
    columns = np.hstack([identity, -matrix, -cover[:, None], bounds[:, None]])
    entries = np.array([[int(number) for number in row] for row in columns], object)
    tableau = Tableau(entries, list(range(count)), list(range(count)))
    artificial, negative = 2 * count, np.flatnonzero(bounds < 0)
    starts = [Fraction(int(bounds[row]), int(cover[row])) for row in negative]
    row = int(negative[[start == min(starts) for start in starts]][-1])  # the lexicographic minimum
    left, pivots = tableau.pivot(row, artificial), 1
    while left != artificial:
        entering = left + count if left < count else left - count
        leaving = tableau.leaving(entering, last=artificial)
        if leaving is None or pivots > 100 * count:
            raise PokerlabError("Lemke's path does not end; solve approximates an equilibrium")
        left, pivots = tableau.pivot(leaving, entering), pivots + 1
        if pivots % 50 == 0:
            watch.at(f"{pivots:,} pivots", pivots, None)
    return np.array([float(value) for value in tableau.values(2 * count)[count:]]), pivots
