"""The 1,326 two-card hands of the full deck in one fixed order, and their 169 classes.

Hand (a, b) with cards a < b has index b * (b - 1) / 2 + a. Class row * 13 + column is a cell of the usual grid: row and
column 0 are aces and 12 are deuces, suited hands are above the diagonal, offsuit hands below it, pairs on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from pokerlab.cards.card import FULL_DECK, RANKS
from pokerlab.errors import BadCards

COMBO_COUNT = 1326
CLASS_COUNT = 169


def combo_index(first: int, second: int) -> int:
    """The index of a two-card hand in the fixed order; the two cards may be in either order.

    >>> combo_index(51, 50)
    1325
    """
    low, high = (first, second) if first < second else (second, first)
    if not 0 <= low < high < 52:
        raise BadCards(f"a hand is two different cards 0 to 51 of the full deck, not {first} and {second}")
    return high * (high - 1) // 2 + low


def combo_indices(hands: np.ndarray) -> np.ndarray:
    """`combo_index` of each row of an array of hands [n, 2]."""
    pairs = np.asarray(hands).astype(np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise BadCards(f"hands are rows of two cards, an array [n, 2]; got one of shape {pairs.shape}")
    low, high = pairs.min(1), pairs.max(1)
    if ((low < 0) | (high > 51) | (low == high)).any():
        raise BadCards("hands may only hold two different cards 0 to 51 of the full deck")
    return np.asarray(high * (high - 1) // 2 + low)


def combo_name(index: int) -> str:
    """The text of a hand, higher card first.

    >>> combo_name(1325)
    'AsAh'
    """
    low, high = COMBOS[index]
    return FULL_DECK.text([high, low])


@cache
def combo_names() -> tuple[str, ...]:
    """The text of every hand: [1326]."""
    return tuple(map(combo_name, range(COMBO_COUNT)))


def renamed_combos(suits: Sequence[int]) -> np.ndarray:
    """The image of each hand when suits are renamed, given the new suit of each: [1326]."""
    return combo_indices(COMBOS // 4 * 4 + np.array(suits, np.uint8)[COMBOS % 4])


def blocked(cards: Iterable[int]) -> np.ndarray:
    """Which hands hold one of these cards: [1326] bool."""
    dead = np.zeros(52, np.bool_)
    for card in cards:
        FULL_DECK.name(int(card))
        dead[int(card)] = True
    return np.asarray(dead[COMBOS].any(1))


def class_of(high_rank: int, low_rank: int, *, suited: bool) -> int:
    """The class of two ranks (0 is the deuce); `suited` is ignored for a pair.

    >>> CLASS_NAMES[class_of(12, 11, suited=True)]
    'AKs'
    """
    row, column = 12 - max(high_rank, low_rank), 12 - min(high_rank, low_rank)
    return row * 13 + column if suited else column * 13 + row


def _class_name(row: int, column: int) -> str:
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


_PAIRS = [(low, high) for high in range(52) for low in range(high)]
COMBOS: np.ndarray = np.array(_PAIRS, np.uint8)  # [1326, 2]: the lower card first
COMBO_CLASS: np.ndarray = np.array(  # [1326]
    [class_of(b // 4, a // 4, suited=a % 4 == b % 4) for a, b in _PAIRS], np.uint8
)
CLASS_NAMES = tuple(_class_name(row, column) for row in range(13) for column in range(13))
CLASS_SIZES = np.bincount(COMBO_CLASS, minlength=CLASS_COUNT)  # [169]: 6, 4 or 12
CLASS_COMBOS = tuple(np.flatnonzero(number == COMBO_CLASS) for number in range(CLASS_COUNT))
for _table in (COMBOS, COMBO_CLASS, CLASS_SIZES, *CLASS_COMBOS):
    _table.setflags(write=False)
