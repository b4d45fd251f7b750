"""Checks and calls, whatever it holds; goes all-in where a game knows no calls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.agent import Memoryless
from pokerlab.agents.parts.triple import ALWAYS_CALL, choose
from pokerlab.games.poker.betting import CALL, STAND_PAT, Action
from pokerlab.games.poker.state import View


@dataclass(frozen=True)
class AlwaysCall(Memoryless):
    """The calling station."""

    label = "always-call"

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Check or call."""
        legal = view.legal
        if legal.discards >= 0:
            return STAND_PAT
        return CALL if legal.call >= 0 else choose(ALWAYS_CALL, view, rng)


agent = AlwaysCall
