"""Makes the table of three-way all-ins that ships with the package, in a quarter of an hour on one core.

    python -m bench.three_way_table              # writes src/pokerlab/cards/three_way.table

On each board every hand is the middle one once; the hands above it times the hands below it give the orders of three
hands (middle_hands.py). Counts become steps of 1/8192, and the file holds the difference of each from its prediction
(cards/multiway_packing.py).
"""

from __future__ import annotations

import lzma

import numpy as np

from bench.middle_hands import SLOTS, WIDTH, WORDS, Middle, Row, add_middle, spread_places
from pokerlab import parallel, store
from pokerlab.cards._kernels.board import all_board_strengths, dense_ranks
from pokerlab.cards.canonical import canonical_boards
from pokerlab.cards.combos import CLASS_COMBOS, CLASS_COUNT, COMBO_COUNT, COMBOS, class_of
from pokerlab.cards.multiway import ORDER_COUNT, ORDERS, PACKED_KIND, SHIPPED, triples
from pokerlab.cards.multiway_packing import STEPS, boxes_of_triples, corner_steps, predicted_steps
from pokerlab.cards.preflop import chunks_of_boards
from pokerlab.cards.strength import HIGH

_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 0, "pb": 0}]


def count_all() -> np.ndarray:
    """The count of each order of every triple of classes, over all hands and boards: [818805, 13]."""
    boards, counts = canonical_boards(5)
    sums = np.zeros((CLASS_COUNT, 4, CLASS_COUNT, CLASS_COUNT), np.int64)
    for chunk in chunks_of_boards(counts, 1024):
        add_boards(boards[chunk], int(counts[chunk.start]), sums)
        print(f"{chunk.stop:,} of {len(boards):,} boards")
    return orders_of(sums)


def add_boards(boards: np.ndarray, count: int, sums: np.ndarray) -> None:
    """Add the products of every class in the middle, on boards with the same count."""
    strengths = np.empty((len(boards), COMBO_COUNT), np.uint16)
    places = np.empty((len(boards), COMBO_COUNT), np.uint8)
    all_board_strengths(boards, np.zeros(52, np.bool_), HIGH().tables(7), strengths)
    dense_ranks(strengths, places)
    spots, slot_class, class_slots = _slots()
    spread = np.empty((len(boards), 52, 3 * SLOTS), np.uint8)
    spread_places(places, spots, spread)

    def add(number: int) -> None:
        products = np.zeros((4, CLASS_COUNT, WIDTH), np.int16)
        shared = np.zeros((4, 13, 26, WORDS), np.uint64)
        middle = Middle(spots, slot_class, class_slots, products, shared, sums[number])
        slots, classes = np.zeros((3, 52, SLOTS), np.int16), np.zeros((3, WIDTH), np.int16)
        line, lost = np.empty((52, 3 * SLOTS), np.uint8), np.empty(104, np.uint8)
        row = Row(line, slots, classes, slots.view(np.uint64), lost)
        add_middle(spread, places, CLASS_COMBOS[number], COMBOS, np.int64(count), middle, row)

    for _ in parallel.run(add, range(CLASS_COUNT)):
        pass


def _slots() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The slot of the hand of two cards, by the first; the class of a rank's slot; the two slots of a class."""
    spots = np.zeros((52, 52), np.int64)
    slot_class = np.full((13, 32), -1, np.int64)
    class_slots = np.zeros((CLASS_COUNT, 4), np.int64)
    for card in range(52):
        for other in range(52):
            suited = card % 4 == other % 4
            slot = other // 4 + (0 if suited else 13)
            which = 0 if suited else (other % 4 - card % 4) % 4 - 1
            spots[card, other] = 32 * which + slot if card != other else 31  # an unused slot
            if card != other:
                high, low = max(card, other) // 4, min(card, other) // 4
                number = class_of(high, low, suited=suited)
                slot_class[card // 4, slot] = number
                end = 0 if card // 4 == high else 2
                class_slots[number, end : end + 2] = card // 4, slot
                if high == low:
                    class_slots[number, 2:] = card // 4, slot
    return spots, slot_class, class_slots


def orders_of(sums: np.ndarray) -> np.ndarray:
    """Counts of the 13 orders of every triple of classes, from sums by the class in the middle: [818805, 13]."""
    classes = triples().astype(np.int64).T
    above_below, tie_below, tie_above, ties = range(4)
    columns = []
    for places in ORDERS:
        first, middle, last = np.argsort(places, kind="stable")
        if places == (0, 0, 0):
            index = (first, ties, middle, last)
        elif sorted(places) == [0, 0, 1]:
            index = (first, tie_below, middle, last)
        elif sorted(places) == [0, 1, 1]:
            index = (middle, tie_above, last, first)
        else:
            index = (middle, above_below, first, last)
        own, kind, one, other = index
        columns.append(sums[classes[own], kind, classes[one], classes[other]])
    return np.stack(columns, axis=1)


def in_steps(counts: np.ndarray) -> np.ndarray:
    """Counts of orders as integer steps that sum to STEPS, each less than one step off: [n, 13] int32."""
    total = np.maximum(counts.sum(1, keepdims=True), 1)
    steps = counts * STEPS // total
    missing = np.where(counts.any(1), STEPS - steps.sum(1), 0)
    rest = counts * STEPS - steps * total
    rank = np.argsort(np.argsort(-rest, axis=1, kind="stable"), axis=1, kind="stable")
    return np.asarray(steps + (rank < missing[:, None])).astype(np.int32)


def packed(steps: np.ndarray) -> np.ndarray:
    """Steps of all triples as bytes, which `multiway_packing.unpacked` reads."""
    boxes = boxes_of_triples()
    residuals = np.empty((len(steps), ORDER_COUNT), np.int32)
    for rows in boxes.levels:
        corners = boxes.corners[rows]
        residuals[rows] = corner_steps(steps, corners) - predicted_steps(steps, boxes, rows)
    words = residuals[:, 1:].T.astype(np.int16)
    signed = ((words << 1) ^ (words >> 15)).view(np.uint16)  # zigzag encoding: small in magnitude becomes small
    planes = np.concatenate([(signed & 255).astype(np.uint8).ravel(), (signed >> 8).astype(np.uint8).ravel()])
    return np.frombuffer(lzma.compress(planes.tobytes(), format=lzma.FORMAT_XZ, filters=_FILTERS), np.uint8)


if __name__ == "__main__":
    store.save(SHIPPED, {"packed": packed(in_steps(count_all()))}, kind=PACKED_KIND)
