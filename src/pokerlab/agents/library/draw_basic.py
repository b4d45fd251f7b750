"""Five-card draw: raises, calls or folds by the exact strength of its current hand.

Basic of Ee's appendix C (2024), the myopic player; see agents/parts/draw_decisions.py.
"""

from pokerlab.agents.parts.draw_player import DrawPlayer


class Basic(DrawPlayer):
    label = "draw-basic"


agent = Basic
