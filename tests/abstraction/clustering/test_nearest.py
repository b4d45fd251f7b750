"""The nearest centre: bit for bit what a search among all finds, however many are skipped."""

import numpy as np
import pytest

from naive.clustering import boxes, distances, nearest
from pokerlab.abstraction.clustering import nearest as module
from pokerlab.abstraction.clustering.nearest import METRICS, Nearest, grouped, search_buffers, tiles_of
from pokerlab.errors import BadSetting

TYPES = (np.float32, np.uint8, np.uint16)


def scattered(rng: np.random.Generator, number: int, dims: int, kind: type, *, ties: bool) -> np.ndarray:
    """Points that lie near a curve, so that there is something to skip; with ties, on few whole numbers."""
    along = rng.random((number, 1))
    points = 3 + 90 * along ** np.linspace(0.5, 2, dims) + 3 * rng.random((number, dims))
    return np.round(points / 20 if ties else points, 0 if ties or kind != np.float32 else 6).astype(kind)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(("count", "dims"), [(1, 1), (2, 3), (31, 4), (32, 5), (33, 8), (65, 9), (700, 17)])
@pytest.mark.parametrize("ties", [False, True])
def test_same_as_all_distances(metric: str, kind: type, count: int, dims: int, ties: bool) -> None:
    rng = np.random.default_rng([count, dims])
    points = scattered(rng, 300, dims, kind, ties=ties)
    centres = scattered(rng, count, dims, np.float32, ties=ties)
    centres[rng.random(centres.shape) < 0.1] += np.float32(1 / 3)
    weights = rng.integers(1, 9, len(points))
    found = Nearest(metric, centres).assign(points, weights)
    assert found.labels.tolist() == nearest(points, centres, metric).tolist()
    closest = distances(points, centres, metric).min(axis=1).astype(np.float64)
    assert found.distortion == pytest.approx(weights @ closest / weights.sum(), rel=1e-12)
    assert found.used.tolist() == [number in found.labels for number in range(count)]


@pytest.mark.parametrize("metric", METRICS)
def test_one_point_alone_is_placed_as_among_many(metric: str) -> None:
    rng = np.random.default_rng(3)
    points, centres = scattered(rng, 200, 6, np.float32, ties=True), scattered(rng, 90, 6, np.float32, ties=True)
    rule = Nearest(metric, centres)
    together = rule.place(points)
    assert [int(rule.place(points[at : at + 1])[0]) for at in range(len(points))] == together.tolist()
    shuffled = rng.permutation(len(points))
    assert (rule.place(points[shuffled]) == together[shuffled]).all()


def test_equal_centres_and_ties_go_to_the_lowest_number() -> None:
    centres = np.array([[4.0], [0.0], [0.0], [2.0]] * 20, np.float32)
    assert Nearest("emd", centres).place(np.array([[0.0], [1.0], [3.0], [9.0]])).tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_blocks_and_threads_do_not_matter(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    points, centres = scattered(rng, 500, 5, np.uint8, ties=False), scattered(rng, 40, 5, np.float32, ties=False)
    whole = Nearest("emd", centres).assign(points)
    for block in (1, 7, 499, 500, 501):
        monkeypatch.setattr(module, "BLOCK", block)
        assert (Nearest("emd", centres).place(points, threads=threads) == whole.labels).all()


def test_most_tiles_are_skipped_where_points_lie_along_a_curve() -> None:
    rng = np.random.default_rng(5)
    points, centres = scattered(rng, 2000, 20, np.float32, ties=False), scattered(rng, 1000, 20, np.float32, ties=False)
    assert Nearest("euclidean", centres).assign(points).skipped > 0.75


@pytest.mark.parametrize("metric", METRICS)
def test_bounds_are_never_above_the_distances_computed(metric: str) -> None:
    from pokerlab.abstraction.clustering._kernels.nearest import NO_CENTRE, distance, distances_to_boxes

    rng = np.random.default_rng(6)
    points, centres = (rng.standard_normal((number, 7)).astype(np.float32) for number in (60, 300))
    groups = grouped(centres)
    tiles = tiles_of(centres, groups)
    assert sorted(np.concatenate(groups).tolist()) == list(range(300))
    assert sorted(tiles.numbers[tiles.numbers != NO_CENTRE].tolist()) == list(range(300))
    buffers, exact = search_buffers(tiles), distances(points, centres, metric)
    low, high = (np.array([edge(centres[group], axis=0) for group in groups]) for edge in (np.min, np.max))
    plain = boxes(points, low, high, metric)
    for at, point in enumerate(points):
        buffers.point[:7] = point
        distances_to_boxes(buffers.point, tiles.low, tiles.high, METRICS.index(metric), buffers.bounds)
        assert np.allclose(buffers.bounds[: len(groups)], plain[at], rtol=1e-5)
        for tile, group in enumerate(groups):
            assert buffers.bounds[tile] <= exact[at, group].min()
        wide = np.zeros((2, 8), np.float32)
        wide[:, :7] = point, centres[at]
        assert distance(wide[0], wide[1], METRICS.index(metric)) == exact[at, at]


def test_what_is_refused() -> None:
    rule = Nearest("euclidean", np.zeros((2, 3), np.float32))
    for points, word in (
        (np.zeros((4, 2)), "2 dimensions"),
        (np.zeros(3), "shape"),
        (np.array([[0.0, np.nan, 1.0]]), "finite"),
        (np.array([[0.0, np.inf, 1.0]]), "finite"),
        (np.array([["a", "b", "c"]]), "numbers"),
    ):
        with pytest.raises(BadSetting, match=word):
            rule.place(points)
    assert rule.place(np.zeros((0, 3))).shape == (0,)


def test_many_clusters_need_wider_labels() -> None:
    centres = np.arange(70_000, dtype=np.float32)[:, None]
    found = Nearest("euclidean", centres).place(np.array([[69_999.0], [65_536.2]]))
    assert (found.dtype, found.tolist()) == (np.uint32, [69_999, 65_536])
