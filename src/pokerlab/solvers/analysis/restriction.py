"""How far an opponent is held to a known strategy: the games whose equilibria are counter-strategies.

Restricted Nash response (Johanson, Zinkevich and Bowling, "Computing robust counter-strategies", 2007): a coin flip
before the game decides whether the opponent plays the known strategy throughout, with probability p, or plays freely.
Data-biased response (Johanson and Bowling, "Data biased robust counter strategies", 2009): the coin is flipped at each
infoset, and its p grows with the number of observations there. In both, the counter-strategy is the strategy of the
other player, who does not see the coins, in an equilibrium of that game.

Observations of an opponent give a model of how they play and how far to trust it. The model is frequentist: at an
infoset, the observed action frequencies, and a default policy without observations (Johanson, "Robust strategies and
counter-strategies: building a champion level computer poker player", 2007). The confidence at an infoset grows with the
number of observations n there, from 0 to p_max (Johanson and Bowling, "Data biased robust counter strategies", 2009):

    N-step       p_max from N observations on, else 0 (the paper's are 1-step and 10-step)
    0-N-linear   p_max n / N up to N observations, then p_max (the paper's is 0-10-linear)
    S-curve      p_max n / (S + n)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.errors import BadGame, BadSetting
from pokerlab.solvers.cfr.fixed import held_to
from pokerlab.tree.form import Form

if TYPE_CHECKING:
    from pokerlab.solvers.cfr._kernels.sequence import Fixed

CONFIDENCES = ("1-step", "10-step", "0-10-linear", "1-curve")  # the published ones
# The share of p_max after n observations, by the pattern of a name, whose number is `size`.
_SHARES: dict[re.Pattern[str], Callable[[np.ndarray, float], np.ndarray]] = {
    re.compile(r"(\d{1,9})-step"): lambda n, size: (n >= size).astype(np.float64),
    re.compile(r"0-(\d{1,9})-linear"): lambda n, size: np.minimum(n / size, 1.0),
    re.compile(r"(\d{1,9}(?:\.\d{1,9})?)-curve"): lambda n, size: n / (size + n),
}


@dataclass(frozen=True, eq=False)
class Restriction:
    """One player of two, and the probability that they follow a model instead of choosing freely."""

    player: int
    model: np.ndarray  # [A]: of the player's infosets; the opponent's are not used
    whole: float  # the probability of being held for the whole game, drawn before it
    held: np.ndarray  # [A], or empty: the probability of being held at each action's infoset

    @property
    def is_complete(self) -> bool:
        """Whether nothing is free: the best counter-strategy is then a best response to the model."""
        return self.whole == 1.0

    @property
    def is_free(self) -> bool:
        """Whether nothing is held: the game is the one without a restriction."""
        return self.whole == 0.0 and not self.held.any()

    @property
    def by_infoset(self) -> bool:
        """Whether the player is held at single infosets, not for the whole game."""
        return len(self.held) > 0 and not self.is_complete

    def fixed(self, form: Form) -> Fixed:
        """The same as the general CFR solver takes it."""
        model = form.in_treeplexes(self.model)
        shares = form.by_sequence(self.held) if len(self.held) else np.zeros(len(model))
        return held_to(form.treeplexes, self.player, model, whole=self.whole, shares=shares)


def held_for_the_game(form: Form, model: np.ndarray, p: float, *, player: int) -> Restriction:
    """The opponent of a restricted Nash response."""
    _check(form, player)
    return Restriction(player, form.check(model), float(_shares("p", p, ())), np.zeros(0, np.float32))


def held_by_infoset(form: Form, model: np.ndarray, held: np.ndarray, *, player: int) -> Restriction:
    """The opponent of a data-biased response; `held` [A] is the confidence in the model at each action's infoset."""
    _check(form, player)
    model, own = form.check(model), form.slots_of(player)
    shares = _shares("the confidence of an infoset", held, model.shape).astype(model.dtype)
    complete = bool((shares[own] == 1.0)[form.occupied(player)].all())
    return Restriction(player, model, float(complete), shares)


def _check(form: Form, player: int) -> None:
    if form.players != 2 or not form.is_zero_sum:
        raise BadGame(f"counter-strategies exist for two-player zero-sum games, and {form.name} is not one")
    form.check_player(player)


def _shares(name: str, value: float | np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Probabilities of this shape; BadSetting if they are not probabilities."""
    shares = np.asarray(value, np.float64)
    if shares.shape != shape or not ((shares >= 0) & (shares <= 1)).all():
        raise BadSetting(f"{name} must be a number from 0 to 1, not {value}")
    return shares


def observations(form: Form, counts: np.ndarray) -> np.ndarray:
    """The number of observations of each infoset, repeated for each action.  # counts [A] -> [A]"""
    return form.infoset_sums(form.pool(counts))


def frequencies(form: Form, counts: np.ndarray, default: np.ndarray) -> np.ndarray:
    """The observed action frequencies, and `default` at infosets without observations.  # [A], [A] -> [A]"""
    counts = form.pool(counts)
    sums = form.infoset_sums(counts)
    return np.where(sums > 0, counts / np.maximum(sums, 1), default).astype(default.dtype)


def confidence(name: str, p_max: float, observations: np.ndarray) -> np.ndarray:
    """The confidence in a model after this many observations, by one of the functions above.

    >>> confidence("10-step", 0.8, np.array([0, 9, 10])), confidence("0-10-linear", 0.8, np.array([0, 5, 20]))
    (array([0. , 0. , 0.8]), array([0. , 0.4, 0.8]))
    >>> confidence("1-curve", 0.8, np.array([0, 1, 3]))
    array([0. , 0.4, 0.6])
    """
    if not 0 <= p_max <= 1:
        raise BadSetting(f"p must be a number from 0 to 1, not {p_max}")
    n = np.asarray(observations, np.float64)
    for pattern, share in _SHARES.items():
        if (match := pattern.fullmatch(name.strip().lower())) and float(match[1]) > 0:
            return np.asarray(p_max * share(n, float(match[1])))
    raise BadSetting(f"confidence is a step, a line or a curve, as in {', '.join(CONFIDENCES)}; not {name[:40]!r}")
