"""Clustering of hands: k-means with bounds against every distance, and the sizes that hold'em has."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.spatial.distance import cdist

from bench import Row, interleaved, seconds
from pokerlab.abstraction.clustering.clusters import Clusters
from pokerlab.abstraction.clustering.k_means import k_means
from pokerlab.abstraction.clustering.lloyd import KMeansSettings
from pokerlab.abstraction.clustering.nearest import Nearest
from pokerlab.cards.combos import blocked
from pokerlab.cards.measures import immediate_ranks
from pokerlab.parallel import core_count

BINS, CLUSTERS = 50, 1000
HANDS = 1_286_792  # as many as the flop has
SMALL = 20_000  # points of the comparison with NumPy
QUICK = {"HANDS": 4000, "SMALL": 1000, "CLUSTERS": 20}
RIVER, TURN = 123_156_254, 13_960_050


def measure() -> Iterator[Row]:
    """Rounds of k-means, a whole clustering, and passes over blocks, scaled to all hands of a round.

    Seconds are the processor's, all threads together: on two idle cores a person waits half as long.
    """
    hands = turn_histograms(HANDS)
    for metric in ("euclidean", "emd"):
        yield _rounds(np.unique(hands[:: HANDS // SMALL], axis=0), metric)
    flop = flop_histograms(hands)
    for middle, sample in (("mean", 300_000), ("median", 300_000), ("mean", HANDS)):
        found = _clustered(flop, KMeansSettings(threads=core_count(), sample=sample, middle=middle))
        yield found[0]
    yield _pass("turn, EMD", Nearest("emd", found[1].centres / np.float32(23)), hands, TURN)
    features = river_features(1_000_000)
    centres = k_means(features, None, CLUSTERS, settings=KMeansSettings(threads=core_count(), rounds=10)).centres
    yield _pass("river, 8 dimensions", Nearest("euclidean", centres), features, RIVER)


def _clustered(hands: np.ndarray, how: KMeansSettings) -> tuple[Row, Clusters]:
    k_means(hands[:2000], None, 40, metric="emd", settings=how)  # compiles
    began = time.process_time(), time.perf_counter()
    found = k_means(hands, None, CLUSTERS, metric="emd", settings=how)
    taken, waited = time.process_time() - began[0], time.perf_counter() - began[1]
    note = f"{found.skipped:.1%} skipped, {len(found.falling)} rounds, {waited:.0f} s by the wall"
    what = f"{HANDS:,} histograms into {CLUSTERS} by EMD, {how.middle}s, {min(how.sample, HANDS):,} fitted"
    return Row(what, taken, unit="s", note=note), found


def _rounds(points: np.ndarray, metric: str) -> Row:
    how = KMeansSettings(rounds=10, tolerance=0.0)
    contenders = {
        "ours": partial(k_means, points, None, CLUSTERS, metric=metric, settings=how),
        "theirs": partial(plain_lloyd, points.astype(np.float32), metric, how.rounds),
    }
    times = interleaved(contenders, repeats=3, clock=time.process_time)
    found = k_means(points, None, CLUSTERS, metric=metric, settings=how)
    ours, theirs = len(points) * (len(found.falling) - 1) / times["ours"], len(points) * how.rounds / times["theirs"]
    what = f"k-means, {metric}: points of a round, {CLUSTERS} centres"
    peer = "NumPy Lloyd" if metric == "euclidean" else "NumPy and SciPy"
    return Row(what, ours, theirs, peer, asked=2, note=f"{found.skipped:.1%} of distances skipped, the start included")


def _pass(name: str, rule: Nearest, points: np.ndarray, number: int) -> Row:
    rule.place(points[:100])
    taken = seconds(partial(rule.place, points, threads=core_count()), time.process_time) / len(points) * number
    note = f"{rule.assign(points[:200_000]).skipped:.1%} skipped; scaled from {len(points):,}"
    return Row(f"{name}: {number:,} hands to the nearest of {len(rule.centres)}", taken, unit="s", note=note)


def plain_lloyd(points: np.ndarray, metric: str, rounds: int) -> np.ndarray:
    """Lloyd's algorithm from random points, all distances: by one product of matrices, or SciPy's cityblock."""
    centres = points[np.random.default_rng(0).permutation(len(points))[:CLUSTERS]].copy()
    for _ in range(rounds):
        if metric == "emd":
            apart = cdist(points, centres, "cityblock")
        else:
            apart = (centres**2).sum(axis=1) - 2 * points @ centres.T
        labels = apart.argmin(axis=1)
        for number in np.unique(labels):
            centres[number] = points[labels == number].mean(axis=0)
    return centres


def turn_histograms(number: int) -> np.ndarray:
    """Strengths over river cards of hands on random turn boards, as sums from the left.  # [number, BINS] uint8"""
    rng = np.random.default_rng(1)
    parts: list[np.ndarray] = []
    while sum(map(len, parts)) < number:
        board = rng.choice(52, 4, replace=False).tolist()
        counts = np.zeros((1326, BINS), np.uint8)
        for card in range(52):
            if card not in board:
                live = np.flatnonzero(~blocked([*board, card]))
                strength = immediate_ranks([*board, card])[live]
                counts[live, np.minimum((strength * BINS).astype(int), BINS - 1)] += 1
        parts.append(np.cumsum(counts[~blocked(board)], axis=1, dtype=np.uint8))
    return np.concatenate(parts)[:number]


def flop_histograms(hands: np.ndarray) -> np.ndarray:
    """Mixtures of hands about as strong as each other, as many run-outs as on the flop; hardly any is twice there."""
    rng = np.random.default_rng(3)
    order = np.argsort(hands.sum(axis=1), kind="stable")
    other = np.empty_like(order)
    other[order] = order[np.clip(np.arange(len(order)) + rng.integers(-20_000, 20_000, len(order)), 0, len(order) - 1)]
    return hands.astype(np.uint16) * np.uint16(12) + hands[other].astype(np.uint16) * np.uint16(11)


def river_features(number: int) -> np.ndarray:
    """Eight numbers that depend on each other as strengths against eight ranges do.  # [number, 8] float32"""
    rng = np.random.default_rng(2)
    strength, suits = rng.random((number, 1)), rng.random((number, 2)) @ rng.random((2, 8))
    return (strength ** np.linspace(0.5, 3, 8) + 0.1 * suits + 0.03 * rng.random((number, 8))).astype(np.float32)
