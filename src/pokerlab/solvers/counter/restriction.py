"""How far an opponent is held to a strategy that is known of them: the games that counter-strategies are equilibria of.

Restricted Nash response (Johanson, Zinkevich and Bowling, "Computing robust counter-strategies", 2007): before the game
a coin says whether the opponent plays the known strategy all through, with probability p, or as they like. Data-biased
response (Johanson and Bowling, "Data biased robust counter strategies", 2009): the coin is thrown at each infoset
anew, and its p grows with how often the opponent was seen there. In both the counter-strategy is the part of the other
player, who does not see the coins, in an equilibrium of that game.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.errors import BadGame, BadSetting
from pokerlab.solvers.measure import check_profile
from pokerlab.tree.sequence import SequenceForm


@dataclass(frozen=True, eq=False)
class Restriction:
    """One player of two, and how likely that player does what a model says instead of what they like."""

    player: int
    model: np.ndarray  # [A]: of the player's infosets; those of the other are not looked at
    whole: float  # the probability of being held for the whole game, drawn before it
    held: np.ndarray  # [I]: where they are not, the probability of being held at each infoset

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left free: the best counter-strategy is then a best response to the model."""
        return self.whole == 1.0


def held_for_the_game(form: SequenceForm, model: np.ndarray, p: float, *, player: int) -> Restriction:
    """The opponent of a restricted Nash response."""
    _check(form, player)
    share = float(_shares("p", p, ()))
    return Restriction(player, check_profile(form, model), share, np.zeros(form.tree.infosets))


def held_by_infoset(form: SequenceForm, model: np.ndarray, held: np.ndarray, *, player: int) -> Restriction:
    """The opponent of a data-biased response; `held` [I] is the confidence in the model at each infoset."""
    _check(form, player)
    model = check_profile(form, model)
    own = form.tree.infoset_player == player
    shares = np.where(own, _shares("the confidence of an infoset", held, own.shape), 0.0)
    complete = bool((shares[own] == 1.0).all())
    return Restriction(player, model, float(complete), shares)


def _check(form: SequenceForm, player: int) -> None:
    if form.players != 2 or not form.is_zero_sum:
        raise BadGame(f"counter-strategies are of two-player zero-sum games, and {form.name} is none")
    if player not in (0, 1):
        raise BadSetting(f"{form.name} has players 0 and 1, not {player}")


def _shares(name: str, value: float | np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Probabilities of this shape; BadSetting where they are none."""
    found = np.asarray(value, np.float64)
    if found.shape != shape or not ((found >= 0) & (found <= 1)).all():
        raise BadSetting(f"{name} must be a number from 0 to 1, not {value}")
    return found
