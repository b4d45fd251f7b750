"""CFR-BR in the sequence form: by the definitions on any game, and to the value of games without abstraction."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from naive import solve as naive
from naive.cfr_br import answered_cfr
from naive.random_game import RandomGame, random_games
from pokerlab import registry
from pokerlab.errors import BadGame, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.lab.solve.solving import solve
from pokerlab.tree.form import build_form
from pokerlab.tree.history.layout import build

GAMES = ["kuhn", "leduc", "one-card", "one-card(cards=5)", "goofspiel(cards=4)"]


@pytest.mark.uncompiled
@pytest.mark.parametrize("schedule", ["cfr", "cfr+", "dcfr", "pcfr+"])
@given(game=random_games(players=2, zero_sum=True))
@settings(max_examples=8, deadline=None)
def test_iterates_match_plain_recursion(schedule: str, game: RandomGame) -> None:
    tree = build(game)
    solver = registry.load("algorithms", "cfr-br", schedule=schedule).start(tree)
    solver.advance(4)
    average, current = answered_cfr(game, tree, registry.load("algorithms", schedule).schedule, 4)
    for name, ours in naive.named(tree, solver.profile()).items():
        assert ours == pytest.approx(average[name], abs=1e-9)
    again = registry.load("algorithms", "cfr-br", schedule=schedule, strategy="current").start(tree)
    again.advance(4)
    for name, ours in naive.named(tree, again.profile()).items():
        assert ours == pytest.approx(current[name], abs=1e-9)


@pytest.mark.parametrize("name", GAMES)
def test_averages_and_the_current_strategy_come_to_equilibrium(name: str) -> None:
    """The bounds hold the value that linear programming finds; what is left falls with the root of iterations."""
    form = build_form(open_game(name), "sequence")
    value = solve(open_game(name), algorithm="lp", form="sequence", iterations=1).value
    solver = registry.load("algorithms", "cfr-br").start(form)
    left = []
    for iterations in (100, 900, 8100):
        solver.advance(iterations - solver.iterations)
        found, current = solver.measure(), solver.measure_current()
        for one in (found, current):
            low, high = one.bounds
            assert low - 1e-9 <= value <= high + 1e-9
        left.append(found.exploitability)
    assert left[2] < left[1] / 2 < left[0] / 4
    assert left[2] < 0.01 * form.max_abs_payoff
    assert current.exploitability < 0.02 * form.max_abs_payoff
    assert current == form.measure(solver.sums.current[2:])


def test_what_it_cannot_do_is_said() -> None:
    with pytest.raises(BadGame, match="two-player zero-sum"):
        registry.load("algorithms", "cfr-br").start(build(open_game("kuhn(players=3)")))
    with pytest.raises(BadSetting, match="has no schedule"):
        registry.load("algorithms", "cfr-br(schedule=lp)")
    with pytest.raises(BadSetting, match="bucketed form"):
        registry.load("algorithms", "cfr-br(trunk=1)").start(build(open_game("kuhn")))
