"""Tables of push or fold: laws of values, positions, tiny stacks, what people write."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.errors import BadSetting
from pokerlab.games.prizes.icm import values as chip_model
from pokerlab.lab.preflop.push_fold import push_fold, stakes
from pokerlab.lab.preflop.push_fold_table import push_fold_table, table_stakes

CLASS = {name: number for number, name in enumerate(CLASS_NAMES)}


def test_three_players_for_prizes() -> None:
    found = push_fold_table(table_stakes("12,8,20", payouts="50,30,20"), target=0.002)
    assert found.epsilon_percent < 0.002
    assert found.before == pytest.approx(chip_model([12, 8, 20], [50, 30, 20]))
    assert found.values.sum() == pytest.approx(100)
    kinds = [(one.seat, one.kind, one.against) for one in found.decisions]
    assert kinds == [
        ("BU", "push", ()),
        ("SB", "push", ()),
        ("SB", "call", ("BU",)),
        ("BB", "call", ("BU",)),
        ("BB", "call", ("SB",)),
        ("BB", "over-call", ("BU", "SB")),
    ]
    for one in found.decisions:
        assert one.pushes[CLASS["AA"]] > 0.99
        assert one.pushes[CLASS["72o"]] < 0.2
    aces = [found.decision("BB", *against).share for against in (("SB",), ("BU",), ("BU", "SB"))]
    assert aces == sorted(aces, reverse=True)  # the more have gone all-in from earlier seats, the tighter the calls


def test_prizes_make_calls_tighter_than_chips() -> None:
    chips = push_fold_table(table_stakes("10,10,10"), target=0.2)
    bubble = push_fold_table(table_stakes("10,10,10", payouts="50,50"), target=0.2)
    for against in (("BU",), ("SB",), ("BU", "SB")):
        assert bubble.decision("BB", *against).share < chips.decision("BB", *against).share


def test_algorithms_agree() -> None:
    play = push_fold_table(table_stakes("6,9,4", payouts="65,35", ante="0.125"), target=0.05)
    regret = push_fold_table(
        table_stakes("6,9,4", payouts="65,35", ante="0.125"), target=0.05, algorithm="regret-matching+"
    )
    assert play.values == pytest.approx(regret.values, abs=0.1)


def test_folding_to_the_small_blind_leaves_the_blinds_alone() -> None:
    """For chips the seats that folded matter no more: the blinds play as two."""
    table = push_fold_table(table_stakes("30,10,10", position="SB"), target=0.001)
    pair = push_fold_table(table_stakes("10,10"), target=0.001)
    assert table.values[0] == pytest.approx(30)
    assert (table.values - table.before)[1:] == pytest.approx(pair.values - pair.before, abs=2e-4)


def test_a_tiny_stack_is_all_in_by_its_blind() -> None:
    found = push_fold_table(table_stakes("8,0.3,9", payouts="50,30,20"), target=0.2)
    assert {one.seat for one in found.decisions} == {"BU", "BB"}
    assert found.values.sum() == pytest.approx(100)
    assert found.values[1] > 20  # it may yet win


def test_more_prizes_than_players_are_those_of_others() -> None:
    few = table_stakes("5,9,7", payouts="50,30,20")
    more = table_stakes("5,9,7", payouts="50,30,20,10,5")
    assert few.prize_pool == more.prize_pool == 100
    one, other = (push_fold_table(stakes, target=1) for stakes in (few, more))
    assert (one.pushes == other.pushes).all()


def test_strategies_are_mixed_only_where_they_have_to_be() -> None:
    """Averages of best responses keep a rest of every early one, and the noise of sampled all-ins would mix, too."""
    found = push_fold_table(table_stakes("19,17,18,16"), target=0.002)
    assert found.epsilon_percent <= 0.002
    mixed = (found.pushes > 0) & (found.pushes < 1)
    assert mixed.sum() <= found.form.nodes  # one hand on the border of each range, at most
    assert ((found.pushes > 0.05) & (found.pushes < 0.95))[mixed].all()


@pytest.mark.slow
def test_six_players_leave_the_worst_hands_alone() -> None:
    """By default: ranges without rests of early iterations, and an epsilon far below what a hand is worth."""
    found = push_fold_table(table_stakes("20,20,20,20,20,20", ante="0.125"))
    assert found.epsilon_percent <= 0.0002
    assert found.epsilon < 0.001  # big blinds
    assert found.decision("SB").pushes[CLASS["72s"]] == 0
    reached = np.array([one.chance > 0.01 for one in found.decisions])
    mixed = np.array([((one.pushes > 0) & (one.pushes < 1)).sum() for one in found.decisions])
    assert mixed[reached].sum() <= 20
    calls = [one.share for one in found.calls_of("UTG")]
    assert len(calls) == 5
    assert calls == sorted(calls)  # the fewer are left to act, the looser the calls


def test_a_big_blind_ante_is_dead_money_of_the_big_blind() -> None:
    """An ante of 2: who folds loses it with the blind, who wins gets it, and it is no part of a bet."""
    form = table_stakes("10,10,10", big_blind_ante="2").form()
    ends = {(one.contenders, len(one.path)): number for number, one in enumerate(form.terminals)}
    alone = np.array([[0]])
    small, big = (form.terminals[ends[key]].stacks_after(alone)[0] for key in (((1,), 3), ((2,), 2)))
    assert small.tolist() == [10, 13, 7]  # the small blind pushed, the big blind folded 1 and the ante of 2
    assert big.tolist() == [10, 9.5, 10.5]
    showdown = form.terminals[ends[(1, 2), 3]]
    won, lost = (showdown.stacks_after(np.array([ranks]))[0].tolist() for ranks in ([0, 1], [1, 0]))
    assert won == [10, 20, 0]  # 8 and the ante; 2 more than the big blind could call come back
    assert lost == [10, 2, 18]
    with pytest.raises(BadSetting, match="name one of the two"):
        table_stakes("10,10,10", ante="1", big_blind_ante="1")


def test_a_big_blind_ante_of_two_players_is_that_of_the_linear_program() -> None:
    exact = push_fold(stakes(stacks="9,12", big_blind_ante="1"))
    plain = push_fold(stakes(stacks="9,12"))
    found = push_fold_table(table_stakes("9,12", big_blind_ante="1"), target=0.002)
    assert (found.values - found.before)[0] == pytest.approx(exact.value, abs=2 * found.epsilon + 1e-9)
    assert exact.value > plain.value + 0.3


@pytest.mark.slow
def test_a_large_ante_makes_everybody_loose() -> None:
    small = push_fold_table(table_stakes("8,8,8"), target=0.2)
    large = push_fold_table(table_stakes("8,8,8", ante="0.5"), target=0.2)
    assert large.decisions[0].share > 1.3 * small.decisions[0].share


def test_rows_and_records_say_the_same() -> None:
    found = push_fold_table(table_stakes("15,16,17,18"), target=5)
    rows, record = found.rows(), found.as_dict()
    assert len(rows) == 169 * len(record["decisions"])
    assert all(len(one["against"]) <= 2 for one in record["decisions"])
    assert len(found.decisions) > len(record["decisions"])
    assert rows[0]["all_in"] == record["decisions"][0]["hands"][0]["all_in"]
    assert sum(record["expected"]) == pytest.approx(66)
    assert np.isclose(record["epsilon"], max(record["gains"]))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"stacks": "10,0,8"}, "is out"),
        ({"stacks": ",".join(["5"] * 10)}, "2 to 9 players"),
        ({"stacks": "10,x,8"}, "not a number"),
        ({"stacks": "9,9,9", "payouts": "20,30"}, "better place must not pay less"),
        ({"stacks": "9,9,9", "payouts": "0,0"}, "at least one prize"),
        ({"stacks": "9,9,9", "position": "BB"}, "act first are BU, SB"),
        ({"stacks": "9,9,9", "position": "CO"}, "act first are BU, SB"),
        ({"stacks": "9,9,9", "small_blind": "1"}, "small blind"),
    ],
)
def test_what_cannot_be_is_told(settings: dict[str, str], words: str) -> None:
    stacks = settings.pop("stacks")
    with pytest.raises(BadSetting, match=words):
        table_stakes(stacks, **settings)


def test_nothing_to_decide_is_told() -> None:
    with pytest.raises(BadSetting, match="nobody has anything to decide"):
        table_stakes("0.1,0.1,0.1", ante="0.2").form()
    with pytest.raises(BadSetting, match="more than 0 percent"):
        push_fold_table(table_stakes("9,9,9"), target=0)
    with pytest.raises(BadSetting, match="fictitious-play or regret-matching"):
        push_fold_table(table_stakes("9,9,9"), algorithm="lp")
