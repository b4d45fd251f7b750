"""Five-card draw: like draw-semi-bluff, but also calls when the pot odds justify it.

Calling with pot odds of Ee's appendix C (2024); see agents/parts/draw_decisions.py.
"""

from pokerlab.agents.parts.draw_player import DrawPlayer


class PotOdds(DrawPlayer):
    label = "draw-pot-odds"


agent = PotOdds
