"""A small regression tree: examples are split by thresholds on features until they are few; a leaf predicts the mean.

Splits minimize the squared error (Breiman, Friedman, Olshen and Stone, "Classification and regression trees", 1984); a
target may have several columns, and their errors add up. Predicting shares of classes is the same as the Gini index.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

_LEAF = -1


class RegressionTree(NamedTuple):
    """A tree as arrays; node 0 is the root."""

    feature: np.ndarray  # [node] int64, -1 at leaves
    threshold: np.ndarray  # [node] float64: examples that are not above it go left
    left: np.ndarray  # [node] int64
    right: np.ndarray  # [node] int64
    value: np.ndarray  # [node, column] float64: the mean of the examples

    def predict(self, examples: np.ndarray) -> np.ndarray:
        """The value of the leaf of each example.  # [example, feature] -> [example, column]"""
        node = np.zeros(len(examples), np.int64)
        while (inside := self.feature[node] != _LEAF).any():
            at = node[inside]
            below = examples[inside, self.feature[at]] <= self.threshold[at]
            node[inside] = np.where(below, self.left[at], self.right[at])
        return np.asarray(self.value[node])


def grow(examples: np.ndarray, targets: np.ndarray, *, depth: int, least: int) -> RegressionTree:
    """Grow a tree of at most this depth whose leaves have at least so many examples.

    examples [example, feature], targets [example, column]
    """
    nodes: list[tuple[int, float, int, int, np.ndarray]] = []

    def add(rows: np.ndarray, levels: int) -> int:
        number = len(nodes)
        mean = targets[rows].mean(axis=0)
        nodes.append((_LEAF, 0.0, 0, 0, mean))
        split = best_split(examples[rows], targets[rows], least=least) if levels else None
        if split:
            feature, threshold = split
            below = examples[rows, feature] <= threshold
            left, right = add(rows[below], levels - 1), add(rows[~below], levels - 1)
            nodes[number] = (feature, threshold, left, right, mean)
        return number

    add(np.arange(len(examples)), depth)
    feature, threshold, left, right, value = zip(*nodes, strict=True)
    return RegressionTree(np.array(feature), np.array(threshold), np.array(left), np.array(right), np.array(value))


def best_split(examples: np.ndarray, targets: np.ndarray, *, least: int) -> tuple[int, float] | None:
    """The feature and threshold that reduce the squared error most; None if no split leaves enough on both sides."""
    best: tuple[float, int, float] | None = None
    count, whole = len(examples), (targets.sum(axis=0) ** 2).sum() / len(examples)
    below = np.arange(1, count)
    for feature in range(examples.shape[1]):
        order = examples[:, feature].argsort(kind="stable")
        values, sums = examples[order, feature], targets[order].cumsum(axis=0)
        explained = (sums[:-1] ** 2).sum(axis=1) / below + ((sums[-1] - sums[:-1]) ** 2).sum(axis=1) / (count - below)
        allowed = (values[1:] > values[:-1]) & (below >= least) & (count - below >= least)
        if not allowed.any():
            continue
        at = int(np.where(allowed, explained, -np.inf).argmax())
        if explained[at] > whole + 1e-9 and (best is None or explained[at] > best[0]):
            best = float(explained[at]), feature, float((values[at] + values[at + 1]) / 2)
    return best[1:] if best else None
