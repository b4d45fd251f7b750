"""Hand strength measures: all hands of a board at once, against hand by hand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from bench import Row, interleaved
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import COMBOS, blocked
from pokerlab.cards.measures import board_measures, hand_measures, immediate_ranks

BOARDS = {"turn": "Th7h2c5d", "flop": "Th7h2c"}
QUICK = {"SAMPLE": 1}
SAMPLE = 8  # hands measured one by one; their time is scaled to all hands of the board


def measure() -> Iterator[Row]:
    """Every measure of every hand, in seconds for a board; one thread."""
    for street, text in BOARDS.items():
        board = FULL_DECK.cards(text)
        live = COMBOS[~blocked(board)].tolist()
        sample = [live[i] for i in np.linspace(0, len(live) - 1, SAMPLE).astype(int)]
        contenders = {"all": partial(board_measures, board), "sample": partial(_one_by_one, sample, board)}
        seconds = interleaved(contenders)
        pairwise = seconds["sample"] / SAMPLE * len(live)
        yield Row(f"{street}: every measure of {len(live)} hands", seconds["all"], pairwise, "pair by pair", unit="s")
    river = FULL_DECK.cards("Th7h2c5dKs")
    seconds = interleaved({"rank": partial(immediate_ranks, river)}, repeats=101)
    yield Row("river: rank of 1081 hands", seconds["rank"], unit="s")


def _one_by_one(hands: list[list[int]], board: list[int]) -> None:
    for hand in hands:
        hand_measures(hand, board)
