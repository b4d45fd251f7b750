"""Methods that cluster points, one for each hand, and classify single hands by the same rule."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import fields
from math import comb
from typing import Any

import numpy as np

from pokerlab.abstraction.buckets import RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.clustering.clusters import Clusters, Rule, label_type
from pokerlab.abstraction.clustering.k_means import k_means
from pokerlab.abstraction.clustering.lloyd import KMeansSettings
from pokerlab.abstraction.clustering.nearest import Nearest, centre_distances
from pokerlab.abstraction.features.feature import Block, Feature
from pokerlab.abstraction.method import Arrays, ClusteringTask, Method, is_array

MOST_HELD = 1.5e9  # most bytes of features in memory; beyond that, fit a sample and stream all hands
SAMPLE = 400_000  # hands
AT_ONCE = 2_000_000  # hands assigned per batch


class ByPoints(Method):
    """Classes around centres: k-means of points, one for each hand of a round."""

    metric: str = "euclidean"
    restarts: int = 1

    @abstractmethod
    def points(self, work: ClusteringTask) -> np.ndarray:
        """The points of all hands of a round.  # [hand, ...]"""

    def fit(self, points: np.ndarray, weights: np.ndarray | None, work: ClusteringTask) -> Clusters:
        """Cluster points."""
        settings = KMeansSettings(restarts=self.restarts, seed=work.seed, threads=work.threads)
        return k_means(points, weights, self.count, metric=self.metric, settings=settings, watch=work.watch)

    def make_buckets(self, work: ClusteringTask) -> RoundBuckets:
        clusters = self.fit(self.points(work), work.weights(), work)
        return self._buckets(clusters, clusters.labels, {"centres": clusters.centres})

    def _buckets(self, clusters: Clusters, table: np.ndarray, arrays: Arrays) -> RoundBuckets:
        return RoundBuckets(self.spec, clusters.count, table, None, arrays, float(clusters.distortion))

    def ground(self, arrays: Arrays) -> np.ndarray:
        return centre_distances(arrays["centres"], self.metric)


class ByFeature(ByPoints):
    """Clusters of a feature; large rounds are streamed."""

    @abstractmethod
    def feature(self, cards: CardRounds, arrays: Arrays | None = None) -> Feature:
        """The feature that hands are compared by; its own settings may be among a rule's arrays."""

    def rule(self, arrays: Arrays) -> Rule:
        """The rule that these arrays hold: the nearest centre."""
        return Nearest(self.metric, np.asarray(arrays["centres"]))

    def arrays(self, rule: Any, feature: Any) -> Arrays:
        """The arrays of a rule."""
        values = {field.name: getattr(rule, field.name) for field in fields(rule)}
        return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}

    def is_sound(self, arrays: Arrays, cards: CardRounds, round: int, count: int) -> bool:
        return is_array(arrays, "centres", (count, self.feature(cards, arrays).dims(cards, round)))

    def columns(self, features: np.ndarray) -> np.ndarray:
        """The columns of the features that are clustered."""
        return features

    def points_of(self, feature: Any, work: ClusteringTask) -> np.ndarray:
        """The points of all hands of a round."""
        watch = work.watched(f"features of round {work.round}")
        return self.columns(feature.every(work.cards, work.round, threads=work.threads, watch=watch))

    def points(self, work: ClusteringTask) -> np.ndarray:
        return self.points_of(self.feature(work.cards), work)

    def bytes_of(self, feature: Any, work: ClusteringTask) -> int:
        """Bytes per hand if the points of all hands are in memory."""
        return 4 * int(feature.dims(work.cards, work.round))

    def make_buckets(self, work: ClusteringTask) -> RoundBuckets:
        """Cluster all hands, or a sample, and assign the others."""
        feature = self.feature(work.cards)
        if work.cards.hands(work.round) * self.bytes_of(feature, work) > MOST_HELD:
            return self._streamed(feature, work)
        clusters = self.fit(self.points_of(feature, work), work.weights(), work)
        return self._buckets(clusters, clusters.labels, self.arrays(clusters.rule, feature))

    def _streamed(self, feature: Feature, work: ClusteringTask) -> RoundBuckets:
        """Fit a sample drawn by weight, then stream all hands: features are computed twice and never all in memory."""
        cards, round, threads = work.cards, work.round, work.threads
        rng = np.random.default_rng([work.seed, round])
        deals = comb(cards.deck.size, cards.private) * comb(cards.deck.size - cards.private, cards.boards[round])
        sample = []
        watch = work.watched(f"sampling round {round}")
        for indices, features in feature.blocks(cards, round, threads=threads, watch=watch):
            drawn = rng.random(len(indices)) < SAMPLE / float(deals) * cards.indexer(round).counts(indices)
            sample.append(self.columns(features[drawn]))
        clusters = self.fit(np.concatenate(sample), None, work)
        table = np.empty(cards.hands(round), label_type(clusters.count))
        blocks = feature.blocks(cards, round, threads=threads, watch=work.watched(f"placing round {round}"))
        for indices, features in _merged(blocks):
            table[indices] = clusters.place(self.columns(features), threads=threads)
        return self._buckets(clusters, table, self.arrays(clusters.rule, feature))

    def place(self, arrays: Arrays, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        return self.rule(arrays).place(self.columns(self.feature(cards, arrays).of(cards, round, hands)))


def _merged(blocks: Iterator[Block]) -> Iterator[Block]:
    """Blocks merged into larger ones, so that all threads have work."""
    waiting: list[Block] = []
    for block in blocks:
        waiting.append(block)
        if sum(len(indices) for indices, _ in waiting) >= AT_ONCE:
            yield _joined(waiting)
            waiting = []
    if waiting:
        yield _joined(waiting)


def _joined(blocks: list[Block]) -> Block:
    indices, features = zip(*blocks, strict=True)
    return np.concatenate(indices), np.concatenate(features)
