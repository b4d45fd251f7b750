"""Three-way all-ins before the flop: the probability of each order, with ties, for every three of the 169 classes.

Three hands have 13 possible orders: six without ties, three with a tie for first, three with a tie for last, and one in
which all tie. For the 818,805 unordered triples of classes the table holds the probability of each, over all boards and
all disjoint hands of the classes, and the number of such triples of hands.

The count is exact: a sweep over the 134,459 boards up to suit isomorphism takes each of the 1,081 hands of a board as
the middle one, and multiplies the hands above it with those below it. That takes a quarter of an hour on one core, so
the table ships with the package, in steps of 1/8192 (multiway_packing.py): probabilities are within 1.1e-4 of the exact
ones, with a root mean square error of 3.4e-5. `exact_orders` recounts any triple in a second; bench/three_way_table.py
made the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np

from pokerlab import store
from pokerlab.cards.canonical import canonical_boards
from pokerlab.cards.combos import CLASS_COMBOS, CLASS_COUNT, COMBO_CLASS, COMBO_COUNT, COMBOS
from pokerlab.cards.preflop import fits
from pokerlab.cards.strength import HIGH
from pokerlab.errors import BadSetting

ORDER_COUNT = 13
BOARDS = comb(46, 5)  # number of boards for three hands
SHIPPED = Path(__file__).parent / "three_way.table"
PACKED_KIND = "packed three-way table"
LARGEST_ERROR = 1.1e-4  # of a probability in the shipped table; the root mean square is 3.4e-5
_BATCH = 2048


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


def multiway_table() -> MultiwayTable:
    """The table, from the store; unpacked from the shipped file on first use."""
    saved = store.computed("three-way", _shipped_arrays, kind="three-way table", edition=1)
    return MultiwayTable(**saved.arrays)


def _shipped_arrays() -> dict[str, np.ndarray]:
    from pokerlab.cards.multiway_packing import STEPS, unpacked

    hands = triple_hands()
    steps = unpacked(store.load(SHIPPED, kind=PACKED_KIND).arrays["packed"], hands)
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

    hands = [_hands_of(row) for row in np.asarray(classes)]
    counts = np.zeros((len(hands), ORDER_COUNT), np.int64)
    boards, weights = canonical_boards(5)
    tables, nothing_dead = HIGH().tables(7), np.zeros(52, np.bool_)
    strengths = np.empty((_BATCH, COMBO_COUNT), np.uint16)
    for start in range(0, len(boards), _BATCH):
        batch = boards[start : start + _BATCH]
        on_batch = strengths[: len(batch)]
        all_board_strengths(batch, nothing_dead, tables, on_batch)
        weight = weights[start : start + _BATCH].astype(np.int64)
        for three, count in zip(hands, counts, strict=True):
            count_orders(on_batch, weight, three, COMBOS, ORDER_OF, count)
    return counts


def _hands_of(classes: np.ndarray) -> np.ndarray:
    hands = np.full((3, 12), -1, np.int64)
    for row, number in zip(hands, classes, strict=True):
        members = CLASS_COMBOS[int(number)]
        row[: len(members)] = members
    return hands
