"""Discards in draw poker."""

from __future__ import annotations

import pytest

from pokerlab.agents.parts.drawing import exchange
from pokerlab.games.poker.betting import CALL
from pokerlab.registry import load


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("AsAd9c5h2d", "9c5h2d"),  # a pair keeps the pair
        ("AsAdAc5h2d", "5h2d"),
        ("AsAd5c5h2d", "2d"),
        ("AsAd5c5hAc", ""),  # full houses, straights and flushes stand pat
        ("9s8d7c6h5d", ""),
        ("As2d3c4h5d", ""),
        ("As9s7s4s2s", ""),
        ("As9s7s4s2d", "2d"),  # four to a flush
        ("Jd9s8d7c6h", "Jd"),  # four to an open straight
        ("AsKd9c5h2d", "9c5h2d"),  # two high cards
        ("As9d7c5h2d", "9d7c5h2d"),
    ],
)
def test_what_is_kept(hand: str, thrown: str) -> None:
    game = load("games", "five-card-draw")
    own = game.deck.cards(hand)
    rest = [card for card in range(52) if card not in own]
    state = game.start((*own, *rest, *range(52)))
    state = game.child(game.child(state, CALL), CALL)
    assert state.betting.drawing
    assert set(exchange(game.view(state, 0)).cards) == set(game.deck.cards(thrown))
