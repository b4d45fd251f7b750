"""The distribution of the final hand strength over all run-outs, in equal bins of 0 to 1.

Hands are compared by the earth mover's distance between these (Johanson et al. 2013), which in one dimension is the sum
of absolute differences of the cumulative histograms: `counts` gives them as small integers, optionally cumulative.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.feature import SummedFeature
from pokerlab.abstraction.features.final_hands import FinalHands
from pokerlab.abstraction.features.run_outs import RoundBoards, SumKernel
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch

if TYPE_CHECKING:
    from pokerlab.abstraction.features._kernels.showdown import Final, Holdings

_MOST_BINS = 1000


@dataclass(frozen=True)
class Histogram(SummedFeature):
    """The probability of each bin; with `cumulative`, of this bin or a lower one."""

    bins: int = 50
    cumulative: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.bins <= _MOST_BINS:
            raise BadSetting(f"a histogram has 1 to {_MOST_BINS} bins, not {self.bins}")

    def dims(self, cards: CardRounds, round: int) -> int:
        return self.bins

    def sum_kernel(self, cards: CardRounds) -> SumKernel:
        return partial(_add_histograms, 2 * FinalHands.of(cards).opponents)

    def _accumulated(self, sums: np.ndarray) -> np.ndarray:
        return np.cumsum(sums, axis=1) if self.cumulative else sums

    def features_from(self, sums: np.ndarray, cards: CardRounds, round: int) -> np.ndarray:
        return (self._accumulated(sums) / float(RoundBoards(cards, round).run_outs)).astype(np.float32)

    def count_type(self, cards: CardRounds, round: int) -> np.dtype[Any]:
        """The smallest type that holds the number of run-outs: uint8 on the turn."""
        return np.min_scalar_type(RoundBoards(cards, round).run_outs)

    def counts(self, cards: CardRounds, round: int, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
        """Run-outs of every hand by bin.  # [hand, bins]"""
        from pokerlab.abstraction.features._kernels.sums import scatter

        counts = np.empty((cards.hands(round), self.bins), self.count_type(cards, round))
        for indices, sums in self.sums(cards, round, threads=threads, watch=watch):
            scatter(indices, self._accumulated(sums).astype(counts.dtype), counts)
        return counts

    def counts_of(self, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        """Run-outs of some hands by bin.  # [n, cards] uint8 -> [n, bins]"""
        return self._accumulated(self.sums_of(cards, round, hands)).astype(self.count_type(cards, round))


def _add_histograms(most: int, final: Final, holdings: Holdings, sums: np.ndarray) -> None:
    from pokerlab.abstraction.features._kernels.sums import add_histograms

    add_histograms(final, holdings, most, sums)
