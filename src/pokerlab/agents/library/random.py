"""Fold, call or raise with equal chances, and any size of raise; discards any cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.agents.agent import Memoryless
from pokerlab.games.poker.betting import CALL, FOLD, RAISE, Action, raise_to
from pokerlab.games.poker.state import View
from pokerlab.settings import one_of


@dataclass(frozen=True)
class Random(Memoryless):
    """Each kind of action that is allowed is as likely as the others."""

    label = "random"
    sizes: Annotated[str, one_of("any", "least", "most")] = (
        "any"  # of raises outside of fixed limit: any allowed total, the "least" or the "most"
    )

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """A kind drawn evenly, then a size drawn evenly."""
        fold, call, least, most, discards = view.legal
        if discards >= 0:
            kept = rng.permutation(view.cards)[: rng.integers(min(discards, len(view.cards)) + 1)]
            return Action("d", 0, tuple(kept.tolist()))
        kinds = fold + (call >= 0) + (most > 0)
        point = int(rng.random() * kinds)
        if fold:
            if point == 0:
                return FOLD
            point -= 1
        if call >= 0 and point == 0:
            return CALL
        if view.game.betting.limit == "fixed":
            return RAISE
        if self.sizes == "any":
            return tuple.__new__(Action, ("r", least + int(rng.random() * (most - least + 1)), ()))
        return raise_to(least if self.sizes == "least" else most)


agent = Random
