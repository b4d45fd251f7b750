"""Five-card draw: raises, calls or folds by the exact strength of its hand as it is.

Basic of Ee's appendix C (2024), the myopic player; see agents/parts/draw_decisions.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.agents.parts.draw_player import DrawPlayer
from pokerlab.agents.parts.triple import PotFraction


@dataclass(frozen=True)
class Basic(DrawPlayer):
    """The myopic player."""

    label = "draw-basic"
    pot_fraction: PotFraction = 0.0  # size of raises outside of fixed limit; 0 is the least raise


agent = Basic
