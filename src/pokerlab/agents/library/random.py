"""Fold, call or raise with equal chances, and any size of raise; discards any cards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.agent import Memoryless
from pokerlab.agents.parts.checks import checked_choice
from pokerlab.games.poker.betting import CALL, FOLD, RAISE, Action, raise_to
from pokerlab.games.poker.state import View

SIZES = ("any", "least", "most")


@dataclass(frozen=True)
class Random(Memoryless):
    """Each kind of action that is allowed is as likely as the others."""

    label = "random"
    sizes: str = "any"  # of raises outside of fixed limit: any allowed total, the "least" or the "most"

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """A kind drawn evenly, then a size drawn evenly."""
        fold, call, least, most, discards, menu = view.legal
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
        if menu and self.sizes == "any":
            return raise_to(menu[int(rng.random() * len(menu))])
        if self.sizes == "any":
            return tuple.__new__(Action, ("r", least + int(rng.random() * (most - least + 1)), ()))
        return raise_to(least if self.sizes == "least" else most)


def agent(*, sizes: str = "any") -> Random:
    """`sizes` of raises outside of fixed limit: "any", "least" or "most"."""
    return Random(checked_choice("sizes", sizes, SIZES))
