"""Equities: published counts, the naive count, every way of counting against every other, chance within its error."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive import equity as naive
from pokerlab.cards import contest as ways
from pokerlab.cards import preflop, sampling
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import COMBOS, combo_index, combo_name
from pokerlab.cards.contest import Contest, Splits
from pokerlab.cards.equity import Equity, equity, equity_of_hands
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadCards, BadRange, BadSetting, PokerlabError, TooLarge
from pokerlab.events import Event
from published import equity as published


def counts(result: Equity) -> list[tuple[int | None, int | None, int | None]]:
    return [(share.wins, share.ties, share.losses) for share in result.players]


# ---- published -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", list(published.MATCHUPS))
def test_published_matchups(pair: tuple[str, str]) -> None:
    result = equity(pair)
    wins, ties, losses = published.MATCHUPS[pair]
    assert counts(result) == [(wins, ties, losses), (losses, ties, wins)]
    assert result.exact
    assert result.deals == wins + ties + losses == comb(48, 5) == 1_712_304
    assert result.players[0].fraction == Fraction(2 * wins + ties, 2 * 1_712_304)


def test_published_equity_of_ace_king_against_deuces() -> None:
    assert round(equity(["AhKh", "2c2d"]).players[0].equity, 6) == 0.500842


@pytest.mark.parametrize("pair", list(published.CLASS_EQUITIES))
def test_published_class_equities(pair: tuple[str, str]) -> None:
    assert round(equity(pair).players[0].equity, 5) == published.CLASS_EQUITIES[pair]


@pytest.mark.parametrize("pair", list(published.TRIO))
def test_published_trio(pair: tuple[str, str]) -> None:
    share = equity(pair).players[0]
    win, tie, _ = published.TRIO[pair]
    assert (round(share.win, 5), round(share.tie, 5)) == (win, tie)


def test_published_aces_against_a_draw() -> None:
    before, after = equity(["AsAc", "2d3d"]), equity(["AsAc", "2d3d"], board="4d5dKs")
    assert round(100 * before.players[0].win, 2) == published.SCHMID_PREFLOP_WIN_PERCENT
    assert round(100 * after.players[0].win, 2) == published.SCHMID_FLOP_WIN_PERCENT
    assert (after.players[0].wins, after.deals) == published.SCHMID_FLOP_WINS


def test_published_equity_against_random() -> None:
    for name in ("AA", "72o", "32o", "T9s"):
        share = equity([name, "random"]).players[0]
        assert (round(100 * share.win, 4), round(100 * share.tie, 4)) == published.AGAINST_RANDOM[name]


# ---- the naive count -------------------------------------------------------------------------------------------------

WEIGHTS = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(3, 8)])  # exact as floats


@st.composite
def contests(draw: st.DrawFn, *, board: tuple[int, ...] = (4, 5), players: int = 3, whole: bool = False) -> Contest:
    deck = draw(st.permutations(range(52)))
    size = draw(st.sampled_from(board))
    dead = draw(st.integers(0, 4))
    gone, left = deck[: size + dead], sorted(deck[size + dead :])[:14]  # few cards, so that hands collide
    ranges = []
    for _ in range(draw(st.integers(2, players))):
        hands = draw(st.lists(st.tuples(st.sampled_from(left), st.sampled_from(left)), min_size=1, max_size=5))
        weights = np.zeros(1326)
        for first, second in hands:
            if first != second:
                weights[combo_index(first, second)] = 1 if whole else float(draw(WEIGHTS))
        if not weights.any():
            weights[combo_index(left[0], left[1])] = 1
        ranges.append(Range(weights))
    return Contest(tuple(ranges), tuple(gone[:size]), tuple(gone[size:]))


def naive_splits(contest: Contest) -> tuple[list[list[Fraction]], Fraction]:
    ranges = [
        {int(hand): Fraction(float(weights[hand])) for hand in np.flatnonzero(weights)} for weights in contest.weights
    ]
    return naive.splits(ranges, contest.board, contest.dead)


def assert_same(splits: Splits, expected: tuple[list[list[Fraction]], Fraction]) -> None:
    assert Fraction(splits.total) == expected[1]
    assert [[Fraction(float(weight)) for weight in row] for row in splits.weights] == expected[0]


@pytest.mark.uncompiled
@given(contests())
@settings(max_examples=15, deadline=None)
def test_every_exact_way_agrees_with_the_naive_count(contest: Contest) -> None:
    expected = naive_splits(contest)
    assert_same(ways.deal_splits(contest), expected)
    assert_same(ways.count_match_ups(contest), expected)
    if len(contest.ranges) == 2:
        assert_same(ways.sweep_splits(contest), expected)
    if contest.known and expected[1]:
        assert_same(ways.count_boards(contest), expected)


@given(contests(board=(2, 3), players=4))
@settings(max_examples=10, deadline=None)
def test_every_exact_way_agrees_on_earlier_boards(contest: Contest) -> None:
    dealt, met = ways.deal_splits(contest), ways.count_match_ups(contest)
    assert dealt.total == met.total
    assert (dealt.weights == met.weights).all()
    if len(contest.ranges) == 2:
        swept = ways.sweep_splits(contest)
        assert swept.total == met.total
        assert (swept.weights == met.weights).all()


@given(st.permutations(range(52)), st.integers(2, 6))
@settings(max_examples=8, deadline=None)
def test_known_hands_agree_with_the_naive_count(deck: list[int], players: int) -> None:
    hands = [{combo_index(*deck[2 * player : 2 * player + 2]): Fraction(1)} for player in range(players)]
    board, dead = tuple(deck[20:24]), tuple(deck[30:33])
    found = ways.known_hands([next(iter(hand)) for hand in hands], board, dead)
    expected, total = naive.splits(hands, board, dead)
    assert found.tolist() == expected
    assert total == comb(52 - 2 * players - 7, 1)


@pytest.mark.uncompiled
def test_hands_that_split_a_pot_three_ways() -> None:
    result = equity(["2c3c", "2d3d", "2h3h", "4c4d"], board="AsKsQsJsTs")
    assert counts(result) == [(0, 1, 0)] * 4
    assert {share.fraction for share in result.players} == {Fraction(1, 4)}
    two = equity(["AcKd", "AdKc", "2c2d"], board="AhKhQs7c5d")
    assert [share.fraction for share in two.players] == [Fraction(1, 2), Fraction(1, 2), 0]


def test_phevaluator_agrees_on_a_flop() -> None:
    from phevaluator import evaluate_cards

    names = ["AhKh", "9c9d", "8s7s"]
    cards = FULL_DECK.cards("".join(names) + "Td6s2h")
    wins = [0, 0, 0]
    for turn, river in combinations([card for card in range(52) if card not in cards], 2):
        board = [*cards[6:], turn, river]
        scores = [evaluate_cards(*map(FULL_DECK.name, [*cards[2 * i : 2 * i + 2], *board])) for i in range(3)]
        best = min(scores)
        if scores.count(best) == 1:
            wins[scores.index(best)] += 1
    assert [share.wins for share in equity(names, board="Td6s2h").players] == wins


# ---- laws ------------------------------------------------------------------------------------------------------------


@given(contests(board=(3, 4, 5), players=4, whole=True))
@settings(max_examples=30, deadline=None)
def test_counts_and_equities_add_up_exactly(contest: Contest) -> None:
    if not ways.deal_splits(contest).total:
        with pytest.raises(PokerlabError):
            equity(contest.ranges, board=contest.board, dead=contest.dead)
        return
    result = equity(contest.ranges, board=contest.board, dead=contest.dead)
    assert sum(share.fraction or 0 for share in result.players) == 1
    for share in result.players:
        assert (share.wins or 0) + (share.ties or 0) + (share.losses or 0) == result.deals
    assert sum(share.wins or 0 for share in result.players) <= result.deals


@given(contests(board=(3, 4, 5), players=3), st.sampled_from(list(permutations(range(4)))))
@settings(max_examples=20, deadline=None)
def test_names_of_suits_do_not_matter(contest: Contest, suits: tuple[int, ...]) -> None:
    def renamed(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(card // 4 * 4 + suits[card % 4] for card in cards)

    ranges = []
    for held in contest.ranges:
        weights = np.zeros(1326)
        for hand in held.combos:
            weights[combo_index(*renamed(tuple(map(int, COMBOS[hand]))))] = held.weights[hand]
        ranges.append(Range(weights))
    other = Contest(tuple(ranges), renamed(contest.board), renamed(contest.dead))
    first, second = ways.deal_splits(contest), ways.deal_splits(other)
    assert first.total == second.total
    assert (first.weights == second.weights).all()


def test_the_table_agrees_with_counting_boards() -> None:
    contest = Contest((Range.parse("AKs,T9o:0.5,22"), Range.parse("QQ,AhKh,72s:0.25")), (), ())
    table, met = ways.table_splits(contest), ways.count_match_ups(contest)
    assert table.total == met.total
    assert (table.weights == met.weights).all()


def test_order_of_players_does_not_matter() -> None:
    players = ["AA", "KQs", "JTo", "7h7d"]
    result = equity(players, board="Td7s2c3h")
    other = equity(players[::-1], board="3h2cTd7s")
    assert counts(result) == counts(other)[::-1]


def test_a_range_is_the_sum_of_its_hands() -> None:
    held, opponent = "AKs", "QQ,JTs"
    whole = equity([held, opponent], board="Td7s2c")
    hands = [equity([combo_name(int(hand)), opponent], board="Td7s2c") for hand in Range.parse(held).combos]
    assert whole.players[0].wins == sum(result.players[0].wins or 0 for result in hands)
    assert whole.deals == sum(result.deals for result in hands)


def test_weights_that_are_all_alike_do_not_matter() -> None:
    assert counts(equity(["AKs:0.3", "QQ"], board="Td7s2c")) == counts(equity(["AKs", "QQ"], board="Td7s2c"))
    assert equity(["AKs,KK:0.5", "QQ"], board="Td7s2c").players[0].wins is None


@pytest.mark.parametrize("board", ["", "Td7s2c", "Td7s2c9h3d"])
def test_every_hand_against_a_range(board: str) -> None:
    found = equity_of_hands("QQ+,AKs:0.5", board=board)
    for hand in ("AhKh", "9c8c", "QdQc"):
        share = equity([hand, "QQ+,AKs:0.5"], board=board).players[0]
        index = combo_index(*FULL_DECK.cards(hand))
        parts = [float(part[index]) for part in (found.win, found.tie, found.lose, found.equity)]
        assert parts == pytest.approx([share.win, share.tie, share.lose, share.equity], abs=1e-12)
    if board:
        assert found.equity[combo_index(*FULL_DECK.cards("TdAs"))] == 0


# ---- chance ----------------------------------------------------------------------------------------------------------

CHANCE = [
    (["AhKh", "2c2d"], "", ""),
    (["AKs,QQ+", "random"], "Td7s2c", ""),
    (["AA,AKo:0.2", "AA:0.1,A2s+", "KK"], "Td7s2c9h", "As"),  # ranges that seldom fit together
    (["AA", "AA", "KQ"], "Td7s2c", ""),
]


@pytest.mark.parametrize(("players", "board", "dead"), CHANCE)
def test_chance_is_within_its_standard_error(players: list[str], board: str, dead: str) -> None:
    exact = equity(players, board=board, dead=dead, exact=True)
    chance = equity(players, board=board, dead=dead, samples=200_000, seed=1)
    assert exact.exact
    assert not chance.exact
    assert chance.deals == 200_000
    for counted, drawn in zip(exact.players, chance.players, strict=True):
        assert 0 < drawn.standard_error < 0.005
        assert abs(drawn.equity - counted.equity) < 4.5 * drawn.standard_error
        assert abs(drawn.win - counted.win) < 4.5 * max(drawn.standard_error, 0.5 / 200_000**0.5)
        assert drawn.win + drawn.tie + drawn.lose == pytest.approx(1, abs=1e-9)
    assert sum(share.equity for share in chance.players) == pytest.approx(1, abs=1e-9)


def test_the_standard_error_is_the_spread_of_many_runs() -> None:
    players, board = ["AA,AKo:0.2", "A2s+,KK:0.3", "QQ"], "Td7s2c9h"
    exact = equity(players, board=board, exact=True).players[0].equity
    scores = []
    for seed in range(60):
        drawn = equity(players, board=board, samples=2_000, seed=seed).players[0]
        scores.append((drawn.equity - exact) / drawn.standard_error)
    assert abs(np.mean(scores)) < 4 / 60**0.5
    assert 0.55 < np.var(scores) < 1.6  # beyond four standard deviations of a chi-squared with 60 degrees, over 60


def test_the_same_seed_gives_the_same_result() -> None:
    runs = [equity(["AA,KK:0.5", "random", "QQ"], samples=100_000, seed=seed).players for seed in (5, 5, 6)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


@pytest.mark.uncompiled
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_chance_uncompiled() -> None:
    contest = Contest((Range.parse("AA"), Range.parse("KK,QQ")), tuple(FULL_DECK.cards("Td7s2c")), ())
    drawn = sampling.sample(contest, samples=60, seconds=None, seed=3)
    assert drawn.samples == 60
    assert drawn.weight == pytest.approx(60)
    win, tie, _, _ = drawn.shares.T
    assert win.sum() + tie.max() == pytest.approx(1)
    assert win[0] > 0.5


def test_time_limit_decides() -> None:
    told: list[float] = []
    result = equity(["random"] * 3, seconds=0.05, on_progress=lambda event: told.append(event.share))
    assert not result.exact
    assert "more than" in result.reason
    assert result.deals >= 1 << 15
    assert told == sorted(told)
    assert told[-1] == 1
    again = equity(["random"] * 3, samples=int(result.deals))
    assert again.players == result.players


def test_progress_of_exact_counting_ends_at_one() -> None:
    for players, board in [(["AhKh", "2c2d"], ""), (["QQ+", "AK"], "Td7s2c"), (["QQ+", "AK", "JJ"], "Td7s2c")]:
        events: list[Event] = []
        equity(players, board=board, on_progress=events.append)
        told = [event.share for event in events]
        assert told == sorted(told)
        assert told[-1] == 1


# ---- what is chosen, and what is refused -----------------------------------------------------------------------------


def test_the_way_is_chosen_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "every board" in equity(["AhKh", "2c2d"]).method
    assert "swept" in equity(["QQ+,AK", "random"], board="Td7s2c").method
    assert "match-up types" in equity(["AA", "KK", "QQ"]).method
    assert "every deal" in equity(["22+", "A2s+", "KQ"], board="Td7s2c3h5d").method
    preflop.preflop_table(5)
    assert "table" in equity(["QQ+", "random"]).method
    asked = equity(["random", "random", "random"], samples=1000)
    assert (asked.exact, asked.reason) == (False, "asked for")
    long = equity(["random"] * 3)
    assert "days" in long.reason
    monkeypatch.setattr(preflop, "is_saved", lambda: False)
    assert "2 match-up types" in equity(["AKs", "QQ"]).method


@pytest.mark.parametrize(
    ("players", "options", "error", "reason"),
    [
        (["AhKh"], {}, BadSetting, "at least two"),
        ([], {}, BadSetting, "at least two"),
        (["AhKh", "AhQh"], {}, BadCards, "Ah is in both AhKh and AhQh"),
        (["AhKh", "22"], {"board": "AhTdTc"}, BadRange, "player 1 cannot hold AhKh"),
        (["AA", "AA", "AA"], {}, BadRange, "at the same time"),
        (["AA", "AA", "AA"], {"samples": 1000}, BadRange, "at the same time"),
        (["AA", "AA", "AA"], {"board": "2c3c4c"}, BadRange, "at the same time"),
        (["AA:0", "KK"], {}, BadRange, "player 1 holds no hand"),
        (["AA", "KK"], {"board": "2c2c"}, BadCards, "twice"),
        (["AA", "KK"], {"board": "2c3c4c5c6c7c"}, BadCards, "at most five"),
        (["AA", "KK"], {"board": "2c", "dead": "2c"}, BadCards, "dead and on the board"),
        (["AA", "KK"], {"exact": True, "samples": 5}, BadSetting, "leave out"),
        (["AA", "KK"], {"samples": 0}, BadSetting, "samples"),
        (["AA", "KK"], {"samples": 10**13}, BadSetting, "samples"),
        (["AA", "KK"], {"seconds": float("nan")}, BadSetting, "seconds"),
        (["AA", "KK"], {"seconds": 0.0}, BadSetting, "seconds"),
        (["AA", "KK"], {"seed": -1}, BadSetting, "seed"),
        (["random"] * 24, {}, BadSetting, "53 cards of 52"),
        (["random"] * 3, {"exact": True}, TooLarge, "days"),
        (["AA", "KZ"], {}, BadRange, "not a rank"),
    ],
)
def test_bad_questions_are_refused(players: list[str], options: dict, error: type[PokerlabError], reason: str) -> None:
    with pytest.raises(error, match=reason):
        equity(players, **options)
