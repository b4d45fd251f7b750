"""The preflop tables against published counts, the naive count, and themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import equity as naive
from pokerlab.cards import preflop
from pokerlab.cards._kernels.board import add_wins, all_board_strengths, dense_ranks
from pokerlab.cards.canonical import canonical_boards
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import CLASS_COMBOS, CLASS_NAMES, CLASS_SIZES, COMBOS, combo_index, combo_indices
from pokerlab.cards.preflop import PreflopTable
from pokerlab.cards.strength import HIGH
from pokerlab.errors import BadSetting
from pokerlab.events import Event, Watch
from published import equity as published


@pytest.fixture(scope="module", params=[3, 5])
def table(request: pytest.FixtureRequest) -> PreflopTable:
    return preflop.preflop_table(request.param)


@pytest.fixture(scope="module")
def holdem() -> PreflopTable:
    return preflop.preflop_table(5)


def class_equity(table: PreflopTable) -> np.ndarray:
    """The row's share of the pot, ties split: [169, 169]."""
    return table.class_win + table.class_tie / 2


def hand(text: str) -> int:
    return combo_index(*FULL_DECK.cards(text))


def strengths_on(boards: list[tuple[int, ...]], dead: tuple[int, ...] = ()) -> np.ndarray:
    ranking = HIGH()
    out = np.empty((len(boards), 1326), np.uint16)
    closed = np.zeros(52, np.bool_)
    closed[list(dead)] = True
    tables = ranking.tables(len(boards[0]) + 2)
    all_board_strengths(np.array(boards, np.uint8), closed, tables, out)
    return out


@given(st.permutations(range(52)), st.sampled_from([3, 4, 5]), st.integers(0, 3))
@settings(max_examples=6, deadline=None)
def test_strengths_of_all_hands_of_a_board(deck: list[int], size: int, dead: int) -> None:
    board, closed = tuple(deck[:size]), tuple(deck[size : size + dead])
    assert strengths_on([board], closed)[0].tolist() == naive.board_strengths(board, closed)


@pytest.mark.parametrize("board", ["2c5c9cJcKc", "AsKsQsJsTs", "7c7d7h7sAc", "7c7d7h2s2d", "2c3c4c5cKd", "AcAdAhKsKc"])
def test_strengths_on_boards_with_flushes_and_quads(board: str) -> None:
    cards = tuple(FULL_DECK.cards(board))
    assert strengths_on([cards])[0].tolist() == naive.board_strengths(cards)


@pytest.mark.uncompiled
def test_wins_agree_with_counting_one_by_one() -> None:
    rng = np.random.default_rng(3)
    boards = [tuple(int(card) for card in rng.choice(52, 3, replace=False)) for _ in range(6)]
    strengths = strengths_on(boards)
    ranks = np.empty(strengths.shape, np.uint8)
    dense_ranks(strengths, ranks)
    chosen = rng.choice(1326, 30, replace=False)
    few = np.ascontiguousarray(ranks[:, chosen])
    wins = np.zeros((30, 30), np.int32)
    add_wins(few, np.int32(2), wins)
    assert (wins == 2 * naive.wins(boards, chosen.tolist())).all()


def test_dense_ranks_keep_the_order() -> None:
    rng = np.random.default_rng(4)
    boards = [tuple(int(card) for card in rng.choice(52, 5, replace=False)) for _ in range(40)]
    strengths = strengths_on([*boards, tuple(FULL_DECK.cards("2c5c9cJcKc"))])
    ranks = np.empty(strengths.shape, np.uint8)
    dense_ranks(strengths, ranks)
    for row, rank in zip(strengths, ranks, strict=True):
        values, places = np.unique(row, return_inverse=True)
        assert values[0] == 0
        assert (rank == places).all()


@pytest.mark.parametrize("size", [1, 2, 3])
def test_canonical_boards_stand_for_all_boards(size: int) -> None:
    boards, counts = canonical_boards(size)
    kinds = Counter(canonical(board) for board in combinations(range(52), size))
    assert {canonical(board): count for board, count in zip(boards.tolist(), counts, strict=True)} == kinds


def test_count_of_canonical_boards() -> None:
    boards, counts = canonical_boards(5)
    assert (len(boards), counts.sum()) == (134_459, comb(52, 5))


