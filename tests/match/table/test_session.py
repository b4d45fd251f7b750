"""A table session: order of seats, cards, events, faults and winnings."""

from __future__ import annotations

from typing import Any

import pytest

from pokerlab.agents.opening import open_agent
from pokerlab.errors import IllegalAction
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, Action
from pokerlab.match.table.session import HandBegins, HandEnds, PlayerActs, Session


class ObservationSettings:
    """Calls, or does what it is told, and notes what it is shown."""

    name = "watching"

    def __init__(self, does: Action = CALL) -> None:
        self.does, self.seen, self.resets = does, [], 0

    def act(self, view: Any, rng: Any) -> Action:
        return self.does

    def reset(self) -> None:
        self.resets += 1

    def observe(self, view: Any) -> None:
        self.seen.append((view.seat, view.history))


def test_the_button_moves_and_chips_are_counted_by_player() -> None:
    game = open_game("kuhn(players=3)")
    names = ["a", "b", "c"]
    players = [open_agent("random"), open_agent("always-raise"), open_agent("always-call")]
    session = Session(game, players, names, seed=4)
    events = list(session.hands(7))
    begun = [event for event in events if isinstance(event, HandBegins)]
    ended = [event for event in events if isinstance(event, HandEnds)]
    assert [event.number for event in begun] == [event.number for event in ended] == list(range(1, 8))
    assert [event.names[0] for event in begun] == ["a", "b", "c", "a", "b", "c", "a"]
    won = dict.fromkeys(names, 0.0)
    for event in ended:
        for name, chips in zip(event.names, event.returns, strict=True):
            won[name] += chips
        assert event.won == tuple(won.values())
    assert session.won == list(won.values())
    state = None
    for event in events:
        if isinstance(event, PlayerActs):
            assert state is None or event.state == state
            state = game.child(event.state, event.action)
        if isinstance(event, HandEnds):
            assert event.state == state
            state = None


def test_agents_are_told_the_end_and_are_put_right_but_a_person_is_not() -> None:
    game = open_game("kuhn")
    wrong, right = ObservationSettings(Action("r", 10**9)), ObservationSettings()
    events = list(Session(game, [right, wrong], ["a", "b"], seed=1).hands(2))
    faults = [event.fault for event in events if isinstance(event, PlayerActs)]
    assert sum(map(bool, faults)) == 2
    assert all("a raise is to 2" in fault for fault in faults if fault)
    assert (right.resets, len(right.seen)) == (1, 2)
    assert [seat for seat, _ in right.seen] == [0, 1]
    with pytest.raises(IllegalAction):
        list(Session(game, [right, wrong], ["a", "b"], seed=1, person=1).hands(2))


def test_cards_do_not_depend_on_what_is_done() -> None:
    game = open_game("holdem-limit")
    dealt = []
    for first in ("always-fold", "always-raise"):
        session = Session(game, [open_agent(first), open_agent("random")], ["a", "b"], seed=9)
        dealt.append([event.state.cards for event in session.hands(5) if isinstance(event, HandEnds)])
    assert dealt[0] == dealt[1]
    unseeded = [next(iter(Session(game, [ObservationSettings()] * 2, ["a", "b"]).hands(1))) for _ in range(2)]
    assert unseeded[0] == HandBegins(1, ("a", "b"))
