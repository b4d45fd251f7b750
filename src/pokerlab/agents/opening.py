"""The entry point for every agent: a name with settings, a name with a file or an address, or your own code."""

from __future__ import annotations

import inspect
import re
from typing import Any

from pokerlab import registry, store
from pokerlab.agents.agent import Actor, Agent, SupportsGame, completed
from pokerlab.errors import BadSetting, shortened
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.specs import read
from pokerlab.strategy.forms.kinds import agent_of
from pokerlab.strategy.policy import Policy, PolicyTable, table_of

FILES = (".blueprint", ".solution")  # usual suffixes
_WITH_TARGET = re.compile(r"\s*([\w+-]+):(.+?)(\(\s*\w+\s*=.*\))?\s*", re.DOTALL)


def open_agent(spec: str | Actor, /, **settings: Any) -> Agent:
    """The agent that a text names: "formula", "formula(bluff=0.1)", "strategy:kuhn.solution".

    The part after a colon is the agent's first setting. Your own agent is written as in registry.py, as
    "./mybot.py(bluff=0.2)" or "./mybot.py:Careful", and is called that. An object needs `act(view, rng)` alone, and is
    returned with what else an agent has.

    >>> open_agent("formula(bluff=0.2)").name
    'formula(bluff=0.2)'
    """
    if isinstance(spec, Actor):
        if isinstance(spec, type):
            raise BadSetting(f"{spec.__name__} is a class: give an object of it, {spec.__name__}()")
        agent = completed(spec)
        if settings:
            raise BadSetting(f"{agent.name} is an agent object already, so it takes no settings")
        return agent
    if not isinstance(spec, str):
        raise BadSetting(
            f"an agent is named by text, as in 'formula(bluff=0.1)', or is an object with `act(view, rng)`; "
            f"got {str(spec)[:60]!r}"
        )
    spec, target = _targeted(spec)
    return completed(registry.load("agents", spec, like=Actor, **target | settings))


def _targeted(spec: str) -> tuple[str, dict[str, str]]:
    """Split a text into the part before the colon and the rest, as the agent's first setting.

    The name of a saved file alone plays its contents.
    """
    saved = _saved(spec)
    if saved is not None:
        return saved
    targeted = _WITH_TARGET.fullmatch(spec)
    if not targeted:
        return spec, {}
    name, target, written = targeted.groups()
    if registry.is_own(read(spec)[0]) and not registry.is_known("agents", name):
        return spec, {}  # module:Class
    entry = registry.find("agents", name)
    parameters = list(inspect.signature(registry.factory("agents", entry)).parameters)
    if not parameters:
        raise BadSetting(f"{entry.name} takes no settings, but {spec[:60]!r} gives it {target[:40]!r}")
    return name + (written or ""), {parameters[0]: target.strip()}


def _saved(spec: str) -> tuple[str, dict[str, str]] | None:
    """The agent that plays a saved solution, and its file, if the text names one."""
    name, _ = read(spec)
    if registry.is_known("agents", name):
        return None
    if name.endswith(FILES) and ":" not in name:
        store.manifest_of(name)  # raises an error that says what is wrong
    if not store.is_saved(name):
        return None
    return agent_of(store.manifest_of(name).get("form")) + spec.strip().removeprefix(name), {"file": name}


def open_policy(spec: str | Agent, game: PokerGame) -> Policy:
    """The agent that a text names; it must be able to play this game and provide its action probabilities."""
    agent = open_agent(spec)
    if isinstance(agent, SupportsGame):
        agent.check_game(game)
    if isinstance(agent, Policy):
        return agent
    if not hasattr(agent, "probabilities"):
        raise BadSetting(
            f"{shortened(agent.name)} does not know its action probabilities, which are needed here: "
            "give it a method `probabilities(view)` that returns the probability of each action by its text"
        )
    return PolicyAdapter(agent)


class PolicyAdapter:
    """Adapts an agent with per-view probabilities to a policy: its tables are filled hand by hand."""

    def __init__(self, agent: Any) -> None:
        self.name: str = agent.name
        self.probabilities = agent.probabilities

    def table(self, place: PublicNode) -> PolicyTable:
        return table_of(self, place)
