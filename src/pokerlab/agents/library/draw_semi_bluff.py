"""Five-card draw: like draw-potential, but also raises with weak hands that may improve.

Semi-bluffing of Ee's appendix C (2024); see agents/parts/draw_decisions.py.
"""

from pokerlab.agents.parts.draw_player import DrawPlayer


class SemiBluff(DrawPlayer):
    label = "draw-semi-bluff"


agent = SemiBluff
