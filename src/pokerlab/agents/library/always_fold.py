"""Folds to any bet and checks when that is free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.parts.triple import ALWAYS_FOLD, ConstantTripleAgent
from pokerlab.games.poker.betting import FOLD, Action
from pokerlab.games.poker.state import View


@dataclass(frozen=True)
class AlwaysFold(ConstantTripleAgent):
    """The player who waits for free showdowns."""

    label = "always-fold"
    constant_triple = ALWAYS_FOLD

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return FOLD if view.legal.fold else super().act(view, rng)


agent = AlwaysFold
