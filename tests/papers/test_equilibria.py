"""Learners of the thesis on equilibria: their regret, and what is told of their joint play."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pokerlab.papers._equilibria_runs import cfr_regret
from pokerlab.papers.equilibria import _learning


def test_the_regret_of_cfr_vanishes_below_its_bounds() -> None:
    course = cfr_regret("kuhn", 1000)
    assert all((course.regret <= bound).all() for bound in course.bounds.values())
    assert 0 < course.regret[-1] < 0.02 < course.regret[0]


def test_what_is_told_of_joint_play() -> None:
    """Uniform play of Shapley's game is its equilibrium; shares are those of the first player."""
    averages = [np.array([[0.2, 0.3, 0.5]]), np.array([[0.4, 0.3, 0.3]])]
    play: Any = SimpleNamespace(joint=[np.full((3, 3), 1 / 9)], averages=averages)
    (row,) = _learning({"uniform": play}).rows
    assert row.ours["largest share of an action"] == 0.5
    for name in ("external regret", "internal regret", "to coarse correlated", "to correlated"):
        assert row.ours[name] == pytest.approx(0, abs=1e-9)
