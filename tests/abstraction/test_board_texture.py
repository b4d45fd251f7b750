"""Buckets by public cards: the numbers of a board, and what classes by them tell."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.board_texture import board_texture
from pokerlab.abstraction.making import Plan, make
from pokerlab.cards.card import FULL_DECK
from pokerlab.formats.opening import open_game


@pytest.mark.parametrize(
    ("board", "suited", "paired", "connected", "height"),
    [
        ("AhKhQh", 1.0, 0.0, 1.0, 33 / 36),
        ("7c7d2s", 1 / 3, 1 / 3, 1 / 3, 10 / 36),
        ("9c8d7s6h", 1 / 4, 0.0, 1.0, 22 / 48),
        ("AhAdAcAsKh", 2 / 5, 3 / 5, 2 / 5, 59 / 60),
    ],
)
def test_numbers_of_boards(board: str, suited: float, paired: float, connected: float, height: float) -> None:
    cards = CardRounds.of(open_game("holdem-limit"))  # type: ignore[arg-type]
    rows = np.array([FULL_DECK.cards(board), FULL_DECK.cards(board)[::-1]], np.uint8)
    found = board_texture(cards, rows)
    assert found[0] == pytest.approx([suited, paired, connected, height], abs=1e-6)
    assert np.array_equal(found[0], found[1])  # in any order
    assert not board_texture(cards, rows[:, :0]).any()


def test_public_classes_tell_the_cluster_of_the_board() -> None:
    """All hands on a board are in the classes of one cluster; within it, stronger hands have higher classes."""
    cards = CardRounds.of(open_game("rhode-island"))  # type: ignore[arg-type]
    buckets = make(Plan(cards, ("lossless", "public:3x4", "public:5x4")))
    for size in (1, 2):
        offsets = buckets.rounds[size].arrays["offsets"]
        assert len(offsets) - 1 in (3, 5)
        seen = set()
        for board in ([0, 5], [20, 24], [50, 51], [3, 30]):
            hands = np.array([[card] for card in range(52) if card not in board], np.uint8)
            held = buckets.at(size, hands, board[:size])
            clusters = set(np.searchsorted(offsets, held, side="right").tolist())
            assert len(clusters) == 1
            seen |= clusters
        assert len(seen) > 1
