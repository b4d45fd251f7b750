"""The field of the review's tournaments: every agent of the library that plays a game, found by trying it.

Agents that need settings (a file, an opponent) or a human are left out, and so are those that refuse the game. An
agent may declare that it is slow (`seconds_per_hand`); the others are timed in a few hands. What is slower than the
budget is left out, and the paper says so; without a budget nobody is timed, and the field depends on the library alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf

from pokerlab import registry
from pokerlab.agents.agent import Observer, declared_seconds, is_repeatable
from pokerlab.agents.opening import open_agent
from pokerlab.errors import PokerlabError
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.strategy.policy import Policy

TRIAL_HANDS = 10
FEWEST = 24  # hands of a slow agent in a pair
WAIT = 120.0  # seconds for a decision in a trial, in which much is compiled or trained


@dataclass(frozen=True)
class Entrants:
    """Who plays a game."""

    game: PokerGame
    agents: tuple[str, ...]
    slow: tuple[str, ...]  # left out, with what a hand takes
    seconds: Mapping[str, float]  # per hand, of those who play

    def fewer(self, hands: int, *, seconds: float) -> dict[str, int]:
        """The hands of agents that take longer than `seconds` for this number of them: at least `FEWEST`."""
        able = {name: max(int(seconds / cost), FEWEST) for name, cost in self.seconds.items() if cost * hands > seconds}
        return {name: most for name, most in able.items() if most < hands}


def field_of(game: str, *, budget: float, most: int, tried: Callable[[str], None]) -> Entrants:
    """The agents of the library that play a game within this many seconds per hand, the first `most` of them.

    Where fewer than a table and one are that quick, the quickest of the others join them.
    """
    table = open_game(game)
    assert isinstance(table, PokerGame)
    cost: dict[str, float] = {}
    for entry in registry.available("agents"):
        if sum(seconds <= budget for seconds in cost.values()) == most:
            break
        tried(entry.name)
        seconds = seconds_per_hand(entry.name, table, declared_most=budget)
        if seconds is not None:
            cost[entry.name] = seconds
    enough = sorted(cost, key=cost.__getitem__)[: table.players + 1]
    agents = [name for name in cost if cost[name] <= budget or name in enough]
    slow = [f"{name} ({1000 * seconds:.0f} ms)" for name, seconds in cost.items() if name not in agents]
    return Entrants(table, tuple(agents), tuple(slow), {name: cost[name] for name in agents})


def seconds_per_hand(name: str, game: PokerGame, *, declared_most: float) -> float | None:
    """What a hand against callers takes; None if the agent does not play the game by itself."""
    try:
        agent = open_agent(name)
        if not is_repeatable(agent):
            return None
        if (declared := declared_seconds(agent)) > declared_most:
            return declared
        seats = [name] + ["always-call"] * (game.players - 1)
        trial = MatchSettings.of(game, seats, hands=TRIAL_HANDS, duplicate=False, decision_seconds=WAIT)
        play_match(trial)  # loads and compiles
        if declared_most == inf:
            return declared
        began = time.process_time()  # the field should not depend on what else the computer does
        play_match(trial)
        return (time.process_time() - began) / TRIAL_HANDS
    except PokerlabError:
        return None


def adapts(name: str) -> bool:
    """Whether an agent learns from how hands end."""
    agent = open_agent(name)
    return isinstance(agent, Observer) and getattr(agent, "adapts", True)


def states_probabilities(name: str) -> bool:
    """Whether an agent is a policy, whose exploitability can be bounded."""
    return isinstance(open_agent(name), Policy)
