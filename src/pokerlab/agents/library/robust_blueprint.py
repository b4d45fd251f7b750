"""Plays the blueprint for limit hold'em that was trained against best responses: less exploitable than `blueprint`.

CFR-BR (Johanson, Bard, Burch and Bowling 2012) on a graphics card, after self-play; see docs/howto/gpu.md.
"""

from __future__ import annotations

from pokerlab.agents.library.blueprint import BlueprintAgent, TranslationSeed
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.settings import Flag, Share, Text, declared
from pokerlab.strategy.files.shipped import ROBUST, cards_of, opened
from pokerlab.strategy.files.solution import Solution


class RobustBlueprint(BlueprintAgent):
    """A blueprint for two-player limit hold'em only."""

    def check_game(self, game: PokerGame) -> None:
        blueprint = opened(ROBUST).strategy.form.game
        if game.players != 2 or game.rules.limit != "fixed" or cards_of(game) != cards_of(blueprint):
            raise BadSetting(f"robust-blueprint plays two-player limit hold'em, not {game.name}: choose blueprint")
        super().check_game(game)

    def playing(self, game: PokerGame) -> Solution:
        return opened(ROBUST)


@declared("robust-blueprint")
def agent(
    name: str,
    *,
    translation: Text = "pseudo-harmonic",
    purify: Flag = False,
    threshold: Share = 0.0,
    seed: TranslationSeed = 0,
) -> RobustBlueprint:
    """The blueprint for limit hold'em that is hardest to exploit, with the settings of `blueprint`."""
    return RobustBlueprint(name, None, translation=translation, purify=purify, threshold=threshold, seed=seed)
