"""Opponent cluster hand strength: the share of each cluster of the opponent's hands that loses to ours, ties half.

Johanson, Burch, Valenzano and Bowling, "Evaluating state-space abstractions in extensive-form games" (2013), cluster
the first-round hands of hold'em into eight. Here they are clustered by E[HS] before any board: the partition into
intervals with the least weighted squared distances, computed exactly. Before the last round an entry is the equity
against the cluster: the score over the number of opponents, both summed over all run-outs. A cluster that the opponent
cannot hold counts one half.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.feature import SummedFeature
from pokerlab.abstraction.features.final_hands import FinalHands
from pokerlab.abstraction.features.run_outs import SumKernel
from pokerlab.abstraction.features.strength import Strength
from pokerlab.errors import BadSetting

if TYPE_CHECKING:
    from pokerlab.abstraction.features._kernels.clusters import Lanes
    from pokerlab.abstraction.features._kernels.showdown import Final, Holdings

_MOST_CLUSTERS = 255


@dataclass(frozen=True)
class OpponentClusters(SummedFeature):
    """Strength against each cluster; the clusters are part of the value, and `of_game` computes them."""

    clusters: tuple[int, ...]  # [private cards up to suit isomorphism] the cluster, 0 the weakest

    def __post_init__(self) -> None:
        if not self.clusters or min(self.clusters) < 0 or max(self.clusters) >= _MOST_CLUSTERS:
            raise BadSetting(f"clusters of opponent's hands are numbered 0 to at most {_MOST_CLUSTERS - 1}, one a hand")
        if len(set(self.clusters)) != max(self.clusters) + 1:
            raise BadSetting("clusters of opponent's hands are numbered without gaps, and one of these has no hand")

    @staticmethod
    def of_game(cards: CardRounds, clusters: int = 8) -> OpponentClusters:
        """The hands of a game clustered by E[HS]; fewer clusters if there are fewer distinct strengths."""
        if not 1 <= clusters <= _MOST_CLUSTERS:
            raise BadSetting(f"there may be 1 to {_MOST_CLUSTERS} clusters of opponent's hands, not {clusters}")
        before = CardRounds(cards.deck, cards.private, (0, cards.boards[-1]), cards.showdown)
        strengths = Strength().every(before, 0)[:, 0].astype(np.float64)
        sizes = before.indexer(0).counts(np.arange(len(strengths)))
        values, which = np.unique(strengths, return_inverse=True)
        weights = np.bincount(which, sizes)
        return OpponentClusters(tuple(divided(values, weights, min(clusters, len(values)))[which].tolist()))

    @property
    def count(self) -> int:
        """The number of clusters."""
        return max(self.clusters) + 1

    def dims(self, cards: CardRounds, round: int) -> int:
        return self.count

    def sum_count(self, cards: CardRounds) -> int:
        return 2 * self.count

    def sum_kernel(self, cards: CardRounds) -> SumKernel:
        """Adds up the scores against each cluster, and the number of opponents in it."""
        from pokerlab.abstraction.features._kernels.clusters import Lanes

        indexer = cards.private_indexer
        if len(self.clusters) != indexer.size():
            raise BadSetting(
                f"these are clusters of {len(self.clusters)} hands, and this game deals {indexer.size()} different ones"
            )
        game = FinalHands.of(cards)
        clusters = np.array(self.clusters, np.int64)[indexer.index_batch(game.holdings.cards)]
        bits = 16 if 2 * game.opponents < 1 << 16 else 32
        words, places = np.divmod(clusters, 64 // bits)
        lanes = Lanes(bits, words, np.uint64(1) << (places * bits).astype(np.uint64))
        return partial(_add_clusters, lanes)

    def features_from(self, sums: np.ndarray, cards: CardRounds, round: int) -> np.ndarray:
        """Scores over the largest possible scores."""
        scores, opponents = sums[:, : self.count], sums[:, self.count :]
        shares = np.full(scores.shape, 0.5)
        np.divide(scores, 2.0 * opponents, out=shares, where=opponents > 0)
        return shares.astype(np.float32)


def _add_clusters(lanes: Lanes, final: Final, holdings: Holdings, sums: np.ndarray) -> None:
    from pokerlab.abstraction.features._kernels.clusters import add_clusters

    add_clusters(final, holdings, lanes, sums)


def divided(values: np.ndarray, weights: np.ndarray, groups: int) -> np.ndarray:
    """The group [n] of each of ascending values [n], with the least weighted squared distance from the group means.

    On a line the groups are intervals, so the best partition of the first values into k groups extends one of fewer
    values into k - 1 groups (Wang and Song 2011).

    >>> divided(np.array([0.0, 0.1, 0.2, 0.8, 0.9]), np.ones(5), 2).tolist()
    [0, 0, 0, 1, 1]
    """
    count = len(values)
    mass, first, second = (np.concatenate([[0.0], np.cumsum(weights * values**power)]) for power in range(3))
    best = np.full((groups + 1, count + 1), np.inf)
    best[0, 0] = 0.0
    last = np.zeros((groups + 1, count + 1), np.int64)  # where the last group starts
    for group in range(1, groups + 1):
        for end in range(group, count + 1):
            starts = np.arange(group - 1, end)
            inside = mass[end] - mass[starts]
            cost = second[end] - second[starts] - (first[end] - first[starts]) ** 2 / inside
            totals = best[group - 1, starts] + cost
            place = int(np.argmin(totals))
            best[group, end], last[group, end] = totals[place], starts[place]
    group_of, end = np.zeros(count, np.int64), count
    for group in range(groups, 0, -1):
        start = int(last[group, end])
        group_of[start:end] = group - 1
        end = start
    return group_of
