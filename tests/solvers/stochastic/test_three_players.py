"""Chips of three players: pots, who decides, and where a hand leads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.errors import BadSetting
from pokerlab.solvers.stochastic.heads_up import Blinds
from pokerlab.solvers.stochastic.three_players import Chance, ThreeHanded, chips_after
from pokerlab.tree.pushes.chances import NONE
from pokerlab.tree.pushes.three import ENDS, FIRST_ORDER, HandOfThree

PRIZES = (0.5, 0.3, 0.2)
BUTTON_STEALS, SMALL_WINS_BUTTON, BUTTON_BIG_TIE, BIG_BEATS_SMALL = 1, 5, 7, 11


def game(units: int, small: int = 1, big: int = 2) -> ThreeHanded:
    return ThreeHanded(units, Blinds(small, big), PRIZES)


def after_end(found: ThreeHanded, stacks: tuple[int, int, int], end: int) -> list[Chance]:
    """The chips after an end; nothing for one that cannot be reached."""
    form = found.hand(stacks)
    terminal = HandOfThree.of(form).terminals[end]
    return [] if terminal == NONE else chips_after(form, form.terminals[terminal], ENDS[end][1])


def test_every_state_has_its_number() -> None:
    found = game(13)
    assert len(found.states) == found.state_count == 66
    assert [found.index(int(button), int(small)) for button, small, _ in found.states] == list(range(66))
    assert game(45).state_count == 946, "13,500 chips in units of 300"


@given(st.tuples(*[st.integers(1, 30)] * 3), st.integers(1, 4), st.integers(0, 4), st.integers(0, 24))
def test_chips_stay_on_the_table(stacks: tuple[int, int, int], small: int, more: int, end: int) -> None:
    """Nobody has less than nothing, all chips are there, and players who are in lose no more than others have."""
    found = game(sum(stacks), small, small + more)
    ways = after_end(found, stacks, end)
    assert not ways or sum(chance for chance, _ in ways) == pytest.approx(1)
    for _, after in ways:
        assert sum(after) == sum(stacks)
        assert min(after) >= 0
        for seat in range(3):
            others = [min(stacks[seat], stacks[other]) for other in range(3) if other != seat]
            assert after[seat] <= stacks[seat] + sum(others)
            assert after[seat] >= stacks[seat] - max(others)


@pytest.mark.parametrize(
    ("stacks", "end", "after"),
    [
        ((10, 20, 15), 0, {(10, 19, 16): 1.0}),
        ((10, 20, 15), BUTTON_STEALS, {(13, 19, 13): 1.0}),
        ((10, 20, 15), SMALL_WINS_BUTTON, {(0, 32, 13): 1.0}),
        ((10, 20, 15), BUTTON_BIG_TIE, {(11, 19, 15): 0.5, (10, 19, 16): 0.5}),  # the dead small blind is odd
        ((10, 20, 15), BIG_BEATS_SMALL, {(10, 5, 30): 1.0}),
        ((10, 20, 15), FIRST_ORDER, {(30, 15, 0): 1.0}),  # button first, small blind second: a side pot
        ((10, 20, 15), FIRST_ORDER + 1, {(30, 5, 10): 1.0}),
        ((10, 20, 15), FIRST_ORDER + 12, {(10, 20, 15): 1.0}),
        ((1, 20, 15), 8, {(0, 19, 17): 1.0}),  # the rest of the big blind comes back
        ((1, 1, 43), FIRST_ORDER + 4, {(0, 0, 45): 1.0}),
    ],
)
def test_pots(stacks: tuple[int, int, int], end: int, after: dict[tuple[int, int, int], float]) -> None:
    assert {chips: chance for chance, chips in after_end(game(sum(stacks)), stacks, end)} == after


@pytest.mark.parametrize(
    ("stacks", "decides"),
    [
        ((5, 8, 5), "111111"),
        ((1, 10, 7), "111011"),  # the big blind pays nothing more against one unit
        ((10, 1, 7), "100101"),  # the small blind is all-in
        ((8, 8, 2), "111000"),
        ((8, 9, 1), "110000"),  # nobody owes the small blind more than it has posted
        ((1, 2, 15), "111000"),
        ((1, 1, 1), "100000"),
    ],
)
def test_who_decides(stacks: tuple[int, int, int], decides: str) -> None:
    found = game(sum(stacks))
    assert "".join(str(int(one)) for one in found.decides[found.index(*stacks[:2])]) == decides


def test_where_players_come_to() -> None:
    """Positions move on; two left are heads-up with the big blind moved on; who had more is out later."""
    found = game(45)
    worth = found.outcome_values(np.arange(3.0 * 946).reshape(946, 3), np.linspace(0, 1, 46))

    def told(before: tuple[int, int, int], after: tuple[int, int, int]) -> list[float]:
        return [float(worth[place]) for place in found.placed(before, after)]

    state = 3 * found.index(19, 16)
    assert told((10, 20, 15), (10, 19, 16)) == [state + 2, state + 0, state + 1]
    assert told((10, 20, 15), (0, 30, 15)) == pytest.approx([0.2, 0.3 + 0.2 * 30 / 45, 0.3 + 0.2 * 15 / 45])
    assert told((10, 20, 15), (0, 0, 45)) == [0.2, 0.3, 0.5]
    assert told((15, 15, 15), (45, 0, 0)) == pytest.approx([0.5, 0.25, 0.25])
    by_small = np.zeros(46)
    by_small[30] = 1.0  # which chips were the small blind's
    worth = found.outcome_values(np.zeros((946, 3)), by_small)
    assert told((10, 20, 15), (0, 15, 30))[2] == 0.5, (
        "the old big blind is small, since the old small blind is big next"
    )
    assert told((10, 20, 15), (15, 0, 30))[2] == 0.5
    assert told((10, 20, 15), (15, 30, 0))[1] == 0.5


def test_prizes_are_given_out_whole() -> None:
    found = game(9, 1, 3)
    shares = np.random.default_rng(1).random((found.state_count, 3))
    shares /= shares.sum(1, keepdims=True)
    wins = np.random.default_rng(2).random(10)
    assert found.end_values(found.outcome_values(shares, wins)).sum(2) == pytest.approx(np.ones((28, 25)))


def test_too_small_and_too_large() -> None:
    with pytest.raises(BadSetting, match="at least 3 units"):
        game(2)
    with pytest.raises(BadSetting, match="choose a larger unit"):
        game(1000)
    with pytest.raises(BadSetting, match="the small one no larger"):
        game(9, 3, 2)
