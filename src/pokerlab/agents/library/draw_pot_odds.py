"""Five-card draw: as draw-semi-bluff, and calls where the pot pays for it.

Calling with pot odds of Ee's appendix C (2024); see agents/parts/draw_decisions.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.agents.parts.draw_player import DrawPlayer
from pokerlab.agents.parts.triple import PotFraction


@dataclass(frozen=True)
class PotOdds(DrawPlayer):
    """The player who weighs the price of a call."""

    label = "draw-pot-odds"
    pot_fraction: PotFraction = 0.0  # size of raises outside of fixed limit; 0 is the least raise


agent = PotOdds
