"""Laws of every agent that tells its probabilities, found and not listed: they are probabilities of legal actions, and
what the agent does follows them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import binom

from pokerlab import registry
from pokerlab.agents.agent import Agent, SupportsGame
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadSetting
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import start_of
from pokerlab.games.poker.state import View
from pokerlab.strategy.policy import Policy

NEEDS_MORE = (
    "blueprint",
    "graft",
    "gs",
    "draw-blueprint",
    "local-best-response",
    "psopti",
    "remote",
    "resolve",
    "robust-blueprint",
    "strategy",
    "team",
)  # a game that one was trained for, an opponent ...
POLICIES = [
    *(
        entry.name
        for entry in registry.available("agents")
        if entry.name not in NEEDS_MORE and isinstance(open_agent(entry.name), Policy)
    ),
    "random(sizes=least)",
    "random(sizes=most)",
    "random(discards=made)",
    "always-raise(pot_fraction=0.4)",
]
GAMES = [
    "kuhn(players=3)",
    "leduc",
    "five-card-draw(stack=12)",
    "push-fold(players=3)",
    "holdem-limit(players=3)",
    "holdem-nolimit(stack=700, limit=pot)",
]
READ_BY_A_SAMPLE = "five-card-draw(stack=12)"  # by agents that look at every hand of the opponent elsewhere
MOST_DRAWS, UNLIKELY = 150, 3e-7  # a count as rare as this is met once in two million comparisons


def is_refused(policy: object, game: PokerGame) -> bool:
    """Whether an agent does not play a game, which tests/contract/test_agents.py looks into."""
    try:
        if isinstance(policy, SupportsGame):
            policy.check_game(game)
    except BadSetting:
        return True
    return False


def views(game: PokerGame, hands: int, seed: int) -> list[View]:
    """What the seats to act see, in some hands of random play."""
    rng, player = np.random.default_rng(seed), open_agent("random")
    found = []
    for cards in game.deals(rng, hands):
        state = game.start(cards)
        while (seat := game.player(state)) >= 0:
            found.append(game.view(state, seat))
            state = game.child(state, player.act(found[-1], rng))
    return found


def text_of(view: View, action: Action) -> str:
    """An action's text, its discards in the game's order."""
    return view.game.action_text(action._replace(cards=tuple(sorted(action.cards, reverse=True))))


def told(policy: Policy, found: list[View]) -> list[tuple[View, dict[str, float]]]:
    """The views of which the policy can tell its probabilities; the others get a sentence."""
    known = []
    for view in found:
        try:
            known.append((view, dict(policy.probabilities(view))))
        except BadSetting as problem:
            assert "is sampled" in str(problem)  # noqa: PT017
    return known


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", POLICIES)
def test_probabilities_of_legal_actions(name: str, game: str) -> None:
    policy = open_agent(name)
    assert isinstance(policy, Policy)
    table = registry.load("games", game)
    if is_refused(policy, table):
        return
    for view, chances in told(policy, views(table, 4, seed=3)):
        assert sum(chances.values()) == pytest.approx(1, abs=1e-9)
        assert min(chances.values()) > 0
        assert set(chances) <= {view.game.action_text(action) for action in view.actions}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", POLICIES)
def test_what_it_does_follows_them(name: str, game: str) -> None:
    agent = open_agent(name)
    assert isinstance(agent, Agent)
    assert isinstance(agent, Policy)
    table = registry.load("games", game)
    if is_refused(agent, table):
        return
    rng, compared = np.random.default_rng(8), 0
    for view, chances in told(agent, views(table, 2, seed=4))[:6]:
        drawn = Counter(text_of(view, agent.act(view, rng)) for _ in range(MOST_DRAWS))
        assert set(drawn) <= set(chances)
        for some, part in grouped(chances).items():
            seen = sum(count for text, count in drawn.items() if text in some)
            counts = binom(MOST_DRAWS, min(part, 1.0))
            assert min(counts.cdf(seen), counts.sf(seen - 1)) > UNLIKELY
            compared += 1
    assert compared or game == READ_BY_A_SAMPLE


def grouped(chances: dict[str, float]) -> dict[frozenset[str], float]:
    """Actions with their probabilities; where they are many, by kind and by lower and upper half."""
    if len(chances) <= 12:
        return {frozenset([text]): part for text, part in chances.items()}
    found = {}
    for kind in {text[0] for text in chances}:
        some = [text for text in chances if text[0] == kind]
        for half in (some[: len(some) // 2], some[len(some) // 2 :]):
            found[frozenset(half)] = sum(chances[text] for text in half)
    return found


@pytest.mark.parametrize("name", POLICIES)
def test_a_table_is_the_same_hand_by_hand(name: str) -> None:
    policy = open_agent(name)
    assert isinstance(policy, Policy)
    if is_refused(policy, registry.load("games", "leduc")):
        return
    for moves in ((), ("r",), ("r", "c", "Qa")):
        place = start_of(registry.load("games", "leduc"))
        for move in moves:
            place = place.after(move)
        table = policy.table(place)
        assert table.probability.sum(1) == pytest.approx(1)
        for (hand, view), listed, row in zip(place.views(), table.hands, table.probability, strict=True):
            known = dict.fromkeys(table.actions, 0.0) | dict(policy.probabilities(view))
            assert hand == listed
            assert dict(zip(table.actions, row, strict=True)) == pytest.approx(known, abs=1e-12)


def test_a_sampled_reading_is_refused_with_a_sentence() -> None:
    view = views(registry.load("games", "short-deck"), 1, seed=1)[0]
    with pytest.raises(BadSetting, match="a hand of short-deck is sampled here"):
        open_agent("formula").probabilities(view)  # type: ignore[attr-defined]
