"""Five-card draw: adds to hand strength the probability that the draw makes the best hand.

Potential of Ee's appendix C (2024); see agents/parts/draw_decisions.py, and cards/draw_potential.py for the potential.
"""

from pokerlab.agents.parts.draw_player import DrawPlayer


class Potential(DrawPlayer):
    label = "draw-potential"


agent = Potential
