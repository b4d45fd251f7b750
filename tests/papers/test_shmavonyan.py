"""Shmavonyan's system, scaled down: exact sizes, opponents that ignore their cards, and the race of the samplers."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.events import SILENT
from pokerlab.papers import shmavonyan
from pokerlab.papers._sampler_speed import (
    PURE,
    SAMPLERS,
    Run,
    SpeedScale,
    common,
    compare,
    lossless_form,
    rivals,
    speed_finding,
)
from pokerlab.solvers.bucketed.playing import Side, head_to_head

SCALE = SpeedScale(("leduc",), 0.01, 2, 2_000)


@pytest.fixture(scope="module")
def leduc():
    return lossless_form("leduc")


def test_sizes_are_the_published_ones() -> None:
    rows = {row.what: row for row in shmavonyan._sizes().rows}
    for row in rows.values():
        if row.printed is not None:
            assert row.printed in row.ours.values(), row.what
    assert rows["states: both players' cards"].printed == 316_207_058_696_146_800


@pytest.mark.parametrize(("buckets", "published"), shmavonyan.STATES_OF_2007.items())
def test_states_of_2007(buckets: int, published: float) -> None:
    assert shmavonyan.states(buckets) == pytest.approx(published, rel=0.005)


def test_opponents_that_ignore_their_cards(leduc) -> None:
    simple = shmavonyan._simple(leduc)
    sides = {name: Side(leduc, numbers) for name, numbers in simple.items()}
    caller = head_to_head(sides["always call"], sides["always raise"], hands=20_000, seed=1)
    assert caller.mean == 0  # both go to showdown with any cards, and every deal is played from both seats
    profile = leduc.unpack({"average": simple["always call"]})
    assert leduc.measure(np.asarray(profile)).exploitability > 1  # antes


def test_every_sampler_comes_nearer_to_equilibrium(leduc) -> None:
    runs = compare(leduc, SCALE, seed=0, watch=SILENT)
    assert set(runs) == set(SAMPLERS)
    for own in runs.values():
        assert len(own) == SCALE.seeds
        for run in own:
            assert run.iterations[0] == SCALE.first
            assert (np.diff(run.seconds) > 0).all()
            assert run.exploitability[-1] < run.exploitability[0]


def test_points_do_not_depend_on_the_clock(leduc) -> None:
    one, other = (compare(leduc, SCALE, seed=3, watch=SILENT) for _ in range(2))
    for name in SAMPLERS:
        shared = min(len(one[name][0].iterations), len(other[name][0].iterations))
        np.testing.assert_array_equal(one[name][0].exploitability[:shared], other[name][0].exploitability[:shared])


def _runs(pure: float, others: float) -> dict[str, list[Run]]:
    marks, seconds = np.array([64.0, 128.0]), np.array([1.0, 2.0])
    return {
        name: [Run(marks, seconds, np.array([1.0, left * (1 + seed / 100)])) for seed in range(3)]
        for name in SAMPLERS
        for left in [pure if name == PURE else others]
    }


def test_the_verdict_is_that_of_equal_seconds() -> None:
    assert speed_finding("a game", _runs(0.1, 0.5)).holds is True
    assert speed_finding("a game", _runs(0.5, 0.1)).holds is False
    assert speed_finding("a game", _runs(0.3, 0.3)).holds is None
    assert common(_runs(0.1, 0.5)) == (2.0, 128)


def test_rivals_meet_after_equal_seconds(leduc) -> None:
    result = rivals(leduc, SCALE, seed=0, watch=SILENT)
    assert set(result.gains) == set(SAMPLERS) - {PURE}
    assert min(result.seconds.values()) >= SCALE.seconds
