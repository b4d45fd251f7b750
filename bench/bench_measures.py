"""Hand strength measures: all hands of a board at once, against hand by hand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bench import Row, interleaved
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import COMBOS, blocked
from pokerlab.cards.measures import board_measures, hand_measures, immediate_ranks

BOARDS = {"river": "Th7h2c5dKs", "turn": "Th7h2c5d", "flop": "Th7h2c"}
SAMPLE = 8  # hands measured one by one; their time is scaled to all hands of the board


def measure() -> Iterator[Row]:
    """Every measure of every hand, in seconds for a board; one thread."""
    for street, text in BOARDS.items():
        board = FULL_DECK.cards(text)
        live = COMBOS[~blocked(board)].tolist()
        sample = [live[i] for i in np.linspace(0, len(live) - 1, SAMPLE).astype(int)]

        def one_by_one(board: list[int] = board, sample: list[list[int]] = sample) -> None:
            for hand in sample:
                hand_measures(hand, board)

        seconds = interleaved(
            {
                "all": lambda board=board: board_measures(board),
                "rank": lambda board=board: immediate_ranks(board),
                "one by one": one_by_one,
            }
        )
        pairwise = seconds["one by one"] / SAMPLE * len(live)
        yield Row(f"{street}: every measure of {len(live)} hands", seconds["all"], pairwise, "pair by pair", unit="s")
        yield Row(f"{street}: immediate rank of {len(live)} hands", seconds["rank"], unit="s")
