"""What the page shows of a place in a solution: the hands of a class, and what comes with each card."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.categories import MADE
from pokerlab.cards.combos import CLASS_NAMES, COMBOS
from pokerlab.errors import BadSetting
from pokerlab.lab.analyse.browsing import by_category
from pokerlab.lab.solve.solving import solve
from pokerlab.lab.spots.study import combos_of_class, next_cards

TURN = {
    "board": "Ks7h2d5h",
    "pot": 100,
    "stack": 150,
    "out_of_position": {"range": "QQ,A5s:0.5,76s", "bet": "50%"},
    "in_position": {"range": "KQs,JJ,AhTh"},
}


def test_hands_of_a_class_and_what_comes_next() -> None:
    view = solve(TURN, iterations=30).root
    rows = combos_of_class(view, CLASS_NAMES.index("QQ"), 0)
    texts, values = [view.holdings.hand_text(number) for number in range(1326)], np.asarray(view.action_values)
    assert [row["hand"] for row in rows] == ["QsQh", "QsQd", "QsQc", "QhQd", "QhQc", "QdQc"]
    for row in rows:
        number = texts.index(row["hand"])
        assert row["strategy"] == pytest.approx(list(view.strategy(row["hand"]).values()))
        assert row["action_ev"] == pytest.approx(values[number].tolist())
        assert row["ev"] == pytest.approx(float(np.dot(row["strategy"], row["action_ev"])), abs=1e-4)
        assert row["equity"] == pytest.approx(float(view.equities(0)[number]))
        assert row["reach"] == 1
    other = combos_of_class(view, CLASS_NAMES.index("JJ"), 1)
    assert [(row["strategy"], row["action_ev"]) for row in other] == [([], [])] * 6
    assert combos_of_class(view, CLASS_NAMES.index("JJ"), 0) == []
    plain = combos_of_class(view, CLASS_NAMES.index("QQ"), 0, values=False)
    assert {(row["ev"], row["equity"], *row["action_ev"]) for row in plain} == {(None, None)}
    assert [row["reach"] for row in combos_of_class(view, CLASS_NAMES.index("A5s"), 0)] == [0.5] * 3  # not A5 of hearts
    deal = view.at("check", "check")
    after = next_cards(deal, values=True)
    assert len(after) == 48
    assert {row["player"] for row in after} == {0}
    ace = next(row for row in after if row["card"] == "Ah")
    assert ace["ev"] == pytest.approx(deal.at("Ah").ev(0))
    assert {row["ev"] for row in next_cards(deal, values=False)} == {None}


def test_made_hands_on_a_flop_are_each_of_one_category() -> None:
    board = FULL_DECK.cards("Ks7h2d")
    held = np.array([not set(hand) & set(board) for hand in COMBOS.tolist()]) / 1176
    view = SimpleNamespace(has_starting_hands=True, board=board, player=0, grids=(), actions=("check", "bet"))
    view.likelihood, view.holdings = lambda _: held, SimpleNamespace(hands=COMBOS.tolist())
    view.frequencies = np.full((1326, 2), (0.25, 0.75))
    rows = {row["category"]: row for row in by_category(view, 0)}
    made = [row for name, row in rows.items() if name in MADE]
    assert sum(row["hands"] for row in made) == 1176
    assert sum(row["share"] for row in made) == pytest.approx(1)
    assert all(row["strategy"] == pytest.approx({"check": 0.25, "bet": 0.75}) for row in made)
    assert rows["set"]["hands"] == 9  # three of each rank of the board
    view.board = board[:2]
    with pytest.raises(BadSetting, match="a board of three to five cards"):
        by_category(view, 0)
