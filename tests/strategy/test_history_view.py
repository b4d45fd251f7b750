"""Laws of places in games laid out as histories: what is told of a place agrees with what is told of those after it."""

from __future__ import annotations

import pytest

from pokerlab.lab.solve.solving import solve
from pokerlab.strategy.views.history import HistoryView

GAMES = ["kuhn", "kuhn(players=3)", "leduc(ranks=2, raises=1)", "goofspiel(cards=3)", "one-card(cards=4)"]


def places(root: HistoryView, most: int) -> list[HistoryView]:
    """The first places of a game, the root first."""
    found, pending = [], [root]
    while pending and len(found) < most:
        found.append(pending.pop(0))
        pending += [found[-1].at(move) for move in found[-1].actions]
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_place_agrees_with_those_after_it(name: str) -> None:
    solution = solve(name, algorithm="cfr", form="sequence", iterations=7)
    root = solution.root
    assert isinstance(root, HistoryView)
    players = range(len(solution.values))
    assert [root.ev(player) for player in players] == pytest.approx(solution.values)
    decisions = [view for view in places(root, 60) if view.player is not None]
    assert len({view.player for view in decisions}) > 1
    for view in decisions:
        assert view.player is not None
        rows, frequencies = view.table(view.player), view.strategy()
        moving = sum(row["likelihood"] for row in rows)
        assert 0 < moving <= 1 + 1e-9
        for row in rows:
            worth = sum(row["strategy"][action] * row["action_ev"][action] for action in row["strategy"])
            assert row["ev"] == pytest.approx(worth)
        if moving < 1 - 1e-9:  # somebody else may have to move first, and is followed apart
            continue
        assert sum(frequencies.values()) == pytest.approx(1)
        for action, frequency in frequencies.items():
            won = sum(row["likelihood"] * row["strategy"][action] * row["action_ev"][action] for row in rows)
            assert view.at(action).ev(view.player) * frequency == pytest.approx(won, abs=1e-9), action
