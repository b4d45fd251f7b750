"""One-card poker with one size of bets, and without a limit."""

from __future__ import annotations

import pytest

from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.tree.history.layout import build


def first_actions(name: str) -> tuple[str, ...]:
    return build(open_game(name)).action_names[0]


def test_with_a_stack_any_bet_up_to_it_is_legal() -> None:
    assert first_actions("one-card(cards=3)") == ("c", "r")
    assert first_actions("one-card(cards=3, stack=5)") == ("c", "r2", "r3", "r4", "r5")  # in all, the ante too
    assert first_actions("one-card(cards=3, ante=2, bet=2, stack=6)") == ("c", "r4", "r5", "r6")
    assert first_actions("one-card(cards=3, ante=4, stack=20, menu='50%,100%,allin')") == ("c", "r8", "r12", "r20")


def test_stacks_of_two_sizes_and_more_raises() -> None:
    one, two = (build(open_game(f"one-card(cards=4, stack=(4, 6), raises={raises})")) for raises in (1, 2))
    assert one.nodes < two.nodes
    assert first_actions("one-card(cards=4, stack=(4, 6))") == ("c", "r2", "r3", "r4")


@pytest.mark.parametrize("settings", ["menu='50%'", "stack=0", "stack=(1, 2, 3)", "stack='much'"])
def test_what_cannot_be_is_told(settings: str) -> None:
    with pytest.raises(BadSetting):
        open_game(f"one-card({settings})")
