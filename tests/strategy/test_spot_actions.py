"""Actions of a spot as people type them, and what is no action."""

from __future__ import annotations

import pytest

from pokerlab.errors import IllegalAction
from pokerlab.strategy.spot_actions import action_number

FACING = ["fold", "call", "raise 225", "all-in 300"]
FIRST = ["check", "bet 37.5", "bet 75", "all-in 300"]


@pytest.mark.parametrize(
    ("text", "actions", "number"),
    [
        ("fold", FACING, 0),
        ("F", FACING, 0),
        ("c", FACING, 1),
        ("raise", FACING, 2),
        ("r225", FACING, 2),
        ("bet 225", FACING, 2),
        ("raise 300", FACING, 3),
        ("jam", FACING, 3),
        (" X ", FIRST, 0),
        ("b37.5", FIRST, 1),
        ("bet to 75.0", FIRST, 2),
        ("75", FIRST, 2),
        ("all-in", FIRST, 3),
        ("all-in 300", FIRST, 3),
    ],
)
def test_what_a_text_means(text: str, actions: list[str], number: int) -> None:
    assert action_number(text, actions) == number


@pytest.mark.parametrize("amount", ["37.5", "75", "225", "300"])
@pytest.mark.parametrize("word", ["fold", "f", "call", "c", "check", "x", "k", "limp", "bett"])
@pytest.mark.parametrize("actions", [FACING, FIRST])
def test_only_bets_have_an_amount(word: str, amount: str, actions: list[str]) -> None:
    for text in (f"{word} {amount}", f"{word}{amount}", f"{word} to {amount}"):
        with pytest.raises(IllegalAction, match="not an action"):
            action_number(text, actions)


@pytest.mark.parametrize("text", ["", " ", ".", "bet", "bet 1", "raise 75.5", "-75", "1e2", "bet -75", "bet 75 75"])
def test_what_is_no_action_or_not_one_alone(text: str) -> None:
    with pytest.raises(IllegalAction, match="not an action"):
        action_number(text, FIRST)


@pytest.mark.parametrize("word", ["all-in", "allin", "a", "jam"])
def test_a_bet_that_is_not_all_in_is_not_called_so(word: str) -> None:
    assert action_number(f"{word} 300", FIRST) == 3
    for amount, actions in (("75", FIRST), ("37.5", FIRST), ("225", FACING)):
        with pytest.raises(IllegalAction, match="not an action"):
            action_number(f"{word} {amount}", actions)
