"""Five-card draw: as draw-potential, and raises with weak hands that may improve.

Semi-bluffing of Ee's appendix C (2024); see agents/parts/draw_decisions.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.agents.parts.draw_player import DrawPlayer
from pokerlab.agents.parts.triple import PotFraction


@dataclass(frozen=True)
class SemiBluff(DrawPlayer):
    """The player who bluffs with draws."""

    label = "draw-semi-bluff"
    pot_fraction: PotFraction = 0.0  # size of raises outside of fixed limit; 0 is the least raise


agent = SemiBluff
