"""Oracle methods end with an equilibrium of the whole game, and what joins a restricted game beats it."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import pokerlab
from naive.random_game import RandomGame, random_games
from pokerlab import registry
from pokerlab.errors import BadFile, BadGame, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.solvers.convex.oracles import RangeOfSkill, SequenceOracle
from pokerlab.solvers.core.run import Stop, restore, run
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form
from published import small_games as printed

SPECS = ["double-oracle", "double-oracle(over=strategies)", "range-of-skill(epsilon=0)"]
GAMES = {"kuhn": printed.KUHN, "one-card(cards=4)": printed.ONE_CARD_FOUR, "goofspiel(cards=4)": 0.0}


@cache
def form_of(name: str) -> SequenceForm:
    return sequence_form(build(open_game(name)))


def started(spec: str, form: SequenceForm) -> Any:
    return registry.load("algorithms", spec).start(form)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("game", GAMES)
def test_they_end_with_an_equilibrium(spec: str, game: str) -> None:
    solver = started(spec, form_of(game))
    done = run(solver, Stop(iterations=200))
    assert done.stopped == "solved"
    low, high = solver.measure().bounds
    assert low - 1e-9 <= GAMES[game] <= high + 1e-9
    assert high - low < 1e-9


@pytest.mark.parametrize("spec", SPECS)
@given(random_games(players=2, zero_sum=True, whole=True))
@settings(max_examples=20)
def test_any_game_is_solved(spec: str, game: RandomGame) -> None:
    form = sequence_form(build(game))
    solver = started(spec, form)
    solver.advance(300)
    assert solver.finished
    assert solver.measure().nash_conv <= 1e-8 * max(form.max_abs_payoff, 1.0)


def test_leduc_is_solved_without_the_whole_of_it() -> None:
    """Exact, in rounds that are few: a restricted game over strategies would need hundreds."""
    solver = started("double-oracle", form_of("leduc"))
    solver.advance(40)
    assert solver.finished
    assert solver.iterations < 25
    assert solver.measure().bounds == pytest.approx((printed.LEDUC, printed.LEDUC), abs=1e-9)
    assert solver.allowed.sum() < 0.9 * solver.sequence_form.tree.slots


def best_allowed(solver: SequenceOracle, player: int) -> float:
    """The most that a player can win in the restricted game, by plain recursion."""
    form = solver.sequence_form
    plan = form.plan(solver.profile())
    own = form.sequences_of(player)
    other = np.append(1.0, plan[form.sequences_of(1 - player)])
    gradient = form.matrix @ other if player == 0 else -form.matrix.T @ other

    def after(sequence: int) -> float:
        place = 0 if sequence < 2 else sequence - own.start + 1
        low, high = form.tree.first_infoset[player : player + 2].tolist()
        return float(gradient[place]) + sum(
            max(after(s) for s in range(form.start[i], form.start[i + 1]) if solver.allowed[s])
            for i in range(low, high)
            if form.parent[i] == sequence
        )

    return after(player)


@pytest.mark.parametrize("game", GAMES)
def test_each_round_solves_its_restricted_game(game: str) -> None:
    """Nobody gains by what is allowed; best responses of the whole game do, until the last round."""
    solver = started("double-oracle", form_of(game))
    while not solver.finished:
        before, gap = solver.allowed.copy(), solver.measure().nash_conv
        solver.advance(1)
        assert np.add.reduceat(
            solver.allowed, solver.sequence_form.start[:-1].astype(int)
        ).all()  # no infoset without an action
        if solver.iterations > 1:  # a response adds what it comes to itself
            added = np.flatnonzero(solver.allowed > before)
            infosets = np.searchsorted(solver.sequence_form.start, added, side="right") - 1
            above = solver.sequence_form.parent[infosets].astype(int)
            assert (solver.allowed[above] > 0)[above > 1].all()
        if not solver.finished:
            assert (solver.allowed >= before).all()
            assert solver.allowed.sum() > before.sum()
            assert gap > 1e-9
            assert best_allowed(solver, 0) + best_allowed(solver, 1) == pytest.approx(0, abs=1e-9)
    assert solver.measure().nash_conv < 1e-9


@pytest.mark.parametrize(("game", "rounds"), [("kuhn", 5), ("one-card(cards=4)", 12), ("leduc", 12)])
def test_each_strategy_beats_every_mix_before_it(game: str, rounds: int) -> None:
    """By as much as anything beats the mix that is hardest to beat; and mixes only get harder to beat."""
    form = form_of(game)
    solver = started("range-of-skill(epsilon=0)", form)
    assert isinstance(solver, RangeOfSkill)
    bounds = [solver.measure().bounds]
    for _ in range(rounds):
        seconds = solver.pools[1]
        solver.advance(1)
        low, high = solver.measure().bounds
        first, second = (pool[-1] for pool in solver.pools)
        assert ((form.matrix @ seconds.T).T @ first).min() == pytest.approx(high, abs=1e-7 * form.max_abs_payoff)
        assert (solver.pools[0] @ (form.matrix @ second)).max() == pytest.approx(low, abs=1e-7 * form.max_abs_payoff)
        bounds.append((low, high))
    lows, highs = np.transpose(bounds)
    assert (np.diff(lows) >= -1e-7 * form.max_abs_payoff).all()
    assert (np.diff(highs) <= 1e-7 * form.max_abs_payoff).all()
    value, rounding = pokerlab.solve(form, algorithm="lp").value, 1e-15 * form.max_abs_payoff
    assert lows[-1] - rounding <= value <= highs[-1] + rounding


def test_the_list_ends_where_nothing_beats_it_by_epsilon() -> None:
    form = form_of("one-card(cards=4)")
    rounds = []
    for epsilon in (0.3, 0.03, 0.003):
        solver = started(f"range-of-skill(epsilon={epsilon})", form)
        gaps = [solver.measure().nash_conv]
        while not solver.finished:
            solver.advance(1)
            gaps.append(solver.measure().nash_conv)
        assert gaps[-1] <= epsilon * form.max_abs_payoff < gaps[-2]
        rounds.append(solver.iterations)
    assert rounds == sorted(set(rounds))


def test_what_both_players_gain_counts_towards_epsilon() -> None:
    form = form_of("one-card(cards=4)")
    solver = started("range-of-skill(epsilon=0)", form)
    solver.advance(3)
    gains = [response.gain for response in solver.responses()]
    assert min(gains) > 0.01
    again = started(f"range-of-skill(epsilon={(max(gains) + sum(gains)) / 2 / form.max_abs_payoff})", form)
    again.advance(3)
    assert (again.iterations, again.finished) == (3, False)
    again.advance(10)
    assert again.finished


def test_what_is_known_already_does_not_join_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """By rounding a strategy may seem to beat a mix of which it is a part."""
    solver = started("double-oracle(over=strategies)", form_of("kuhn"))
    solver.advance(2)
    known = [
        response._replace(plan=pool[-1], gain=1e-9)
        for response, pool in zip(solver.responses(), solver.pools, strict=True)
    ]
    monkeypatch.setattr(solver, "responses", lambda: known)
    sizes = [len(pool) for pool in solver.pools]
    solver.advance(1)
    assert solver.finished
    assert [len(pool) for pool in solver.pools] == sizes


@pytest.mark.parametrize("spec", SPECS)
def test_a_state_is_resumed_bit_for_bit(spec: str) -> None:
    form = form_of("one-card(cards=4)")
    whole, first, second = (started(spec, form) for _ in range(3))
    whole.advance(6)
    first.advance(3)
    second.advance(1)
    restore(second, first.arrays())
    second.advance(3)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, second.arrays()[name]), name


def test_damaged_states_are_refused() -> None:
    form = form_of("kuhn")
    solver = started("double-oracle", form)
    solver.advance(2)
    with pytest.raises(BadFile, match="an infoset without an action"):
        restore(solver, solver.arrays() | {"allowed": np.zeros(form.sequences, np.uint8)})
    solver = started("double-oracle(over=strategies)", form)
    with pytest.raises(BadFile, match="a player has no strategy"):
        restore(solver, solver.arrays() | {"pool0": solver.pools[0][:0]})
    solver = started("range-of-skill", form)
    solver.advance(2)
    state = solver.arrays()
    for wrong in (state["basis0"][:-1], np.full_like(state["basis0"], 9)):
        with pytest.raises(BadFile, match="a basis of another program"):
            restore(solver, state | {"basis0": wrong})
    restore(solver, state | {"basis0": np.zeros_like(state["basis0"])})  # not a basis: the program begins anew
    solver.advance(10)
    assert solver.finished


def test_needs_are_said_in_a_sentence() -> None:
    with pytest.raises(BadSetting, match="over must be one of sequences, strategies"):
        registry.load("algorithms", "double-oracle(over=hands)")
    with pytest.raises(BadSetting, match="epsilon must be a number"):
        registry.load("algorithms", "range-of-skill(epsilon=-1)")
    for name in ("double-oracle", "range-of-skill"):
        with pytest.raises(BadGame, match="has 3 players"):
            pokerlab.solve("kuhn(players=3)", algorithm=name)


def test_what_all_win_alike_is_not_at_stake() -> None:
    """A million more for player 0 in every end is the same game: epsilon is a share of what differs."""
    tree = form_of("kuhn").tree
    shifted = sequence_form(replace(tree, returns=tree.returns + np.array([1e6, -1e6])))
    solver = started("range-of-skill(epsilon=0.001)", shifted)
    run(solver, Stop(iterations=100))
    assert solver.measure().nash_conv < 0.001 * 2 + 1e-8


def test_a_round_of_range_of_skill_ends_at_the_time_limit() -> None:
    """What was begun is given up: the state is that of the round before, and the run continues as if never cut."""
    form = sequence_form(build(open_game("leduc")))
    whole, cut = (RangeOfSkill(form, epsilon=1e-4) for _ in range(2))
    assert run(cut, Stop(seconds=1e-6)).stopped == "seconds"
    assert cut.iterations == 0
    for rounds in (2, 4):
        run(cut, Stop(iterations=rounds))
        cut.deadline = time.perf_counter() + 1e-6
        cut.advance(1)
        assert cut.iterations == rounds
        cut.deadline = math.inf
    whole.advance(4)
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(array, cut.arrays()[name], err_msg=name)
