"""k-means: against plain twins, and laws that hold whatever the points are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from naive import clustering as naive
from pokerlab.abstraction.clustering import lloyd, sample, seeding
from pokerlab.abstraction.clustering.k_means import _ordered, cumulative, k_means
from pokerlab.abstraction.clustering.lloyd import KMeansSettings, fit
from pokerlab.abstraction.clustering.sample import WeightedPoints, distinct, sampled_rows
from pokerlab.abstraction.clustering.seeding import seed_centres
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Cancelled, CancelToken, Event, Watch
from pokerlab.parallel import ThreadTeam

WAYS = [("euclidean", "mean"), ("emd", "mean"), ("emd", "median")]


def histograms(number: int, bins: int, seed: int, kind: type = np.uint8) -> np.ndarray:
    """Histograms of one total as sums from the left, uneven and with some of them equal."""
    rng = np.random.default_rng([number, bins, seed])
    place = rng.beta(1, 2, number)[:, None] * bins
    drawn = np.clip(place + rng.gamma(2, 1.5, (number, 46)) * rng.choice([-1, 1], (number, 1)), 0, bins - 1)
    counts = np.array([np.bincount(row, minlength=bins) for row in drawn.astype(int)])
    counts[rng.random(number) < 0.2] = counts[0]
    return np.cumsum(counts, axis=1).astype(kind)


def weights_of(number: int) -> np.ndarray:
    return np.random.default_rng(number).integers(1, 24, number)


@pytest.mark.parametrize(("metric", "middle"), WAYS)
@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize(("number", "bins", "count"), [(60, 3, 2), (400, 10, 40), (300, 7, 33), (500, 17, 150)])
def test_bounds_change_nothing(
    metric: str, middle: str, kind: type, number: int, bins: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lloyd, "_BLOCK", 64)
    monkeypatch.setattr(seeding, "_BLOCK", 64)
    fitted = distinct(WeightedPoints(histograms(number, bins, 1, kind), weights_of(number)))
    how = KMeansSettings(middle=middle, rounds=12, tolerance=0.0)
    start = seed_centres(fitted, count, metric=metric, rng=np.random.default_rng(5), team=ThreadTeam(1), watch=SILENT)
    centres, _, falling = naive.lloyd(
        fitted.points,
        fitted.weights,
        start.centres[:, :bins],
        metric=metric,
        kind=middle,
        rounds=how.rounds,
        tolerance=0.0,
    )
    found = fit(fitted, count, how, metric=metric, rng=np.random.default_rng(5), team=ThreadTeam(2), watch=SILENT)
    assert found.falling == pytest.approx(falling, rel=1e-12)
    assert (found.centres == centres).all()


@pytest.mark.parametrize("metric", ["euclidean", "emd"])
@pytest.mark.parametrize(("number", "count"), [(5, 5), (63, 9), (64, 20), (200, 70)])
def test_start_is_that_of_the_twin(metric: str, number: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeding, "_BLOCK", 32)
    points = np.unique(np.random.default_rng(number).integers(0, 4000, (number, 3)), axis=0).astype(np.float32)
    fitted = WeightedPoints(points, weights_of(len(points)).astype(float))
    found = seed_centres(fitted, count, metric=metric, rng=np.random.default_rng(2), team=ThreadTeam(3), watch=SILENT)
    units = np.random.default_rng(2).random(count).tolist()
    chosen = naive.seed(points, fitted.weights, count, metric, units, 32)
    assert (found.centres[:, :3] == points[chosen]).all()
    assert found.labels.tolist() == naive.nearest(points, points[chosen], metric).tolist()
    assert found.looks <= number * count


@pytest.mark.parametrize(("metric", "middle"), WAYS)
def test_threads_do_not_matter(metric: str, middle: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lloyd, "_BLOCK", 100)
    monkeypatch.setattr(seeding, "_BLOCK", 100)
    points, weights = histograms(1500, 12, 2), weights_of(1500)
    found = [
        k_means(points, weights, 70, metric=metric, settings=KMeansSettings(middle=middle, threads=threads, seed=9))
        for threads in (1, 2, 3)
    ]
    for other in found[1:]:
        assert (other.labels == found[0].labels).all()
        assert (other.centres == found[0].centres).all()
        assert other.falling == found[0].falling
    elsewhere = k_means(points, weights, 70, metric=metric, settings=KMeansSettings(middle=middle, seed=10))
    assert (elsewhere.labels != found[0].labels).any()


@pytest.mark.parametrize(("metric", "middle"), WAYS)
@settings(max_examples=40)
@given(
    rows=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=50).filter(
        lambda rows: any(row[2] for row in rows)
    ),
    count=st.integers(1, 12),
    seed=st.integers(0, 99),
)
def test_laws(metric: str, middle: str, rows: list[tuple[int, int, int]], count: int, seed: int) -> None:
    table = np.array(rows)
    points, weights = np.concatenate([table[:, :2], np.full((len(table), 1), 5)], axis=1), table[:, 2]
    how = KMeansSettings(middle=middle, seed=seed)
    found = k_means(points, weights, count, metric=metric, settings=how)
    labels = found.labels
    assert labels is not None
    heavy = points[weights > 0]
    assert found.count == min(count, len(np.unique(heavy, axis=0))) == len(found.centres)
    assert set(labels[weights > 0].tolist()) == set(range(found.count))  # no cluster is empty
    assert labels.tolist() == naive.nearest(points, found.centres, metric).tolist()
    closest = naive.distances(points, found.centres, metric).min(axis=1).astype(float)
    assert found.distortion == pytest.approx(weights @ closest / weights.sum())
    assert all(later < before for before, later in zip(found.falling, found.falling[1:], strict=False))
    sums = found.centres.astype(float).sum(axis=1) * (-1 if metric == "emd" else 1)
    assert (np.diff(sums) >= 0).all()
    # a weight is a point so often, in any order
    repeated = np.repeat(points, weights, axis=0)
    order = np.random.default_rng(seed).permutation(len(repeated))
    often = k_means(repeated[order], None, count, metric=metric, settings=how)
    assert (often.centres == found.centres).all()
    assert often.labels.tolist() == np.repeat(labels, weights)[order].tolist()


def test_rounding_does_not_choose_an_empty_block() -> None:
    """What is wanted lies behind the last number that is not zero."""
    for sums, block in (([1.0, 2.0, 0.0, 0.0, 0.0], 1), ([1.0, 2.0, 0.0, 0.0], 1), ([0.0, 3.0], 1), ([3.0, 0.0], 0)):
        assert seeding._block_of(np.array(sums), 3.0) == block


def test_centres_of_equal_strength_are_ordered_by_their_coordinates() -> None:
    centres = np.array([[2, 0, 1], [0, 1, 2], [1, 1, 1], [0, 2, 1], [0, 0, 2]], np.float32)
    assert _ordered(centres, "euclidean").tolist() == [[0, 0, 2], [0, 1, 2], [0, 2, 1], [1, 1, 1], [2, 0, 1]]
    assert _ordered(centres, "emd").tolist() == [[0, 1, 2], [0, 2, 1], [1, 1, 1], [2, 0, 1], [0, 0, 2]]


@pytest.mark.parametrize(("metric", "middle"), [("euclidean", [10 / 3, 0]), ("emd", [0, 0])])
def test_a_mean_that_is_farther_from_its_points_is_no_middle(metric: str, middle: list[float]) -> None:
    """By squares it never is; by plain distances a centre at two of three points stays."""
    fitted = WeightedPoints(np.array([[0, 0], [0, 0], [10, 0]], np.float32), np.ones(3))
    start = seed_centres(fitted, 1, metric=metric, rng=np.random.default_rng(0), team=ThreadTeam(1), watch=SILENT)
    centres = np.zeros_like(start.centres)
    start = lloyd.Start(centres, np.zeros(3, np.int32), fitted.points.sum(axis=1), 0)
    search = lloyd._Search(fitted, start, metric=metric, middle="mean", team=ThreadTeam(1))
    assert search.middles(centres)[0, :2] == pytest.approx(middle)


def test_one_cluster_is_the_mean() -> None:
    rng = np.random.default_rng(4)
    points, weights = rng.random((50, 3)), rng.random(50)
    found = k_means(points, weights, 1)
    mean = np.average(points, axis=0, weights=weights)
    assert found.centres[0] == pytest.approx(mean, rel=1e-6)
    spread = np.average(((points - mean) ** 2).sum(axis=1), weights=weights)
    assert found.distortion == pytest.approx(spread, rel=1e-5)


def test_far_groups_are_found() -> None:
    rng = np.random.default_rng(7)
    places = rng.permutation(40)[:12] * 10.0
    points = np.concatenate([place + rng.random((size, 4)) for place, size in zip(places, range(3, 15), strict=True)])
    found = k_means(points, None, 12, settings=KMeansSettings(restarts=5))
    owners = np.repeat(np.argsort(np.argsort(places)), range(3, 15))
    assert found.labels.tolist() == owners.tolist()


def test_more_restarts_are_never_worse() -> None:
    points = np.random.default_rng(1).random((300, 2))
    worth = [k_means(points, None, 15, settings=KMeansSettings(restarts=n)).falling[-1] for n in (1, 3, 8)]
    assert worth == sorted(worth, reverse=True)
    assert worth[-1] < worth[0]


def test_empty_clusters_are_filled_again() -> None:
    """A start with centres that no point is nearest to."""
    points = np.arange(20, dtype=np.float32)[:, None]
    fitted = WeightedPoints(points, np.ones(20))
    centres = np.zeros((4, 4), np.float32)
    centres[:, 0] = [3, 100, 200, 14]
    apart = naive.distances(points, centres[:, :1], "euclidean")
    start = lloyd.Start(centres, apart.argmin(axis=1).astype(np.int32), apart.min(axis=1), 0)
    search = lloyd._Search(fitted, start, metric="euclidean", middle="mean", team=ThreadTeam(1))
    moved = search.reseeded(centres, np.array([1, 2]))
    assert moved[:, 0].tolist() == [3, 8, 9, 14]  # 8, 9 and 19 are as far; the first two
    total, _ = search.move(centres, moved)
    assert total == naive.distances(points, moved[:, :1], "euclidean").min(axis=1).sum() < apart.min(axis=1).sum()


def test_earth_movers_distance_is_exact() -> None:
    rows = histograms(40, 15, 3)
    counts = np.diff(rows.astype(int), axis=1, prepend=0)
    found = naive.distances(rows, rows[:8].astype(np.float32), "emd")
    for one, other in np.ndindex(found.shape):
        exact = wasserstein_distance(range(15), range(15), counts[one], counts[other])
        assert found[one, other] / 46 == pytest.approx(exact, abs=1e-6)


def test_median_has_less_distortion_than_mean() -> None:
    points = histograms(3000, 20, 6)
    mean, median = (
        k_means(points, None, 60, metric="emd", settings=KMeansSettings(middle=middle)).distortion
        for middle in ("mean", "median")
    )
    assert median < mean


def test_all_points_are_placed_after_a_fit_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    points, weights = histograms(4000, 12, 4), weights_of(4000)
    whole = k_means(points, weights, 30, metric="emd")
    for merged in (4_000_000, 500):  # equal points are made one before the sample, and after it
        monkeypatch.setattr(sample, "_MOST_MERGED", merged)
        found = k_means(points, weights, 30, metric="emd", settings=KMeansSettings(sample=900))
        assert set(found.labels.tolist()) == set(range(30))
        assert found.labels.tolist() == naive.nearest(points, found.centres, "emd").tolist()
        assert found.distortion < 1.2 * whole.distortion
        assert found.place(points[77:78])[0] == found.labels[77]


def test_samples_are_drawn_by_weight() -> None:
    weights = np.array([0, 1, 2, 0, 4, 1, 0])
    rows = sampled_rows(weights, 80, seed=3)
    assert np.bincount(rows, minlength=7).tolist() == [0, 10, 20, 0, 40, 10, 0]
    assert sampled_rows(weights, 3, seed=1).tolist() == sampled_rows(weights, 3, seed=1).tolist()
    drawn = np.concatenate([sampled_rows(weights, 1, seed=seed) for seed in range(2000)])
    seen = np.bincount(drawn, minlength=7)
    assert seen[[0, 3, 6]].tolist() == [0, 0, 0]
    expected = 2000 * weights[weights > 0] / 8
    assert (np.abs(seen[weights > 0] - expected) < 4 * np.sqrt(expected)).all()


def test_equal_points_are_one() -> None:
    points = np.array([[0.0, 1.0], [-0.0, 1.0], [2.0, 1.0], [0.0, 1.0], [5.0, 5.0]], np.float32)
    merged = distinct(WeightedPoints(points, np.array([1, 2, 3, 4, 0])))
    held = {tuple(point): weight for point, weight in zip(merged.points.tolist(), merged.weights.tolist(), strict=True)}
    assert held == {(0.0, 1.0): 7.0, (2.0, 1.0): 3.0}


def test_cumulative_keeps_whole_counts_small() -> None:
    counts = np.array([[200, 100], [0, 300]])
    assert cumulative(counts).dtype == np.uint16
    assert cumulative(counts // 100).dtype == cumulative(np.array([[2, 1]])).dtype == np.uint8
    assert cumulative(counts * 1000).dtype == cumulative(np.array([[200, 100], [1, 300]])).dtype == np.float32
    for bad, word in (([[0, 0]], "something"), ([[1, -1]], "negative"), ([1, 2], "shape"), ([[np.nan, 1.0]], "neg")):
        with pytest.raises(BadSetting, match=word):
            cumulative(np.array(bad))


def test_work_can_be_watched_and_stopped() -> None:
    points = histograms(2000, 12, 4)
    events: list[Event] = []
    k_means(points, None, 60, watch=Watch(on_progress=events.append))
    stages = [event.message for event in events]
    assert set(stages) == {"choosing first centres", "moving centres", "assigning"}
    assert all(event.share is not None and 0 <= event.share <= 1 for event in events)
    for last in (1, 3, len(events) - 1):
        token, seen = CancelToken(), []

        def note(event: Event, token: CancelToken = token, seen: list[str] = seen, last: int = last) -> None:
            seen.append(event.message)
            if len(seen) == last:
                token.cancel()

        with pytest.raises(Cancelled):
            k_means(points, None, 60, watch=Watch(on_progress=note, cancel=token))
        assert seen == stages[:last]


def test_what_is_refused() -> None:
    points = np.array([[1.0, 4.0], [2.0, 4.0]])
    for call, word in (
        (lambda: k_means(points, None, 0), "at least 1"),
        (lambda: k_means(points, None, 2, metric="cosine"), "no metric 'cosine'"),
        (lambda: k_means(points[:0], None, 2), "nothing"),
        (lambda: k_means(points[0], None, 2), "shape"),
        (lambda: k_means(np.array([[1.0, 2.0], [1.0, 3.0]]), None, 2, metric="emd"), "same amount"),
        (lambda: k_means(points, None, 1, settings=KMeansSettings(middle="median")), "under emd"),
        (lambda: KMeansSettings(middle="mode"), "mode"),
        (lambda: KMeansSettings(threads=0), "threads"),
        (lambda: KMeansSettings(tolerance=float("nan")), "tolerance"),
        (lambda: k_means(np.array([[np.nan], [1.0]]), None, 1), "finite"),
    ):
        with pytest.raises(BadSetting, match=word):
            call()
