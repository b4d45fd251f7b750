"""Five-card draw, exactly: how strong each hand is, which cards it should exchange, and what an exchange promises.

Everything is told of the 134,459 hands of five cards that differ by more than names of suits, numbered as
`HandIndexer((5,))` numbers them. A set of discards is a mask: bit i stands for card i of the hand as `unindex` gives
it, the highest first. `in_canonical_order` puts the cards of any hand in the order of its canonical one.

- `ahead`, `tied`: of the C(47, 5) = 1,533,939 hands that an opponent may hold, those that are weaker and equal now,
  counted by their ranks and corrected for flushes (cards/rank_hands.py).
- `improved`: for each of the 32 masks, the mean strength after the draw, over every way to be dealt the new cards.
  The strength of the new hand is again that of five cards against the other 47: the cards thrown away are not dealt to
  us again, but an opponent may hold them. That is how a player sees it who looks at his five cards alone, as the
  players of Ee (appendix C) do.
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
_EDITION = 1
_BLOCK = 4096  # hands that are measured together
_PAT = ("straight flush", "full house", "flush", "straight")


@dataclass(frozen=True, eq=False)
class DrawMeasures:
    """Measures of every five-card hand up to renaming of suits."""

    classes: np.ndarray  # [hand] uint16: strength, 1 the best
    ahead: np.ndarray  # [hand] int32: opposing hands that are weaker
    tied: np.ndarray  # [hand] int32
    improved: np.ndarray  # [hand, mask] float64: mean strength after throwing the cards of a mask
    best: np.ndarray  # [hand] uint8: the mask of the greatest mean strength after the draw
    made: np.ndarray  # [hand] uint8: the mask that keeps the current highest hand and throws all other cards

    @property
    def strength(self) -> np.ndarray:
        """Hand strength [hand]: the share of opposing hands that are behind, ties one half."""
        return np.asarray((self.ahead + self.tied / 2) / OPPOSING)


@cache
def draw_measures() -> DrawMeasures:
    """The measures of all hands, computed once (some seconds) and kept in the store."""
    kept = store.computed("five-card-draw", _measured, kind="five-card draw measures", edition=_EDITION)
    return DrawMeasures(**kept.arrays)


@cache
def hand_indexer() -> HandIndexer:
    """The numbers of the hands."""
    return HandIndexer((HAND,))


@cache
def all_hands() -> np.ndarray:
    """The canonical hand of every number, the highest card first.  # [hand, 5] uint8"""
    return hand_indexer().unindex_batch(np.arange(hand_indexer().size()))


def _measured() -> dict[str, np.ndarray]:
    hands = all_hands()
    classes = strengths(hands, check=False)
    ahead, tied = _opposing(hands, classes)
    improved = _improved(hands, 2 * ahead.astype(np.int64) + tied)
    return {
        "classes": classes,
        "ahead": ahead,
        "tied": tied,
        "improved": improved,
        "best": _best(improved),
        "made": _made(hands, classes),
    }


def _opposing(hands: np.ndarray, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How many opposing hands are weaker than each hand, and how many are of its class.  # [hand] int32 each"""
    from pokerlab.cards._kernels.rank_hands import met_by_rows

    order = np.lexsort((hands // 4).T)  # equal ranks together
    sorted_hands, sorted_classes = hands[order], classes[order].astype(np.int64)
    found = np.zeros((2, len(hands)), np.int32)
    tables = rank_tables()

    def block(first: int) -> None:
        some = slice(first, first + _BLOCK)
        met_by_rows(sorted_hands[some], sorted_classes[some], tables, found[0, some], found[1, some])

    list(parallel.run(block, range(0, len(hands), _BLOCK)))
    counts = np.empty_like(found)
    counts[:, order] = found
    return counts[0], counts[1]


def _improved(hands: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The mean strength after each mask, of twice the wins plus the ties of every hand.  # [hand, mask] float64"""
    numbers = HandNumbers(FULL_DECK, HAND)
    lowest_first = numbers.draw_means(scores[numbers.canonical][:, None], hands[:, ::-1], unit=2 * OPPOSING)[:, :, 0]
    reverse = [sum((mask >> card & 1) << (HAND - 1 - card) for card in range(HAND)) for mask in range(MASKS)]
    return np.ascontiguousarray(lowest_first[:, reverse])


def _best(improved: np.ndarray) -> np.ndarray:
    """The mask of the greatest mean, of equal ones the one that throws the fewest cards.  # [hand] uint8"""
    order = sorted(range(MASKS), key=lambda mask: (mask.bit_count(), mask))
    return np.asarray(np.array(order, np.uint8)[improved[:, order].argmax(axis=1)])


def _made(hands: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The mask that keeps pairs, threes and fours, whole straights and better, or the highest card.  # [hand] uint8"""
    ranks = hands // 4
    alone = (ranks[:, :, None] == ranks[:, None, :]).sum(2) == 1
    alone[alone.all(axis=1), 0] = False  # without a pair the highest card is the hand
    categories = HIGH().order.categories
    place = np.searchsorted(HIGH().category_ends, classes)  # [hand]: of its category
    alone[np.isin(place, [categories.index(category) for category in _PAT])] = False
    return np.asarray((alone << np.arange(HAND)).sum(1), np.uint8)
