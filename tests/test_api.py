"""The names that `pokerlab` offers: complete, documented by parameter, and alone in `dir`."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys

import numpy as np
import pytest

import pokerlab
from pokerlab.agents.opening import open_agent
from pokerlab.cards.equity import equity_of_hands
from pokerlab.errors import BadCards, BadSetting
from pokerlab.games.poker.betting import CALL, Action
from pokerlab.games.poker.state import View
from pokerlab.lab.play.playing import open_poker
from pokerlab.match.run.match import MatchSettings

FUNCTIONS = [name for name in pokerlab.__all__ if name.islower() and not name.startswith("_")]


def test_dir_shows_the_api_alone_whatever_is_imported() -> None:
    code = "import pokerlab, pokerlab.match.run.match, pokerlab.cards.equity; print(dir(pokerlab) == pokerlab.__all__)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "True"
    assert {"Range", "equity", "match", "train", "pushfold", "icm", "solve"} <= set(pokerlab.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstrings_list_every_parameter_in_order(name: str) -> None:
    function = getattr(pokerlab, name)
    listed = re.findall(r"^\s*- (\w+): ", function.__doc__ or "", re.MULTILINE)
    assert listed == list(inspect.signature(function).parameters)


def test_push_fold_and_icm_take_numbers_and_texts() -> None:
    assert (
        pokerlab.pushfold([8, 20], ante=0.1).as_dict()["hands"]
        == pokerlab.pushfold("8,20", ante="1/10").as_dict()["hands"]
    )
    assert len(pokerlab.pushfold([3, 4, 5], payouts=[5, 3, 2], target=5).as_dict()["stacks"]) == 3
    with pytest.raises(BadSetting, match="heads-up"):
        pokerlab.pushfold([3, 4, 5], call="20%")
    assert pokerlab.icm([5, 3, 2], (50, 30, 20)).values.sum() == pytest.approx(100)


class Caller:
    """An agent with nothing but `act`, which learns: it counts its decisions."""

    def __init__(self) -> None:
        self.decisions = 0

    def act(self, view: View, rng: np.random.Generator) -> Action:
        self.decisions += 1
        return CALL


def test_an_agent_needs_act_alone_and_starts_every_block_as_it_was_made() -> None:
    caller = Caller()
    result = pokerlab.match([caller, "always-call"], game="kuhn", hands=60, block=10, workers=1)
    assert result.agents[0] == "Caller"
    assert 10 <= caller.decisions <= 20  # those of the last pass of the last block
    caller.reset()  # type: ignore[attr-defined]
    assert caller.decisions == 0
    with pytest.raises(BadSetting, match=r"is a class: give an object of it, Caller\(\)"):
        open_agent(Caller)  # type: ignore[arg-type]


def test_a_match_is_duplicate_unless_someone_would_remember_the_cards() -> None:
    forgetful, person = Caller(), Caller()
    person.repeatable = False  # type: ignore[attr-defined]
    chosen = [
        MatchSettings.of("kuhn", (agent, "always-call"), hands=10, duplicate=None).duplicate
        for agent in (forgetful, person)
    ]
    assert chosen == [True, False]


def test_a_view_prints_its_cards() -> None:
    game = open_poker("holdem-limit", "")
    state = game.child(game.root(), tuple(game.deck.cards("Ah Kh 2c 2d")))
    assert (
        str(game.view(state, 0))
        == "holdem-limit, seat 0 (big blind): AhKh, no action yet, pot 15, seat 1 (small blind, button) to act"
    )
    state = game.child(game.child(state, CALL), CALL)
    state = game.child(state, tuple(game.deck.cards("Td 7s 2h")))
    assert (
        repr(game.view(state, 0)) == "<View: holdem-limit, seat 0 (big blind): AhKh, board Td7s2h, cc/, pot 20, to act>"
    )


def test_arrays_over_hands_know_their_hands() -> None:
    shares = equity_of_hands("QQ+", board="2c7d9hJs3s").equity
    assert shares["JhJd"] == shares["JdJh"] == 1
    assert list(shares["JJ"].hands) == ["JdJc", "JhJc", "JhJd", "JsJc", "JsJd", "JsJh"]
    assert "2d2c" in str(shares)
    assert "AsAh" in repr(shares)
    for derived in (shares * 2, shares[::-1], np.sort(shares), shares.copy()):
        assert not getattr(derived, "hands", ())  # no name stands beside another hand's number
    with pytest.raises(BadCards, match="not a hand of this array"):
        shares["AhAh"]
