"""The layout of all-in or fold with several players: decisions, terminals and pots against the rule engine."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.errors import BadSetting
from pokerlab.games.poker.action import FOLD
from pokerlab.lab.preflop.push_fold_table import TableStakes, table_stakes
from pokerlab.tree.pushes.chances import PUSHES
from pokerlab.tree.pushes.form import PushForm, big_blind, push_form, seat_names

TABLES = ("10,10", "12,8,20", "3,0.4,20", "9,9,0.7", "0.3,8,2,15", "7,7,7,7,7", "1,2,30,0.5,9,4")


@pytest.mark.parametrize("stacks", TABLES)
@pytest.mark.parametrize("ante", ["0", "0.1", "1/2"])
def test_terminals_pay_what_the_engine_pays(stacks: str, ante: str) -> None:
    form = table_stakes(stacks, ante=ante).form()
    game, unit = form.game, big_blind(form.game)
    random = np.random.default_rng(7)
    for terminal in form.terminals:
        betting = game.betting.start()
        moves = [action for _, action in terminal.path]
        while betting.actor >= 0:
            actions = game.betting.actions(betting)
            choice = actions[0] if len(actions) == 1 else FOLD if moves.pop(0) != PUSHES else actions[1]
            betting = game.betting.act(betting, choice)
        assert not moves
        for _ in range(3):
            places = random.integers(0, 3, len(terminal.contenders))
            strengths: list[int | None] = [None] * game.players
            for seat, place in zip(terminal.contenders, places.tolist(), strict=True):
                strengths[form.seats[seat]] = place
            returns = game.payoffs.returns(betting, strengths)
            after = terminal.stacks_after(places[None, :])[0]
            expected = form.start + np.array([returns[seat] for seat in form.seats]) / unit
            assert after == pytest.approx(expected, abs=1e-9)
            assert after.sum() == pytest.approx(form.start.sum())


def layout(stacks: str, **settings: str) -> PushForm:
    return table_stakes(stacks, **settings).form()


def test_every_seat_decides_once() -> None:
    form = layout("10,10,10,10")
    assert form.nodes == 14  # 2**4 - 1, less the big blind's where all fold
    assert len(form.terminals) == 15
    for node in range(form.nodes):
        seats = [int(form.node_seat[before]) for before, _ in form.path_of(node)] + [int(form.node_seat[node])]
        assert seats == sorted(set(seats))
        assert form.last[node] > node
        assert (form.parent[node + 1 : form.last[node]] >= node).all()


def test_a_seat_that_is_all_in_with_its_blind_decides_nothing() -> None:
    form = layout("9,0.4,20")
    assert set(form.node_seat.tolist()) == {0, 2}
    assert all(1 in terminal.contenders for terminal in form.terminals)


def test_seats_that_have_folded() -> None:
    form = layout("10,12,9,20,6", position="BU")
    assert set(form.node_seat.tolist()) == {2, 3, 4}
    assert all(set(terminal.contenders) <= {2, 3, 4} for terminal in form.terminals)
    assert form.terminals[0].stacks_after(np.zeros((1, len(form.terminals[0].contenders))))[0, :2].tolist() == [10, 12]


def test_names_of_seats() -> None:
    assert seat_names(2) == ("SB", "BB")
    assert seat_names(9) == ("UTG", "UTG+1", "UTG+2", "UTG+3", "HJ", "CO", "BU", "SB", "BB")
    assert all(len(set(seat_names(players))) == players for players in range(2, 10))


def test_what_cannot_be_built_is_refused() -> None:
    from pokerlab.games.library.holdem_limit import game as limit

    stakes = TableStakes((1, 1))  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="not a game of all-in or fold"):
        push_form(limit())
    with pytest.raises(BadSetting, match="0 to 0 can have folded"):
        push_form(stakes.game(), folded=1)
