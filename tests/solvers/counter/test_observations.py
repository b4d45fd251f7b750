"""What was seen of an opponent: frequencies, a default where nothing was, and how far it is trusted."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.errors import BadSetting
from pokerlab.solvers.analysis.restriction import CONFIDENCES, confidence, frequencies, observations
from pokerlab.strategy.written import form_of


def test_frequencies_and_the_default_where_nothing_was_seen() -> None:
    form = form_of("leduc")
    tree, rng = form.tree, np.random.default_rng(2)
    counts = rng.integers(0, 5, tree.slots) * np.repeat(rng.random(tree.infosets) < 0.6, np.diff(tree.start))
    default = np.zeros(tree.slots)
    default[tree.start[:-1]] = 1.0
    model = frequencies(form, counts, default)
    unseen = 0
    for infoset in range(tree.infosets):
        slots = slice(tree.start[infoset], tree.start[infoset + 1])
        total = counts[slots].sum()
        assert (observations(form, counts)[slots] == total).all()
        unseen += total == 0
        assert model[slots].tolist() == ((counts[slots] / total) if total else default[slots]).tolist()
    assert 0 < unseen < tree.infosets


def test_published_functions() -> None:
    """Johanson and Bowling (2009), section 5.2: each at p_max 0.8 after 0, 1, 5, 9, 10, 11 and 90 observations."""
    numbers = np.array([0, 1, 5, 9, 10, 11, 90])
    expected = {
        "1-step": [0, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8],
        "10-step": [0, 0, 0, 0, 0.8, 0.8, 0.8],
        "0-10-linear": [0, 0.08, 0.4, 0.72, 0.8, 0.8, 0.8],
        "1-curve": [0, 0.4, 0.8 * 5 / 6, 0.72, 0.8 * 10 / 11, 0.8 * 11 / 12, 0.8 * 90 / 91],
    }
    assert set(expected) == set(CONFIDENCES)
    for name, shares in expected.items():
        assert confidence(name, 0.8, numbers) == pytest.approx(shares)
        assert confidence(name.upper(), 0.0, numbers).tolist() == [0.0] * 7
    assert confidence("0-40-linear", 1.0, numbers) == pytest.approx([0, 1 / 40, 1 / 8, 9 / 40, 1 / 4, 11 / 40, 1])
    assert confidence("2.5-curve", 1.0, np.array([5])) == pytest.approx([2 / 3])


@pytest.mark.parametrize(
    "name", ["", "step", "0-step", "0-0-linear", "0-curve", "10", "5-10-linear", "-1-step", "x" * 99]
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(BadSetting, match="as in 1-step, 10-step, 0-10-linear, 1-curve"):
        confidence(name, 0.5, np.array([1]))


def test_p_is_a_probability() -> None:
    with pytest.raises(BadSetting, match="from 0 to 1"):
        confidence("1-step", 1.1, np.array([1]))
