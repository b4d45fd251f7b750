"""Folds to any bet, checks where that is free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.agent import Memoryless
from pokerlab.agents.parts.triple import ALWAYS_FOLD, choose
from pokerlab.games.poker.betting import FOLD, STAND_PAT, Action
from pokerlab.games.poker.state import View


@dataclass(frozen=True)
class AlwaysFold(Memoryless):
    """The player who waits for free showdowns."""

    label = "always-fold"

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Fold, or check where there is nothing to fold to."""
        legal = view.legal
        if legal.discards >= 0:
            return STAND_PAT
        return FOLD if legal.fold else choose(ALWAYS_FOLD, view, rng)


agent = AlwaysFold
