"""Ee's experiment, scaled down: its tables add up, and its tests are the textbook's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pokerlab.events import SILENT
from pokerlab.papers._draw_runs import BASIC, DYNAMIC, SCALES, WEAK, one_tailed, variance_test
from pokerlab.papers.ee import Run


@pytest.fixture(scope="module")
def run() -> Run:
    return Run.of(SCALES["quick"], 0, SILENT)


def test_hands_by_category_add_up_to_the_match(run: Run) -> None:
    rows = run.by_hand().rows
    gain = run.matches["backed", BASIC].gain.mean
    for who, sign in (("No Suits", 1), ("Basic", -1)):
        own = [row for row in rows if who in row.what]
        hands = np.array([row.ours["hands"] for row in own])
        paid = np.array([row.ours.get("payoff") or 0.0 for row in own], float)
        assert hands.sum() == 2 * SCALES["quick"].deals
        assert (hands * paid).sum() / hands.sum() == pytest.approx(sign * gain)


def test_strong_hands_win_more_than_weak_ones(run: Run) -> None:
    paid = {row.what: row.ours.get("payoff") for row in run.by_hand().rows if "Basic" in row.what}
    assert paid["three of a kind: Basic"] > paid["high card: Basic"]


def test_every_opponent_is_met_with_and_without_fallback(run: Run) -> None:
    assert len(run.opponents().rows) == 2 * (len(WEAK) + len(DYNAMIC))
    printed = {row.what: row.printed for row in run.opponents().rows}
    assert printed["with fallback against draw-basic"] == -1.224
    assert printed["No Suits against always-raise"] == -3.82807


def test_blinds_of_self_play_lose_what_the_other_wins(run: Run) -> None:
    won = run.matches["plain", "plain"].outcomes.won
    assert won[:, 0].mean() != won[:, 1].mean()
    figure = run.figures()[1]
    assert len(figure.panels[0].lines) == 4


def test_of_the_tests() -> None:
    rng = np.random.default_rng(1)
    one, other = rng.normal(0.2, 1, 300), rng.normal(0, 1.3, 200)
    assert one_tailed(one) == pytest.approx(stats.ttest_1samp(one, 0).pvalue / 2)
    assert one_tailed(-one) == pytest.approx(1 - one_tailed(one))
    assert one_tailed(np.ones(3)) == 0.0
    assert one_tailed(-np.ones(3)) == 1.0
    assert np.isnan(one_tailed(np.ones(1)))  # one value tells nothing
    ratio, p_value = variance_test(one, other)
    assert ratio == pytest.approx(one.var(ddof=1) / other.var(ddof=1))
    assert p_value == pytest.approx(stats.f.cdf(ratio, 299, 199))
    assert p_value < 0.01
