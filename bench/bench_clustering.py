"""Clustering of hands: k-means with bounds against every distance, and the sizes that hold'em has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from bench import Row, interleaved, seconds
from pokerlab.abstraction.clustering.k_means import k_means
from pokerlab.abstraction.clustering.lloyd import KMeansSettings
from pokerlab.abstraction.clustering.nearest import Nearest
from pokerlab.cards.combos import blocked
from pokerlab.cards.measures import immediate_ranks
from pokerlab.parallel import core_count

BINS, CLUSTERS = 50, 1000
HANDS = 1_286_792  # as many as the flop has
SMALL = 4000  # points of the comparison with NumPy
RIVER, TURN = 123_156_254, 13_960_050


def measure() -> Iterator[Row]:
    """Rounds of k-means, a whole clustering, and passes over blocks of as many points as they are then scaled to."""
    hands = turn_histograms(HANDS)
    threads = core_count()
    yield _rounds(hands)
    for middle in ("mean", "median"):
        how = KMeansSettings(threads=threads, sample=HANDS, middle=middle)
        k_means(hands[:2000], None, 40, metric="emd", settings=how)
        found = []
        taken = seconds(
            lambda how=how, found=found: found.append(k_means(hands, None, CLUSTERS, metric="emd", settings=how))
        )
        skipped = f"{found[0].skipped:.1%} of distances skipped, {len(found[0].falling)} rounds, all points fitted"
        yield Row(
            f"{HANDS:,} histograms into {CLUSTERS} by EMD, {middle}, {threads} threads", taken, unit="s", note=skipped
        )
    yield _pass("turn", Nearest("emd", found[0].centres), hands, TURN, threads)
    features = river_features(1_000_000)
    centres = k_means(features, None, CLUSTERS, settings=KMeansSettings(threads=threads, rounds=10)).centres
    yield _pass("river, 8 dimensions", Nearest("euclidean", centres), features, RIVER, threads)


def _rounds(hands: np.ndarray) -> Row:
    points = np.unique(hands[:: len(hands) // SMALL], axis=0)[:SMALL].astype(np.float32)
    how = KMeansSettings(rounds=10, tolerance=0.0)
    times = interleaved(
        {
            "ours": partial(k_means, points, None, 200, settings=how),
            "theirs": partial(plain_lloyd, points, 200, how.rounds),
        },
        repeats=3,
    )
    done = len(k_means(points, None, 200, settings=how).falling) - 1
    rates = {name: len(points) * rounds / times[name] for name, rounds in (("ours", done), ("theirs", how.rounds))}
    return Row(
        "points a second and round, 200 centres, one thread", rates["ours"], rates["theirs"], "NumPy Lloyd", asked=5
    )


def _pass(name: str, rule: Nearest, points: np.ndarray, number: int, threads: int) -> Row:
    rule.place(points[:100])
    taken = seconds(lambda: rule.place(points, threads=threads)) / len(points) * number
    skipped = f"{rule.assign(points[:200_000]).skipped:.1%} of distances skipped; scaled from {len(points):,}"
    return Row(f"{name}: {number:,} hands to the nearest of {len(rule.centres)}", taken, unit="s", note=skipped)


def plain_lloyd(points: np.ndarray, count: int, rounds: int) -> np.ndarray:
    """Lloyd's algorithm in NumPy: all distances by one product of matrices, from random points."""
    centres = points[np.random.default_rng(0).permutation(len(points))[:count]].copy()
    for _ in range(rounds):
        apart = (centres**2).sum(axis=1) - 2 * points @ centres.T
        labels = apart.argmin(axis=1)
        for number in np.unique(labels):
            centres[number] = points[labels == number].mean(axis=0)
    return centres


def turn_histograms(number: int) -> np.ndarray:
    """Hand strength on each river card of hands on random turns, as sums from the left.  # [number, BINS] uint8"""
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


def river_features(number: int) -> np.ndarray:
    """Eight numbers that depend on each other as strengths against eight ranges do.  # [number, 8] float32"""
    rng = np.random.default_rng(2)
    strength, suits = rng.random((number, 1)), rng.random((number, 2)) @ rng.random((2, 8))
    return (strength ** np.linspace(0.5, 3, 8) + 0.1 * suits + 0.03 * rng.random((number, 8))).astype(np.float32)
