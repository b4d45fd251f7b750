"""All-ins of three hands: counts by class against plain counting, and the table against exact counts and pairs."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from bench.three_way_table import add_boards, in_steps, orders_of, packed

from naive.pushes import disjoint_triples, orders_on
from pokerlab import store
from pokerlab.cards import multiway
from pokerlab.cards._kernels.triples import sorted_three, triple_row
from pokerlab.cards.canonical import canonical_boards
from pokerlab.cards.combos import CLASS_COUNT, CLASS_NAMES, COMBO_COUNT, COMBOS
from pokerlab.cards.multiway import (
    BOARDS,
    FIRST_PLACE,
    ORDERS,
    SECOND_PLACE,
    exact_orders,
    multiway_table,
    triple_hands,
    triple_index,
    triples,
)
from pokerlab.cards.multiway_packing import STEPS, unpacked
from pokerlab.cards.preflop import preflop_table
from pokerlab.cards.strength import HIGH
from pokerlab.errors import BadSetting

CLASS = {name: number for number, name in enumerate(CLASS_NAMES)}
TRIPLES = (("AA", "AKs", "AKo"), ("72o", "72o", "72o"), ("KK", "QQ", "A5s"), ("AKo", "KQo", "QJo"), ("22", "22", "A2s"))


def numbers(names: tuple[str, str, str]) -> tuple[int, int, int]:
    one, two, three = sorted(CLASS[name] for name in names)
    return one, two, three


def some_boards(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    from pokerlab.cards._kernels.board import all_board_strengths

    boards = canonical_boards(5)[0]
    chosen = boards[np.random.default_rng(seed).choice(len(boards), count, replace=False)]
    strengths = np.empty((count, COMBO_COUNT), np.uint16)
    all_board_strengths(chosen, np.zeros(52, np.bool_), HIGH().tables(7), strengths)
    return chosen, strengths


def test_orders_are_all_that_three_hands_can_come_in() -> None:
    assert len(set(ORDERS)) == 13
    assert sorted(multiway.ORDER_OF[multiway.ORDER_OF >= 0]) == list(range(13))


def test_every_triple_has_its_place() -> None:
    found = triples().astype(np.int64)
    assert len(found) == 169 * 170 * 171 // 6
    assert (triple_index(found[:, 2], found[:, 0], found[:, 1]) == np.arange(len(found))).all()
    with pytest.raises(BadSetting, match="numbers from 0 to 168"):
        triple_index(0, 169, 3)


def test_hands_that_fit_together() -> None:
    fitting = triple_hands()
    for names in TRIPLES:
        assert fitting[triple_index(*numbers(names))] == disjoint_triples(numbers(names))
    assert fitting[triple_index(0, 0, 0)] == 0  # of four aces two pairs can be held, not three


def test_counting_is_plain_counting() -> None:
    from pokerlab.cards._kernels.multiway import count_orders

    _, strengths = some_boards(6, seed=1)
    for names in TRIPLES:
        counts = np.zeros(13, np.int64)
        hands = multiway._hands_of(np.array(numbers(names)))
        count_orders(strengths, np.ones(len(strengths), np.int64), hands, COMBOS, multiway.ORDER_OF, counts)
        assert (counts == orders_on(strengths, numbers(names))).all()


def test_three_classes_are_sorted_and_found() -> None:
    """Every three of some classes, equal ones among them, against a stable sort and the index of triples."""
    places = np.stack([FIRST_PLACE, SECOND_PLACE])
    arrangements = list(permutations(range(3)))
    for three in product((0, 1, 7, 167, 168), repeat=3):
        sorting, *rising = sorted_three(*three)
        seats = tuple(sorted(range(3), key=lambda seat: three[seat]))
        assert (arrangements[sorting], rising) == (seats, sorted(three))
        assert triple_row(places, *rising) == triple_index(*three)


def test_hands_in_the_middle_count_the_same() -> None:
    """The sweep of the whole table, on a few boards, some with flushes: all triples of some classes."""
    boards, strengths = some_boards(5, seed=2)
    sums = np.zeros((CLASS_COUNT, 4, CLASS_COUNT, CLASS_COUNT), np.int64)
    add_boards(boards, 3, sums)
    counted = orders_of(sums)
    for names in TRIPLES:
        found = counted[triple_index(*numbers(names))]
        assert (found == 3 * orders_on(strengths, numbers(names))).all()
    assert (counted >= 0).all()


def test_the_table_is_the_exact_one() -> None:
    """Steps of the shipped table are far below 1e-4 of a chance."""
    table = multiway_table()
    rows = np.array([numbers(names) for names in TRIPLES[:3]])
    exact = exact_orders(rows)
    index = triple_index(*rows.T)
    assert (exact.sum(1) == table.hands[index] * BOARDS).all()
    assert np.abs(exact / exact.sum(1, keepdims=True) - table.chances[index]).max() < multiway.LARGEST_ERROR


@pytest.mark.slow
def test_the_shipped_table_is_packed_again_as_it_was() -> None:
    table = multiway_table()
    steps = np.rint(table.chances * STEPS).astype(np.int64)
    assert (in_steps(steps) == steps).all()
    shipped = store.load(multiway.SHIPPED, kind=multiway.PACKED_KIND).arrays["packed"]
    assert (unpacked(packed(steps.astype(np.int32)), table.hands) == unpacked(shipped, table.hands)).all()


def test_the_table_has_the_pairs_in_it() -> None:
    """Two hands and a board leave 903 hands to a third: summed over its class, orders become wins of two classes."""
    table, pairs = multiway_table(), preflop_table()
    one = np.arange(CLASS_COUNT)
    for first, second in ((0, 1), (5, 140), (28, 28), (168, 40)):
        held = np.stack([np.full(CLASS_COUNT, first), np.full(CLASS_COUNT, second), one])
        order = np.argsort(held, axis=0, kind="stable")
        index = triple_index(*held)
        won = 0.0
        for third in range(CLASS_COUNT):
            place = np.argsort(order[:, third])
            won += sum(
                float(table.chances[index[third], number]) * table.hands[index[third]]
                for number, places in enumerate(ORDERS)
                if places[place[0]] < places[place[1]]
            )
        share = won * BOARDS / (903 * pairs.class_pairs[first, second] * pairs.boards)
        assert abs(share - pairs.class_win[first, second]) < multiway.LARGEST_ERROR / 2
