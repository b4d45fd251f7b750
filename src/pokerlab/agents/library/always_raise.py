"""Bets and raises wherever it may, else calls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.agent import Memoryless
from pokerlab.agents.parts.triple import ALWAYS_RAISE, PotFraction, choose
from pokerlab.games.poker.betting import STAND_PAT, Action
from pokerlab.games.poker.state import View


@dataclass(frozen=True)
class AlwaysRaise(Memoryless):
    """The maniac."""

    label = "always-raise"
    pot_fraction: PotFraction = 1.0  # size of raises outside of fixed limit

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Raise, or call where raising is not allowed."""
        if view.betting.drawing:
            return STAND_PAT
        return choose(ALWAYS_RAISE, view, rng, pot_fraction=self.pot_fraction)


agent = AlwaysRaise
