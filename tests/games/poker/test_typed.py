"""Bets as people type them, and what they hear when they cannot."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.agents.library.human import Human, Leaves
from pokerlab.errors import BadCards, IllegalAction
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import spot_from
from pokerlab.games.poker.engine import CALL, FOLD, RAISE, Action, PokerGame, State, View
from pokerlab.games.poker.typed import read_typed, street_base
from pokerlab.games.spot.spot_game import SpotGame

RNG = np.random.default_rng(1)


def state_after(game: PokerGame, history: str) -> State:
    state = game.start(game.deal(RNG))
    for word in history.split():
        state = game.child(state, Action(word[0], int(word[1:] or 0)))
    return state


def view_after(name: str, history: str = "") -> View:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    state = state_after(game, history)
    return game.view(state, game.player(state))


# heads-up no-limit, blinds 50 and 100, stacks 20,000: the small blind faces 50 to call
@pytest.mark.parametrize(
    ("history", "text", "total"),
    [
        ("", "r 300", 300),
        ("", "raise to 250", 250),
        ("", "b300", 300),
        ("", "3bb", 300),
        ("", "2.5x", 250),
        ("", "pot", 300),  # call 50, then the pot of 200
        ("", "half", 200),
        ("", "50%", 200),
        ("", "1/2 pot", 200),
        ("", "min", 200),
        ("", "allin", 20000),
        ("", "ALL IN", 20000),
        ("r300", "pot", 900),  # the big blind: call 200 makes the pot 600
        ("r300 c", "200", 500),  # on the flop 200 on this street is 500 over the hand
        ("r300 c", "3bb", 600),
        ("r300 c", "pot", 900),
        ("r300 c r600", "2.5x", 300 + 750),
        ("r300 c r600", "r 900", 1200),
        ("c c", "min", 200),
    ],
)
def test_amounts(history: str, text: str, total: int) -> None:
    assert read_typed(text, view_after("holdem-nolimit", history)) == Action("r", total)


@pytest.mark.parametrize("text", ["c", "call", "k", "x", " CHECK "])
def test_calls(text: str) -> None:
    assert read_typed(text, view_after("holdem-nolimit")) == CALL


def test_folds_and_fixed_raises() -> None:
    assert read_typed("fold", view_after("holdem-limit")) == FOLD
    assert read_typed("r", view_after("holdem-limit")) == RAISE
    with pytest.raises(IllegalAction, match="fixed"):
        read_typed("r 1000", view_after("holdem-limit"))


@pytest.mark.parametrize(
    ("history", "text", "part"),
    [
        ("", "r 150", "least raise is to 200"),
        ("", "r 20001", "the most is 20000"),
        ("c", "f", "check instead"),
        ("", "banana", "type \\? for help"),
        ("", "r -5", "type \\? for help"),
        ("", "9" * 400, "."),
        ("", "1/0", "type \\? for help"),
        ("r20000", "r 30000", "no chips left"),
    ],
)
def test_what_cannot_be_is_explained(history: str, text: str, part: str) -> None:
    with pytest.raises(IllegalAction, match=part):
        read_typed(text, view_after("holdem-nolimit", history))


@given(st.text(max_size=30))
def test_any_text_is_an_action_or_a_sentence(text: str) -> None:
    view = VIEW
    try:
        action = read_typed(text, view)
    except (IllegalAction, BadCards):
        return
    view.game.betting.verify(view.betting, action)


VIEW = view_after("holdem-nolimit", "r300 c r900")


def test_street_base() -> None:
    assert street_base(view_after("holdem-nolimit", "r300")) == 0
    assert street_base(view_after("holdem-nolimit", "r300 c")) == 300
    assert street_base(view_after("holdem-nolimit", "c c c c")) == 100


def test_a_person_is_asked_until_it_is_an_action() -> None:
    lines, told = iter(["", "?", "banana", "r 1", "pot"]), []
    person = Human(ask=lambda view: next(lines), show=told.append)
    assert person.act(view_after("holdem-nolimit"), RNG) == Action("r", 300)
    assert "fold" in told[0]
    assert "banana" in told[1]
    assert "least raise" in told[2]


@pytest.mark.parametrize("word", ["q", "QUIT", "exit"])
def test_a_person_leaves(word: str) -> None:
    with pytest.raises(Leaves):
        Human(ask=lambda view: word, show=lambda text: None).act(view_after("holdem-nolimit"), RNG)


def test_end_of_input_leaves() -> None:
    def ended(view: View) -> str:
        raise EOFError

    with pytest.raises(Leaves):
        Human(ask=ended, show=lambda text: None).act(view_after("holdem-nolimit"), RNG)


SPOT = SpotGame(
    spot_from(
        {
            "board": "Ks7h2d5c",
            "pot": 35,
            "stack": 101,
            "out_of_position": {"range": "AA,KQs", "bet": "40%,110%"},
            "in_position": {"range": "QQ,76s", "bet": "75%", "raise": "2.5x,allin"},
        }
    )
)


def spot_view(*actions: str, game: SpotGame = SPOT) -> View:
    """What the seat to act sees after these actions of the menu, by their labels."""
    state = game.start(game.deal(RNG))
    for label in actions:
        state = game.child(state, dict(game.betting.choices(state.betting))[label])
    return game.view(state, game.player(state))


@pytest.mark.parametrize(
    ("before", "typed", "label"),
    [
        ((), "bet 14", "bet 14"),
        ((), "39", "bet 39"),
        ((), "40%", "bet 14"),
        ((), "110%", "bet 39"),  # 38.5 chips, and sizes are whole ones
        (("bet 14",), "raise to 35", "raise 35"),
        (("bet 14",), "2.5x", "raise 35"),
        (("bet 14",), "allin", "all-in 101"),
        (("bet 14",), "all-in 101", "all-in 101"),
        (("bet 14",), "min", "raise 35"),
        (("bet 14", "call"), "25", "bet 25"),  # on this street
        (("bet 14", "call", "check"), "75%", "bet 47"),
    ],
)
def test_amounts_of_a_spot_are_its_chips(before: tuple[str, ...], typed: str, label: str) -> None:
    view = spot_view(*before)
    assert read_typed(typed, view) == dict(SPOT.betting.choices(view.betting))[label]


@pytest.mark.parametrize(
    ("before", "typed", "told"),
    [
        ((), "bet 15", "'bet 15' is not on the menu here, which is 14 or 39 on this street"),
        ((), "allin", "'allin' is not on the menu here, which is 14 or 39"),
        ((), "50%", "not on the menu here"),
        (("bet 14",), "36", "which is 35 or 101"),
        (("check",), "27", "which is 26 on this street"),
        (("bet 39", "all-in 101"), "r 200", "no chips left"),
        (("bet 14", "raise 35"), "pot", "has no raise here, only fold or call"),
        (("check",), "f", "check instead"),
    ],
)
def test_what_is_not_on_the_menu_of_a_spot(before: tuple[str, ...], typed: str, told: str) -> None:
    with pytest.raises(IllegalAction, match=told):
        read_typed(typed, spot_view(*before))


def test_fixed_limit_speaks_of_the_street() -> None:
    """A bet on a later street is told without what was put in before it."""
    assert street_base(view_after("holdem-limit", "r c")) == 20
    assert street_base(view_after("holdem-limit", "r r c r c")) == 40
