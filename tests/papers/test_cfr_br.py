"""The rerun on CFR-BR: the matrix in fractions, abstractions of Leduc hold'em, and the curves at a tiny scale."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from pokerlab.papers import cfr_br
from pokerlab.papers._cfr_br_runs import Curve, Line, leduc_buckets, matrix_game
from pokerlab.papers.result import PaperResult
from pokerlab.registry import load
from pokerlab.tree.history.layout import build


@pytest.fixture(scope="module")
def result(quick_paper: Callable[[str], tuple[PaperResult, list[float]]]) -> PaperResult:
    return quick_paper("cfr-br")[0]


@pytest.mark.parametrize(
    ("rows", "columns", "value", "shares", "guarantees"),
    [
        ("AB", "abcd", Fraction(16, 3), (Fraction(1, 9),) * 2, (Fraction(16, 3),) * 2),
        ("AB", "ab", 7, (0, Fraction(3, 8)), (Fraction(15, 4), Fraction(16, 3))),
        ("AB", "abc", Fraction(70, 11), (Fraction(5, 11),) * 2, (Fraction(36, 11),) * 2),
        ("B", "c", 5, (0, 0), (5, 5)),
        ("AB", "c", 8, (1, 1), (0, 0)),
    ],
)
def test_the_matrix_is_solved_exactly(
    rows: str, columns: str, value: Fraction, shares: tuple[Fraction, ...], guarantees: tuple[Fraction, ...]
) -> None:
    """By hand, and by the linear program of the game in the library."""
    found = matrix_game(rows, columns)
    assert (found.value, found.least_share, found.most_share) == (value, *shares)
    assert (found.worst, found.best) == guarantees
    solver = load("algorithms", "lp").start(build(load("games", "abstraction-pathology", rows=rows, columns=columns)))
    solver.advance(1)
    assert solver.measure().values[0] == pytest.approx(float(value))


def test_seeing_more_columns_makes_the_row_player_worse() -> None:
    assert matrix_game("AB", "abc").best < matrix_game("AB", "ab").worst


def test_buckets_by_hand() -> None:
    assert leduc_buckets("JQ|K").text == "2/8"
    assert leduc_buckets("J|Q|K").text == "3/18"
    assert leduc_buckets("J|Q|K", board="J|Q|K").text == "3/27"


def test_all_of_it_is_there(result: PaperResult) -> None:
    matrix, leduc, *curves = result.tables
    assert len(matrix.rows) == 5
    assert len(curves) == len(cfr_br.QUICK.curves) == len(result.figures[1].panels)
    for row in leduc.rows:
        ours = {name: float(value) for name, value in row.ours.items()}  # type: ignore[arg-type]
        assert ours["least exploitable"] < ours["the best equilibrium"] <= ours["an equilibrium"] + 1e-6
        assert ours["least exploitable"] < min(ours["CFR-BR"], ours["hybrid"], ours["current"])
    inside = [sum("left" in row.what and "inside" in row.what for row in table.rows) for table in curves]
    assert inside == [int(recall == "perfect") for _, recall in cfr_br.QUICK.curves] == [1, 0]  # where buckets remember
    pathology, refinement, *_ = result.findings
    assert pathology.holds
    assert refinement.holds


@pytest.mark.parametrize(
    ("average", "hybrid", "holds"),
    [((5, 3), (5, 2), True), ((5, 4.5), (5, 2), None), ((5, 2), (5, 4), None), ((4.2, 4.5), (5, 2), False)],
)
def test_what_still_falls_is_not_seen_to_be_worse(
    average: tuple[float, ...], hybrid: tuple[float, ...], holds: bool | None
) -> None:
    lefts = {"Pure CFR": (6, 4), "CFR-BR, average": average, "CFR-BR(trunk=1), average": hybrid}
    lines = tuple(Line(name, (1, 2), (1.0, 2.0), left) for name, left in lefts.items())
    assert cfr_br._better([Curve("three ranks", 100, lines)]).holds is holds
