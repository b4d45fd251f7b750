"""Heads-up push or fold: published values, methods that agree, all 1,326 hands, odd stakes, and answers to ranges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.combos import CLASS_NAMES, COMBO_CLASS, combo_name
from pokerlab.cards.preflop import fits, preflop_table
from pokerlab.errors import BadRange, BadSetting
from pokerlab.lab.preflop.push_fold import CALL, PUSH, push_fold, read_range, stakes
from pokerlab.solvers.preflop.classes.one_decision import solve_one_decision
from published.push_fold import EQUILIBRIA


@pytest.mark.parametrize("stack", EQUILIBRIA)
def test_published_values(stack):
    value, pushes, calls = EQUILIBRIA[stack]
    found = push_fold(stakes(stack=str(stack)))
    assert found.value == pytest.approx(value, abs=5e-7)
    shares = found.game.frequencies(*found.strategy.acts)
    assert [100 * share for share in shares] == pytest.approx([pushes, calls], abs=5e-3)
    assert found.exploitability < 1e-12


@pytest.mark.parametrize("spec", ["fictitious-play", "cfr", "cfr+", "dcfr"])
def test_methods_agree(spec):
    """Each finds the value within its own bounds, and they are near."""
    played = stakes(stacks="7,13", ante="0.1", small_blind="0.4")
    exact = push_fold(played)
    found = push_fold(played, algorithm=spec, target=4e-4)
    assert found.exploitability <= 4e-4 * (1 + 1e-9)
    gain = found.measure.nash_conv / found.form.chips
    assert abs(found.value - exact.value) <= gain
    pure = [(acts < 1e-9) | (acts > 1 - 1e-9) for acts in exact.strategy.acts]
    for role in (PUSH, CALL):  # hands that are far from indifferent are played alike
        margin = np.abs(np.subtract(*exact.evs[role]))
        clear = pure[role] & (margin > 0.25)
        assert clear.sum() > 50
        near = np.abs(found.strategy.acts[role] - exact.strategy.acts[role])[clear]
        assert near.max() < 0.02


def naive_value(found, first: np.ndarray, second: np.ndarray) -> float:
    """What the small blind wins, hand against hand by the rules, for strategies [1326] of heads-up push or fold."""
    played, table, possible = found.stakes, preflop_table(), fits()
    least = float(min(played.stacks))
    small, big = (
        min(float(stack), float(played.ante) + blind)
        for stack, blind in zip(played.stacks, (float(played.small_blind), 1.0), strict=True)
    )
    equity = table.equity()
    pushed, called = first[:, None], second[None]
    shown = least * (2 * equity - 1)
    paid = (1 - pushed) * -min(small, big) + pushed * ((1 - called) * min(big, small + 1e9) + called * shown)
    return float((paid * possible).sum() / possible.sum())


@pytest.mark.parametrize("table", [{"stacks": "4,30", "ante": "0.25"}, {"stacks": "30,4", "small_blind": "1/3"}])
def test_over_all_hands(table):
    """Classes lose nothing: no hand of 1,326 gains, and the value is the one summed hand against hand."""
    found = push_fold(stakes(**table))
    acts = [weights[COMBO_CLASS] for weights in found.strategy.acts]
    assert naive_value(found, *acts) == pytest.approx(found.value, abs=1e-9)
    assert found.exploitability < 1e-12
    rng = np.random.default_rng(5)
    uneven = rng.random(1326), rng.random(1326)  # suits told apart
    assert found.combos.one_decision.value(*uneven) == pytest.approx(naive_value(found, *uneven), abs=1e-9)


def test_the_rules_alone_decide():
    """Extra chips of one player change nothing; a larger small blind pushes more; zero is a small blind too."""
    even, deep = (push_fold(stakes(**table)) for table in ({"stack": "8"}, {"stacks": "8,50"}))
    assert even.value == pytest.approx(deep.value, abs=1e-12)
    shares = [push_fold(stakes(stack="8", small_blind=blind)).range_of(PUSH).fraction for blind in ("0", "1/3", "0.9")]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]


def test_a_stack_within_the_blind():
    """The big blind is all-in already: it decides nothing, and the small blind pushes where that costs it less."""
    for table in ({"stack": "1"}, {"stacks": "20,0.7"}, {"stacks": "0.8,20"}):
        found = push_fold(stakes(**table))
        assert not found.game.second_decides
        assert (found.strategy.acts[CALL] == 1).all()
        least = float(min(found.stakes.stacks))
        win, tie = preflop_table().against_random()
        assert found.evs[PUSH][1] == pytest.approx(least * (2 * win + tie - 1), abs=1e-9)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"stack": "0.5"}, "all-in before anybody decides"),
        ({"stack": "1", "ante": "0.5"}, "all-in before anybody decides"),
        ({"stack": "5", "ante": "7"}, "all-in before anybody decides"),
        ({"stacks": "0.3,9"}, "all-in before anybody decides"),
        ({"stack": "0"}, "more than 0"),
        ({"stack": "9" * 10}, "at most"),
        ({"stack": "x"}, "not a number"),
        ({"stack": "3", "stacks": "3,4"}, "not both"),
        ({"stacks": "3,4,5"}, "two stacks"),
        ({"stack": "3", "small_blind": "1"}, "less than the big blind"),
        ({"stack": "10.0000001"}, "fewer decimals"),
    ],
)
def test_refused_in_a_sentence(table, words):
    with pytest.raises(BadSetting, match=words):
        push_fold(stakes(**table))


def test_best_responses_to_ranges():
    """Against a plain sum over hands; what is given is met by no more; equilibrium ranges leave nothing to gain."""
    found = push_fold(stakes(stacks="9,12"), call="22+,A2s+,AhKd:0.5", push="35%")
    against_push, against_call = found.responses
    assert (against_push.role, against_call.role) == (CALL, PUSH)
    acts = [weights[COMBO_CLASS] for weights in found.strategy.acts]
    given = against_call.given.weights
    assert naive_value(found, against_call.best, given) == pytest.approx(against_call.value, abs=1e-9)
    assert naive_value(found, acts[PUSH], given) == pytest.approx(against_call.keeping, abs=1e-9)
    rng = np.random.default_rng(2)
    for hand in rng.integers(1326, size=2):  # no other decision of any hand does better
        other = against_call.best.copy()
        other[hand] = 1 - other[hand]
        assert naive_value(found, other, given) <= against_call.value + 1e-12
    assert naive_value(found, against_push.given.weights, against_push.best) == pytest.approx(
        -against_push.value, abs=1e-9
    )
    for answer in found.responses:
        assert answer.gain > 0
        assert answer.value >= answer.keeping - 1e-12
        assert answer.keeping >= answer.equilibrium - 1e-12  # the equilibrium never loses to anyone
    itself = push_fold(stakes(stacks="9,12"), call=found.range_of(CALL).text(), push=found.range_of(PUSH).text())
    assert [answer.gain for answer in itself.responses] == pytest.approx([0, 0], abs=1e-4)  # ranges have four digits


def test_ranges_as_people_write_them():
    assert read_range("20%") == read_range(" top 20% ")
    assert read_range("12.5%").fraction == pytest.approx(0.125)
    with pytest.raises(BadRange):
        read_range("120%")
    with pytest.raises(BadRange):
        read_range("AKq")
    nothing = push_fold(stakes(stack="10"), call="AA:0").responses[0]
    assert (nothing.range.text(), nothing.value) == ("random", pytest.approx(1))
    never = push_fold(stakes(stack="10"), push="AA:0").responses[0]
    assert np.isnan(never.evs).all()
    assert never.as_dict()["value"] == pytest.approx(0.5)


def test_ev_of_hands():
    """A hand is pushed where that wins more than folding, and called where that loses less; the mean is the value."""
    found = push_fold(stakes(stack="11", ante="1/8"))
    rows = {row["hand"]: row for row in found.rows()}
    assert list(rows) == list(CLASS_NAMES)
    mean = sum(
        row["combos"] * (row["push"] * row["push_ev"] + (1 - row["push"]) * row["fold_ev"]) for row in rows.values()
    )
    assert mean / 1326 == pytest.approx(found.value, abs=1e-12)
    assert [row["fold_ev"] for row in rows.values()] == pytest.approx([-0.625] * 169)
    assert [row["call_fold_ev"] for row in rows.values()] == pytest.approx([-1.125] * 169)
    for row in rows.values():
        for act, ev, fold in (("push", "push_ev", "fold_ev"), ("call", "call_ev", "call_fold_ev")):
            assert row[act] <= 1e-9 or row[ev] >= row[fold] - 1e-9
            assert row[act] >= 1 - 1e-9 or row[ev] <= row[fold] + 1e-9


def test_solved_with_suits_told_apart():
    """The program over combos of a few ranks has the value of the one over their classes."""
    found = push_fold(stakes(stack="6"))
    whole = found.form.by_combos()
    kept = np.array([index for index in range(1326) if set(combo_name(index)[::2]) <= set("AKQ")])

    def cut(array):
        return array[np.ix_(kept, kept)]

    names = tuple(whole.hands[index] for index in kept)
    chance = cut(whole.chance)
    small = replace(whole, hands=names, chance=chance / chance.sum(), win=cut(whole.win), tie=cut(whole.tie))
    classes, place = np.unique(COMBO_CLASS[kept], return_inverse=True)
    member = np.eye(len(classes))[place]  # [combo, class]
    pairs = member.T @ small.chance @ member
    joined = replace(
        small,
        hands=tuple(CLASS_NAMES[one] for one in classes),
        chance=pairs,
        win=np.divide(member.T @ (small.win * small.chance) @ member, pairs, out=np.zeros_like(pairs), where=pairs > 0),
        tie=np.divide(member.T @ (small.tie * small.chance) @ member, pairs, out=np.zeros_like(pairs), where=pairs > 0),
    )
    by_class, by_combo = solve_one_decision(joined.one_decision), solve_one_decision(small.one_decision)
    assert by_class.value == pytest.approx(by_combo.value, abs=1e-9)
    spread = small.measure(small.profile_of(small.behaviours_of((by_class.first[place], by_class.second[place]))))
    assert spread.nash_conv / small.chips == pytest.approx(0, abs=1e-9)


def test_words():
    assert "1/3" in stakes(stack="10", small_blind="1/3").text()
