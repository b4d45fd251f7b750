"""How large a spot is before it is laid out: nodes, infosets, memory, and about how long it will take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import COMBOS
from pokerlab.errors import TooLarge
from pokerlab.games.poker.betting_tree import Node, walk
from pokerlab.games.spot.spot import Spot
from pokerlab.tree.forecast import available_memory, bytes_text, count_text
from pokerlab.tree.public.boards import BLOCK, Cards, enumerate_boards, kept_symmetries
from pokerlab.tree.public.spot import HANDS, symmetries
from pokerlab.tree.public.treeplex import Place, compile_betting, padded

SECONDS_A_SLOT = 3.5e-9  # of one iteration on one thread, as measured by bench/bench_spot.py
SECONDS_A_BOARD = 40e-6
BYTES = {"float32": 8, "int16": 4}  # a slot: regret and average
BYTES_A_HAND = 24  # of each player on a board


@dataclass(frozen=True)
class SpotForecast:
    """The size of a spot, symmetric boards counted once, and an estimate of the work to a target."""

    nodes: int
    infosets: int
    bytes: float
    iterations: float
    seconds: float
    slots: int  # (infoset, action) pairs that a solver stores, hands filled up to whole blocks

    def text(self) -> str:
        """As people read it."""
        return (
            f"{count_text(self.nodes)} nodes, {count_text(self.infosets)} infosets, {bytes_text(self.bytes)}; "
            f"about {count_text(self.iterations)} iterations"
        )

    def check(self, *, memory: float | None = None) -> None:
        """Refuse what does not fit, with its size and what would."""
        limit = available_memory() * 0.9 if memory is None else memory
        if self.bytes > limit:
            raise TooLarge(
                f"this spot needs {bytes_text(self.bytes)} ({count_text(self.nodes)} nodes), and {bytes_text(limit)} "
                "can be used; store int16 (half the memory), drop bet sizes, cap the raises, narrow the ranges, "
                "or start on a later street"
            )


def forecast(
    spot: Spot,
    *,
    storage: str = "float32",
    threads: int = 1,
    target_percent: float = 0.3,
    symmetric: bool = True,
    alike: Sequence[np.ndarray] = (),
) -> SpotForecast:
    """The size of a spot, without laying it out; `symmetric` and `alike` as in Spot.tree."""
    betting = spot.betting
    places: dict[Node, Place] = {}
    plexes = compile_betting(betting, len(spot.streets), places)
    weights = (spot.ranges[0].without(spot.board).weights, spot.ranges[1].without(spot.board).weights)
    cards = Cards(HANDS, weights, FULL_DECK.size, spot.board, (1,) * (len(spot.streets) - 1))
    rounds = enumerate_boards(cards, kept_symmetries(symmetries(symmetric=symmetric, alike=alike), cards))
    nodes = sum(len(rounds[places[node].round]) for node in walk(betting))
    infosets, size, slots, boards = 0, 0.0, 0, sum(len(level) for level in rounds)
    for level, pair in zip(rounds, plexes, strict=True):
        for plex, held in zip(pair, weights, strict=True):
            counts = _counts(held > 0, np.array([board.cards for board in level]))
            rows = padded(int(counts.max()), BLOCK)
            infosets += plex.nodes * int(counts.sum())
            slots += len(level) * rows * plex.slots
            size += len(level) * rows * BYTES_A_HAND
    size += slots * BYTES[storage]
    iterations = max(20.0, 90.0 * (0.5 / max(target_percent, 1e-6)) ** 0.75)
    seconds = iterations * (slots * SECONDS_A_SLOT + boards * SECONDS_A_BOARD) / min(threads, max(1, boards // 2))
    return SpotForecast(nodes, infosets, size, iterations, seconds, slots)


def _counts(live: np.ndarray, boards: np.ndarray) -> np.ndarray:
    """[board] How many live hands meet none of a board's cards."""
    held = np.zeros((52, 52))
    low, high = COMBOS[live].T.astype(np.int64)
    held[low, high] = 1
    held += held.T
    meeting = held.sum(axis=1)[boards].sum(axis=1)
    among = sum(held[boards[:, i], boards[:, j]] for i in range(boards.shape[1]) for j in range(i))
    return np.asarray(live.sum() - meeting + among)
