"""Models of how a player acts with each hand: from strength and situation to a probability triple.

An `ActionModel` serves every use of a model: it says how likely an action was with each hand (beliefs.py), and what a
seat will do in a simulation (simulation.py). Strength is the share of hands that are weaker (hand_tables.py).

`FrequencyModel` is the model of Loki and Poki (Billings, Davidson, Schaeffer and Szafron, "The challenge of poker",
2002, section 5): the frequencies of folding, calling and raising that were observed in situations like this one. A
player who raises a share r of the time is assumed to raise with the strongest share r of all hands, and to fold the
weakest; the thresholds are ramps, since nobody's play is that regular. Before there are observations the frequencies
are those of a plain default player. Theirs uses means and deviations of the strength that an action needs, which the
frequencies give as here.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol

import numpy as np

from pokerlab.agents.parts.situations import BET, NOTHING, RAISES, Situation, past_actions, relative_seat
from pokerlab.agents.parts.triple import Triple, ramp
from pokerlab.games.poker.state import View

DEFAULT = {  # fold, call, raise of a plain player, by what it faces
    NOTHING: (0.0, 0.6, 0.4),
    BET: (0.25, 0.55, 0.2),
    RAISES: (0.3, 0.58, 0.12),
}
_KINDS = {"f": 0, "c": 1, "r": 2}
_NOISE = 0.02  # the share of actions that follow frequencies alone, whatever the hand


class ActionModel(Protocol):
    """Predicts what players do."""

    def triple(self, strength: Any, now: Situation, player: int) -> Triple:
        """The triple of a player with a hand of this strength, a number or an array [hand].

        `player` is a place relative to the seat whose model this is, as in `relative_seat`.
        """


class RepeatingModel(ActionModel, Protocol):
    """A model that says which of its predictions are the same; simulations ask for each of them once."""

    def inputs(self, now: Situation, player: int) -> Hashable:
        """All that the triples depend on besides strength: equal inputs have equal triples."""


class FrequencyModel:
    """Observed frequencies by player and situation, on top of a default player."""

    def __init__(self, *, prior: float = 10.0, width: float = 0.2) -> None:
        self._prior = prior  # how many observations the default counts as
        self._width = width  # of the ramps, as a share of all hands
        self._counts: dict[tuple[int, tuple[int, int]], np.ndarray] = {}  # (player, situation): [3] fold, call, raise
        self._cached: dict[tuple[int, tuple[int, int]], Triple] = {}

    def reset(self) -> None:
        """Forget every observation."""
        self._counts.clear()
        self._cached.clear()

    def observe(self, view: View) -> None:
        """Count all actions of a finished hand, one's own included."""
        for past in past_actions(view.game, view.history):
            key = relative_seat(view, past.seat), past.situation.key
            self._counts.setdefault(key, np.zeros(3))[_KINDS[past.action.kind]] += 1
            self._cached.pop(key, None)

    def observations(self, player: int, now: Situation) -> int:
        """How often the player was seen in a situation like this."""
        counts = self._counts.get((player, now.key))
        return 0 if counts is None else int(counts.sum())

    def frequencies(self, player: int, now: Situation) -> Triple:
        """How often the player folds, calls and raises in this situation, whatever the hand."""
        key = player, now.key
        if key not in self._cached:
            counts = self._counts.get(key, 0.0) + self._prior * np.array(DEFAULT[now.facing])
            total = counts.sum()
            self._cached[key] = Triple(*(counts / total).tolist()) if total else Triple(*DEFAULT[now.facing])
        return self._cached[key]

    def inputs(self, now: Situation, player: int) -> Hashable:
        return player, now.key

    def triple(self, strength: Any, now: Situation, player: int) -> Triple:
        """The strongest hands raise and the weakest fold, as often as was observed."""
        return by_strength(strength, self.frequencies(player, now), width=self._width)


class WithoutHands:
    """The frequencies of a model, whatever the hand: what can be predicted of a player whose hand is never seen."""

    def __init__(self, model: FrequencyModel) -> None:
        self._model = model

    def inputs(self, now: Situation, player: int) -> Hashable:
        return self._model.inputs(now, player)

    def triple(self, strength: Any, now: Situation, player: int) -> Triple:
        """The observed frequencies, of the shape of `strength`."""
        rates = self._model.frequencies(player, now)
        everywhere: list[Any] = [np.full(np.shape(strength), rate) for rate in rates]
        return Triple(*everywhere) if np.ndim(strength) else rates


def by_strength(strength: Any, frequencies: Triple, *, width: float) -> Triple:
    """The triple that raises with the strongest and folds the weakest hands as often as `frequencies` says.

    Averaged over all strengths the triple is equal to the frequencies.

    >>> by_strength(0.9, Triple(0.25, 0.5, 0.25), width=0.0)
    Triple(fold=0.005, call=0.01, raise_=0.985)
    """
    raising = _above(strength, 1 - frequencies.raise_, width)
    staying = _above(strength, frequencies.fold, width)
    stay = np.maximum(staying, raising) if isinstance(strength, np.ndarray) else max(staying, raising)
    parts = (1 - stay, stay - raising, raising)
    mixed = ((1 - _NOISE) * part + _NOISE * rate for part, rate in zip(parts, frequencies, strict=True))
    if isinstance(strength, np.ndarray):
        return Triple(*mixed)
    return Triple(*(round(part, 12) for part in mixed))


def _above(strength: Any, threshold: float, width: float) -> Any:
    """A ramp whose mean over all strengths is 1 - threshold, also near the ends."""
    return ramp(strength, threshold, min(width, 2 * threshold, 2 * (1 - threshold)))
