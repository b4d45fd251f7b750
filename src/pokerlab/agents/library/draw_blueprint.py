"""Plays the blueprint of five-card draw that comes with the package."""

from __future__ import annotations

from pokerlab.agents.library.blueprint import BlueprintAgent
from pokerlab.agents.parts.draw_player import check_five_card_draw
from pokerlab.games.poker.engine import PokerGame
from pokerlab.settings import declared


class DrawBlueprint(BlueprintAgent):
    """A blueprint at tables of five-card draw alone."""

    def check_game(self, game: PokerGame) -> None:
        """BadSetting in any other game than five-card draw for two."""
        check_five_card_draw(game, "draw-blueprint")
        super().check_game(game)


@declared("draw-blueprint")
def agent(name: str) -> DrawBlueprint:
    """The small player of five-card draw that comes with the package; `blueprint:FILE` plays one of your own."""
    return DrawBlueprint(name, None)
