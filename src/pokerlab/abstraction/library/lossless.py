"""A class for every hand: nothing is lost."""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.buckets import LOSSLESS, MOST_LOSSLESS, RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.clusters import label_type
from pokerlab.abstraction.method import Arrays, ClusteringTask, Method
from pokerlab.errors import TooLarge


class Lossless(Method):
    """Each hand is its own class."""

    spec = LOSSLESS
    count = MOST_LOSSLESS
    is_nested = True

    def make_buckets(self, work: ClusteringTask) -> RoundBuckets:
        count = work.cards.hands(work.round)
        if count > MOST_LOSSLESS:
            raise TooLarge(f"round {work.round} has {count:,} hands, too many for a bucket each; choose emd:1000, say")
        return RoundBuckets(LOSSLESS, count, np.arange(count, dtype=label_type(count)))

    def place(self, arrays: Arrays, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        return cards.index(round, hands)


def method() -> Lossless:
    """Each hand is its own class."""
    return Lossless()
