"""Three-way all-ins before the flop: the probability of each order, with ties, for every three of the 169 classes.

Three hands have 13 possible orders: six without ties, three with a tie for first, three with a tie for last, and one in
which all tie. For the 818,805 unordered triples of classes the table holds the probability of each, over all boards and
all disjoint hands of the classes, and the number of such triples of hands.

The count is exact: a sweep over the 134,459 boards up to suit isomorphism takes each of the 1,081 hands of a board as
the middle one, and multiplies the hands above it with those below it. That takes a quarter of an hour on one core, so
the table ships with the package, in steps of 1/8192 (multiway_packing.py): probabilities are within 1.1e-4 of the exact
ones, with a root mean square error of 3.4e-5. `exact_orders` recounts any triple in a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np

from pokerlab import parallel, store
from pokerlab.cards.canonical import canonical_boards
from pokerlab.cards.combos import CLASS_COMBOS, CLASS_COUNT, COMBO_CLASS, COMBO_COUNT, COMBOS, class_of
from pokerlab.cards.preflop import fits
from pokerlab.cards.strength import HIGH
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch

ORDER_COUNT = 13
TRIPLE_COUNT = CLASS_COUNT * (CLASS_COUNT + 1) * (CLASS_COUNT + 2) // 6
BOARDS = comb(46, 5)  # number of boards for three hands
SHIPPED = Path(__file__).parent / "three_way.table"
LARGEST_ERROR = 1.1e-4  # of a probability in the shipped table; the root mean square is 3.4e-5
_BATCH = 2048
_CHUNK = 1024  # boards per unit of work
_EDITION = 1


ORDERS = (  # [order][hand]: the position of each hand, 0 the best; tied hands share one
    *((0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)),
    *((1, 0, 0), (0, 1, 0), (0, 0, 1)),  # two tie for the lead
    *((0, 1, 1), (1, 0, 1), (1, 1, 0)),  # two tie for last
    (0, 0, 0),
)


def _order_of() -> np.ndarray:
    codes = np.full(27, -1, np.int64)
    for number, (a, b, c) in enumerate(ORDERS):
        codes[9 * (np.sign(a - b) + 1) + 3 * (np.sign(a - c) + 1) + np.sign(b - c) + 1] = number
    return codes


ORDER_OF = _order_of()  # [27]: the index of an order by 0 (beats), 1 or 2 (loses) of hands 0-1, 0-2 and 1-2


def triple_index(first: np.ndarray | int, second: np.ndarray | int, third: np.ndarray | int) -> np.ndarray:
    """The index of triples of classes among the 818,805, smallest class first.

    >>> int(triple_index(168, 168, 168))
    818804
    """
    a, b, c = np.sort(np.stack(np.broadcast_arrays(first, second, third)), axis=0)
    if a.size and (a.min() < 0 or c.max() >= CLASS_COUNT):
        raise BadSetting(f"classes of hands are numbers from 0 to {CLASS_COUNT - 1}")
    return np.asarray(FIRST_PLACE[a] + SECOND_PLACE[b] - SECOND_PLACE[a] + c - b)


_left = CLASS_COUNT - np.arange(CLASS_COUNT, dtype=np.int64)
FIRST_PLACE = np.concatenate(([0], np.cumsum(_left * (_left + 1) // 2)[:-1]))  # [169]: triples with a smaller first
SECOND_PLACE = np.concatenate(([0], np.cumsum(_left)[:-1]))  # [169]: pairs with a smaller first


def triples() -> np.ndarray:
    """The classes of every triple, smallest first: [818805, 3] uint8."""
    first, second, third = np.indices((CLASS_COUNT,) * 3, dtype=np.uint8).reshape(3, -1)
    rising = (first <= second) & (second <= third)
    return np.stack([first[rising], second[rising], third[rising]], axis=1)


@dataclass(frozen=True, eq=False)
class MultiwayTable:
    """Order probabilities of three hands of three classes, for every unordered triple of classes, smallest first."""

    chances: np.ndarray  # [818805, 13] float32: of each of ORDERS; 0 if no disjoint hands of the classes exist
    hands: np.ndarray  # [818805] int32: number of disjoint triples of hands


def multiway_table(*, watch: Watch = SILENT) -> MultiwayTable:
    """The table, from the store; on first use unpacked from the shipped file, or recounted (many minutes)."""

    def made() -> dict[str, np.ndarray]:
        return shipped_arrays() if SHIPPED.is_file() else compute(watch=watch)

    kept = store.computed("three-way", made, kind="three-way table", edition=_EDITION)
    return MultiwayTable(**kept.arrays)


def shipped_arrays() -> dict[str, np.ndarray]:
    """The arrays of the shipped table."""
    from pokerlab.cards.multiway_packing import STEPS, unpacked

    hands = triple_hands()
    steps = unpacked(store.load(SHIPPED, kind="packed three-way table").arrays["packed"], hands)
    return {"chances": (steps / np.float32(STEPS)).astype(np.float32), "hands": hands}


def triple_hands() -> np.ndarray:
    """The number of disjoint triples of hands of each triple of classes: [818805] int32.

    By suit symmetry one hand of the first class represents all of them. Of the hands disjoint from it, all pairs count
    except those that share a card; a hand shares two with itself.
    """
    classes = triples().astype(np.int64)
    fitting = np.empty(len(classes), np.int64)
    possible = fits()
    ends = [*FIRST_PLACE[1:].tolist(), len(classes)]
    for first in range(CLASS_COUNT):
        free = np.flatnonzero(possible[CLASS_COMBOS[first][0]])
        members = np.bincount(COMBO_CLASS[free], minlength=CLASS_COUNT)
        with_card = np.zeros((52, CLASS_COUNT), np.int64)
        np.add.at(with_card, (COMBOS[free], COMBO_CLASS[free][:, None]), 1)
        pairs = np.outer(members, members) - with_card.T @ with_card + np.diag(members)
        rows = slice(int(FIRST_PLACE[first]), ends[first])
        fitting[rows] = len(CLASS_COMBOS[first]) * pairs[classes[rows, 1], classes[rows, 2]]
    return fitting.astype(np.int32)


def exact_orders(classes: np.ndarray) -> np.ndarray:
    """For each row of three classes [n, 3], the count of each order over all hands and boards: [n, 13] int64."""
    from pokerlab.cards._kernels.board import all_board_strengths
    from pokerlab.cards._kernels.multiway import count_orders

    rows = np.asarray(classes)
    hands = [_hands_of(row) for row in rows]
    counts = np.zeros((len(rows), ORDER_COUNT), np.int64)
    boards, weights = canonical_boards(5)
    tables, nothing_dead = HIGH().tables(7), np.zeros(52, np.bool_)
    strengths = np.empty((_BATCH, COMBO_COUNT), np.uint16)
    for start in range(0, len(boards), _BATCH):
        batch = boards[start : start + _BATCH]
        found = strengths[: len(batch)]
        all_board_strengths(batch, nothing_dead, tables, found)
        weight = weights[start : start + _BATCH].astype(np.int64)
        for three, count in zip(hands, counts, strict=True):
            count_orders(found, weight, three, COMBOS, ORDER_OF, count)
    return counts


def _hands_of(classes: np.ndarray) -> np.ndarray:
    hands = np.full((3, 12), -1, np.int64)
    for row, number in zip(hands, classes, strict=True):
        members = CLASS_COMBOS[int(number)]
        row[: len(members)] = members
    return hands


# ---- the whole table ------------------------------------------------------------------------------------------------


def compute(*, watch: Watch = SILENT, workers: int | None = None) -> dict[str, np.ndarray]:
    """The arrays of the table, computed on all cores; the result does not depend on the number of cores."""
    boards, counts = canonical_boards(5)
    sums = np.zeros((CLASS_COUNT, 4, CLASS_COUNT, CLASS_COUNT), np.int64)
    for chunk in _chunks(counts):
        _add_boards(boards[chunk], int(counts[chunk.start]), sums, workers=workers)
        watch.at("counting", chunk.stop, len(boards))
    counted = _orders_of(sums)
    hands = counted.sum(1) // BOARDS
    chances = counted / np.maximum(counted.sum(1, keepdims=True), 1)
    return {"chances": chances.astype(np.float32), "hands": hands.astype(np.int32)}


def _chunks(counts: np.ndarray) -> Iterator[slice]:
    """Units of work; all boards of a unit have the same count."""
    ends = [*np.flatnonzero(np.diff(counts)) + 1, len(counts)]
    start = 0
    for end in map(int, ends):
        for first in range(start, end, _CHUNK):
            yield slice(first, min(first + _CHUNK, end))
        start = end


def _add_boards(boards: np.ndarray, count: int, sums: np.ndarray, *, workers: int | None) -> None:
    """Add the products of every class in the middle, on boards with the same count."""
    from pokerlab.cards._kernels.board import all_board_strengths, dense_ranks
    from pokerlab.cards._kernels.middle_hands import SLOTS, WIDTH, WORDS, Middle, Row, add_middle, spread_places

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

    for _ in parallel.run(add, range(CLASS_COUNT), workers=workers):
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


def _orders_of(sums: np.ndarray) -> np.ndarray:
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
