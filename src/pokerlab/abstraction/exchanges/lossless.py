"""No abstraction: every hand is a bucket and every discard an action, both remembered. For small games."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pokerlab.abstraction.exchange_buckets import MOST_MEMORY, DiscardOption, ExchangeBuckets
from pokerlab.abstraction.exchange_cards import ExchangeCards, masks
from pokerlab.errors import TooLarge


def exchange() -> Callable[[ExchangeCards], ExchangeBuckets]:
    """Every hand is a bucket, and the hand and the discard are remembered; for small games."""
    return _made


def _made(cards: ExchangeCards) -> ExchangeBuckets:
    every = masks(cards.held, cards.most)
    if cards.hands**2 * len(every) > MOST_MEMORY:
        raise TooLarge(f"{cards.hands:,} hands are too many to remember each: choose by-draws, or no-suits")
    hands = np.arange(cards.hands, dtype=np.int32)
    options = tuple(DiscardOption(f"d{number}", mask.bit_count()) for number, mask in enumerate(every))
    memory = np.arange(cards.hands * len(options), dtype=np.int32).reshape(cards.hands, len(options))
    return ExchangeBuckets(cards, "lossless", options, hands, np.array([every], np.uint8), hands, memory)
