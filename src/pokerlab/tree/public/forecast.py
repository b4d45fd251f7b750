"""The size of a public form before it is built: nodes, infosets, memory, and approximate solving time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from pokerlab.errors import TooLarge
from pokerlab.games.poker.betting_tree import Node, walk
from pokerlab.games.spot.spot import Spot
from pokerlab.tree.forecast import available_memory, bytes_text, count_text
from pokerlab.tree.form import FormSize
from pokerlab.tree.public.boards import BLOCK, Cards, enumerate_boards, kept_symmetries
from pokerlab.tree.public.layout import BYTES_A_HAND, Outline, live_weights, two_cards
from pokerlab.tree.public.packing import BYTES_A_SLOT as BYTES_ALONE
from pokerlab.tree.public.spot import outline_of
from pokerlab.tree.public.treeplex import BettingPlace, Treeplex, compile_betting, padded

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
                f"the public form needs {bytes_text(self.bytes)} ({count_text(self.nodes)} nodes), and "
                f"{bytes_text(limit)} can be used; store int16 (half the memory), drop bet sizes, cap the raises, "
                "narrow the ranges, or start on a later street"
            )


@dataclass(frozen=True)
class SpotForecast(PublicSize):
    """The size of a spot, and an estimate of the work to a target."""

    iterations: float
    seconds: float

    def text(self) -> str:
        """The forecast as text."""
        return f"{super().text()}; about {count_text(self.iterations)} iterations"


def file_bytes(slots: int, *, storage: str = "float32") -> tuple[int, int]:
    """The file size of a public form with this many slots: with the solver's state, and for the strategy alone."""
    return slots * BYTES[storage], round(slots * BYTES_ALONE)


def size_of(outline: Outline, *, storage: str = "float32") -> PublicSize:
    """The size of a public form, without building it."""
    places: dict[Node, BettingPlace] = {}
    plexes = compile_betting(outline.betting, len(outline.deals) + 1, places)
    hand_cards, tokens = two_cards(outline.hands, outline.deck.size)
    weights = live_weights(outline, hand_cards)
    cards = Cards(outline.hands, weights, outline.deck.size, outline.board, outline.deals)
    symmetries = kept_symmetries(outline.symmetries, cards)
    if _most_boards(cards) > MOST_ENUMERATED:
        counts, held = _estimated(cards, len(symmetries)), [[len(outline.hands)] * 2 for _ in plexes]
        sums = [[count * hands for hands in pair] for count, pair in zip(counts, held, strict=True)]
    else:
        rounds = enumerate_boards(cards, symmetries)
        counts, held, sums = [len(level) for level in rounds], [], []
        for level in rounds:
            on_board = [_counts(hand_cards[w > 0], np.array([board.cards for board in level]), tokens) for w in weights]
            held.append([int(found.max()) for found in on_board])
            sums.append([int(found.sum()) for found in on_board])
    nodes = sum(counts[places[node].round] for node in walk(outline.betting))
    return _sized(plexes, nodes, counts, held, sums, BYTES[storage])


def _sized(
    plexes: Sequence[tuple[Treeplex, Treeplex]],
    nodes: int,
    counts: Sequence[int],  # [round] boards
    held: Sequence[Sequence[int]],  # [round][player] hands on a board, at most
    sums: Sequence[Sequence[int]],  # [round][player] hands on all boards
    slot_bytes: int,
) -> PublicSize:
    infosets = slots = seated = 0
    for pair, count, most, total in zip(plexes, counts, held, sums, strict=True):
        for plex, hands, of_all in zip(pair, most, total, strict=True):
            rows = padded(hands, BLOCK)
            infosets += plex.nodes * of_all
            slots += count * rows * plex.slots
            seated += count * rows
    return PublicSize(nodes, infosets, slots * slot_bytes + seated * BYTES_A_HAND, slots, sum(counts))


def _most_boards(cards: Cards) -> int:
    """The number of boards of the last round, without suit isomorphism."""
    boards, left = 1, cards.deck_size - len(cards.board)
    for count in cards.deals:
        boards *= comb(left, count)
        left -= count
    return boards


def _estimated(cards: Cards, symmetries: int) -> list[int]:
    """[round] The number of boards, assuming that nearly all have as many images as there are symmetries."""
    boards, left, found = 1.0, cards.deck_size - len(cards.board), [1]
    for count in cards.deals:
        boards *= comb(left, count)
        left -= count
        found.append(max(1, round(boards / max(symmetries, 1))))
    return found


def forecast(
    spot: Spot,
    *,
    storage: str = "float32",
    threads: int = 1,
    target_percent: float = 0.3,
    symmetric: bool = True,
    alike: Sequence[np.ndarray] = (),
) -> SpotForecast:
    """The size of a spot, without building it, and the work to a target; `symmetric` and `alike` as in spot_tree."""
    size = size_of(outline_of(spot, symmetric=symmetric, alike=alike), storage=storage)
    iterations = max(20.0, 90.0 * (0.5 / max(target_percent, 1e-6)) ** 0.75)
    shared = min(threads, max(1, size.boards // 2))
    seconds = iterations * (size.slots * SECONDS_A_SLOT + size.boards * SECONDS_A_BOARD) / shared
    return SpotForecast(**vars(size), iterations=iterations, seconds=seconds)


def _counts(hand_cards: np.ndarray, boards: np.ndarray, tokens: int) -> np.ndarray:
    """[board] The number of these hands [hand, 2] that share no card with a board."""
    held = np.zeros((tokens, tokens))
    low, high = hand_cards.T.astype(np.int64)
    held[low, high] = 1
    held += held.T
    boards = boards.astype(np.int64)
    meeting = held.sum(axis=1)[boards].sum(axis=1)
    among = sum((held[boards[:, i], boards[:, j]] for i in range(boards.shape[1]) for j in range(i)), np.zeros(1))
    return np.asarray(len(hand_cards) - meeting + among)
