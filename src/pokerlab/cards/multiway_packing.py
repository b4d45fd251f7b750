"""The table of three-way all-ins in a small file: probabilities in steps of 1/8192, predicted from neighbours.

Every class has a neighbour (AKo has AKs, AQs has AKs, QQ has KK), and a triple of classes is predicted from the seven
triples in which some of its classes are replaced by their neighbours, as a corner of a box from its other corners. The
residuals are small numbers, which compress well.
"""

from __future__ import annotations

import lzma
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.cards.multiway import FIRST_PLACE, ORDER_COUNT, ORDERS, SECOND_PLACE, triples

STEPS = 8192
_SORTINGS = tuple(permutations(range(3)))
_BY_COMPARISON = np.array([5, 3, 2, 2, 4, 4, 1, 0])  # by first <= second, first <= third, second <= third


def unpacked(packed_bytes: np.ndarray, hands: np.ndarray) -> np.ndarray:
    """The steps of all triples [n, 13] int32 from the bytes of bench/three_way_table.py.

    `hands` shows which triples have no disjoint hands.
    """
    planes = np.frombuffer(lzma.decompress(packed_bytes.tobytes()), np.uint8).reshape(2, ORDER_COUNT - 1, -1)
    signed = planes[0].astype(np.uint16) | planes[1].astype(np.uint16) << 8
    residuals = ((signed >> 1) ^ -(signed & 1)).astype(np.int16).T.astype(np.int64)
    boxes = boxes_of_triples()
    steps = np.zeros((residuals.shape[0], ORDER_COUNT), np.int32)
    for rows in boxes.levels:
        exact = predicted_steps(steps, boxes, rows)
        exact[:, 1:] += residuals[rows]
        exact[:, 0] = np.where(hands[rows] > 0, STEPS, 0) - exact[:, 1:].sum(1)
        sorting = _sorting(boxes.corners[rows])
        steps[rows] = np.take_along_axis(exact, _role_orders()[0][sorting], 1)
    return steps


class Boxes(NamedTuple):
    """The classes of every triple, ordered by how few neighbour steps lead to a class without a neighbour."""

    corners: np.ndarray  # [818805, 3]
    near: np.ndarray  # [169] the neighbour, or the class itself
    levels: list[np.ndarray]  # triples by their total number of steps: each is predicted from earlier levels


@cache
def boxes_of_triples() -> Boxes:
    near = np.arange(CLASS_COUNT)
    for row in range(13):
        for column in range(13):
            number = 13 * row + column
            if row > column:
                near[number] = 13 * column + row
            elif row == column or row + 1 == column:
                near[number] = max(number - 14, 0) if row else number
            else:
                near[number] = number - 1
    depth = np.zeros(CLASS_COUNT, np.int64)  # steps to a class without a neighbour
    for _ in range(CLASS_COUNT):
        depth = np.where(near != np.arange(CLASS_COUNT), depth[near] + 1, 0)
    classes = triples().astype(np.int64)
    corners = np.take_along_axis(classes, np.argsort(depth[classes], axis=1, kind="stable"), 1)
    levels = depth[corners].sum(1)
    return Boxes(corners, near, [np.flatnonzero(levels == level) for level in range(int(levels.max()) + 1)])


def predicted_steps(steps: np.ndarray, boxes: Boxes, rows: np.ndarray) -> np.ndarray:
    """Predictions for some triples from the other corners of their boxes, in the order of their corners: [n, 13]."""
    corners = boxes.corners[rows]
    moved = boxes.near[corners]
    movable = moved != corners
    predicted = np.zeros((len(rows), ORDER_COUNT), np.int32)
    # a class without a neighbour leaves a box of fewer corners; such classes come first
    for fixed in range(3):
        mine = np.flatnonzero((~movable[:, :fixed]).all(1) & movable[:, fixed:].all(1))
        free = range(fixed, 3)
        for moves in range(1, 1 << len(free)):
            mask = np.array([place in free and moves >> (place - fixed) & 1 for place in range(3)], bool)
            sign = 1 if mask.sum() % 2 else -1
            predicted[mine] += sign * corner_steps(steps, np.where(mask, moved[mine], corners[mine]))
    return predicted


def corner_steps(steps: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The steps of triples in the order of their corners: [n, 13]."""
    first, second, third = corners.T
    low, high = np.minimum(np.minimum(first, second), third), np.maximum(np.maximum(first, second), third)
    middle = first + second + third - low - high
    index = FIRST_PLACE[low] + SECOND_PLACE[middle] - SECOND_PLACE[low] + high - middle
    places = ORDER_COUNT * index[:, None] + _role_orders()[1][_sorting(corners)]
    return np.asarray(steps.reshape(-1)[places])


def _sorting(corners: np.ndarray) -> np.ndarray:
    """The index in _SORTINGS of the permutation that sorts the classes of each row."""
    first, second, third = corners.T
    return np.asarray(_BY_COMPARISON[4 * (first <= second) + 2 * (first <= third) + (second <= third)])


@cache
def _role_orders() -> tuple[np.ndarray, np.ndarray]:
    """The order of the corners, by sorting and order of the sorted hands, and the inverse: [6, 13] each."""
    positions = np.array(ORDERS)  # [order, hand]
    inverses = [np.argsort(roles) for roles in _SORTINGS]
    there = np.array([[ORDERS.index(tuple(row)) for row in positions[:, inverse].tolist()] for inverse in inverses])
    return there, np.argsort(there, axis=1)
