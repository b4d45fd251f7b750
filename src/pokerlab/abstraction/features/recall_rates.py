"""Win rates of a hand now and in the earlier rounds: the k-recall winrate feature.

Fu, Yin, Liu, Xu and Huang, "KrwEmd: revising the imperfect-recall abstraction from forgetting everything" (arXiv
2511.12089, 2025), following an earlier manuscript: the rate of a round is the distribution over losing, tying and
winning at the showdown, over all run-outs from there; the feature is the rate of the current round, then of each
earlier round, latest first. The paper's distance is a weighted sum over rounds of the earth mover's distances between
rates, with losing, tying and winning on a line. If there are fewer rounds than `recall`, all are included.

What a hand was before the latest cards is known only if the order of the board is remembered, or if there was no board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.feature import Block, Feature, SummedFeature, check_round, checked_hands
from pokerlab.abstraction.features.final_hands import FinalHands
from pokerlab.abstraction.features.run_outs import RoundBoards, SumKernel
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch


@dataclass(frozen=True)
class Rates(SummedFeature):
    """The probabilities of losing, tying and winning."""

    def dims(self, cards: CardRounds, round: int) -> int:
        return 3

    def sum_count(self, cards: CardRounds) -> int:
        return 2

    def sum_kernel(self, cards: CardRounds) -> SumKernel:
        from pokerlab.abstraction.features._kernels.sums import add_rates

        return cast(SumKernel, add_rates)

    def features_from(self, sums: np.ndarray, cards: CardRounds, round: int) -> np.ndarray:
        """Losses, ties and wins over the number of opponents."""
        total = FinalHands.of(cards).opponents * RoundBoards(cards, round).run_outs
        outcomes = np.column_stack([total - sums.sum(1), sums[:, 1], sums[:, 0]])
        return (outcomes / float(total)).astype(np.float32)


@dataclass(frozen=True)
class RecallRates(Feature):
    """Rates of the current round and of `recall` earlier rounds."""

    recall: int = 1

    def __post_init__(self) -> None:
        if self.recall < 0:
            raise BadSetting(f"the rounds recalled are 0 or more, not {self.recall}")

    def dims(self, cards: CardRounds, round: int) -> int:
        return 3 * len(self._rounds(cards, round))

    def of(self, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        hands, rounds = checked_hands(cards, round, hands), self._rounds(cards, round)
        return np.concatenate([Rates().of(cards, r, cards.up_to(r, hands)) for r in rounds], axis=1)

    def blocks(self, cards: CardRounds, round: int, *, threads: int = 1, watch: Watch = SILENT) -> Iterator[Block]:
        """The rates of all hands; those of the earlier rounds are looked up in tables."""
        rounds = self._rounds(cards, round)
        tables = {r: Rates().every(cards, r, threads=threads) for r in rounds[1:]}
        for indices, now in Rates().blocks(cards, round, threads=threads, watch=watch):
            hands = cards.indexer(round).unindex_batch(indices)
            before = [tables[r][cards.index(r, cards.up_to(r, hands))] for r in rounds[1:]]
            yield indices, np.concatenate([now, *before], axis=1)

    def _rounds(self, cards: CardRounds, round: int) -> list[int]:
        """The rounds whose rates are included; BadSetting if one cannot be known."""
        check_round(cards, round)
        rounds = list(range(round, max(round - self.recall, 0) - 1, -1))
        for before in rounds:
            if not cards.ordered and 0 < cards.boards[before] < cards.boards[round]:
                raise BadSetting(
                    f"what a hand of round {round} was in round {before} is not known where the order of the board is"
                    " forgotten: keep the order, or recall fewer rounds"
                )
        return rounds
