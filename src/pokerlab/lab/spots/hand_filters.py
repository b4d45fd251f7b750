"""Parts of a range: suited hands, pairs, hands with a card of a suit."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from pokerlab.cards.card import SUITS
from pokerlab.cards.combos import COMBOS
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadSetting

_SUITS, _RANKS = COMBOS % 4, COMBOS // 4  # [1326, 2]
_PAIR, _SUITED = _RANKS[:, 0] == _RANKS[:, 1], _SUITS[:, 0] == _SUITS[:, 1]
_NAMES = {"s": "a spade", "h": "a heart", "d": "a diamond", "c": "a club"}
FILTERS: Mapping[str, np.ndarray] = MappingProxyType(  # [1326] bool
    {"pairs": _PAIR, "suited": _SUITED, "offsuit": ~_PAIR & ~_SUITED}
    | {f"with {_NAMES[letter]}": np.any(number == _SUITS, axis=1) for number, letter in enumerate(SUITS)}
)


def keep(held: Range, name: str) -> Range:
    """The hands of a range that a filter lets pass.

    >>> keep(Range.parse("AA,AKs"), "with a spade").count
    4.0
    """
    if name not in FILTERS:
        raise BadSetting(f"hands are filtered by {', '.join(FILTERS)}, not by {name[:40]!r}")
    return Range(np.where(FILTERS[name], held.weights, 0.0))
