"""Always checks or calls; goes all-in in games without calls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.parts.drawing import keep_made
from pokerlab.agents.parts.triple import ALWAYS_CALL, ConstantTripleAgent
from pokerlab.games.poker.betting import CALL, Action
from pokerlab.games.poker.state import View


@dataclass(frozen=True)
class AlwaysCall(ConstantTripleAgent):
    """The calling station."""

    label = "always-call"
    constant_triple = ALWAYS_CALL
    exchange = staticmethod(keep_made)  # draw to the current highest hand (Ee, 2024, appendix C)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return CALL if view.legal.call >= 0 else super().act(view, rng)


agent = AlwaysCall
