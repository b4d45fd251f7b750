"""Teams against one equilibrium: the counter-strategies are those of `exploit`, and the coach pays."""

from __future__ import annotations

import pytest

from pokerlab import exploit
from pokerlab.papers.teams import laboratory, match, paper


@pytest.mark.slow
def test_members_are_those_of_exploit() -> None:
    """Two computations of the same restricted Nash response, and no member wins more than a best response."""
    one = laboratory(("formula", "random"), ("formula",), 0.75)
    ours = one.wins(one.members["formula"], "formula")
    theirs = exploit("leduc", "formula", p=0.75, algorithm="lp")
    assert ours == pytest.approx(theirs.counter.won, abs=1e-3)
    assert one.wins(one.equilibrium, "formula") < ours <= theirs.best_response.won + 1e-9


def test_a_team_needs_its_coach() -> None:
    """The coached team wins more than the equilibrium, and more than the member that is for somebody else."""
    one = laboratory(("always-raise", "always-call"), ("always-raise", "always-call"), 1.0)
    won = match(one, "always-raise", hands=1500, block=1500, seed=2)
    assert won.low > one.wins(one.equilibrium, "always-raise")
    assert won.low > one.wins(one.members["always-call"], "always-raise")


@pytest.mark.slow
def test_a_quick_run_finds_that_teams_win_more() -> None:
    assert all(finding.holds for finding in paper(quick=True, seed=1).findings)
