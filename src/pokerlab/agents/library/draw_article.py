"""Five-card draw: eleven rules by kind of hand, from an article that sums up books on the game.

The article strategy of Ee's appendix C (2024), which the paper also calls its simple game-theoretic model. The rules,
and how their gaps and contradictions are resolved, are in agents/parts/draw_decisions.py.
"""

from pokerlab.agents.parts.draw_player import DrawPlayer


class Article(DrawPlayer):
    label = "draw-article"


agent = Article
