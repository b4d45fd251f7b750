"""The cards of a spot: two hands from two ranges that share no card, the board, and the cards still to come.

The probability of a pair of hands is proportional to the product of their weights, among pairs that share no card with
each other or with the board; the rest of the board comes from the remaining deck.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pokerlab.cards.combos import COMBOS
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadRange
from pokerlab.games.poker.dealing import Dealing
from pokerlab.games.poker.state import State
from pokerlab.games.spot.spot import Spot


class Pairs(NamedTuple):
    """Every pair of hands that can be dealt. P pairs."""

    hands: np.ndarray  # [P, 4] uint8: the first player's two cards and the second's, the higher card first
    probability: np.ndarray  # [P] float64
    running: np.ndarray  # [P] float64: cumulative probabilities


@lru_cache(maxsize=4)
def pairs_of(first: Range, second: Range, board: tuple[int, ...]) -> Pairs:
    """The pairs of hands of two ranges on a board; raises BadRange if there are none."""
    ranges = [held.without(board) for held in (first, second)]
    combos = [held.combos for held in ranges]
    # only proportions matter, and products of very small weights would underflow
    weights = [
        held.weights[chosen] / held.weights.max(initial=1e-300) for held, chosen in zip(ranges, combos, strict=True)
    ]
    masks = [(np.uint64(1) << COMBOS[chosen].astype(np.uint64)).sum(axis=1, dtype=np.uint64) for chosen in combos]
    joint = np.where(masks[0][:, None] & masks[1] == 0, np.multiply.outer(*weights), 0.0)  # [hand, hand]
    rows, columns = np.nonzero(joint)
    if not len(rows):
        raise BadRange("no hand of one range can be held beside a hand of the other: they share a card, all of them")
    probability = joint[rows, columns] / joint[rows, columns].sum()
    hands = np.hstack([COMBOS[combos[0][rows]][:, ::-1], COMBOS[combos[1][columns]][:, ::-1]])
    return Pairs(hands, probability, np.cumsum(probability))


class SpotDealing(Dealing):
    """How the cards of one spot are dealt."""

    def __init__(self, spot: Spot) -> None:
        super().__init__(spot.rules)
        self._spot = spot

    @property
    def pairs(self) -> Pairs:
        """The pairs of hands that can be dealt; computed on first use."""
        return pairs_of(*self._spot.ranges, self._spot.board)

    def deals(self, rng: np.random.Generator, count: int) -> list[tuple[int, ...]]:
        """The cards of many hands."""
        board = np.array(self._spot.board)
        pairs = self.pairs
        drawn = np.searchsorted(pairs.running, rng.random(count) * pairs.running[-1], side="right")
        hands = pairs.hands[np.minimum(drawn, len(pairs.hands) - 1)].astype(np.int64)  # [count, 4]
        known = np.hstack([hands, np.broadcast_to(board, (count, len(board)))])
        coming = self.cards_in_deal - known.shape[1]
        if coming:
            order = rng.random((count, self._size))
            np.put_along_axis(order, known, 2.0, axis=1)  # sort after all others
            known = np.hstack([known, order.argsort(axis=1)[:, :coming]])
        return list(map(tuple, known.tolist()))

    def count(self, state: State) -> int:
        """The number of ways to deal the next cards."""
        return super().count(state) if state.cards else len(self.pairs.hands)

    def every(self, state: State) -> Iterator[tuple[int, ...]]:
        """Every possible deal of the next cards."""
        if state.cards:
            return super().every(state)
        return (tuple(hands) + self._spot.board for hands in self.pairs.hands.tolist())

    def sample(self, state: State, rng: np.random.Generator) -> tuple[int, ...]:
        """One deal of the next cards, drawn at random."""
        return super().sample(state, rng) if state.cards else self.deals(rng, 1)[0][: self.needed[0]]
