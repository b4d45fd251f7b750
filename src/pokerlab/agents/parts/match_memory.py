"""What an agent learns of its opponents in a match: how often they act how, and what they may hold in this hand."""

from __future__ import annotations

import numpy as np

from pokerlab.agents.parts.beliefs import Beliefs
from pokerlab.agents.parts.hand_tables import NOW
from pokerlab.agents.parts.opponent_model import FrequencyModel
from pokerlab.games.poker.state import View


class MatchMemory:
    """Observed frequencies, and weight tables that are reweighted by them at every action."""

    def __init__(self, *, prior: float = 10.0) -> None:
        self.observed = FrequencyModel(prior=prior)
        self._beliefs = Beliefs(self.observed, measure=NOW)

    def weights(self, view: View) -> dict[int, np.ndarray]:
        """The weight tables of the opponents that are still in, by seat.  # [hand]"""
        return self._beliefs.weights(view)

    def observe(self, view: View) -> None:
        """Count the actions of a finished hand."""
        self.observed.observe(view)

    def reset(self) -> None:
        """Forget everything."""
        self.observed.reset()
        self._beliefs = Beliefs(self.observed, measure=NOW)
