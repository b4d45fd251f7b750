"""Basis opponent models: tight or loose, passive or aggressive, and how likely each of them is for an opponent.

A style is how often a player folds, calls and raises by what they face; as in opponent_model.py, the strongest hands
raise and the weakest fold. `StyleBeliefs` is a mixture of styles, each weighted by the probability of the opponent's
actions so far under it (Bayes' rule), whatever the hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from pokerlab.agents.parts.opponent_model import ActionModel, by_strength
from pokerlab.agents.parts.situations import BET, NOTHING, RAISES, Situation, past_actions
from pokerlab.agents.parts.triple import Triple
from pokerlab.games.poker.state import View

WIDTH = 0.25  # of the ramps around thresholds
MOST_EVIDENCE = 12.0  # the most that logarithms of weights can differ, so that a change of style is noticed
_KINDS = "fcr"


class StyleModel(ActionModel, Protocol):
    """How a kind of player acts."""

    def frequency(self, now: Situation) -> Triple:
        """How often they fold, call and raise in a situation, whatever the hand."""


class Style(NamedTuple):
    """A basis model by frequencies alone."""

    name: str
    frequencies: Mapping[int, Triple]  # by what the player faces

    def triple(self, strength: Any, now: Situation, player: int) -> Triple:
        """The triple with a hand of this strength, a number or an array [hand]."""
        return by_strength(strength, self.frequencies[now.facing], width=WIDTH)

    def frequency(self, now: Situation) -> Triple:
        """The average over all hands."""
        return self.frequencies[now.facing]


def _style(name: str, *, nothing: float, bet: tuple[float, float], raises: tuple[float, float]) -> Style:
    """A style from its rate of bets, and its rates of folds and raises against a bet and against raises."""
    facing = {NOTHING: (0.0, nothing), BET: bet, RAISES: raises}
    return Style(name, {what: Triple(fold, 1 - fold - raise_, raise_) for what, (fold, raise_) in facing.items()})


STYLES = (
    _style("tight-passive", nothing=0.15, bet=(0.5, 0.06), raises=(0.55, 0.03)),
    _style("tight-aggressive", nothing=0.5, bet=(0.5, 0.25), raises=(0.5, 0.2)),
    _style("loose-passive", nothing=0.15, bet=(0.1, 0.08), raises=(0.1, 0.04)),
    _style("loose-aggressive", nothing=0.65, bet=(0.1, 0.4), raises=(0.1, 0.35)),
)


class StyleBeliefs:
    """A mixture of styles by how well each explains one opponent; also an ActionModel."""

    def __init__(self, styles: Sequence[StyleModel] = STYLES) -> None:
        self.styles = tuple(styles)
        self.evidence = np.zeros(len(styles))  # [style] logarithms of weights

    def reset(self) -> None:
        """Forget the opponent."""
        self.evidence = np.zeros(len(self.styles))

    @property
    def weights(self) -> np.ndarray:
        """The probability of each style.  # [style]"""
        weights = np.exp(self.evidence - self.evidence.max())
        return np.asarray(weights / weights.sum())

    def observe(self, view: View) -> None:
        """Weigh the styles by the opponents' actions in a hand."""
        for past in past_actions(view.game, view.history):
            if past.seat != view.seat:
                kind = _KINDS.index(past.action.kind)
                chances = [max(style.frequency(past.situation)[kind], 0.01) for style in self.styles]
                self.evidence = self.evidence + np.log(chances)
        self.evidence = np.maximum(self.evidence - self.evidence.max(), -MOST_EVIDENCE)

    def triple(self, strength: Any, now: Situation, player: int) -> Triple:
        """The average of the styles' triples."""
        triples = [style.triple(strength, now, player) for style in self.styles]
        weighted = [[weight * part for part in one] for weight, one in zip(self.weights, triples, strict=True)]
        return Triple(*(sum(parts) for parts in zip(*weighted, strict=True)))
