"""The grand tournament of the review."""

from __future__ import annotations

from math import inf
from pathlib import Path

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.events import Watch
from pokerlab.papers._review_field import FEWEST, Entrants, adapts, field_of, seconds_per_hand, states_probabilities
from pokerlab.papers._review_findings import Cycle, cycles_of, played_again, threshold
from pokerlab.papers._review_learning import learning_curves
from pokerlab.papers.result import PaperResult
from quick_papers import quick_run

SLOW = """
class Slow:
    seconds_per_hand = 5.0

    def act(self, view, rng):
        raise AssertionError("a declared cost is believed, and nothing is played")
"""


def quiet(name: str) -> None:
    """Nobody watches."""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> PaperResult:
    return quick_run("review", tmp_path_factory.mktemp("papers"))[0]


def test_every_agent_that_plays_a_game_is_in_the_field() -> None:
    field = field_of("kuhn", budget=60, most=40, tried=quiet)
    names = [entry.name for entry in registry.available("agents")]
    assert set(field.agents) <= set(names)
    left_out = set(names) - set(field.agents)
    assert {"human", "remote", "strategy", "draw-basic"} <= left_out
    assert all(seconds_per_hand(name, field.game, declared_most=60) is None for name in left_out - {"human", "remote"})
    assert {"formula", "always-call", "random"} <= set(field.agents)


def test_a_budget_leaves_slow_agents_out_and_a_declared_cost_is_believed(tmp_path: Path) -> None:
    field = field_of("kuhn", budget=0.0, most=3, tried=quiet)
    assert len(field.agents) == 3  # the quickest, since nobody is quick enough
    assert len(field.slow) > 3
    file = tmp_path / "slow.py"
    file.write_text(SLOW, encoding="utf-8")
    assert seconds_per_hand(f"{file}:Slow", field.game, declared_most=1.0) == 5.0


def test_circles() -> None:
    won = np.array([[0, 3, -1, 2], [-3, 0, 2, 2], [1, -2, 0, 9], [-2, -2, -9, 0]], float)
    (cycle,) = cycles_of(won, np.full((4, 4), 0.25))
    assert (cycle.agents, cycle.least, cycle.errors) == ((0, 1, 2), 1.0, 4.0)
    assert threshold(2) == pytest.approx(1.96, abs=0.001)
    assert threshold(11) > 3


def test_a_circle_is_played_again_in_fresh_hands() -> None:
    """always-fold loses its ante to always-raise, so that its win in the circle was luck."""
    game = field_of("kuhn", budget=1, most=1, tried=quiet).game
    names = ("always-fold", "always-raise", "always-call")
    again = played_again(game, names, Cycle((0, 1, 2), 1.0, 5.0), hands=200, seed=1)
    assert again.least == pytest.approx(-1000)
    assert again.errors < 0


def test_agents_that_adapt_are_known_by_what_they_observe() -> None:
    assert not adapts("always-call")
    assert [adapts("formula"), adapts("formula(model=frequency)")] == [False, True]
    assert adapts("team(members='always-call,formula')")
    assert states_probabilities("formula")


def test_a_curve_adds_up_to_the_match() -> None:
    """A team of two learns which member wins more; its curve is the mean of its sessions."""
    game = field_of("kuhn", budget=1, most=1, tried=quiet).game
    (curve, *_) = learning_curves(
        game, ["team(members='always-fold,always-raise')"], hands=400, sessions=3, seed=4, watch=Watch("test")
    )
    assert curve.won.shape == (3, 10)
    assert curve.gain.count == 3
    assert curve.hands[-1] == 400


def test_a_quick_run(result: PaperResult) -> None:
    leduc, ring = result.tables[:2]
    assert {row.what: row.ours["exploitability"] for row in leduc.rows if row.what == "always-fold"} == {
        "always-fold": pytest.approx(1000.0)
    }
    for table in (leduc, ring):
        assert sum(float(row.ours["bankroll"]) for row in table.rows) == pytest.approx(0, abs=1e-6)  # type: ignore[arg-type]
        assert sorted(int(row.ours["run-off"]) for row in table.rows) == list(range(1, len(table.rows) + 1))  # type: ignore[arg-type]
    robust = next(finding for finding in result.findings if "loses more to another" in finding.claim)
    assert robust.holds
    assert result.tables[-1].rows[0].error == pytest.approx(0, abs=1e-12)


def test_slow_agents_play_as_many_hands_as_there_is_time_for() -> None:
    field = field_of("kuhn", budget=0.0, most=1, tried=quiet)
    timed = Entrants(field.game, ("quick", "slow", "slowest"), (), {"quick": 0.001, "slow": 0.05, "slowest": 2.0})
    assert timed.fewer(600, seconds=3.0) == {"slow": 60, "slowest": FEWEST}
    assert timed.fewer(40, seconds=3.0) == {"slowest": FEWEST}
    assert timed.fewer(600, seconds=inf) == {}
