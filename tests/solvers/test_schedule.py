"""The schedules give the weights that their papers state."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.errors import BadSetting
from pokerlab.solvers.core.schedule import AVERAGE_WEIGHT, FLOOR, KEEP_AVERAGE, KEEP_NEGATIVE, KEEP_POSITIVE, PREDICTION

FAMILY = ["cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+"]


def weights(table: np.ndarray) -> np.ndarray:
    """The final weight of each step in the average: its own, times all later decays."""
    decay = np.append(np.cumprod(table[:0:-1, KEEP_AVERAGE])[::-1], 1.0)
    return np.asarray(table[:, AVERAGE_WEIGHT] * decay)


@pytest.mark.parametrize(("name", "power"), [("cfr", 0), ("cfr+", 1), ("linear-cfr", 1), ("dcfr", 2), ("pcfr+", 2)])
def test_average_weights_grow_as_a_power(name: str, power: int) -> None:
    final = weights(registry.load("algorithms", name).schedule.table(1, 9))
    assert final == pytest.approx((np.arange(1, 10) / 9) ** power)


def test_delay_leaves_first_steps_out() -> None:
    final = weights(registry.load("algorithms", "cfr+(delay=3)").schedule.table(1, 6))
    assert final * 3 == pytest.approx([0, 0, 0, 1, 2, 3])


def test_dcfr_discounts_as_printed() -> None:
    table = registry.load("algorithms", "dcfr").schedule.table(1, 50)
    behind = np.arange(1, 50)
    assert table[1:, KEEP_POSITIVE] == pytest.approx(behind**1.5 / (behind**1.5 + 1))
    assert table[1:, KEEP_NEGATIVE] == pytest.approx(0.5)


def test_linear_is_discounted_with_exponents_one() -> None:
    linear = registry.load("algorithms", "linear-cfr").schedule.table(1, 20)
    discounted = registry.load("algorithms", "dcfr(alpha=1, beta=1, gamma=1)").schedule.table(1, 20)
    assert linear == pytest.approx(discounted)


def test_floor_and_prediction() -> None:
    for name in FAMILY:
        row = registry.load("algorithms", name).schedule.table(7, 1)[0]
        assert row[FLOOR] == name.endswith("+")
        assert row[PREDICTION] == (name == "pcfr+")


@pytest.mark.parametrize("spec", ["cfr+(delay=-1)", "dcfr(gamma=-2)", "pcfr+(power=-1)", "cfr(speed=9)"])
def test_bad_settings_are_refused(spec: str) -> None:
    with pytest.raises(BadSetting):
        registry.load("algorithms", spec)


@pytest.mark.parametrize("outer", ["cfr-br", "trembling", "external", "outcome", "pure"])
@pytest.mark.parametrize("inner", ["external", "pure", "trembling", "cfr-br", "lp", "external(schedule=dcfr)"])
def test_who_does_more_than_follow_a_schedule_lends_none(outer: str, inner: str) -> None:
    """What it does besides, sampling or trembling, would be left out without a word."""
    with pytest.raises(BadSetting, match=r"has no schedule to (answer|tremble|sample) with; choose cfr, cfr\+,"):
        registry.load("algorithms", f"{outer}(schedule={inner!r})")
