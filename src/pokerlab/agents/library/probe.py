"""Never folds, calls and raises equally: it visits every line of play, to learn how others answer it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.agent import Memoryless
from pokerlab.agents.parts.triple import PotFraction, Triple, choose
from pokerlab.games.poker.betting import STAND_PAT, Action
from pokerlab.games.poker.state import View

_EVENLY = Triple(0.0, 0.5, 0.5)


@dataclass(frozen=True)
class Probe(Memoryless):
    """The player that opponent models are learned against."""

    label = "probe"
    pot_fraction: PotFraction = 1.0  # size of raises outside of fixed limit

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Call or raise, by the toss of a coin."""
        if view.betting.drawing:
            return STAND_PAT
        return choose(_EVENLY, view, rng, pot_fraction=self.pot_fraction)


agent = Probe
