"""The size of a public form before it is built: nodes, infosets, memory, and approximate solving time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from pokerlab.errors import TooLarge
from pokerlab.games.poker.betting_tree import walk
from pokerlab.games.spot.spot import Spot
from pokerlab.tree.forecast import available_memory, bytes_text, count_text
from pokerlab.tree.form import FormSize
from pokerlab.tree.public.boards import BLOCK, Cards, enumerate_boards, preserved_symmetries
from pokerlab.tree.public.layout import BYTES_A_HAND, Outline, live_weights, two_cards
from pokerlab.tree.public.packing import BYTES_A_SLOT as BYTES_ALONE
from pokerlab.tree.public.spot import outline_of
from pokerlab.tree.public.treeplex import compile_betting, padded

SECONDS_A_SLOT = 3.5e-9  # of one iteration on one thread, as measured by bench/bench_spot.py
SECONDS_A_BOARD = 40e-6
BYTES = {"float32": 8, "int16": 4}  # a slot: regret and average, in memory and in a file
MOST_ENUMERATED = 200_000  # boards; more of them are estimated by the number of symmetries


@dataclass(frozen=True)
class PublicSize(FormSize):
    """The size of a public form, symmetric boards counted once."""

    slots: int  # (infoset, action) pairs that a solver stores, with hands padded to whole blocks
    boards: int

    def check(self, *, memory: float | None = None) -> None:
        """Raise if it does not fit, with its size and what would fit."""
        limit = available_memory() * 0.9 if memory is None else memory
        if self.bytes > limit:
            raise TooLarge(
                f"the public form needs {bytes_text(self.bytes)} ({count_text(self.nodes)} nodes), more "
                f"than the {bytes_text(limit)} available; store int16 (half the memory), drop bet sizes, cap the "
                "raises, narrow the ranges, or start on a later street"
            )


@dataclass(frozen=True)
class SpotForecast(PublicSize):
    """The size of a spot, and an estimate of the work to a target."""

    iterations: float
    seconds: float

    def text(self) -> str:
        return f"{super().text()}; roughly {_range_text(self.iterations)} iterations"


def _range_text(iterations: float) -> str:
    """From half to twice an estimate, to two digits.

    >>> _range_text(301)
    '150 to 600'
    """
    low, high = (count_text(float(f"{factor * iterations:.2g}")) for factor in (0.5, 2))
    return f"{low} to {high}"


def file_bytes(slots: int, *, storage: str = "float32") -> tuple[int, int]:
    """The file size of a public form with this many slots: with the solver's state, and for the strategy alone."""
    return slots * BYTES[storage], round(slots * BYTES_ALONE)


def size_of(outline: Outline, *, storage: str = "float32") -> PublicSize:
    """The size of a public form, without building it."""
    plexes, places = compile_betting(outline.betting, len(outline.deals) + 1)
    hand_cards, tokens = two_cards(outline.hands, outline.deck.size)
    weights = live_weights(outline, hand_cards)
    cards = Cards(outline.hands, weights, outline.deck.size, outline.board, outline.deals)
    symmetries = preserved_symmetries(outline.symmetries, cards)
    counts = _board_counts(cards)
    if counts[-1] > MOST_ENUMERATED:  # nearly all boards have as many images as there are symmetries
        counts = [max(1, round(count / max(len(symmetries), 1))) for count in counts]
        hands = [[(len(outline.hands), len(outline.hands) * count)] * 2 for count in counts]
    else:
        rounds = enumerate_boards(cards, symmetries)
        counts = [len(boards) for boards in rounds]
        dealt = [np.array([board.cards for board in boards]) for boards in rounds]
        hands = [[_hands_on(boards, hand_cards[w > 0], tokens) for w in weights] for boards in dealt]
    infosets = slots = seated = 0
    for pair, count, of_players in zip(plexes, counts, hands, strict=True):
        for plex, (most, total) in zip(pair, of_players, strict=True):
            rows = padded(most, BLOCK)
            infosets += plex.nodes * total
            slots += count * rows * plex.slots
            seated += count * rows
    nodes = sum(counts[places[node].round] for node in walk(outline.betting))
    return PublicSize(nodes, infosets, slots * BYTES[storage] + seated * BYTES_A_HAND, slots, sum(counts))


def _board_counts(cards: Cards) -> list[int]:
    """[round] The number of boards, without suit isomorphism."""
    counts, left = [1], cards.deck_size - len(cards.board)
    for count in cards.deals:
        counts.append(counts[-1] * comb(left, count))
        left -= count
    return counts


def forecast(
    spot: Spot,
    *,
    storage: str = "float32",
    threads: int = 1,
    target_percent: float = 0.3,
    symmetric: bool = True,
    preserved: Sequence[np.ndarray] = (),
) -> SpotForecast:
    """The size of a spot, without building it, and the work to a target; other settings as in spot_tree."""
    size = size_of(outline_of(spot, symmetric=symmetric, preserved=preserved), storage=storage)
    iterations = max(20.0, 90.0 * (0.5 / max(target_percent, 1e-6)) ** 0.75)
    shared = min(threads, max(1, size.boards // 2))
    seconds = iterations * (size.slots * SECONDS_A_SLOT + size.boards * SECONDS_A_BOARD) / shared
    return SpotForecast(**vars(size), iterations=iterations, seconds=seconds)


def _hands_on(boards: np.ndarray, hand_cards: np.ndarray, tokens: int) -> tuple[int, int]:
    """The number of these hands [hand, 2] that share no card with a board: the most of any, and the sum."""
    held = np.zeros((tokens, tokens))
    low, high = hand_cards.T.astype(np.int64)
    held[low, high] = 1
    held += held.T
    boards = boards.astype(np.int64)
    meeting = held.sum(axis=1)[boards].sum(axis=1)
    among = sum((held[boards[:, i], boards[:, j]] for i in range(boards.shape[1]) for j in range(i)), np.zeros(1))
    counts = len(hand_cards) - meeting + among
    return int(counts.max()), int(counts.sum())
