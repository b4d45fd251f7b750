"""Five-card draw: adds to the strength of a hand how likely the draw makes it the best.

Potential of Ee's appendix C (2024); see agents/parts/draw_decisions.py, and cards/draw_potential.py for the potential.
"""

from __future__ import annotations

from pokerlab.agents.parts.draw_player import DrawPlayer


class Potential(DrawPlayer):
    """The player who looks at the draw."""

    label = "draw-potential"


agent = Potential
