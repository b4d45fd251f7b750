"""The comparison of figure 7.1, on a budget of seconds."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.formats.opening import open_game
from pokerlab.papers import mccfr_comparison
from pokerlab.papers.mccfr_comparison import ALGORITHMS, FULL, PAPER_GAMES, SMALL, Curve, advantage, curve, paper
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form


@pytest.fixture(scope="module")
def one_card():
    return sequence_form(build(open_game("one-card(cards=8)")))


@pytest.mark.parametrize("label", list(ALGORITHMS))
def test_every_algorithm_converges(one_card, label):
    found = curve(one_card, label, seeds=[1, 2], budget=3e5)
    assert np.all(np.diff(found.nodes) >= 0)
    assert found.nodes[-1] >= 3e5
    mean, low, high = found.interval()
    assert np.all(low <= mean)
    assert np.all(mean <= high)
    assert mean[-1] < mean[0] / 3


def test_the_same_seed_gives_the_same_curve(one_card):
    once, again = (curve(one_card, "outcome sampling", seeds=[7], budget=1e5) for _ in range(2))
    assert np.array_equal(once.exploitability, again.exploitability)


def test_intervals_are_of_logarithms():
    found = Curve("x", np.array([1.0]), np.array([[1.0], [100.0]]))
    mean, low, high = found.interval()
    assert mean == pytest.approx([10.0])
    assert low * high == pytest.approx(mean**2)


def test_the_advantage_is_over_the_later_half():
    points = mccfr_comparison.POINTS
    vanilla = Curve("CFR", np.ones(points), np.full((1, points), 0.5))
    early = np.full((2, points), 0.25)
    early[:, : points // 2] = 9.0  # what happens early does not count
    assert advantage(Curve("x", np.ones(points), early), vanilla) == pytest.approx((0.5, 0.5, 0.5))


def test_the_paper():
    told = []
    result = paper(quick=True, seed=3, on_progress=lambda what, fraction: told.append(fraction))
    assert told == sorted(told)
    assert 0 <= min(told) <= max(told) <= 1
    sizes, ends = result.tables
    assert sizes.rows[0].ours["counted"] == pytest.approx(98.309835)
    assert [row.what for row in ends.rows] == ["Goofspiel", "one-card poker"]
    assert "chance sampling" not in ends.rows[0].ours, "Goofspiel has no chance"
    assert len(result.findings) == 2
    assert {line.label for line in result.figures[0].panels[1].lines} == set(ALGORITHMS)


def test_the_games_exist():
    for name in [*SMALL.values(), *FULL.values(), *(name for name, _ in PAPER_GAMES.values())]:
        assert open_game(name).players == 2
