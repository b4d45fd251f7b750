"""Spots: settings, betting, boards, and the published sizes and values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from naive.public import row_sums
from pokerlab import registry
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadCards, BadFile, BadRange, BadSetting, TooLarge
from pokerlab.formats.spot_file import read_file, settings_of, spot_from
from pokerlab.games.poker.betting_tree import Deal, Decision, FoldPayoffs, Node, Showdown, walk
from pokerlab.solvers.cfr.public.solver import PublicSolver
from pokerlab.tree.public.assessor import Assessor
from pokerlab.tree.public.forecast import forecast
from pokerlab.tree.public.layout import BLOCK, PublicTree
from pokerlab.tree.public.spot import HANDS, spot_tree
from published import spots as published

DCFR = registry.load("algorithms", "dcfr(gamma=4)").schedule
SPOTS = {"river": published.RIVER, "turn": published.TURN, "flop": published.FLOP}


def solver(settings: dict[str, Any], **options: Any) -> PublicSolver:
    return PublicSolver(spot_tree(spot_from(settings)), DCFR, **options)


def small(board: str = "Ks7h2d5c9s", **changes: Any) -> dict[str, Any]:
    seat = {"range": "AA,KQs,76s,54s,JTo", "bet": "75%", "raise": "allin"}
    return {"board": board, "pot": 100, "stack": 200, "out_of_position": seat, "in_position": seat} | changes


def labels(node: Node, *path: int) -> tuple[str, ...]:
    for step in path:
        while isinstance(node, Deal):
            node = node.child
        assert isinstance(node, Decision)
        node = node.children[step]
    while isinstance(node, Deal):
        node = node.child
    assert isinstance(node, Decision)
    return node.actions


@pytest.mark.parametrize("name", ["river", "turn", pytest.param("flop", marks=pytest.mark.slow)])
def test_sizes_and_uniform_exploitability_are_the_published_ones(name: str) -> None:
    found = solver(SPOTS[name])
    tree = found.tree
    nodes = sum(len(tree.rounds[tree.places[node].round].boards) for node in walk(tree.betting))
    assert nodes == published.NODES[name]
    percent = found.measure().exploitability
    digits = 2 if name == "flop" else 3
    assert round(percent, digits) == published.UNIFORM_EXPLOITABILITY[name]


@pytest.mark.parametrize(("name", "iterations"), [("river", 1500), pytest.param("turn", 1000, marks=pytest.mark.slow)])
def test_equilibrium_values_are_the_published_ones(name: str, iterations: int) -> None:
    found = solver(SPOTS[name], threads=2)
    found.advance(iterations)
    measure = found.measure()
    expected, tolerance = published.VALUE[name]
    low, high = (50 + bound for bound in measure.bounds)
    assert low - 0.0005 <= expected <= high + 0.0005  # printed to three places
    assert 50 + measure.values[0] == pytest.approx(expected, abs=tolerance)


@pytest.mark.slow
def test_the_flop_has_its_published_value() -> None:
    found = solver(SPOTS["flop"], threads=2)
    found.advance(60)
    expected, tolerance = published.VALUE["flop"]
    low, high = (50 + bound for bound in found.measure().bounds)
    assert low - tolerance <= expected <= high + tolerance


def test_isomorphic_boards_have_the_same_values() -> None:
    measures = []
    for board in ("Ks7h2d5c9s", "Kc7s2h5d9c", "9s5c2dKs7h"):
        found = solver(small(board))
        found.advance(200)
        measures.append(found.measure().values)
    assert measures[1] == pytest.approx(measures[0], abs=1e-3)
    assert measures[2] == pytest.approx(measures[0], abs=1e-3)


def unfolded(folded: PublicSolver, plain: PublicTree) -> list[list[np.ndarray]]:
    """The average of a turn solved with symmetric rivers folded together, laid out over all rivers."""
    rivers = folded.tree.rounds[1]
    sums = [[folded.average[0][player] for player in (0, 1)], []]
    for player in (0, 1):
        compact = row_sums(folded.tree, 1, player, folded.average)  # [board, row, slot]
        spread = np.zeros((48, plain.rounds[1].hands[player].rows, compact.shape[2]))
        for number, board in enumerate(rivers.boards):
            for image in rivers.images[rivers.image_start[number] : rivers.image_start[number + 1]]:
                target = [frozenset(cards) for cards in plain.rounds[1].boards].index(frozenset(image[list(board)]))
                where = {int(hand): row for row, hand in enumerate(plain.rounds[1].hands[player].hand[target])}
                for row, hand in enumerate(rivers.hands[player].hand[number]):
                    if hand >= 0:
                        low, high = sorted(int(image[card]) for card in HANDS[hand])
                        spread[target, where[high * (high - 1) // 2 + low]] = compact[number, row]
        blocks = spread.reshape(48, -1, BLOCK, compact.shape[2]).transpose(0, 1, 3, 2)
        sums[1].append(np.ascontiguousarray(blocks.reshape(-1), np.float32))
    return sums


@pytest.mark.parametrize("held", ["AA,KQs,76s,54s,JTo", "AA:0.3,KhQh:0.25,76s,5h4h,JTo:0.77"])
def test_folding_symmetric_rivers_together_is_exact(held: str) -> None:
    seat = {"range": held, "bet": "75%", "raise": "allin"}
    spot = spot_from(small("Kh7h2h5c", out_of_position=seat, in_position=seat))
    folded, plain = PublicSolver(spot_tree(spot), DCFR), spot_tree(spot, symmetric=False)
    assert len(folded.tree.rounds[1].boards) < len(plain.rounds[1].boards) == 48
    folded.advance(30)
    ours, theirs = folded.measure(), Assessor(plain).measure(unfolded(folded, plain))
    assert ours.values == pytest.approx(theirs.values, abs=1e-5)
    assert ours.best_responses == pytest.approx(theirs.best_responses, abs=1e-5)


def test_a_range_that_breaks_a_symmetry_keeps_the_boards_apart() -> None:
    seat = {"range": "AhAs,KQs,76s", "bet": "75%", "raise": "allin"}
    plain = {"range": "AA,KQs,76s"}
    symmetric = spot_tree(spot_from(small("Kh7h2h5h", out_of_position=plain, in_position=plain)))
    broken = spot_tree(spot_from(small("Kh7h2h5h", out_of_position=seat, in_position=plain)))
    assert len(symmetric.rounds[1].boards) == 9 + 13  # hearts, and one of the three other suits
    assert len(broken.rounds[1].boards) == 9 + 13 + 13  # hearts, spades, and one of clubs and diamonds


def test_raises_are_of_the_pot_after_the_call() -> None:
    betting = spot_from(published.RIVER).betting
    assert labels(betting) == ("check", "bet 50", "bet 100", "all-in 300")
    assert labels(betting, 1) == ("fold", "call", "raise 250", "all-in 300")
    assert labels(betting, 1, 2) == ("fold", "call", "all-in 300")
    assert labels(betting, 2) == ("fold", "call", "all-in 300")
    assert labels(betting, 3) == ("fold", "call")


def test_every_kind_of_size() -> None:
    seat = {"range": "AA", "bet": "e,2e,40,33%", "raise": "2.5x,allin"}
    spot = spot_from(small("Ks7h2d", stack=1300, out_of_position=seat, in_position=seat))
    # pot 100 and 1300 behind: tripling the pot each street (a pot-sized bet) for three streets, 27 times in all
    assert labels(spot.betting) == ("check", "bet 33", "bet 40", "bet 100", "bet 210")
    assert labels(spot.betting, 3) == ("fold", "call", "raise 250", "all-in 1300")


def test_donk_bets_that_can_never_be_made_are_refused() -> None:
    seat = {"range": "AA", "bet": "50%", "donk": {"flop": "10%"}}
    with pytest.raises(BadSetting, match="never used in a spot that starts on the flop"):
        spot_from(small("Ks7h2d", out_of_position=seat))
    with pytest.raises(BadSetting, match="no donk bets"):
        spot_from(small("Ks7h2d", in_position={"range": "AA", "donk": "10%"}))
    everywhere = spot_from(small("Ks7h2d5c", out_of_position={"range": "AA", "donk": "10%"}))
    assert list(everywhere.menus[0].donk) == ["river"]
    assert spot_from(settings_of(everywhere)) == everywhere


def test_more_chips_than_can_be_counted_are_refused() -> None:
    with pytest.raises(BadSetting, match="larger chips, as in chip = 10$"):
        spot_from(small(pot=100.5, stack=1e9))
    with pytest.raises(BadSetting, match="larger chips, as in chip = 1e-06$"):
        spot_from(small(pot=100, stack=300, chip=1e-9))
    assert spot_from(small(pot=100, stack=1e9, chip=10)).betting


def test_a_forecast_knows_what_locks_do_to_symmetry() -> None:
    spot = spot_from(small("Ks7s2s"))
    alike = Range.parse("AhKh").weights
    plain, broken = forecast(spot), forecast(spot, preserved=[alike])
    assert plain.infosets == spot_tree(spot).infosets
    assert broken.infosets == spot_tree(spot, preserved=[alike]).infosets > plain.infosets
    assert forecast(spot, symmetric=False).infosets == spot_tree(spot, symmetric=False).infosets


def test_donk_bets_are_into_the_last_bettor_only() -> None:
    seat = {"range": "AA", "bet": "50%", "raise": "", "donk": {"turn": "10%"}}
    other = {name: value for name, value in seat.items() if name != "donk"}
    betting = spot_from(small("Ks7h2d", stack=1000, out_of_position=seat, in_position=other)).betting
    assert labels(betting, 0, 1, 1) == ("check", "bet 20")  # check, bet 50, call: 10 % of 200
    assert labels(betting, 0, 0) == ("check", "bet 50")  # check, check: an ordinary bet
    assert labels(betting, 1, 1) == ("check", "bet 100")  # bet, call: the bettor bets on


def test_caps_merging_and_all_in_thresholds() -> None:
    seat = {"range": "AA", "bet": "50%,52%,90%,allin", "raise": "50%"}
    both = {"out_of_position": seat, "in_position": seat}
    plain = spot_from(small(stack=100, **both)).betting
    assert labels(plain) == ("check", "bet 50", "bet 52", "bet 90", "all-in 100")
    merged = spot_from(small(stack=100, merge=0.1, all_in_from=0.9, **both)).betting
    assert labels(merged) == ("check", "bet 52", "all-in 100")
    capped = spot_from(small(stack=1000, raise_cap=1, **both)).betting
    assert labels(capped, 1) == ("fold", "call")


def test_fixed_limit_betting() -> None:
    betting = spot_from(small("Ks7h2d5c", limit=[10, 20, 40], raise_cap=2)).betting
    assert labels(betting) == ("check", "bet 20")
    assert labels(betting, 1) == ("fold", "call", "raise 40")
    assert labels(betting, 1, 2) == ("fold", "call")
    assert labels(betting, 1, 1) == ("check", "bet 40")


def test_rake_is_taken_from_every_pot_up_to_its_cap() -> None:
    found = solver(small(rake="5%", rake_cap=6))
    ends = [node for node in walk(found.tree.betting) if isinstance(node, (FoldPayoffs, Showdown))]
    for node in ends:
        paid = -sum(node.returns) if isinstance(node, FoldPayoffs) else -(node.win[0] + node.lose[0])
        assert paid == pytest.approx(
            min(6, 0.05 * 2 * -(min(node.returns) if isinstance(node, FoldPayoffs) else node.lose[0]))
        )
    found.advance(50)
    values = found.measure().values
    assert -6 <= sum(values) <= -5


def test_nothing_behind_and_all_in_on_the_flop_run_out_to_the_equity() -> None:
    from pokerlab.cards.equity import equity

    one, other = {"range": "AhAd"}, {"range": "QsJs"}
    found = solver(small("Ks7s2d", stack=0, out_of_position=one, in_position=other))
    found.advance(1)
    expected = equity(["AhAd", "QsJs"], board="Ks7s2d").players[0].equity
    assert 50 + found.measure().values[0] == pytest.approx(100 * expected, abs=1e-4)
    forced = small("Ks7s2d", stack=100, out_of_position=one | {"bet": "allin"}, in_position=other)
    all_in = solver(forced)
    all_in.advance(20)
    assert 50 + all_in.measure().best_responses[0] >= 100 * expected - 1e-4  # checking runs out to the equity


def test_one_hand_against_one_hand_on_the_river() -> None:
    found = solver(
        small(out_of_position={"range": "AsAh", "bet": "100%"}, in_position={"range": "QdQc", "raise": "allin"})
    )
    found.advance(300)
    assert 50 + found.measure().values[0] == pytest.approx(100, abs=0.05)


def test_a_single_legal_action_is_taken() -> None:
    found = solver(small(out_of_position={"range": "AA"}, in_position={"range": "QQ,KK"}))
    assert {type(node) for node in walk(found.tree.betting)} == {Decision, Showdown}
    found.advance(2)
    assert found.measure().exploitability == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"board": "Ks7h"}, BadCards, "3, 4 or 5"),
        ({"board": "Ks7hKs"}, BadCards, "twice"),
        ({"pot": 0}, BadSetting, "pot must be"),
        ({"pot": "x"}, BadSetting, "pot must be"),
        ({"stack": -1}, BadSetting, "stack must be"),
        ({"stack": float("nan")}, BadSetting, "stack must be"),
        ({"pot": 100.5, "chip": 1}, BadSetting, "whole number of chips"),
        ({"raise_cap": -2}, BadSetting, "raise_cap"),
        ({"rake": 2}, BadSetting, "rake must be"),
        ({"colour": 1}, BadSetting, "no setting 'colour'"),
        ({"limit": [1, 2, 3, 4]}, BadSetting, "limit is"),
        ({"out_of_position": "AA"}, BadSetting, "is a table"),
        ({"out_of_position": {"bet": "50%"}}, BadSetting, "needs a range"),
        ({"out_of_position": {"range": "KsKh"}}, BadRange, "empty"),
        ({"out_of_position": {"range": "AA", "bet": "2.5x"}}, BadSetting, "raises"),
        ({"out_of_position": {"range": "AA", "bet": "lots"}}, BadSetting, "'lots'"),
        ({"out_of_position": {"range": "AA", "bet": {"pre": "50%"}}}, BadSetting, "no street 'pre'"),
        ({"out_of_position": {"range": "AA", "bet": "50%," * 40}}, BadSetting, "at most"),
        ({"out_of_position": {"range": "AsAh"}, "in_position": {"range": "AsAh,AsAd"}}, BadSetting, "shares a card"),
    ],
)
def test_mistakes_are_told_in_a_sentence(changes: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        spot_tree(spot_from(small() | changes))


def test_betting_without_end_is_refused() -> None:
    seat = {"range": "AA", "bet": "1%,2%,3%,4%,5%,6%,7%,8%", "raise": "1%,2%,3%,4%,5%,6%,7%,8%"}
    with pytest.raises(TooLarge, match="fewer bet sizes"):
        spot_tree(spot_from(small("Ks7h2d", stack=100000, out_of_position=seat, in_position=seat)))


def test_board_cards_never_appear_in_a_range() -> None:
    tree = spot_tree(spot_from(published.TURN))
    for level in tree.rounds:
        for hands in level.hands:
            for number, board in enumerate(level.boards):
                held = hands.cards[number, : hands.count[number]]
                assert not np.isin(held, board).any()


def test_settings_are_read_back_from_files_and_tables(tmp_path: Any) -> None:
    spot = spot_from(small(rake="5%", rake_cap=3, raise_cap=3, merge=0.1))
    assert settings_of(spot_from(settings_of(spot))) == settings_of(spot)
    file = tmp_path / "spot.toml"
    file.write_text('board = "Ks 7h 2d"\npot = 5.5\nstack = 97.5\n[out_of_position]\nrange = "AA"\nbet.turn = "50%"\n')
    assert read_file(file)["out_of_position"]["bet"] == {"turn": "50%"}
    for text, words in (("board =", "not a spot file"), (b"\xff\xfe", "not a text file")):
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        with pytest.raises(BadFile, match=words):
            read_file(file)
    with pytest.raises(BadFile, match="cannot read"):
        read_file(tmp_path / "missing.toml")


@pytest.mark.parametrize("chip", [1e-12, 2.0**-30, 0.01, 1.0, 1e6])
def test_the_size_of_a_chip_changes_nothing_but_the_names_of_amounts(chip: float) -> None:
    seat = {"range": "AA,KQs,JTs:0.5", "bet": "33%,75%", "raise": "60%"}
    spots = [
        spot_from(
            {"board": "Ks7h2d5c", "pot": 60 * unit, "stack": 130 * unit, "chip": unit}
            | {"out_of_position": seat, "in_position": seat}
        )
        for unit in (1.0, chip)
    ]
    usual, scaled = (spot_tree(spot) for spot in spots)
    assert scaled.infosets == usual.infosets
    assert scaled.pairs == usual.pairs
    with pytest.raises(BadSetting, match="not a whole number of chips"):
        replace(spots[1], stack=130.5 * chip)
    with pytest.raises(BadSetting, match=r"above 0 and at most 1e\+12"):
        replace(spots[1], pot=1e13)


def test_light_ranges_are_ranges() -> None:
    """Only proportions of weights matter, however small they are."""
    light = {"range": "AA:0.0000001,KQs:0.0000001", "bet": "50%"}
    spot = spot_from({"board": "Ks7h2d5c9s", "pot": 60, "stack": 130, "out_of_position": light, "in_position": light})
    assert spot_tree(spot).pairs > 0


@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize("weight", [1e-8, 1e-38, 1e-42, 1e-300])
def test_light_ranges_are_solved_as_heavy_ones(weight: float, storage: str) -> None:
    found = []
    for factor in (1.0, weight):
        light = {"range": f"AA:{factor:g},QQ:{factor:g},7d6d:{factor / 4:g}", "bet": "50%", "raise": "allin"}
        made = solver(small(out_of_position=light), storage=storage)
        made.advance(300)
        found.append(made.measure())
    assert found[0].exploitability < 0.1
    assert found[1].values == pytest.approx(found[0].values, abs=0.05)
    assert found[1].exploitability < 0.1


@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize("weight", [1e-30, 1e-36, 1e-38, 1e-39, 1e-40, 1e-42, 1e-45, 1e-60])
def test_a_hand_that_only_the_lightest_hands_can_meet_does_not_spoil_the_rest(weight: float, storage: str) -> None:
    """Its regrets are where float32 ends, and one over their sum is infinite."""
    other = {"range": f"QsJs,QhJh,AcAd:{weight:g}", "bet": "50%,allin", "raise": "3x"}  # QsQh meets the aces alone
    own = {"range": "QsQh,AsAh", "bet": "50%", "raise": "allin"}
    made = solver(small(out_of_position=own, in_position=other), storage=storage)
    made.advance(300)
    measured = made.measure()
    assert measured.values == pytest.approx((50, -50), abs=0.05)  # aces win the pot
    assert measured.exploitability < 0.05


def test_pots_where_float32_ends_are_refused() -> None:
    with pytest.raises(BadSetting, match="chip must be a number from 1e-20"):
        spot_from(small(pot=1e-39, stack=2e-39, chip=1e-42))
