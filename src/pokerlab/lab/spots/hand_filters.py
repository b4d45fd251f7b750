"""Parts of a range: suited hands, pairs, hands with a card of a suit, and what hands have made on a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from pokerlab.cards.card import SUITS
from pokerlab.cards.categories import CATEGORIES, categories
from pokerlab.cards.combos import COMBOS
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadSetting

_SUITS, _RANKS = COMBOS % 4, COMBOS // 4  # [1326, 2]
_PAIR, _SUITED = _RANKS[:, 0] == _RANKS[:, 1], _SUITS[:, 0] == _SUITS[:, 1]
FLOP = 3  # cards
_NAMES = {"s": "a spade", "h": "a heart", "d": "a diamond", "c": "a club"}
FILTERS: Mapping[str, np.ndarray] = MappingProxyType(  # [1326] bool
    {"pairs": _PAIR, "suited": _SUITED, "offsuit": ~_PAIR & ~_SUITED}
    | {f"with {_NAMES[letter]}": np.any(number == _SUITS, axis=1) for number, letter in enumerate(SUITS)}
)


def filters_on(board: Sequence[int]) -> tuple[str, ...]:
    """The names of the filters on a board; categories such as "top pair" need a flop."""
    return (*FILTERS, *(CATEGORIES if len(board) >= FLOP else ()))


def keep(held: Range, name: str, *, board: Sequence[int] = (), remove: bool = False) -> Range:
    """The hands of a range that a filter lets pass, or with `remove` the others.

    >>> from pokerlab.cards.card import FULL_DECK
    >>> keep(Range.parse("AA,AKs"), "with a spade").count, keep(Range.parse("AA,AKs"), "suited", remove=True).count
    (4.0, 6.0)
    >>> keep(Range.parse("AK,QQ"), "top pair", board=FULL_DECK.cards("Kh7h2c")).count  # without the king of hearts
    12.0
    """
    if name not in filters_on(board):
        raise BadSetting(f"hands are filtered by {', '.join(filters_on(board))}, not by {name[:40]!r}")
    passes = FILTERS[name] if name in FILTERS else _of_category(held, name, board)
    return Range(np.where(passes != remove, held.weights, 0.0))


def _of_category(held: Range, name: str, board: Sequence[int]) -> np.ndarray:
    """The hands of a range [1326] that are of a category on a board; those that the board makes impossible are not."""
    passes = np.zeros(len(COMBOS), bool)
    for number in np.flatnonzero(held.weights):
        hole = COMBOS[number].tolist()
        passes[number] = not set(hole) & set(board) and name in categories(hole, board)
    return passes
