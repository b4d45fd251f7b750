"""Potential-aware clusters: exact distances against each other, and cuts against exact ones."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr, wasserstein_distance

from naive.clustering import transport_program
from pokerlab.abstraction.clustering import transport as module
from pokerlab.abstraction.clustering.clusters import Clusters
from pokerlab.abstraction.clustering.lloyd import KMeansSettings
from pokerlab.abstraction.clustering.transport import Distributions, TransportRule, exact_distance, fit_cuts, transport
from pokerlab.errors import BadSetting
from pokerlab.events import Cancelled, CancelToken, Watch

BUCKETS = 60


def distributions(rows: list[list[int]]) -> Distributions:
    """From rows that list a bucket once per occurrence."""
    counted = [np.unique(row, return_counts=True) for row in rows]
    starts = np.cumsum([0, *(len(entries) for entries, _ in counted)])
    entries, amounts = (np.concatenate(parts) for parts in zip(*counted, strict=True))
    return Distributions(starts, entries.astype(np.uint32), amounts, BUCKETS)


def example(number: int, seed: int = 0, units: int = 20) -> tuple[Distributions, np.ndarray, np.ndarray]:
    """Distributions over buckets in a plane, their ground distances, and the group each was drawn from."""
    rng = np.random.default_rng(seed)
    places = rng.random((BUCKETS, 2)) * [10, 3]
    ground = cdist(places, places, "cityblock")
    centres, spread = rng.integers(0, BUCKETS, 6), rng.uniform(0.3, 3, 6)
    groups = rng.integers(0, 6, number)
    rows = []
    for group in groups:
        chances = np.exp(-ground[centres[group]] / spread[group]) * rng.uniform(0.5, 1, BUCKETS)
        rows.append(rng.choice(BUCKETS, units, p=chances / chances.sum()).tolist())
    return distributions(rows), ground, groups


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"_BALLS": 24, "_HALVES": 24, "_PAIRS": 400, "_CHECKED": 100}.items():
        monkeypatch.setattr(module, name, value)


def test_exact_distances_agree() -> None:
    rows, ground, _ = example(12)
    dense = rows.dense().astype(float)
    for one, other in [(0, 1), (2, 9), (5, 5), (11, 3)]:
        program = transport_program(dense[one], dense[other], ground)
        assert exact_distance(rows, one, other, ground) == pytest.approx(program, abs=1e-6)


def test_exact_distance_on_a_line_is_that_of_histograms() -> None:
    rng = np.random.default_rng(2)
    line = np.abs(np.subtract.outer(np.arange(9.0), np.arange(9.0)))
    for _ in range(5):
        one, other = rng.random(9) * (rng.random(9) < 0.6) + 1e-3, rng.random(9)
        assert transport_program(one, other, line) == pytest.approx(
            wasserstein_distance(range(9), range(9), one, other), abs=1e-8
        )


@pytest.mark.usefixtures("quick")
def test_cuts_are_near_exact_distances_of_other_hands() -> None:
    rows, ground, _ = example(600)
    cuts = fit_cuts(rows.rows(np.arange(400)), ground)
    points, dense = cuts.embed(rows), rows.dense().astype(float)
    rng = np.random.default_rng(1)
    pairs = rng.integers(400, 600, (120, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    exact = np.array([transport_program(dense[one], dense[other], ground) for one, other in pairs])
    found = np.abs(points[pairs[:, 0]] - points[pairs[:, 1]]).sum(axis=1)
    error, ranked = np.mean(np.abs(found / exact - 1)), spearmanr(found, exact).statistic
    assert error < 0.15
    assert ranked > 0.97
    assert abs(cuts.fidelity.relative_error - error) < 0.06  # what the fit says of itself is true of other hands
    assert cuts.fidelity.rank_correlation > 0.95
    # to mixtures of many hands, as centres are
    middles = np.array([dense[start : start + 40].mean(axis=0) for start in range(0, 400, 40)])
    places = np.array([points[start : start + 40].mean(axis=0) for start in range(0, 400, 40)])
    exact = np.array([[transport_program(row, middle, ground) for middle in middles] for row in dense[400:412]])
    found = cdist(points[400:412], places, "cityblock")
    assert np.mean(np.abs(found / exact - 1)) < 0.2
    assert spearmanr(found.ravel(), exact.ravel()).statistic > 0.95


@pytest.mark.usefixtures("quick")
def test_points_are_means_of_cuts() -> None:
    rows, ground, _ = example(80, seed=4)
    cuts = fit_cuts(rows, ground, most=30)
    assert cuts.places.shape[1] <= 30
    points = cuts.embed(rows)
    assert points == pytest.approx(rows.dense() @ cuts.places, rel=1e-4, abs=1e-4)
    for at in (0, 41, 79):
        assert (cuts.embed(rows.rows(np.array([at]))) == points[at]).all()


def by_majority(found: Clusters, groups: np.ndarray) -> float:
    """The share of hands that are in a cluster of which most are of their group."""
    labels = found.labels
    assert labels is not None
    return sum(np.bincount(groups[labels == number]).max() for number in range(found.count)) / len(groups)


@pytest.mark.usefixtures("quick")
def test_clusters_find_the_groups_and_place_single_hands_alike() -> None:
    rows, ground, groups = example(900, seed=3, units=46)
    weights = np.random.default_rng(5).integers(1, 9, 900)
    found = [
        transport(rows, weights, 12, ground=ground, settings=KMeansSettings(restarts=3, threads=threads))
        for threads in (1, 2, 3)
    ]
    for other in found:
        assert (other.labels == found[0].labels).all()
    assert by_majority(found[0], groups) > 0.8
    assert set(found[0].labels.tolist()) == set(range(12))
    alone = [int(found[0].place(rows.rows(np.array([at])))[0]) for at in range(60)]
    assert alone == found[0].labels[:60].tolist()
    rule = found[0].rule
    assert isinstance(rule, TransportRule)
    apart = cdist(rule.cuts.embed(rows), found[0].centres, "cityblock").min(axis=1)
    assert found[0].distortion == pytest.approx(weights @ apart / weights.sum(), rel=1e-5)


@pytest.mark.usefixtures("quick")
def test_a_sample_and_odd_cases() -> None:
    rows, ground, _ = example(300, seed=6)
    found = transport(rows, None, 8, ground=ground, settings=KMeansSettings(sample=100))
    assert set(found.labels.tolist()) == set(range(8))
    assert transport(rows, None, 1, ground=ground).count == 1
    few = distributions([[1, 2], [1, 2], [5, 9], [7]])
    assert transport(few, None, 50, ground=ground).labels is not None
    assert transport(few, None, 50, ground=ground).count == 3
    same = distributions([[1, 2], [1, 2]])
    assert transport(same, None, 5, ground=ground).count == 1
    uneven = Distributions(np.array([0, 2, 3, 5]), np.array([0, 9, 4, 2, 3]), np.array([0.3, 0.1, 7.0, 1.5, 2.0]), 60)
    assert transport(uneven, None, 3, ground=ground).count == 3
    assert len(uneven.units(0)) == len(uneven.rounded_units(1)) == 128
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        transport(rows, None, 8, ground=ground, watch=Watch(cancel=token))


def test_what_is_refused() -> None:
    rows, ground, _ = example(5)
    for bad, word in (
        (ground[:-1], "need ground distances"),
        (ground + 1, "to itself"),
        (-ground, "negative"),
        (np.triu(ground), "symmetric"),
    ):
        with pytest.raises(BadSetting, match=word):
            transport(rows, None, 2, ground=bad)
    ones = np.ones(2)
    for starts, entries, amounts, word in (
        ([0, 1], [0, 1], ones, "end at"),
        ([0, 0, 2], [0, 1], ones, "hold something"),
        ([0, 2], [0, 6], ones, "0 to 5"),
        ([0, 2], [-1, 2], ones, "0 to 5"),
        ([0, 2], [0, 1], ones - 1, "above 0"),
    ):
        with pytest.raises(BadSetting, match=word):
            Distributions(np.array(starts), np.array(entries), amounts, 6)
