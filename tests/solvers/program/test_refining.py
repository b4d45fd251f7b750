"""Programs to any number of digits: against fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from pokerlab.errors import PokerlabError
from pokerlab.solvers.convex.program.refining import Exact, ExactOptimum, _ExactProgram, floats, minimise_exactly, whole


def fractions(found: ExactOptimum) -> tuple[list[Fraction], list[Fraction]]:
    unit = 1 << found.bits
    return [Fraction(value, unit) for value in found.point], [Fraction(value, unit) for value in found.prices]


def test_a_share_of_a_tiny_share_is_right_to_all_digits() -> None:
    """x1 = 1, x2 = x1 / 3, x3 = x2 * 2^-20 ...: numbers that floats would lose beside 1, each from the one before."""
    size, shrink = 12, 2.0**-20
    rows = np.eye(size) - shrink * np.eye(size, k=-1)
    cost = np.ones(size)
    found = minimise_exactly(cost, csr_matrix(rows), right_side=np.eye(size)[0], free=np.zeros(size, bool), digits=80)
    point, prices = fractions(found)
    assert [value * 2 ** (20 * place) for place, value in enumerate(point)] == pytest.approx([1] * size, rel=1e-12)
    exact = [sum(Fraction(shrink) ** power for power in range(size - place)) for place in range(size)]
    assert max(abs(one - two) for one, two in zip(prices, exact, strict=True)) < Fraction(1, 10**79)


def test_random_programs_are_optimal_in_fractions() -> None:
    """Feasible, prices too, and nothing is paid for in vain: checked in fractions, of programs with free columns."""
    rng, solved = np.random.default_rng(4), 0
    for _ in range(12):
        rows, columns = 6, 14
        matrix = np.round(rng.normal(size=(rows, columns)), 2) * (rng.random((rows, columns)) < 0.6)
        free = rng.random(columns) < 0.2
        inside = np.where(free, rng.normal(size=columns), rng.random(columns))
        prices = rng.normal(size=rows)
        cost = matrix.T @ prices + np.where(free, 0.0, rng.random(columns))
        met = matrix @ inside
        cost[free] = np.round(cost[free], 12)
        asked = csr_matrix(matrix)
        try:
            found = minimise_exactly(cost, asked, right_side=met, free=free, digits=40)
        except PokerlabError:  # rounding of the costs of free columns leaves a program without an optimum
            assert free.any()
            continue
        solved += 1
        point, paid = fractions(found)
        again = minimise_exactly(cost, asked, right_side=met, free=free, digits=60, basis=found.basis)
        assert again.rounds < 10
        exact = [[Fraction(entry) for entry in row] for row in matrix.tolist()]
        for row, wanted in zip(exact, met.tolist(), strict=True):
            assert abs(sum(a * x for a, x in zip(row, point, strict=True)) - Fraction(wanted)) < Fraction(1, 10**39)
        for column in range(columns):
            left = Fraction(float(cost[column])) - sum(exact[row][column] * paid[row] for row in range(rows))
            assert free[column] or (point[column] >= 0 and left > -Fraction(1, 10**39))
            assert min(abs(point[column]), abs(left)) < Fraction(1, 10**39) or (free[column] and abs(left) < 1e-39)
    assert solved >= 10


def test_what_has_no_solution_is_told() -> None:
    rows = csr_matrix(np.array([[1.0, 1.0]]))
    with pytest.raises(PokerlabError, match="was not solved"):
        minimise_exactly(np.ones(2), rows, right_side=np.array([-1.0]), free=np.zeros(2, bool), digits=20)


def test_a_point_and_prices_must_be_of_each_other() -> None:
    """x = (1, 0) and a price of 1 are both possible; yet the second column would do for less."""
    rows = csr_matrix(np.array([[1.0, 1.0]]))
    asked = _ExactProgram(np.array([2.0, 1.0]), rows, np.ones(1), np.zeros(2, bool), 20)
    best, worse = whole(np.array([0.0, 1.0]), asked.bits), whole(np.array([1.0, 0.0]), asked.bits)
    prices = whole(np.ones(1), asked.bits)
    for point, solved in ((best, True), (worse, False)):
        _, reduced, misses = asked.left_over(point, prices)
        assert max(misses) == 0
        assert asked.is_solved(point, reduced, misses) == solved


def test_whole_numbers_are_exact() -> None:
    rng = np.random.default_rng(1)
    dense = rng.normal(size=(5, 7)) * 10.0 ** rng.integers(-12, 3, (5, 7)) * (rng.random((5, 7)) < 0.5)
    dense[2] = 0.0  # a row without entries
    bits = 300
    exact, vector = Exact(csr_matrix(dense), bits), rng.normal(size=7)
    expected = [
        sum(Fraction(a) * Fraction(b) for a, b in zip(row, vector.tolist(), strict=True)) for row in dense.tolist()
    ]
    found = exact.times(whole(vector, bits))
    for one, two in zip(found, expected, strict=True):
        assert abs(Fraction(one, 1 << bits) - two) < Fraction(1, 1 << 298)
    assert floats(whole(vector, bits), bits).tolist() == vector.tolist()


def test_entries_that_floats_round_are_taken_as_they_are() -> None:
    """Thirds, sevenths and ninths to forty digits, where the floats nearest to them have sixteen."""
    entries = [Fraction(1, 3), Fraction(1, 7), Fraction(-2, 3), Fraction(5, 9)]
    rows = csr_matrix((np.array([float(one) for one in entries]), [0, 2, 0, 1], [0, 2, 4]), shape=(2, 3))
    exact = Exact(rows, 200, entries)
    unit, point, prices = 1 << 200, [3, 9, 7], [6, 3]
    told = [Fraction(value, unit) for value in exact.times(whole(np.array(point), 200))]
    across = [Fraction(value, unit) for value in exact.across(whole(np.array(prices), 200))]
    assert max(abs(one - two) for one, two in zip(across, (0, Fraction(5, 3), Fraction(6, 7)), strict=True)) < 1e-40
    assert max(abs(value - wanted) for value, wanted in zip(told, (2, 3), strict=True)) < 1e-40
    rounded = Fraction(Exact(rows, 200).times(whole(np.array(point), 200))[1], unit)
    assert abs(rounded - 3) > 1e-20
