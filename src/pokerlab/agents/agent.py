"""What an agent is: something that acts on a view.

`act(view, rng)` gives the action of the seat whose view it is. Everything an agent may know is in the view, and
everything random comes from `rng`, so that the same seed gives the same play. An agent that learns keeps its memory
in itself, sees the end of each hand in `observe(view)`, and forgets everything on `reset()`, which is called at the
start of each pass of a block, or once where the match keeps memories.

An agent that can tell how likely each of its actions is follows the contract of strategy/policy.py besides: it has
`probabilities(view)` and `table(place)`, and is a `PolicyAgent`.

Two facts an agent may state of itself: `repeatable = False`, that the same view and seed need not give the same action
(a person, another program), and `one_process = True`, that it can play only in the process that starts the match.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import Protocol, runtime_checkable

import numpy as np

from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.place import Place
from pokerlab.games.poker.state import View
from pokerlab.settings import Settings
from pokerlab.strategy.policy import PolicyTable, table_of


@runtime_checkable
class Agent(Protocol):
    """A player of any poker game."""

    @property
    def name(self) -> str:
        """The name with its settings, as `open_agent` reads it: "formula(bluff=0.2)"."""
        ...

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """What to do; the view is of a seat whose turn it is."""
        ...

    def reset(self) -> None:
        """Forget everything learned; called at the start of each pass of a block, or of a match that keeps memories."""
        ...


@runtime_checkable
class Observer(Protocol):
    """An agent that wants to see how hands end."""

    def observe(self, view: View) -> None:
        """Look at the end of a hand, from the seat that the agent had in it."""
        ...


@runtime_checkable
class HasDiagnostics(Protocol):
    """An agent with something to say about its play."""

    def remarks(self) -> Counter[str]:
        """Sentences and how often each was true since the last time; called at the end of each pass."""
        ...


@runtime_checkable
class SupportsGame(Protocol):
    """An agent that cannot play every game."""

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting, with the reason, where it cannot play this one."""
        ...


def is_repeatable(agent: Agent) -> bool:
    """Whether the same views and the same seed give the same play, as they do unless the agent says otherwise."""
    return bool(getattr(agent, "repeatable", True))


def needs_one_process(agent: Agent) -> bool:
    """Whether the agent can play only in the process that starts the match."""
    return bool(getattr(agent, "one_process", False))


class Memoryless(Settings):
    """An agent that learns nothing: its settings are dataclass fields, and its name is made of them."""

    def reset(self) -> None:
        """There is nothing to forget."""


class PolicyAgent(Memoryless, ABC):
    """An agent without memory that can tell its probabilities; what it does is drawn from them."""

    @abstractmethod
    def act(self, view: View, rng: np.random.Generator) -> Action:
        """What to do; the view is of a seat whose turn it is."""

    @abstractmethod
    def probabilities(self, view: View) -> dict[str, float]:
        """Each action that may be taken, by its text, with its probability."""

    def table(self, place: Place) -> PolicyTable:
        """The same for every hand that the seat to act may hold at a public place."""
        return table_of(self, place)
