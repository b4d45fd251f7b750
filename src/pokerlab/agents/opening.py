"""One door to every agent: a name, a name with settings, or a name and the file or address it plays from."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

from pokerlab import registry
from pokerlab.agents.agent import Agent
from pokerlab.errors import BadSetting

_WITH_TARGET = re.compile(r"\s*([\w+-]+):(.+?)(\([^()]*=[^()]*\))?\s*", re.DOTALL)


def open_agent(spec: str | Agent, /, **settings: Any) -> Agent:
    """The agent that a text names: "formula", "formula(bluff=0.1)", "strategy:kuhn.safetensors".

    What stands after a colon is the agent's first setting. An agent is given back as it is.

    >>> open_agent("formula(bluff=0.2)").name
    'formula(bluff=0.2)'
    """
    if isinstance(spec, Agent):
        if settings:
            raise BadSetting(f"{spec.name} is made already and takes no more settings")
        return spec
    if not isinstance(spec, str):
        raise BadSetting(f"an agent is named by text, as in 'formula(bluff=0.1)'; got {str(spec)[:60]!r}")
    targeted = _WITH_TARGET.fullmatch(spec)
    if targeted:
        name, target, written = targeted.groups()
        entry = registry.find("agents", name)
        parameters = list(inspect.signature(import_module(entry.module).agent).parameters)
        if not parameters:
            raise BadSetting(f"{entry.name} takes no settings, but {spec[:60]!r} gives it {target[:40]!r}")
        spec, settings = name + (written or ""), {parameters[0]: target.strip()} | settings
    made = registry.load("agents", spec, **settings)
    assert isinstance(made, Agent)
    return made
