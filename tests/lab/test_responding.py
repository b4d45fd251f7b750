"""Best responses in one call: published numbers, OpenSpiel's, and laws."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import best_response as spiel_best_response
from open_spiel.python.algorithms import exploitability as spiel_exploitability

import pokerlab
from pokerlab.agents.library.random import Random
from pokerlab.errors import BadFile, BadSetting, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.strategy.written import form_of
from published.small_games import KUHN, KUHN_SECOND, LEDUC_UNIFORM


def kuhn_equilibrium(alpha: float) -> dict[str, dict[str, float]]:
    """Kuhn's family, by how often the first player bets the jack: published/small_games.py."""
    first = {"J:": alpha, "Q:": 0.0, "K:": 3 * alpha}
    calls = {"J:cr": 0.0, "Q:cr": alpha + 1 / 3, "K:cr": 1.0}
    table = {infoset: {"r": chance, "c": 1 - chance} for infoset, chance in first.items()}
    table |= {infoset: {"c": chance, "f": 1 - chance} for infoset, chance in calls.items()}
    for infoset, chance in KUHN_SECOND.items():
        active, passive = ("c", "f") if infoset.endswith("r") else ("r", "c")
        table[infoset] = {active: chance, passive: 1 - chance}
    return table


@pytest.mark.parametrize("alpha", [0.0, 0.01, 0.2, 0.25, 1 / 3])
def test_every_equilibrium_of_kuhn_is_one(alpha: float) -> None:
    table = kuhn_equilibrium(alpha)
    assert pokerlab.exploitability("kuhn", table) == pytest.approx(0, abs=1e-12)
    for player, value in ((0, KUHN), (1, -KUHN)):
        found = pokerlab.best_response("kuhn", table, player=player)
        assert (found.value, found.gain) == pytest.approx((value, 0), abs=1e-12)


@pytest.mark.parametrize("change", [("K:r", "f"), ("Q:cr", "f"), ("J:c", "c"), ("Q:r", "c")])
def test_what_leaves_the_family_is_exploited(change: tuple[str, str]) -> None:
    infoset, action = change
    assert pokerlab.exploitability("kuhn", kuhn_equilibrium(0.2) | {infoset: action}) > 0.01


def test_uniform_play_of_leduc_is_as_exploitable_as_published() -> None:
    assert 2 * pokerlab.exploitability("leduc", {}) == pytest.approx(LEDUC_UNIFORM["nash_conv"], abs=1e-6)
    found = [pokerlab.best_response("leduc", {}, player=player).value for player in (0, 1)]
    assert found == pytest.approx(LEDUC_UNIFORM["best_responses"], abs=1e-6)


@pytest.mark.parametrize(
    ("name", "seed"),
    [("kuhn_poker", 1), ("kuhn_poker(players=3)", 2), ("leduc_poker", 3), ("liars_dice(dice_sides=3)", 4)],
)
def test_random_strategies_are_as_exploitable_as_openspiel_says(name: str, seed: int) -> None:
    """The same random table in both programs; some of it pure, some of it not told."""
    spiel, game = pyspiel.load_game(name), f"openspiel(name='{name}')"
    draw, table = random.Random(seed), {}
    for key, actions in pokerlab.Strategy.from_dict({}, game=game).items():
        weights = [draw.choice([0.0, draw.random(), 1.0]) for _ in actions]
        if sum(weights):
            table[key] = {action: weight / sum(weights) for action, weight in zip(actions, weights, strict=True)}
    strategy = pokerlab.Strategy.from_dict(table, game=game)
    theirs = spiel_policy.TabularPolicy(spiel)
    for state, row in theirs.state_lookup.items():
        legal = np.flatnonzero(theirs.legal_actions_mask[row])
        theirs.action_probability_array[row, legal] = list(strategy[state].values())
    nash_conv = spiel_exploitability.nash_conv(spiel, theirs)
    assert spiel.num_players() * pokerlab.exploitability(game, table) == pytest.approx(nash_conv, abs=1e-9)
    for player in range(spiel.num_players()):
        best = spiel_best_response.BestResponsePolicy(spiel, player, theirs)
        found = pokerlab.best_response(game, strategy, player=player)
        assert found.value == pytest.approx(best.value(spiel.new_initial_state()), abs=1e-9)


def test_the_response_plays_what_it_says() -> None:
    """Put in place of the player's own part, it wins its value; the others' part is as it was."""
    form = form_of("leduc")
    strategy = pokerlab.Strategy.from_dict({}, game=form)._with(
        form.behaviour(np.random.default_rng(7).random(form.sequences))
    )
    for player in (0, 1):
        found = pokerlab.best_response("leduc", strategy, player=player)
        assert found.strategy.measure_in(form).values[player] == pytest.approx(found.value)
        assert found.gain == pytest.approx(found.value - strategy.measure_in(form).values[player])
        assert found.strategy.of(1 - player) == strategy.of(1 - player)
        assert set(
            np.round([chance for played in found.strategy.of(player).values() for chance in played.values()], 9)
        ) == {0, 1}
        assert pokerlab.best_response("leduc", found.strategy, player=player).gain == pytest.approx(0, abs=1e-12)


def test_anything_that_plays_is_taken() -> None:
    """A dict, a Strategy, a solution of either form, a policy, an agent's name; a game by name, itself, or its form."""
    solved = pokerlab.solve("leduc", form="public", iterations=20)
    expected = solved.exploitability
    assert pokerlab.exploitability("leduc", solved) == pytest.approx(expected, abs=1e-7)
    assert pokerlab.exploitability(open_game("leduc"), solved.strategy) == pytest.approx(expected, abs=1e-7)
    sequence = pokerlab.solve("leduc", iterations=20)
    for game in ("leduc", open_game("leduc"), form_of("leduc")):
        for played in (sequence, sequence.strategy, dict(sequence.strategy)):
            assert pokerlab.exploitability(game, played) == pytest.approx(sequence.exploitability)
    for played in ("random", Random()):
        assert 2 * pokerlab.exploitability("leduc", played) == pytest.approx(LEDUC_UNIFORM["nash_conv"], abs=1e-6)


def test_what_cannot_be_answered() -> None:
    for player in (2, -1, True, 0.0, "0", None):
        with pytest.raises(BadSetting, match="kuhn has players 0 to 1"):
            pokerlab.best_response("kuhn", {}, player=player)  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="is not a poker game"):
        pokerlab.exploitability("rock-paper-scissors", "random")
    with pytest.raises(BadSetting, match="not a float"):
        pokerlab.exploitability("kuhn", 0.5)  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="name the game"):
        pokerlab.exploitability(form_of("kuhn"), "random")
    with pytest.raises(TooLarge, match="too large"):
        pokerlab.exploitability("holdem-limit", {})
    with pytest.raises(AttributeError, match="no attribute 'exploits'"):
        pokerlab.exploits  # noqa: B018


def test_everything_offered_is_there() -> None:
    assert {name for name in pokerlab.__all__ if getattr(pokerlab, name, None) is None} == set()
    assert set(pokerlab.__all__) <= set(dir(pokerlab))  # so that Tab offers it in notebooks


def test_a_strategy_of_a_game_with_the_same_infosets_and_other_actions_is_refused() -> None:
    strategy = pokerlab.Strategy.from_dict({}, game="kuhn")
    renamed = replace(strategy, actions=[tuple(f"{word}!" for word in words) for words in strategy.actions])
    with pytest.raises(BadFile, match="the actions are not those of kuhn"):
        pokerlab.exploitability("kuhn", renamed)
