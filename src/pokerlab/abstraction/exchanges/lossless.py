"""No abstraction: every hand is a bucket and every discard an action, both remembered. For small games."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pokerlab.abstraction.exchange_buckets import MOST_MEMORY, ExchangeBuckets, options_of_masks
from pokerlab.abstraction.exchange_cards import ExchangeCards, masks
from pokerlab.errors import TooLarge


def exchange() -> Callable[[ExchangeCards], ExchangeBuckets]:
    """Every hand is a bucket, and the hand and the discard are remembered; for small games."""
    return _make


def _make(cards: ExchangeCards) -> ExchangeBuckets:
    every = masks(cards.held, cards.most)
    if cards.hands**2 * len(every) > MOST_MEMORY:
        raise TooLarge(f"{cards.hands:,} hands are too many to remember each: choose by-draws, or no-suits")
    hands = np.arange(cards.hands, dtype=np.int32)
    memory = np.arange(cards.hands * len(every), dtype=np.int32).reshape(cards.hands, len(every))
    return ExchangeBuckets(
        cards, "lossless", options_of_masks(every), hands, np.array([every], np.uint8), hands, memory
    )
