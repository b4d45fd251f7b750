"""Three players to the end, with a deal of few hands: rounds, best responses, and the saved state."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from naive import tournament as naive
from pokerlab.errors import BadFile, BadSetting
from pokerlab.solvers.stochastic.heads_up import Blinds, HeadsUpSolution
from pokerlab.solvers.stochastic.three_players import ThreeHanded
from pokerlab.solvers.stochastic.three_solver import ThreeHandedSolver
from pokerlab.tree.pushes.three import DECIDER, cards_of

UNITS, HANDS = 7, 4


@cache
def cards() -> Any:
    return cards_of(naive.random_cards(HANDS, np.random.default_rng(11)), naive.PLACES)


def solver(
    method: str = "policy", payouts: tuple[float, float, float] = (50, 30, 20), *, workers: int = 1, **mixing: Any
) -> ThreeHandedSolver:
    """A tournament whose heads-up chances are given, not solved."""
    wins = np.linspace(0, 1, UNITS + 1) ** 1.1
    none = np.zeros((UNITS + 1, HANDS))
    heads_up = HeadsUpSolution(UNITS, Blinds(1, 2), wins, none, none, rounds=1, change=0.0, epsilon=0.0)
    game = ThreeHanded(UNITS, Blinds(1, 2), payouts)
    return ThreeHandedSolver(game, heads_up, cards(), method=method, iterations=400, workers=workers, **mixing)


@pytest.mark.parametrize("payouts", [(50, 30, 20), (60, 40, 0)])
@pytest.mark.parametrize("method", ["policy", "value"])
def test_rounds_reach_an_equilibrium(method: str, payouts: tuple[float, float, float]) -> None:
    found = solver(method, payouts, workers=2)
    found.advance(12)
    last = found.rounds[-1]
    assert last.epsilon < 0.005 * 100 / 3, "the published bound: half a percent of the entry fee"
    assert found.rounds[0].epsilon > 3 * last.epsilon
    assert found.values.sum(1) == pytest.approx(np.full(15, 100.0))


@pytest.mark.parametrize("step", [0.3, 0.8])
@pytest.mark.parametrize("method", ["policy", "value"])
def test_a_step_damps_values(method: str, step: float) -> None:
    """The first round takes the full step; the next starts from the same values and strategies, and moves less."""
    damped, plain = solver(method, (60, 40, 0), step=step), solver(method, (60, 40, 0))
    for found in (damped, plain):
        found.advance(1)
    before = plain.values
    assert (damped.values == before).all()
    for found in (damped, plain):
        found.advance(1)
    rounds = [found.rounds[-1] for found in (damped, plain)]
    assert damped.values == pytest.approx((1 - step) * before + step * plain.values, abs=1e-10)
    assert rounds[0].change == rounds[1].change, "the change is what is left to go, not how far it went"
    assert rounds[0].epsilon == pytest.approx(rounds[1].epsilon, abs=1e-9), "of the strategies, which are the same"


@pytest.mark.parametrize(("step", "memory"), [(0.5, 0), (0.5, 3), (1.0, 2)])
def test_mixed_values_lead_to_an_equilibrium_too(step: float, memory: int) -> None:
    found = solver(payouts=(60, 40, 0), step=step, memory=memory)
    found.advance(16)
    assert found.rounds[-1].epsilon < 0.005 * 100 / 3
    assert found.values.sum(1) == pytest.approx(np.full(15, 100.0))


def test_values_to_the_end_are_those_of_the_profile() -> None:
    """One more hand changes nothing, with ends weighed by plain sums over all deals."""
    found = solver()
    found.advance(1)
    ends = found.game.end_values(found.game.outcome_values(found.values, found.heads_up.values))
    for state in (0, 7, 14):
        leading = naive.leads(cards().orders, found.profile[state])
        push = found.profile[state, 0][:, None]
        stays = np.isin(np.arange(25), [1, *range(3, 9), *range(12, 25)])
        chances = (np.where(stays, push, 1 - push) * leading[0]).sum(0)
        assert chances @ ends[state] == pytest.approx(found.values[state], abs=2e-5)


def test_best_responses_are_checked_by_value_iteration() -> None:
    """Plain value iteration over the best response of every seat, from sums over all deals."""
    found = solver()
    found.advance(1)
    measured = found.measure()
    game = found.game
    leading = [naive.leads(cards().orders, profile) for profile in found.profile]
    best = np.zeros((game.state_count, 3))
    change = 1.0
    while change > 1e-9:
        ends = game.end_values(game.outcome_values(best, found.heads_up.values))
        following = np.zeros_like(best)
        for state in range(game.state_count):
            following[state] = _best(game.decides[state], leading[state], ends[state], found.profile[state])
        change = np.abs(following - best).max()
        best = following
    assert measured.best_responses == pytest.approx(best.reshape(-1), abs=1e-4)
    assert min(measured.gains) > -1e-9


def _best(decides: np.ndarray, leading: np.ndarray, ends: np.ndarray, profile: np.ndarray) -> np.ndarray:
    found = np.zeros(3)
    for decision, seat in enumerate(DECIDER):
        margins = naive.margins_of(leading, np.repeat(ends[:, [seat]], 3, axis=1))[decision]
        both = leading[decision] @ ends[:, seat]  # of staying in and of folding together
        plays = np.abs(margins) if decides[decision] else margins
        found[seat] += ((both + plays) / 2).sum()
    found[2] += ((1 - profile[0]) @ leading[0][:, 0]) * ends[0, 2]
    return found


@pytest.mark.parametrize(("step", "memory"), [(1.0, 0), (0.6, 0), (0.6, 2)])
def test_resumed_to_the_same_numbers(step: float, memory: int) -> None:
    whole, cut, resumed = (solver(step=step, memory=memory, workers=workers) for workers in (2, 1, 1))
    whole.advance(6)
    cut.advance(4)
    resumed.restore(cut.arrays())
    assert resumed.measure().epsilon == cut.rounds[-1].epsilon
    resumed.advance(2)
    assert (resumed.values == whole.values).all()
    assert (resumed.profile == whole.profile).all()
    assert resumed.rounds == whole.rounds


def test_states_that_do_not_fit_are_refused() -> None:
    found = solver()
    arrays = found.arrays()
    with pytest.raises(BadFile, match="its 'values' do not fit"):
        found.restore(arrays | {"values": np.zeros((3, 3))})
    with pytest.raises(BadFile, match="not probabilities"):
        found.restore(arrays | {"profile": arrays["profile"] + 1})
    with pytest.raises(BadFile, match="not probabilities"):
        found.restore(arrays | {"profile": arrays["profile"] * np.nan})
    with pytest.raises(BadSetting, match="choose one of policy, value"):
        solver("both")
    for step in (0.0, 1.01, -0.5, float("nan")):
        with pytest.raises(BadSetting, match="above 0 and at most 1"):
            solver(step=step)
    with pytest.raises(BadSetting, match="0 to 50 earlier rounds"):
        solver(memory=-1)
    for name, wrong in (("tried", np.zeros((2, 15, 3))), ("residuals", np.full((0, 14, 3), 0.0))):
        with pytest.raises(BadFile, match="the rounds that it remembers"):
            found.restore(arrays | {name: wrong})
