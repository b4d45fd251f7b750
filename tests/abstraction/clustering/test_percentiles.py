"""Percentiles and nested percentiles: against the plain twin, and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.clustering import shares
from pokerlab.abstraction.clustering.clusters import Clusters
from pokerlab.abstraction.clustering.percentiles import nested, percentiles
from pokerlab.errors import BadSetting

WEIGHTED = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 5)), min_size=1, max_size=40).filter(
    lambda pairs: any(weight for _, weight in pairs)
)


def check(found: Clusters, points: np.ndarray, weights: np.ndarray) -> None:
    """Centres and distortion as they are defined, no cluster empty, single points placed as in the table."""
    labels = found.labels
    assert labels is not None
    within = 0.0
    for number in range(found.count):
        own, held = points[labels == number].astype(float), weights[labels == number]
        assert held.sum() > 0
        assert found.centres[number] == pytest.approx(np.average(own, axis=0, weights=held), abs=1e-9)
        within += float(held @ ((own - found.centres[number]) ** 2).sum(axis=1))
    assert found.distortion == pytest.approx(within / weights.sum(), abs=1e-9)
    for at in range(len(points)):
        assert found.place(points[at : at + 1]).tolist() == [labels[at]]


@given(WEIGHTED, st.integers(1, 9), st.sampled_from([np.float64, np.float32, np.uint8, np.int64]))
def test_percentiles_are_those_of_the_twin(pairs: list[tuple[int, int]], count: int, kind: type) -> None:
    values, weights = (np.array(column) for column in zip(*pairs, strict=True))
    values = values.astype(kind) / kind(7) if kind in (np.float64, np.float32) else values.astype(kind)
    found = percentiles(values, weights, count)
    starts = shares(values.tolist(), weights.tolist(), count)
    assert found.count == len(starts) == min(count, len(set(values[weights > 0].tolist())))
    expected = [max([number for number, start in enumerate(starts) if start <= value], default=0) for value in values]
    assert found.labels.tolist() == expected
    check(found, values[:, None], weights)


@given(WEIGHTED, st.integers(1, 9))
def test_weights_are_repeated_points_in_any_order(pairs: list[tuple[int, int]], count: int) -> None:
    values, weights = (np.array(column) for column in zip(*pairs, strict=True))
    repeated = np.repeat(values, weights)
    order = np.random.default_rng(len(repeated)).permutation(len(repeated))
    once, often = percentiles(values, weights, count), percentiles(repeated[order], None, count)
    assert once.place(repeated).tolist() == often.place(repeated).tolist()
    assert once.distortion == pytest.approx(often.distortion, abs=1e-9)


def test_shares_are_equal_where_numbers_allow() -> None:
    rng = np.random.default_rng(2)
    found = percentiles(rng.random(10_000), None, 7)
    assert np.ptp(np.bincount(found.labels)) <= 1
    assert np.all(np.diff(found.centres[:, 0]) > 0)


def test_one_heavy_number_leaves_the_rest_to_the_others() -> None:
    found = percentiles(np.array([0.0, 0.5, 0.6, 0.7, 1.0]), np.array([1, 1000, 1, 1, 1]), 4)
    assert found.count == 4
    assert len(set(found.labels.tolist())) == 4


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 4)), min_size=1, max_size=60).filter(
        lambda rows: any(row[2] for row in rows)
    ),
    st.tuples(st.integers(1, 4), st.integers(1, 4)),
)
def test_nested_percentiles_are_percentiles_within_percentiles(
    rows: list[tuple[int, int, int]], counts: tuple[int, int]
) -> None:
    table = np.array(rows)
    points, weights = table[:, :2] / 3, table[:, 2]
    found = nested(points, weights, counts)
    outer = percentiles(points[:, 0], weights, counts[0])
    offset = 0
    for share in range(outer.count):
        own = outer.labels == share
        inner = percentiles(points[own, 1], weights[own], counts[1])
        assert (found.labels[own] - offset).tolist() == inner.labels.tolist()
        offset += inner.count
    assert found.count == offset
    check(found, points, weights)


def test_numbers_between_and_beyond_have_a_place() -> None:
    found = percentiles(np.array([1, 2, 3, 4], np.int64), None, 2)
    assert found.place(np.array([-7.5, 2.9, 3.0, 99.0])).tolist() == [0, 0, 1, 1]
    pair = nested(np.array([[1, 5], [1, 6], [2, 5], [2, 6]], np.int64), None, (2, 2))
    assert pair.place(np.array([[0.5, 9.0], [1.9, 5.5], [2.5, -1.0]])).tolist() == [1, 0, 2]


def test_what_is_refused() -> None:
    for values, weights, count, word in (
        ([1.0, 2.0], None, 0, "at least 1"),
        ([1.0, np.nan], None, 2, "finite"),
        ([[1.0, 2.0]], None, 2, "one number"),
        ([1.0, 2.0], [1.0], 2, "shape"),
        ([1.0, 2.0], [1.0, -1.0], 2, "negative"),
        ([1.0, 2.0], [1.0, np.nan], 2, "finite"),
        ([1.0, 2.0], [0, 0], 2, "nothing"),
        ([1.0, 2.0], ["a", "b"], 2, "numbers"),
        ([], None, 2, "nothing"),
    ):
        with pytest.raises(BadSetting, match=word):
            percentiles(np.array(values), None if weights is None else np.array(weights), count)
    for points, word in (([[1.0]], "two numbers"), ([[1.0, np.inf]], "finite")):
        with pytest.raises(BadSetting, match=word):
            nested(np.array(points), None, (2, 2))
    with pytest.raises(BadSetting, match="at least 1"):
        nested(np.array([[1.0, 2.0]]), None, (2, 0))
