"""Ranges by Bayes' rule, against the rule applied hand by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.agents.parts import policy_rows
from pokerlab.agents.parts.opponent_range import OpponentRange
from pokerlab.errors import UnknownName
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import State, View
from pokerlab.registry import load
from pokerlab.strategy.policy import Policy, PolicyTable, table_of


def states(game: PokerGame, *, seed: int, hands: int, policy: Policy) -> list[State]:
    """States of hands in which seat 0 plays at random and seat 1 by the policy, at seat 0's turns."""
    rng, found = np.random.default_rng(seed), []
    wild = open_agent("random")
    for cards in game.deals(rng, hands):
        state = game.start(cards)
        while (seat := game.player(state)) >= 0:
            view = game.view(state, seat)
            if seat == 0:
                found.append(state)
                state = game.child(state, wild.act(view, rng))
            else:
                state = game.child(state, policy.act(view, rng))  # type: ignore[attr-defined]
    return found


def by_hand(game: PokerGame, policy: Policy, state: State) -> dict[tuple[int, ...], float]:
    """The weight of each hand that seat 1 may hold: what its policy says of each of its actions, multiplied."""
    view = game.view(state, 0)
    weights = {}
    free = [card for card in range(game.deck.size) if card not in {*view.cards, *view.board}]
    for hand in combinations(free, game.rules.rounds[0].private):
        weight, now = 1.0, game.start((*view.cards, *hand, *state.cards[2 * len(hand) :]))
        for word in view.history.replace("/", ""):
            action = next(one for one in game.actions(now) if game.action_text(one) == word)
            if game.player(now) == 1:
                weight *= policy.probabilities(game.view(now, 1)).get(word, 0.0)
            now = game.child(now, action)
        weights[tuple(sorted(hand))] = weight
    total = sum(weights.values())
    return {hand: weight / total for hand, weight in weights.items()}


@pytest.mark.parametrize(("game", "agent"), [("leduc", "formula"), ("leduc(ranks=4)", "rules"), ("kuhn", "random")])
def test_bayes(game: str, agent: str) -> None:
    table = load("games", game)
    policy = open_policy(agent, table)
    reader, compared = OpponentRange(policy, table), 0
    for state in states(table, seed=1, hands=25, policy=policy):
        found = reader.weights(table.view(state, 0))
        expected = by_hand(table, policy, state)
        assert found.sum() == pytest.approx(1)
        for hand, weight in expected.items():
            assert found[reader.hands.cards.index(tuple(sorted(hand)))] == pytest.approx(weight, abs=1e-12)
        compared += 1
    assert compared > 20


def test_what_is_never_done_leaves_nothing() -> None:
    table = load("games", "leduc")
    reader = OpponentRange(open_policy("always-call", table), table)
    state = table.start(table.deck.cards("KaQaJa") + table.deck.cards("KbQbJb"))
    for word in "cr":
        state = table.child(state, next(one for one in table.actions(state) if table.action_text(one) == word))
    assert not reader.weights(table.view(state, 0)).any()


def test_bets_of_thousands_of_sizes_are_asked_for_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    table = load("games", "leduc-nolimit(stack=40)")
    policy = open_policy("formula", table)
    few, many = OpponentRange(policy, table), OpponentRange(policy, table)
    seen = states(table, seed=4, hands=12, policy=policy)
    whole = [few.weights(table.view(state, 0)) for state in seen]
    monkeypatch.setattr(policy_rows, "MOST_ACTIONS", 0)
    for state, expected in zip(seen, whole, strict=True):
        assert many.weights(table.view(state, 0)) == pytest.approx(expected)


class Silent:
    """Knows only what kings do."""

    def probabilities(self, view: View) -> dict[str, float]:
        if view.game.text(view.cards)[0] != "K":
            raise UnknownName("not a king")
        return {"r": 1.0}

    def table(self, place: PublicNode) -> PolicyTable:
        return table_of(self, place)


def test_hands_that_a_policy_knows_nothing_of_do_anything() -> None:
    table = load("games", "leduc")
    reader = OpponentRange(Silent(), table)
    state = table.start(table.deck.cards("JaQaJb"))
    for word in "cr":
        state = table.child(state, next(one for one in table.actions(state) if table.action_text(one) == word))
    weights = {table.text(hand): reader.weights(table.view(state, 0))[i] for i, hand in enumerate(reader.hands.cards)}
    assert weights["Ka"] == pytest.approx(2 * weights["Qa"])  # a check or a bet
    assert weights["Ja"] == 0


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    table = load("games", "leduc")
    policy = open_policy("formula", table)
    reader = OpponentRange(policy, table)
    seen = states(table, seed=2, hands=20, policy=policy)
    expected = [reader.weights(table.view(state, 0)) for state in seen]
    monkeypatch.setattr(policy_rows, "MOST_CACHED", 12)
    forgetful = OpponentRange(policy, table)
    for state, weights in zip(seen, expected, strict=True):
        assert (forgetful.weights(table.view(state, 0)) == weights).all()
        assert len(forgetful._rows._known) <= 6
