"""Strategies written by hand: what is told is played, the rest by default, and mistakes get a sentence."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pokerlab import Strategy
from pokerlab.errors import BadFile, BadSetting, PokerlabError, UnknownName
from pokerlab.formats.opening import open_game
from pokerlab.lab.solve.solving import solve
from pokerlab.strategy.written import form_of


def test_what_is_written_is_played_and_the_rest_is_uniform() -> None:
    strategy = Strategy.from_dict(
        {"K:r": {"c": 0.75, "f": 0.25}, (0, "Q:"): "r", "Q:r": {"c": Fraction(1, 3), "f": Fraction(2, 3)}}, game="kuhn"
    )
    assert strategy["K:r"] == {"f": 0.25, "c": 0.75}
    assert strategy["Q:"] == {"c": 0.0, "r": 1.0}
    assert strategy["Q:r"]["c"] == pytest.approx(1 / 3)
    told = {"K:r", "Q:", "Q:r"}
    assert all(set(strategy[key].values()) == {0.5} for key in strategy if key not in told)


def test_actions_that_are_not_named_are_never_taken() -> None:
    strategy = Strategy.from_dict({"Kb:r": {"r": 1}}, game="leduc")
    assert strategy["Kb:r"] == {"f": 0.0, "c": 0.0, "r": 1.0}
    assert strategy["Ka:r"] == pytest.approx({"f": 1 / 3, "c": 1 / 3, "r": 1 / 3})


def test_the_rest_may_be_another_strategy() -> None:
    solved = solve("leduc", iterations=30).strategy
    strategy = Strategy.from_dict({"Kb:": "c"}, game="leduc", default=solved)
    assert {key for key in solved if strategy[key] != solved[key]} == {"Kb:"}
    assert Strategy.from_dict({}, game="leduc", default=solved).probability.tolist() == solved.probability.tolist()


@pytest.mark.parametrize("game", ["kuhn(players=3)", "liars-dice(sides=2)", "goofspiel(cards=3)", "leduc"])
def test_a_strategy_comes_back_from_its_own_dict(game: str) -> None:
    form = form_of(game)
    profile = form.behaviour(np.random.default_rng(5).random(form.sequences))
    strategy = Strategy.from_dict({}, game=form)._with(profile)
    assert Strategy.from_dict(dict(strategy), game=game).probability == pytest.approx(profile, abs=1e-15)
    assert Strategy.from_dict(dict(strategy), game=open_game(game)).probability == pytest.approx(profile, abs=1e-15)


def test_infosets_of_one_text_are_named_with_their_player() -> None:
    game = "goofspiel(cards=3)"
    strategy = Strategy.from_dict({(1, "3"): "2"}, game=game)
    assert (strategy[1, "3"]["2"], strategy[0, "3"]["2"]) == (1, pytest.approx(1 / 3))
    with pytest.raises(UnknownName, match="two players have an infoset '3'"):
        Strategy.from_dict({"3": "2"}, game=game)


@pytest.mark.parametrize(
    ("table", "error", "sentence"),
    [
        ({"K:rr": "c"}, UnknownName, "kuhn has no infoset 'K:rr'; there is 'K:r'"),
        ({(1, "K:"): "c"}, UnknownName, "kuhn has no infoset 'K:'"),  # it is player 0's
        ({(2, "K:r"): "c"}, BadSetting, "kuhn has players 0 to 1, not 2"),
        ({"K:r": {"d": 1.0}}, UnknownName, "at 'K:r' there is no action 'd'; available: f, c"),
        ({"K:r": "call"}, UnknownName, "at 'K:r' there is no action 'call'"),
        ({"K:r": {"c": 0.9}}, BadSetting, "the probabilities at 'K:r' add up to 0.9 and not to 1: f 0, c 0.9"),
        ({"K:r": {"c": 0.6, "f": 0.6}}, BadSetting, "add up to 1.2"),
        ({"K:r": {}}, BadSetting, "add up to 0"),
        ({"K:r": {"c": -0.5, "f": 1.5}}, BadSetting, "'c' at 'K:r' must be a number from 0 to 1, not -0.5"),
        ({"K:r": {"c": float("nan"), "f": 1.0}}, BadSetting, "from 0 to 1, not nan"),
        ({"K:r": {"c": float("inf")}}, BadSetting, "from 0 to 1, not inf"),
        ({"K:r": {"c": "often"}}, BadSetting, "from 0 to 1, not 'often'"),
        ({"K:r": {"c": None}}, BadSetting, "from 0 to 1, not None"),
        ({"K:r": [0, 1]}, BadSetting, "an action or {action: probability} is needed, not"),
        ({7: "c"}, BadSetting, "named by its text or by"),
        ({(1, "K:r"): "c", "K:r": "f"}, BadSetting, "'K:r' is written twice"),
        (["K:r"], BadSetting, "a strategy is written as"),
    ],
)  # fmt: skip
def test_mistakes_get_a_sentence(table: Any, error: type[PokerlabError], sentence: str) -> None:
    with pytest.raises(error) as told:
        Strategy.from_dict(table, game="kuhn")
    assert sentence in str(told.value)


def test_an_infoset_of_the_other_player_is_told_from_those_of_this_one() -> None:
    with pytest.raises(UnknownName, match=r"^player 1 of kuhn has no infoset 'K:'; there is 'K:[rc]' or 'K:[rc]'"):
        Strategy.from_dict({(1, "K:"): "c"}, game="kuhn")


@pytest.mark.parametrize("game", [5, None, ["kuhn"]])
def test_what_is_no_game(game: Any) -> None:
    with pytest.raises(BadSetting, match="is not a game"):
        Strategy.from_dict({}, game=game)


def test_a_default_that_is_none() -> None:
    with pytest.raises(BadSetting, match="not 'fold'"):
        Strategy.from_dict({}, game="kuhn", default="fold")
    with pytest.raises(BadFile, match="936 infosets"):
        Strategy.from_dict({}, game="kuhn", default=solve("leduc", iterations=1).strategy)
    with pytest.raises(UnknownName, match="no game called"):
        Strategy.from_dict({}, game="khun")
