"""Bets and raises whenever it can, otherwise calls."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.agents.parts.drawing import keep_made
from pokerlab.agents.parts.triple import ALWAYS_RAISE, ConstantTripleAgent, PotFraction


@dataclass(frozen=True)
class AlwaysRaise(ConstantTripleAgent):
    """The maniac."""

    label = "always-raise"
    constant_triple = ALWAYS_RAISE
    exchange = staticmethod(keep_made)  # draw to the current highest hand (Ee, 2024, appendix C)
    pot_fraction: PotFraction = 1.0  # raise size outside fixed limit


agent = AlwaysRaise
