"""Plays the five-card draw blueprint shipped with the package."""

from __future__ import annotations

from pokerlab.agents.library.blueprint import BlueprintAgent
from pokerlab.agents.parts.draw_player import check_five_card_draw
from pokerlab.games.poker.engine import PokerGame
from pokerlab.settings import declared


class DrawBlueprint(BlueprintAgent):
    """A blueprint for five-card draw only."""

    def check_game(self, game: PokerGame) -> None:
        check_five_card_draw(game, "draw-blueprint")
        super().check_game(game)


@declared("draw-blueprint")
def agent(name: str) -> DrawBlueprint:
    """The small five-card draw blueprint shipped with the package; `blueprint:FILE` plays your own."""
    return DrawBlueprint(name, None)
