"""Exact five-card draw: the strength of each hand, its best discard, and the prospects of a draw.

Arrays are over the 134,459 five-card hands up to suit isomorphism, in the order of `HandIndexer((5,))`. A set of
discards is a mask: bit i stands for card i of the hand as `unindex` gives it, the highest first. `in_canonical_order`
puts the cards of any hand in the order of its canonical one.

- `ahead`, `tied`: of the C(47, 5) = 1,533,939 possible opposing hands, those that are weaker and equal now, counted by
  their ranks and corrected for flushes (cards/rank_hands.py).
- `improved`: for each of the 32 masks, the mean strength after the draw, over all possible new cards. The strength of
  the new hand is again that of five cards against the other 47: the discards are not dealt to us again, but an opponent
  may hold them. A player who looks only at their five cards sees it so, as the players of Ee (appendix C) do.
- `potential`: the positive potential of Ee's appendix C, here exact; see draw_potential.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from pokerlab import parallel, store
from pokerlab.cards.canonical import HandIndexer
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.hand_numbers import HandNumbers
from pokerlab.cards.rank_hands import HAND, rank_tables
from pokerlab.cards.strength import HIGH, strengths

MASKS = 1 << HAND
OPPOSING = comb(47, HAND)  # hands of an opponent
_BLOCK = 4096  # hands per batch
_PAT = ("straight flush", "full house", "flush", "straight")


@dataclass(frozen=True, eq=False)
class DrawMeasures:
    """Measures of every five-card hand up to suit isomorphism."""

    classes: np.ndarray  # [hand] uint16: strength, 1 the best
    ahead: np.ndarray  # [hand] int32: opposing hands that are weaker
    tied: np.ndarray  # [hand] int32
    improved: np.ndarray  # [hand, mask] float64: mean strength after discarding the cards of a mask
    best: np.ndarray  # [hand] uint8: the mask with the largest mean strength after the draw
    made: np.ndarray  # [hand] uint8: the mask that holds the cards of the made hand and discards all others

    @property
    def strength(self) -> np.ndarray:
        """Hand strength [hand]: the share of opposing hands that are behind, ties one half."""
        return np.asarray((self.ahead + self.tied / 2) / OPPOSING)


@cache
def draw_measures() -> DrawMeasures:
    """The measures of all hands, computed once (a few seconds) and saved in the store."""
    saved = store.computed("five-card-draw", _measured, kind="five-card draw measures", edition=1)
    return DrawMeasures(**saved.arrays)


@cache
def hand_indexer() -> HandIndexer:
    """The indexer of the hands."""
    return HandIndexer((HAND,))


@cache
def all_hands() -> np.ndarray:
    """The canonical hand of every index, the highest card first.  # [hand, 5] uint8"""
    return hand_indexer().unindex_batch(np.arange(hand_indexer().size()))


def _measured() -> dict[str, np.ndarray]:
    hands = all_hands()
    classes = strengths(hands, check=False)
    ahead, tied = _opposing(hands, classes)
    improved = _improved(hands, 2 * ahead.astype(np.int64) + tied)
    fewest = sorted(range(MASKS), key=lambda mask: (mask.bit_count(), mask))  # ties go to the fewest discards
    return {
        "classes": classes,
        "ahead": ahead,
        "tied": tied,
        "improved": improved,
        "best": np.asarray(np.array(fewest, np.uint8)[improved[:, fewest].argmax(axis=1)]),
        "made": _made(hands, classes),
    }


def _opposing(hands: np.ndarray, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The number of opposing hands that are weaker than each hand, and of the same class.  # [hand] int32 each"""
    from pokerlab.cards._kernels.rank_hands import count_by_rows

    order = np.lexsort((hands // 4).T)  # equal ranks adjacent
    sorted_hands, sorted_classes = hands[order], classes[order].astype(np.int64)
    sorted_counts = np.zeros((2, len(hands)), np.int32)
    tables = rank_tables()

    def block(first: int) -> None:
        some = slice(first, first + _BLOCK)
        count_by_rows(sorted_hands[some], sorted_classes[some], tables, *sorted_counts[:, some])

    list(parallel.run(block, range(0, len(hands), _BLOCK)))
    counts = np.empty_like(sorted_counts)
    counts[:, order] = sorted_counts
    return counts[0], counts[1]


def _improved(hands: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The mean strength after each mask, given twice the wins plus the ties of every hand.  # [hand, mask] float64"""
    numbers = HandNumbers(FULL_DECK, HAND)
    lowest_first = numbers.draw_means(scores[numbers.canonical][:, None], hands[:, ::-1], unit=2 * OPPOSING)[:, :, 0]
    reverse = [sum((mask >> card & 1) << (HAND - 1 - card) for card in range(HAND)) for mask in range(MASKS)]
    return np.ascontiguousarray(lowest_first[:, reverse])


def _made(hands: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The mask that holds pairs, threes and fours, whole straights and better, or the highest card.  # [hand] uint8"""
    ranks = hands // 4
    alone = (ranks[:, :, None] == ranks[:, None, :]).sum(2) == 1
    alone[alone.all(axis=1), 0] = False  # without a pair, hold the highest card
    categories = HIGH().order.categories
    place = np.searchsorted(HIGH().category_ends, classes)  # [hand]: index of its category
    alone[np.isin(place, [categories.index(category) for category in _PAT])] = False
    return np.asarray((alone << np.arange(HAND)).sum(1), np.uint8)
