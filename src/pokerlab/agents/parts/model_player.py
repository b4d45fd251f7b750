"""An agent that plays models solved ahead."""

from __future__ import annotations

import numpy as np

from pokerlab.agents.agent import ReportingPolicyPlayer
from pokerlab.agents.parts.bucket_signals import refuse_unsuitable
from pokerlab.agents.parts.models import ModelPolicy
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import read_action
from pokerlab.strategy.policy import PolicyTable


class ModelPlayer(ReportingPolicyPlayer):
    """Models of a game at the table."""

    def __init__(self, name: str, *, buckets: tuple[int, ...]) -> None:
        super().__init__(name)
        self._buckets = buckets
        self._models: tuple[PokerGame, ModelPolicy] | None = None

    def made(self, game: PokerGame) -> ModelPolicy:
        """Make the models of a game."""
        raise NotImplementedError

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting if the game cannot be modelled in buckets."""
        self.models(game)

    def models(self, game: PokerGame) -> ModelPolicy:
        """The models of a game."""
        if self._models is None or self._models[0] != game:
            refuse_unsuitable(self.name, game)
            self._models = game, self.made(game)
        return self._models[1]

    def table(self, place: PublicNode) -> PolicyTable:
        return self.models(place.game).table(place)

    def probabilities(self, view: View) -> dict[str, float]:
        return dict(self.models(view.game).probabilities(view))

    def act(self, view: View, rng: np.random.Generator) -> Action:
        chances = self.probabilities(view)
        texts, sums = list(chances), np.cumsum(list(chances.values()))
        chosen = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
        return read_action(view.game, texts[min(chosen, len(texts) - 1)])
