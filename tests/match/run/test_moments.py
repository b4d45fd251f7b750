"""Streams of blocks against the plain formulas over everything at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from naive.match import summarise
from pokerlab.errors import BadSetting
from pokerlab.match.run.result import MOST_POINTS, CurveRecorder
from pokerlab.match.statistics import Moments, variance_ratio

chips = st.integers(-20000, 20000).map(float)


@given(st.lists(st.lists(chips, max_size=8), min_size=1, max_size=6))
def test_blocks_add_up(blocks: list[list[float]]) -> None:
    values = np.array([value for block in blocks for value in block])
    moments = Moments.none(2)
    for block in blocks:
        moments = moments.add(np.array([[value, -2 * value] for value in block]).reshape(-1, 2))
    if not len(values):
        with pytest.raises(BadSetting):
            moments.summary(0)
        return
    for column, factor in ((0, 1.0), (1, -2.0)):
        ours, plain = moments.summary(column), summarise(factor * values)
        assert ours.mean == pytest.approx(plain.mean, abs=1e-9)
        assert ours.count == plain.count
        if len(values) > 1:
            assert ours.deviation == pytest.approx(plain.deviation, abs=1e-6)
            assert ours.high == pytest.approx(plain.high, abs=1e-5)


def test_tests_are_the_plain_ones() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.1, 1, 400), rng.normal(0, 2, 300)
    streams = [Moments.none(1).add(values[:50, None]).add(values[50:, None]) for values in (first, second)]
    assert streams[0].wins_by_luck(0) == pytest.approx(stats.ttest_1samp(first, 0.0, alternative="greater").pvalue)
    ratio = np.var(first, ddof=1) / np.var(second, ddof=1)
    tail = stats.f.cdf(ratio, len(first) - 1, len(second) - 1)
    assert variance_ratio((streams[0], 0), (streams[1], 0)) == pytest.approx((ratio, 2 * min(tail, 1 - tail)))


@given(st.lists(st.integers(0, 900), min_size=1, max_size=12), st.integers(1, 3))
def test_curves_stay_short_and_true(sizes: list[int], hands_per_deal: int) -> None:
    rng = np.random.default_rng(2)
    recorder, totals = CurveRecorder(2), []
    for size in sizes:
        totals.append(rng.integers(-5, 6, (size, 2)).astype(float))
        recorder.add(totals[-1], hands_per_deal=hands_per_deal)
    curve = recorder.curve()
    running = np.vstack([np.zeros((1, 2)), np.cumsum(np.vstack(totals), axis=0)])
    assert len(curve.hands) <= MOST_POINTS + 1
    assert curve.hands[-1] == hands_per_deal * sum(sizes)
    assert np.array_equal(curve.totals, running[curve.hands // hands_per_deal])
    assert np.all(np.diff(curve.hands) > 0)
