"""Plays the five-card draw blueprint shipped with the package."""

from __future__ import annotations

from pokerlab.agents.library.blueprint import BlueprintAgent, LeastWeight, TranslationSeed
from pokerlab.agents.parts.draw_player import check_five_card_draw
from pokerlab.games.poker.engine import PokerGame
from pokerlab.settings import Flag, Share, Text, declared


class DrawBlueprint(BlueprintAgent):
    """A blueprint for five-card draw only."""

    def check_game(self, game: PokerGame) -> None:
        check_five_card_draw(game, "draw-blueprint")
        super().check_game(game)


@declared("draw-blueprint")
def agent(
    name: str,
    *,
    translation: Text = "pseudo-harmonic",
    purify: Flag = False,
    threshold: Share = 0.0,
    seed: TranslationSeed = 0,
    fallback: LeastWeight = 0.0,
) -> DrawBlueprint:
    """The small five-card draw blueprint shipped with the package, with the settings of `blueprint`; `blueprint:FILE`
    plays your own. Its file has no sums of the training, so that `fallback` needs one of your own."""
    return DrawBlueprint(
        name, None, translation=translation, purify=purify, threshold=threshold, seed=seed, fallback=fallback
    )
