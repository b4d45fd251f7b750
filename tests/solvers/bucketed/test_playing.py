"""Hands of strategies over buckets against each other: by the exact value of the game, and by who beats whom."""

from __future__ import annotations

import numpy as np
import pytest
from tests.abstraction.test_buckets import cards_of, random_buckets
from tests.tree.bucketed.test_form import poker

from pokerlab.errors import BadSetting
from pokerlab.solvers.bucketed.playing import Side, head_to_head
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.bucketed.real_game import measurer


def numbers(form: BucketedForm, seed: int) -> np.ndarray:
    """A strategy that is far from uniform."""
    return np.random.default_rng(seed).integers(0, 50, form.numbers).astype(np.uint32) ** 2


def test_winnings_are_what_the_game_is_worth() -> None:
    """One strategy in one seat, another in the other: the mean over both seatings, exactly, lies in the interval."""
    form = bucketed_form(poker("leduc"))
    one, other = numbers(form, 1), numbers(form, 2)
    found = measurer(form)
    assert found is not None
    seats = form.betting.arrays.actor

    def mixed(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """`first` for player 0, `second` for player 1."""
        made = np.array(second)
        for node in np.flatnonzero(seats == 0):
            turn, slot = int(form.betting.arrays.round[node]), int(form.betting.arrays.slot[node])
            count = int(form.betting.arrays.children[node])
            rows = slice(form.base[turn], form.base[turn + 1])
            shape = (form.buckets.counts[turn], -1)
            made[rows].reshape(shape)[:, slot : slot + count] = first[rows].reshape(shape)[:, slot : slot + count]
        return made

    exact = (found(mixed(one, other)).values[0] + found(mixed(other, one)).values[1]) / 2
    gain = head_to_head(Side(form, one), Side(form, other), hands=200_000, seed=3)
    standard_error = gain.half / 1.96
    assert abs(gain.mean - exact) < 4 * standard_error
    assert standard_error < 0.02
    back = head_to_head(Side(form, other), Side(form, one), hands=200_000, seed=4)
    assert abs(gain.mean + back.mean) < 4 * np.hypot(standard_error, back.half / 1.96)


def test_strategies_over_different_buckets_meet() -> None:
    game = poker("rhode-island")
    coarse = bucketed_form(game, random_buckets(cards_of("rhode-island"), (2, 3, 4)))
    fine = bucketed_form(game, random_buckets(cards_of("rhode-island"), (13, 30, 99), join=False))
    gain = head_to_head(Side(coarse, numbers(coarse, 5)), Side(fine, numbers(fine, 6)), hands=2_000, seed=1)
    again = head_to_head(Side(coarse, numbers(coarse, 5)), Side(fine, numbers(fine, 6)), hands=2_000, seed=1)
    assert gain == again
    assert gain.hands == 2_000
    assert gain.half > 0


@pytest.mark.parametrize("kind", [np.uint32, pytest.param(np.float32, marks=pytest.mark.slow)])  # one more to compile
def test_three_players(kind: type[np.generic]) -> None:
    form = bucketed_form(poker("kuhn(players=3)"))
    ones = np.ones(form.numbers, kind)
    gain = head_to_head(Side(form, ones), Side(form, numbers(form, 7)), hands=5_000, seed=1)
    assert abs(gain.mean) < 2
    fair = head_to_head(Side(form, ones), Side(form, ones), hands=50_000, seed=1)
    assert abs(fair.mean) < 4 * fair.half / 1.96  # rotated through all seats, nobody has an edge


def test_other_games_and_no_hands_are_refused() -> None:
    one, other = (bucketed_form(poker(name)) for name in ("leduc", "kuhn"))
    with pytest.raises(BadSetting, match="different games"):
        head_to_head(Side(one, numbers(one, 1)), Side(other, numbers(other, 1)), hands=10, seed=0)
    with pytest.raises(BadSetting, match="at least 2 hands"):
        head_to_head(Side(one, numbers(one, 1)), Side(one, numbers(one, 1)), hands=1, seed=0)