def canonical(board: Sequence[int]) -> tuple[int, ...]:
    return min(tuple(sorted(card // 4 * 4 + suits[card % 4] for card in board)) for suits in SUITS)


SUITS = list(permutations(range(4)))


@pytest.mark.parametrize("pair", list(published.MATCHUPS))
def test_published_matchups(holdem: PreflopTable, pair: tuple[str, str]) -> None:
    first, second = map(hand, pair)
    counted = (holdem.wins[first, second], holdem.ties[first, second], holdem.wins[second, first])
    assert counted == published.MATCHUPS[pair]


def test_published_class_equities(holdem: PreflopTable) -> None:
    for (first, second), equity in published.CLASS_EQUITIES.items():
        ours = class_equity(holdem)[CLASS_NAMES.index(first), CLASS_NAMES.index(second)]
        assert round(ours, 5) == equity


def test_published_trio_beats_itself_in_a_circle(holdem: PreflopTable) -> None:
    for (first, second), (win, tie, (least, most)) in published.TRIO.items():
        row, column = CLASS_NAMES.index(first), CLASS_NAMES.index(second)
        assert round(holdem.class_win[row, column], 5) == win
        assert round(holdem.class_tie[row, column], 5) == tie
        block = np.ix_(CLASS_COMBOS[row], CLASS_COMBOS[column])
        share = (holdem.wins[block] / holdem.boards)[preflop.fits()[block]]
        assert (round(float(share.min()), 4), round(float(share.max()), 4)) == (least, most)
    for first, second in [("22", "AKo"), ("AKo", "JTs"), ("JTs", "22")]:
        assert class_equity(holdem)[CLASS_NAMES.index(first), CLASS_NAMES.index(second)] > 0.5


def test_published_equities_against_random(holdem: PreflopTable) -> None:
    win, tie = holdem.against_random()
    assert len(published.AGAINST_RANDOM) == 169
    for name, percents in published.AGAINST_RANDOM.items():
        number = CLASS_NAMES.index(name)
        assert (round(100 * win[number], 4), round(100 * tie[number], 4)) == percents
    equity = win + tie / 2
    assert CLASS_NAMES[int(equity.argmin())] == "32o"
    assert CLASS_NAMES[int(equity.argmax())] == "AA"


def test_every_board_is_won_lost_or_tied(table: PreflopTable) -> None:
    possible = preflop.fits()
    assert possible.sum() == 1326 * 1225
    counted = table.wins.astype(int) + table.wins.T + table.ties
    assert (counted[possible] == table.boards).all()
    assert not counted[~possible].any()
    assert (table.ties == table.ties.T).all()
    assert (table.wins >= 0).all()
    assert (table.ties >= 0).all()
    assert (table.class_wins + table.class_wins.T + table.class_ties == table.class_pairs * table.boards).all()
    assert (table.class_pairs.sum(1) == CLASS_SIZES * 1225).all()
    assert np.allclose(table.class_win + table.class_tie + table.class_lose, 1)
    assert np.allclose((table.equity() + table.equity().T)[possible], 1)


def test_suits_have_no_names(table: PreflopTable) -> None:
    for suits in SUITS:
        renamed = combo_indices(COMBOS // 4 * 4 + np.array(suits)[COMBOS % 4])
        assert (table.wins[np.ix_(renamed, renamed)] == table.wins).all()


def test_flop_table_agrees_with_counting_flops() -> None:
    table = preflop.preflop_table(3)
    for first, second in [("AhKh", "2c2d"), ("7s2d", "7h2c"), ("JsTs", "AsAd")]:
        cards = FULL_DECK.cards(first + second)
        left = [card for card in range(52) if card not in cards]
        boards = np.array(list(combinations(left, 3)), np.uint8)
        ours = HIGH().strengths(np.hstack([np.repeat([cards[:2]], len(boards), 0), boards]))
        theirs = HIGH().strengths(np.hstack([np.repeat([cards[2:]], len(boards), 0), boards]))
        assert table.wins[hand(first), hand(second)] == (ours < theirs).sum()
        assert table.ties[hand(first), hand(second)] == (ours == theirs).sum()
        assert table.boards == len(boards)


def test_one_worker_gives_the_same_table() -> None:
    events: list[Event] = []
    alone = preflop.compute(3, workers=1, watch=Watch(on_progress=events.append))
    kept = preflop.preflop_table(3)
    for name, array in alone.items():
        assert (array == getattr(kept, name)).all()
    assert (events[-1].done, events[-1].total) == (1755, 1755)


def test_the_shipped_table_agrees_with_counting_boards() -> None:
    wins = preflop.shipped()["wins"]
    deck = np.random.default_rng(6).permutation(52)
    for cards in (deck[:4], deck[4:8]):
        left = [card for card in range(52) if card not in cards]
        boards = np.array(list(combinations(left, 5)), np.uint8)
        ours, theirs = (
            HIGH().strengths(np.hstack([np.repeat([own], len(boards), 0).astype(np.uint8), boards]))
            for own in (cards[:2], cards[2:])
        )
        first, second = combo_index(*cards[:2].tolist()), combo_index(*cards[2:].tolist())
        assert (wins[first, second], wins[second, first]) == ((ours < theirs).sum(), (theirs < ours).sum())


@pytest.mark.slow
def test_the_shipped_table_is_the_computed_one() -> None:
    computed = preflop.compute(5)
    assert preflop.shipped().keys() == computed.keys()
    for name, counts in preflop.shipped().items():
        assert counts.dtype == computed[name].dtype
        assert np.array_equal(counts, computed[name]), name


def test_other_board_sizes_are_refused() -> None:
    with pytest.raises(BadSetting, match="3 or 5"):
        preflop.preflop_table(4)
