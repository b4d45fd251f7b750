"""Folds, calls or raises with equal probability, to any size; discards any cards by default."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Annotated

import numpy as np

from pokerlab.agents.agent import PolicyAgent
from pokerlab.agents.parts.drawing import keep_made
from pokerlab.games.poker.betting import CALL, FOLD, RAISE, Action, raise_to
from pokerlab.games.poker.state import View
from pokerlab.settings import one_of


@dataclass(frozen=True)
class Random(PolicyAgent):
    """Chooses uniformly among the legal kinds of action."""

    label = "random"
    # raises outside fixed limit: to "any" legal total, the "least" or the "most"
    sizes: Annotated[str, one_of("any", "least", "most")] = "any"
    discards: Annotated[str, one_of("any", "made")] = "any"  # "any" cards, or all but the "made" hand

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """A kind drawn uniformly, then a size drawn uniformly."""
        fold, call, least, most, discards, menu = view.legal
        if discards >= 0:
            if self.discards == "made":
                return keep_made(view)
            thrown = rng.permutation(view.cards)[: rng.integers(min(discards, len(view.cards)) + 1)]
            return Action("d", 0, tuple(thrown.tolist()))
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

    def probabilities(self, view: View) -> dict[str, float]:
        """Uniform over kinds, then over the sizes, or the sets of discards, within a kind."""
        text, legal = view.game.action_text, view.legal
        actions = view.actions
        if legal.discards >= 0:
            if self.discards == "made":
                return {text(keep_made(view)): 1.0}
            counts = min(legal.discards, len(view.cards)) + 1
            return {text(draw): 1 / (counts * comb(len(view.cards), len(draw.cards))) for draw in actions}
        if legal.can_raise and self.sizes != "any" and view.game.betting.limit != "fixed":
            raises = [raise_to(legal.least if self.sizes == "least" else legal.most)]
        else:
            raises = [action for action in actions if action.kind == "r"]
        others = [action for action in actions if action.kind != "r"]
        kinds = len(others) + legal.can_raise
        each = 1 / (kinds * len(raises)) if raises else 0.0
        return {text(action): 1 / kinds for action in others} | {text(action): each for action in raises}


agent = Random
