"""Laws of every agent, found and not listed: legal in every poker game that it does not refuse with a sentence, drawn
from its view and its seed alone."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.agents.agent import Agent, SupportsGame
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadSetting, PokerlabError
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.match.table.referee import play_hand

NEEDS_MORE = (
    "blueprint",
    "graft",
    "gs",
    "human",
    "local-best-response",
    "psopti",
    "remote",
    "resolve",
    "robust-blueprint",
    "strategy",
    "team",
)  # a game that one was trained for, time for solving, a person ...
QUICKER = {name: f"{name}(trials=60)" for name in ("ismcts", "mcts", "mcts-broeck", "selective-sampling")}
AGENTS = [QUICKER.get(entry.name, entry.name) for entry in registry.available("agents") if entry.name not in NEEDS_MORE]
AGENTS += ["team(members='always-call,random')"]
RING = ["kuhn(players=3)", "leduc(players=3)", "holdem-limit(players=6)", "holdem-nolimit(players=10)"]


def poker_games() -> list[str]:
    """Every preset that is a poker game with its default settings, and some rings."""
    found = []
    for entry in registry.available("games"):
        try:
            made = registry.load("games", entry.name)
        except PokerlabError:
            continue  # it needs settings
        if isinstance(made, PokerGame):
            found.append(entry.name)
    return found + RING


def is_refused(agent: str, game: PokerGame) -> bool:
    """Whether an agent does not play a game; it says so before the first hand, and names both."""
    made = open_agent(agent)
    if not isinstance(made, SupportsGame):
        return False
    try:
        made.check_game(game)
    except BadSetting as problem:
        assert agent.partition("(")[0] in str(problem)  # noqa: PT017
        assert game.name in str(problem)  # noqa: PT017
        return True
    return False


class Watched:
    """An agent whose actions are noted, and compared with what it does when asked again."""

    def __init__(self, spec: str) -> None:
        self._agent, self._twin = open_agent(spec), open_agent(spec)
        self.name = spec
        self.actions: list[str] = []

    def act(self, view: View, rng: np.random.Generator) -> object:
        again = np.random.Generator(np.random.PCG64())
        again.bit_generator.state = rng.bit_generator.state
        action = self._agent.act(view, rng)
        assert action == self._twin.act(view, again), "the same view and chance gave another action"
        self.actions.append(f"{view.infoset} {view.game.action_text(action)}")
        return action

    def reset(self) -> None:
        self._agent.reset()
        self._twin.reset()


def played(agent: str, game: PokerGame, *, seed: int, hands: int) -> tuple[list[str], list[float]]:
    rng = np.random.default_rng(seed)
    seats = [Watched(agent if seat % 2 == 0 else "random") for seat in range(game.players)]
    rngs = [np.random.default_rng([seed, seat]) for seat in range(game.players)]
    payoffs: list[float] = []
    for cards in game.deals(rng, hands):
        over = play_hand(game, cards, seats, rngs)  # type: ignore[arg-type]
        assert not over.faults, over.faults
        payoffs += over.payoffs
    return [line for seat in seats for line in seat.actions], payoffs


def family(game: PokerGame) -> str:
    """What kind of game it is, for the sample: agents often have code of their own for each."""
    large = game.rules.deck.size > 30
    return f"{game.players > 2} {game.rules.limit} {bool(game.dealing.draws)} {large}"


def games_of(agent: str, *, sampled: bool) -> list[PokerGame]:
    """The games that an agent plays; of a sample, one of each family, others for other agents."""
    names = sorted(poker_games(), key=lambda name: zlib.crc32(f"{agent} {name}".encode()))
    tables = [table for table in (registry.load("games", name) for name in names) if not is_refused(agent, table)]
    return list({family(table): table for table in tables}.values()) if sampled else tables


@pytest.mark.parametrize("agent", AGENTS)
def test_legal_and_repeatable(agent: str, pytestconfig: pytest.Config) -> None:
    sampled = bool(pytestconfig.getoption("--sample"))
    tables = games_of(agent, sampled=sampled)
    assert tables
    for number, table in enumerate(tables):
        hands = 3 if table.players > 4 or "holdem" in table.name else 8
        first = played(agent, table, seed=11, hands=hands)
        assert abs(sum(first[1])) < 1e-6, table.name
        if not number or not sampled:  # a twin is asked everywhere; what lasts from hand to hand shows in any game
            assert first == played(agent, table, seed=11, hands=hands), table.name


@pytest.mark.parametrize("agent", AGENTS)
def test_uses_only_the_view(agent: str) -> None:
    """The same view of two states that differ in what is hidden: the same action."""
    games = [registry.load("games", name) for name in ("holdem-nolimit(stack=1000)", "five-card-draw")]
    played = [game for game in games if not is_refused(agent, game)]
    assert played
    for game in played:
        rng = np.random.default_rng(5)
        player = open_agent(agent)
        held = game.rules.rounds[0].private
        for cards in game.deals(rng, 4):
            own = cards[held : 2 * held]
            other = [card for card in range(52) if card not in own]
            states = game.start(cards), game.start((*other[:held], *own, *other[held:], *range(len(cards) - 52)))
            assert game.view(states[0], 1) == game.view(states[1], 1)
            first, second = (player.act(game.view(state, 1), np.random.default_rng(3)) for state in states)
            assert first == second


@pytest.mark.parametrize("agent", AGENTS)
def test_named_as_it_is_opened(agent: str) -> None:
    made = open_agent(agent)
    assert isinstance(made, Agent)
    assert made.name == agent
    assert registry.find("agents", agent.partition("(")[0]).summary
