"""Triples become legal actions; sizes are parts of the pot."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab import registry
from pokerlab.agents.parts.triple import Triple, allowed, choose, sized
from pokerlab.errors import BadSetting
from pokerlab.games.poker.betting import CALL, Legal, raise_to

parts = st.floats(0, 1)


def test_triples_are_checked() -> None:
    with pytest.raises(BadSetting, match="sum to 1"):
        Triple.of(fold=0.5, call=0.2)


@given(parts, parts, parts, st.booleans(), st.integers(-1, 5), st.integers(0, 1))
def test_allowed_moves_what_is_not(
    fold: float, call: float, raise_: float, can_fold: bool, cost: int, raising: int
) -> None:
    legal = Legal(can_fold, cost, 10 * raising, 20 * raising)
    result = allowed(Triple(fold, call, raise_), legal)
    assert sum(result) == pytest.approx(fold + call + raise_)
    assert result.raise_ == 0 or legal.can_raise
    assert result.call == 0 or legal.call >= 0 or not (can_fold or raising)
    if can_fold and cost >= 0 and raising:
        assert result == (fold, call, raise_)


def test_choose_follows_the_triple() -> None:
    game = registry.load("games", "holdem-limit")
    view = game.view(game.start(game.deal(np.random.default_rng(1))), 1)
    rng = np.random.default_rng(2)
    drawn = [choose(Triple(0.2, 0.5, 0.3), view, rng).kind for _ in range(4000)]
    for kind, share in (("f", 0.2), ("c", 0.5), ("r", 0.3)):
        spread = 4 * np.sqrt(share * (1 - share) / 4000)
        assert abs(drawn.count(kind) / 4000 - share) < spread


@pytest.mark.parametrize(
    ("betting", "fraction", "total"),
    [
        ([], 1.0, 300),  # 50 to call into 150: to 100, and a pot of 200 more
        ([], 0.0, 200),  # the least raise
        ([], 1e9, 20000),  # all-in
        ([raise_to(300), CALL], 0.5, 600),  # half of 600 on the flop, 300 being in already
        ([raise_to(300), CALL, raise_to(600)], 1.0, 1800),  # 300 to call makes 1200
    ],
)
def test_sizes(betting: list[object], fraction: float, total: int) -> None:
    game = registry.load("games", "holdem-nolimit")
    state = game.start(range(9))
    for action in betting:
        state = game.child(state, action)
    view = game.view(state, state.betting.actor)
    assert sized(view, view.legal, fraction) == raise_to(total)
