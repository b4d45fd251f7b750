"""What solving subgames does to a strategy: the exploitability of a blueprint, and of each method applied to it."""

from __future__ import annotations

from collections.abc import Sequence

from pokerlab.agents.parts.subgames import METHODS
from pokerlab.events import CancelToken, OnProgress
from pokerlab.lab.analyse.measuring import AgentMeasurement, measure_agents
from pokerlab.specs import spec_text


def compare_subgame_solving(
    game: str,
    blueprint: str,
    *,
    methods: Sequence[str] = METHODS,
    from_round: int | None = None,
    iterations: int = 400,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> dict[str, AgentMeasurement]:
    """Measure a blueprint, as "blueprint", and what each method of the agent `resolve` makes of it.

    - game: by name; small enough for explicit best responses
    - blueprint: an agent with known action probabilities ("strategy:FILE")
    - from_round: the first round that is solved; None: the last
    """
    settings = {"blueprint": blueprint, "from_round": from_round, "iterations": iterations, "seconds": 1e9}
    agents = {"blueprint": blueprint}
    agents |= {method: spec_text("resolve", settings | {"method": method}) for method in methods}
    return {
        name: measure_agents(game, [agent], on_progress=on_progress, cancel=cancel) for name, agent in agents.items()
    }
