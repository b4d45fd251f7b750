"""What an agent is: something that acts on a view. The definition; docs/reference/agents.md has it as a table.

An agent needs one method: `act(view, rng)` returns an action for the seat that the view belongs to. Everything an agent
may know is in the view, and all randomness comes from `rng`, so the same seed gives the same play. `completed` adds the
rest where it is missing: `name`, the text that the agent was opened with or its class, and `reset()`, which makes the
agent forget what it learned: by default it is put back as it was made. `reset` is called at the start of each pass of a
block, or once per match if the match preserves memory.

More methods are used where an agent has them: `observe(view)` sees the end of each hand; `check_game(game)` refuses
games; `remarks()` reports on its play; `probabilities(view)`, and perhaps `table(place)`, give the chance of each
action, as in the contract of strategy/policy.py (`PolicyAgent` has both). An agent may declare facts about itself:
`repeatable = False`, if the same view and seed may give different actions (a human, an external program);
`one_process = True`, if it can only play in the process that starts the match; `fixed_stacks = True`, if it cannot
follow stacks that change from hand to hand; and `seconds_per_hand`, if it is slow, so that papers can leave it out.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections import Counter
from typing import Any, Protocol, runtime_checkable

import numpy as np

from pokerlab import registry
from pokerlab.errors import BadSetting
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.settings import Settings
from pokerlab.strategy.policy import PolicyTable, table_of


@runtime_checkable
class Actor(Protocol):
    """What an agent needs; `completed` adds the rest."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Choose an action; it is this seat's turn in the view."""


@runtime_checkable
class Agent(Protocol):
    """A player of any poker game, complete."""

    @property
    def name(self) -> str:
        """The name with its settings, as `open_agent` reads it: "formula(bluff=0.2)"."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Choose an action; it is this seat's turn in the view."""

    def reset(self) -> None:
        """Forget everything learned; called before each pass of a block, or once if the match preserves memory."""


@runtime_checkable
class Observer(Protocol):
    """An agent that sees how hands end."""

    def observe(self, view: View) -> None:
        """See the end of a hand, from the seat that the agent had in it."""


@runtime_checkable
class HasDiagnostics(Protocol):
    """An agent that reports diagnostics about its play."""

    def remarks(self) -> Counter[str]:
        """Messages and how often each applied since the last call; called at the end of each pass."""


@runtime_checkable
class SupportsGame(Protocol):
    """An agent that cannot play every game."""

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting, with the reason, if the agent cannot play this game."""


def completed(actor: Actor) -> Agent:
    """The same object with a name and a `reset`, if it has none of its own.

    >>> class Caller:
    ...     def act(self, view, rng): ...
    >>> completed(Caller()).name
    'Caller'
    """
    if isinstance(actor, Agent):
        return actor
    if getattr(actor, "name", None) is None:
        registry.renamed(actor, type(actor).__name__)
    try:
        if getattr(actor, "reset", None) is None:
            object.__setattr__(actor, "reset", _BackAsMade(actor))
    except (AttributeError, TypeError, copy.Error) as problem:
        raise BadSetting(
            f"{type(actor).__name__} has no `reset` and cannot be copied: "
            "give it a method `reset()` that forgets what it learned"
        ) from problem
    assert isinstance(actor, Agent)
    return actor


class _BackAsMade:
    """The `reset` of an agent without one: its attributes become what they were when it was opened."""

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        self._made = copy.deepcopy(vars(agent))

    def __call__(self) -> None:
        attributes = vars(self._agent)
        attributes.clear()
        attributes.update(copy.deepcopy(self._made), reset=self)


def is_repeatable(agent: Agent) -> bool:
    """Whether the same views and seed give the same play; true unless the agent declares otherwise."""
    return bool(getattr(agent, "repeatable", True))


def declared_seconds(agent: Agent) -> float:
    """What a hand of an agent that says it is slow takes; 0 unless it declares `seconds_per_hand`."""
    return float(getattr(agent, "seconds_per_hand", 0.0))


def needs_fixed_stacks(agent: Agent) -> bool:
    """Whether the agent cannot follow stacks that change from hand to hand."""
    return bool(getattr(agent, "fixed_stacks", False))


def needs_one_process(agent: Agent) -> bool:
    """Whether the agent can play only in the process that starts the match."""
    return bool(getattr(agent, "one_process", False))


class PolicyPlayer(ABC):
    """An agent without memory that knows its action probabilities and samples its actions from them."""

    @abstractmethod
    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Sample an action; it is this seat's turn in the view."""

    @abstractmethod
    def probabilities(self, view: View) -> dict[str, float]:
        """The probability of each legal action, by its text."""

    def table(self, place: PublicNode) -> PolicyTable:
        """The same for every hand that the seat to act may hold at a public node."""
        return table_of(self, place)


class ReportingPolicyPlayer(PolicyPlayer):
    """An agent that plays a given policy and counts remarks about its play."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._remarks: Counter[str] = Counter()

    def reset(self) -> None:
        """Do nothing: there is nothing to forget."""

    def remarks(self) -> Counter[str]:
        remarks, self._remarks = self._remarks, Counter()
        return remarks


class Memoryless(Settings):
    """An agent that learns nothing: its settings are dataclass fields, and its name is built from them."""

    def reset(self) -> None:
        """Do nothing: there is nothing to forget."""


class PolicyAgent(Memoryless, PolicyPlayer):
    """An agent without memory whose settings are dataclass fields and whose action probabilities are known."""
