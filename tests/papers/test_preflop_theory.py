"""Bounds on what push or fold loses: against exact values, and against play that is not restricted."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.papers._push_or_fold_bounds import Blinds, TournamentBounds, hand_bounds, tournament_bounds
from pokerlab.papers.preflop_theory import PRINTED_RAISES, _tournament_findings, checked_down, limit_holdem, paper
from pokerlab.papers.schmid_pushfold import form_of
from pokerlab.solvers.preflop.classes.one_decision import solve_one_decision
from pokerlab.solvers.stochastic.heads_up import solve_heads_up


def test_bounds_of_a_hand_enclose_other_games() -> None:
    """Below is push or fold, solved by a linear program; above, a game in which the big blind gives up more often."""
    bounds = hand_bounds(np.array([4, 10, 17]), 300)
    for stack, low, high in zip(bounds.stacks, bounds.lower, bounds.upper, strict=True):
        exact = solve_one_decision(form_of(float(stack)).one_decision).value
        assert exact - 2e-4 < low <= exact + 1e-9  # what a strategy guarantees is at most the value
        assert high > exact
    assert (np.diff(bounds.loss) > 0).all()
    assert bounds.lower[1] - 1e-4 < checked_down(5) < bounds.upper[1]  # limps and raises, but no flop


def test_bounds_of_a_tournament_enclose_push_or_fold_of_both() -> None:
    """And each side's bound is the other's: what one guarantees, the other cannot take away."""
    units, blinds = 16, Blinds(1, 2)
    bounds, both = tournament_bounds(units, blinds, rounds=4, iterations=60), solve_heads_up(units, blinds, workers=1)
    for low, exact, high in (
        (bounds.small, both.values, bounds.free_small),
        (bounds.big, both.big_values, bounds.free_big),
    ):
        assert (low <= exact + 1e-9).all()
        assert (exact <= high + 1e-9).all()
    assert bounds.small == pytest.approx(1 - bounds.free_big[::-1], abs=1e-9)
    assert bounds.is_monotone
    assert 0 < max(loss.max() for loss in bounds.loss) < 0.03


def test_selby_s_table() -> None:
    """The printed cells, and what is printed of kings and of the big blind."""
    selby = limit_holdem()
    assert {hand: number for hand, (number, _) in selby.raises.items()} == PRINTED_RAISES
    assert selby.kings_call == pytest.approx(0.40, abs=0.005)
    assert selby.folds_big < 1e-6


@pytest.mark.slow
def test_the_tournament_is_within_the_printed_bound() -> None:
    findings = paper().findings
    assert findings[0].holds
    assert not any(finding.holds is False for finding in findings)


def test_chips_in_proportion_are_found_to_be_so() -> None:
    for values, apart in ((np.linspace(0, 1, 51), "0.0"), (np.linspace(0, 1, 51) ** 1.2, "6.7")):
        finding = _tournament_findings(TournamentBounds(values, values, values, values))[1]
        assert finding.holds == (apart == "0.0")
        assert f"differs by at most {apart} percentage points" in finding.evidence
