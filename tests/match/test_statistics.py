"""Intervals that cover, tests with the right size, and the published run-off through our own."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pokerlab.errors import BadSetting
from pokerlab.match.run.tournament import Crosstable, bankroll_ranking, instant_runoff
from pokerlab.match.statistics import Moments, Units, variance_ratio
from published.competition import HALF_WIDTHS_2012, RUNOFF_2012


def moments(values: np.ndarray) -> Moments:
    """Of hands that came in two blocks."""
    return Moments.none(1).add(values[: len(values) // 3, None]).add(values[len(values) // 3 :, None])


def test_intervals_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(5)
    trials = 2000
    covered = sum(
        summary.low <= 1.5 <= summary.high
        for summary in (moments(rng.normal(1.5, 20.0, 30)).summary(0) for _ in range(trials))
    )
    low, high = stats.binom.interval(0.999, trials, 0.95)
    assert low <= covered <= high


def test_one_tailed_test_has_the_right_size() -> None:
    rng = np.random.default_rng(6)
    trials = 2000
    rejected = sum(moments(rng.normal(0.0, 3.0, 40)).wins_by_luck(0) < 0.05 for _ in range(trials))
    low, high = stats.binom.interval(0.999, trials, 0.05)
    assert low <= rejected <= high
    assert moments(np.array([1.0, 1.0])).wins_by_luck(0) == 0.0
    assert moments(np.array([0.0, 0.0])).wins_by_luck(0) == 1.0
    assert np.isnan(moments(np.array([1.0])).wins_by_luck(0))


def ratio_test(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    return variance_ratio((moments(first), 0), (moments(second), 0))


def test_the_test_of_variances_has_the_right_size_and_sees_a_difference() -> None:
    rng = np.random.default_rng(7)
    trials = 1000
    rejected = sum(ratio_test(rng.normal(0, 2, 50), rng.normal(5, 2, 60))[1] < 0.05 for _ in range(trials))
    low, high = stats.binom.interval(0.999, trials, 0.05)
    assert low <= rejected <= high
    ratio, p_value = ratio_test(rng.normal(0, 4, 500), rng.normal(0, 2, 500))
    assert ratio > 2
    assert p_value < 1e-6


def test_units() -> None:
    summary = moments(np.array([50.0, 150.0])).summary(0)
    units = Units(big_blind=100, small_bet=200)
    assert units.millibigblinds(summary).mean == 1000.0
    assert [(unit.key, unit.of(summary).mean) for unit in units.scales] == [("mbb", 1000.0), ("small_bets", 0.5)]
    spot = Units(1.0, 1.0, pot=40)
    assert [(unit.key, unit.of(summary).mean) for unit in spot.scales] == [("chips", 100.0), ("pot_percent", 250.0)]


def test_nothing_to_summarise() -> None:
    with pytest.raises(BadSetting, match="no hands"):
        moments(np.array([])).summary(0)


def table_of_2012() -> Crosstable:
    """Pairwise results recovered from the printed scores.

    With n agents left a score is the sum of pairwise results over n - 1, so what agent i won from the agent dropped
    after a round is the difference of two sums: (n - 1) x score before - (n - 2) x score after.
    """
    order = sorted(RUNOFF_2012, key=lambda agent: len(RUNOFF_2012[agent]))  # first dropped first
    results, count = {}, len(order)
    for number, dropped in enumerate(order[:-1]):
        left = count - number
        for agent in order[number + 1 :]:
            after = RUNOFF_2012[agent][number + 1] if number + 1 < len(RUNOFF_2012[agent]) else 0
            won = (left - 1) * RUNOFF_2012[agent][number] - (left - 2) * after
            error = HALF_WIDTHS_2012[agent][number] / 1.96 * np.sqrt(left - 1)
            results[agent, dropped] = (float(won), float(error))
    return Crosstable.of(results)


def test_the_published_run_off_comes_out_again() -> None:
    result = instant_runoff(table_of_2012(), rng=np.random.default_rng(8))
    assert len(result.rounds) == 10
    for number, found in enumerate(result.rounds):
        printed = {agent: scores[number] for agent, scores in RUNOFF_2012.items() if len(scores) > number}
        assert set(found.agents) == set(printed)
        assert found.dropped == min(printed, key=printed.__getitem__)
        for agent, score in zip(found.agents, found.scores, strict=True):
            # The row of an agent against those who outlast it is minus the recovered column, which holds the sums
            # of two printed rounds; printed rounds sum to 0 ± 1, so a score comes out within two of the printed one.
            assert score == pytest.approx(printed[agent], abs=2.0)
    assert result.ranking[:3] == ("hyperborean", "tartanian5", "neo.poker.lab")
    assert result.ranking[-1] == "uni.mb.poker"
    clear = [found for found in result.rounds if found.dropped in ("uni.mb.poker", "azure.sky", "spewy.louie")]
    assert all(found.confidence > 0.99 for found in clear)
    assert bankroll_ranking(table_of_2012())[0][0] == "little.rock"


def test_confidence_of_a_coin_flip_is_a_half() -> None:
    table = Crosstable.of({("a", "b"): (1e-9, 1.0)})
    found = instant_runoff(table, rng=np.random.default_rng(9), resamples=4000)
    low, high = stats.binom.interval(0.999, 4000, 0.5)
    assert low <= found.rounds[0].confidence * 4000 <= high


def test_a_missing_pair_is_named() -> None:
    with pytest.raises(BadSetting, match=r"\('a', 'c'\)"):
        Crosstable.of({("a", "b"): (1.0, 1.0), ("b", "c"): (1.0, 1.0)})
