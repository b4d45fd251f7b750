"""Two players to the end: against value iteration, best responses, and what can be computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.preflop import preflop_table
from pokerlab.errors import BadSetting
from pokerlab.solvers.stochastic.heads_up import Blinds, hand_of_two, solve_heads_up


def test_all_in_by_the_blinds_alone() -> None:
    """With three units nobody decides anything: chances follow from ties alone."""
    solution = solve_heads_up(3, Blinds(1, 2))
    table = preflop_table(5)
    tie = float((table.class_ties.sum()) / (table.class_pairs.sum() * table.boards))
    win = (1 - tie) / 2
    # as small blind with 1: win -> 2 as big blind = 1 - v(1); tie -> 1 as big blind = 1 - v(2); v(2) alike
    system = np.array([[1 + win, tie], [tie, 1 + win]])
    one, two = np.linalg.solve(system, [win + tie, win + tie + win])
    assert solution.values == pytest.approx([0, one, two, 1], abs=1e-12)


def test_policy_and_value_iteration_agree() -> None:
    policy = solve_heads_up(7, Blinds(1, 2))
    value = solve_heads_up(7, Blinds(1, 2), method="value")
    assert value.values == pytest.approx(policy.values, abs=1e-9)
    assert policy.rounds < 8 < value.rounds
    assert policy.epsilon < 1e-10
    assert policy.big_values[3] == pytest.approx(1 - policy.values[4])
    assert (np.diff(policy.values) > 0).all()


def test_best_responses_see_what_is_wrong() -> None:
    """After one round strategies fit chips, not chances: a best response to the end wins a little more."""
    assert 1e-7 < solve_heads_up(9, Blinds(1, 2), most_rounds=1).epsilon < 1e-2


@pytest.mark.parametrize(
    ("stack", "units", "blinds", "first", "second"),
    [
        (5, 20, (1, 2), True, True),
        (1, 20, (1, 2), False, False),
        (2, 20, (1, 2), True, False),  # the big blind pays nothing more
        (19, 20, (1, 2), False, False),  # the big blind has no more than the small blind has posted
        (18, 20, (1, 2), True, False),
        (3, 20, (2, 3), True, False),
        (4, 20, (3, 3), False, True),
    ],
)
def test_who_decides(stack: int, units: int, blinds: tuple[int, int], first: bool, second: bool) -> None:
    hand = hand_of_two(stack, units, Blinds(*blinds))
    assert (hand.first_decides, hand.second_decides) == (first, second)
    assert (hand.chips[2], hand.chips[4]) == (stack + min(stack, units - stack), stack - min(stack, units - stack))


def test_what_cannot_be_is_a_sentence() -> None:
    with pytest.raises(BadSetting, match="2 to 2,000 units"):
        solve_heads_up(1, Blinds(1, 2))
    with pytest.raises(BadSetting, match="choose one of policy, value"):
        solve_heads_up(5, Blinds(1, 2), method="both")
