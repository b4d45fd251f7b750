"""Never folds, calls and raises with equal probability: visits every line of play, to learn how others respond."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.parts.triple import PotFraction, Triple, TripleAgent
from pokerlab.games.poker.state import View

_COIN = Triple(0.0, 0.5, 0.5)


@dataclass(frozen=True)
class Probe(TripleAgent):
    """The player used to learn opponent models."""

    label = "probe"
    pot_fraction: PotFraction = 1.0  # raise size outside fixed limit

    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        """The same triple for every hand."""
        return _COIN


agent = Probe
