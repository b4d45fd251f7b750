"""Methods that compare hands by a feature: compute it, cluster it, and assign single hands by the same rule."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.clusters import Clusters, Rule, label_type
from pokerlab.abstraction.clustering.k_means import k_means
from pokerlab.abstraction.clustering.lloyd import KMeansSettings
from pokerlab.abstraction.clustering.nearest import Nearest
from pokerlab.abstraction.features.feature import Block, Feature
from pokerlab.abstraction.method import Arrays, Grouped, Method, Work, is_array

MOST_HELD = 1.5e9  # most bytes of features in memory; beyond that, fit a sample and stream all hands
SAMPLE = 400_000  # hands
AT_ONCE = 2_000_000  # hands assigned per batch


class ByPoints(Method):
    """Clusters of points, one for each hand of a round."""

    @abstractmethod
    def held(self, work: Work) -> np.ndarray:
        """The points of all hands of a round.  # [hand, ...]"""

    @abstractmethod
    def fitted(self, points: np.ndarray, weights: np.ndarray | None, work: Work) -> Clusters:
        """Cluster points."""


class ByFeature(ByPoints):
    """A feature, and a clustering of it."""

    @abstractmethod
    def feature(self, cards: CardRounds, arrays: Arrays | None = None) -> Feature:
        """The feature that hands are compared by; its own settings may be among a rule's arrays."""

    @abstractmethod
    def rule(self, arrays: Arrays) -> Rule:
        """The rule that these arrays hold."""

    @abstractmethod
    def arrays(self, rule: Any, feature: Any) -> Arrays:
        """The arrays of a rule."""

    def points(self, features: np.ndarray) -> np.ndarray:
        """The columns of the features that are clustered."""
        return features

    def every(self, feature: Any, work: Work) -> np.ndarray:
        """The points of all hands of a round."""
        watch = work.watched(f"features of round {work.round}")
        return self.points(feature.every(work.cards, work.round, threads=work.threads, watch=watch))

    def held(self, work: Work) -> np.ndarray:
        """The points of all hands of a round."""
        return self.every(self.feature(work.cards), work)

    def bytes_of(self, feature: Any, work: Work) -> int:
        """Bytes per hand if the points of all hands are in memory."""
        return 4 * int(feature.dims(work.cards, work.round))

    def grouped(self, work: Work) -> Grouped:
        """Cluster all hands, or a sample, and assign the others."""
        feature = self.feature(work.cards)
        hands = work.cards.hands(work.round)
        if hands * self.bytes_of(feature, work) > MOST_HELD:
            return self._streamed(feature, work)
        clusters = self.fitted(self.every(feature, work), work.weights(), work)
        assert clusters.labels is not None
        arrays = self.arrays(clusters.rule, feature)
        return Grouped(clusters.count, clusters.labels, arrays, clusters.distortion, clusters.skipped)

    def _streamed(self, feature: Feature, work: Work) -> Grouped:
        """Fit a sample drawn by weight, then stream all hands: features are computed twice and never all in memory."""
        cards, round, threads = work.cards, work.round, work.threads
        indexer, total = cards.indexer(round), cards.hands(round)
        rng = np.random.default_rng([work.seed, round])
        share = SAMPLE / float(_deals(cards, round))
        chosen = []
        watch = work.watched(f"sampling round {round}")
        for indices, features in feature.blocks(cards, round, threads=threads, watch=watch):
            taken = rng.random(len(indices)) < share * indexer.counts(indices)
            chosen.append(self.points(features[taken]))
        clusters = self.fitted(np.concatenate(chosen), None, work)
        table = np.empty(total, label_type(clusters.count))
        watch = work.watched(f"placing round {round}")
        blocks = feature.blocks(cards, round, threads=threads, watch=watch)
        for indices, features in _gathered(blocks):
            table[indices] = clusters.place(self.points(features), threads=threads)
        arrays = self.arrays(clusters.rule, feature)
        return Grouped(clusters.count, table, arrays, clusters.distortion, clusters.skipped)

    def place(self, arrays: Arrays, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        """The classes of some hands."""
        return self.rule(arrays).place(self.points(self.feature(cards, arrays).of(cards, round, hands)))


class AroundCentres(ByFeature):
    """Classes around centres: k-means of the feature under a metric."""

    metric: str = "euclidean"
    restarts: int = 1

    def fitted(self, points: np.ndarray, weights: np.ndarray | None, work: Work) -> Clusters:
        """K-means clusters."""
        settings = KMeansSettings(restarts=self.restarts, seed=work.seed, threads=work.threads)
        return k_means(points, weights, self.asked, metric=self.metric, settings=settings, watch=work.watch)

    def rule(self, arrays: Arrays) -> Rule:
        """The nearest centre."""
        return Nearest(self.metric, np.asarray(arrays["centres"]))

    def arrays(self, rule: Any, feature: Any) -> Arrays:
        """The centres."""
        return {"centres": rule.centres}

    def is_sound(self, arrays: Arrays, cards: CardRounds, round: int, count: int) -> bool:
        """Whether there is a centre for each class."""
        return is_array(arrays, "centres", (count, self.feature(cards, arrays).dims(cards, round)))

    def ground(self, found: Grouped) -> np.ndarray:
        """Distances between centres."""
        centres = np.asarray(found.arrays["centres"], float)
        if self.metric == "emd":
            return np.array([np.abs(centres - one).sum(axis=1) for one in centres])
        return np.array([np.sqrt(((centres - one) ** 2).sum(axis=1)) for one in centres])


def _gathered(blocks: Iterator[Block]) -> Iterator[Block]:
    """Blocks merged into larger ones, so that all threads have work."""
    waiting: list[Block] = []
    count = 0
    for block in blocks:
        waiting.append(block)
        count += len(block[0])
        if count >= AT_ONCE:
            yield _joined(waiting)
            waiting, count = [], 0
    if waiting:
        yield _joined(waiting)


def _joined(blocks: list[Block]) -> Block:
    indices, features = zip(*blocks, strict=True)
    return np.concatenate(indices), np.concatenate(features)


def _deals(cards: CardRounds, round: int) -> int:
    """The total number of hands, counting suits as distinct."""
    from math import comb

    return comb(cards.deck.size, cards.private) * comb(cards.deck.size - cards.private, cards.boards[round])
