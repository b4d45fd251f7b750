"""Bets and raises whenever it can, otherwise calls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.parts.drawing import keep_made
from pokerlab.agents.parts.triple import ALWAYS_RAISE, PotFraction, Triple, TripleAgent
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.state import View


@dataclass(frozen=True)
class AlwaysRaise(TripleAgent):
    """The maniac."""

    label = "always-raise"
    pot_fraction: PotFraction = 1.0  # raise size outside fixed limit

    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        """The same triple for every hand."""
        return ALWAYS_RAISE

    def exchange(self, view: View) -> Action:
        """Draw to the current highest hand (Ee, 2024, appendix C)."""
        return keep_made(view)


agent = AlwaysRaise
