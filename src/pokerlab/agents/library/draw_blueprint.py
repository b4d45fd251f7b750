"""Plays the blueprint of five-card draw that comes with the package."""

from __future__ import annotations

from pokerlab.agents.library.blueprint import BlueprintAgent
from pokerlab.settings import declared


@declared("draw-blueprint")
def agent(name: str) -> BlueprintAgent:
    """The small player of five-card draw that comes with the package; `blueprint:FILE` plays one of your own."""
    return BlueprintAgent(name, None)
