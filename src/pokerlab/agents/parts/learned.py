"""What an agent has learned, as a file, or from self-play of a teacher when the agent is first used.

An agent that learns is a module with a `learn(examples)` that returns named arrays. `pokerlab learn AGENT --from-hands
FILE` saves what it makes of saved hands, and AGENT:FILE plays it. Without a file the agent has learned from a teacher,
once in fixed limit and once in no-limit, and plays that in every game with this betting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from pokerlab import registry, store
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.examples import Example, self_play
from pokerlab.agents.parts.self_play import trained
from pokerlab.errors import BadFile
from pokerlab.games.poker.engine import PokerGame

KIND = "learned agent"
LIMIT, NO_LIMIT = BETTINGS = "limit", "no-limit"
Learn = Callable[[Iterable[Example]], Mapping[str, np.ndarray]]


class Teacher(NamedTuple):
    """The player that an agent learns from if no file is given."""

    games: tuple[tuple[str, ...], tuple[str, ...]]  # in fixed limit and in no-limit
    agent: str = "formula"
    hands: int = 500  # of each game
    seed: int = 0


def betting_kind(game: PokerGame) -> str:
    """Which of the two models of an agent plays a game."""
    return LIMIT if game.rules.limit == "fixed" else NO_LIMIT


def arrays_for(agent: str, file: str, game: PokerGame, learn: Learn, teacher: Teacher) -> Mapping[str, np.ndarray]:
    """What an agent has learned: from its file, or from its teacher."""
    return _saved(file, agent) if file else _taught(agent, betting_kind(game), learn, teacher)


@lru_cache(maxsize=16)
def _saved(file: str, agent: str) -> Mapping[str, np.ndarray]:
    stored = store.load(file, kind=KIND)
    if stored.manifest.get("agent") != agent:
        of = str(stored.manifest.get("agent"))[:40]
        raise BadFile(f"{file} was learned by {of}, and cannot be played by {agent}: use {of}:{file}")
    return stored.arrays


@lru_cache(maxsize=16)
def _taught(agent: str, betting: str, learn: Learn, teacher: Teacher) -> Mapping[str, np.ndarray]:
    def train(seed: int) -> Mapping[str, np.ndarray]:
        names = teacher.games[BETTINGS.index(betting)]
        return learn(chain.from_iterable(_played(registry.load("games", name), teacher, seed) for name in names))

    seconds = 5 * teacher.hands / 1000 * len(teacher.games[0])
    return trained(f"{agent}-{betting}-{teacher.hands}", train, seed=teacher.seed, seconds=seconds)


def _played(game: PokerGame, teacher: Teacher, seed: int) -> Iterator[Example]:
    players = [open_agent(teacher.agent) for _ in range(game.players)]
    return self_play(game, players, hands=teacher.hands, seed=seed)


def save(file: str, agent: str, arrays: Mapping[str, np.ndarray], **manifest: object) -> None:
    """Write what an agent has learned."""
    store.save(file, arrays, kind=KIND, agent=agent, **manifest)
