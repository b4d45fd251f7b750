"""Hold'em before the flop with roll-outs: values, words, every decision, and stakes as people write them."""

from __future__ import annotations

import pytest

from pokerlab.errors import BadGame, BadSetting
from pokerlab.lab.preflop.push_fold import push_fold, stakes
from pokerlab.lab.preflop.rollout import limit_game, menu_game, roll_out


def test_limit_with_three_raises():
    """Against one program over all sequences of all hands, solved once by an interior point: -0.0218976836."""
    found = roll_out(limit_game())
    assert found.value == pytest.approx(-0.0218976836, abs=1e-9)
    assert found.exploitability < 1e-12
    rows = found.rows()
    assert len(rows) == 8
    assert rows[0]["share"] == pytest.approx(1)
    for row in rows:
        assert sum(row["frequencies"].values()) == pytest.approx(1)
    by_path = {tuple(row["betting"]): row for row in rows}
    start, raised = by_path[()], by_path["raise to 2",]
    assert raised["share"] == pytest.approx(start["frequencies"]["raise to 2"])
    assert (start["seat"], raised["seat"], raised["pot"]) == ("small blind", "big blind", 3.0)
    hands = {row["hand"]: row for row in found.hands(found.strategy.root)}
    mean = sum(
        row["likelihood"] * sum(row["strategy"][one] * row["action_ev"][one] for one in row["strategy"])
        for row in hands.values()
    )
    assert mean == pytest.approx(found.value)
    assert {round(row["action_ev"]["fold"], 9) for row in hands.values()} == {-0.5}


def test_all_in_alone_is_push_or_fold_with_limps_at_most_better():
    """A menu of all-in alone lets the small blind limp too, which can only help it."""
    pushed = push_fold(stakes(stack="6", ante="0.25", small_blind="0.4"))
    found = roll_out(menu_game("allin", stack="6", ante="0.25", small_blind="0.4"))
    assert found.value >= pushed.value - 1e-9
    assert found.words(found.strategy.root) == ("fold", "call", "all-in 6.25") or found.words(found.strategy.root) == (
        "fold",
        "call",
        "all-in 6",
    )


@pytest.mark.parametrize("spec", ["dcfr", "fictitious-play"])
def test_methods_agree(spec):
    game = menu_game("3x,allin", stack="7")
    exact, near = roll_out(game), roll_out(game, algorithm=spec, target=2e-3)
    assert abs(exact.value - near.value) <= 2 * near.exploitability
    assert near.exploitability <= 2e-3


def test_a_cap_on_raises_of_a_menu():
    found = roll_out(menu_game("3x", stack="30", raises=1, small_blind="1/3"))
    assert max(len(row["moves"]) for row in found.rows()) == 2
    assert found.exploitability < 1e-12


@pytest.mark.parametrize(
    "make",
    [
        lambda: limit_game(small_blind="0"),
        lambda: limit_game(small_blind="1"),
        lambda: menu_game("allin", stack="0"),
        lambda: menu_game("allin", stack="3.00000001"),
        lambda: menu_game("huge"),
        lambda: roll_out(menu_game("", stack="1000")),
        lambda: roll_out(limit_game(), algorithm="genetic"),
    ],
)
def test_refused_in_a_sentence(make):
    with pytest.raises((BadGame, BadSetting)):
        make()
