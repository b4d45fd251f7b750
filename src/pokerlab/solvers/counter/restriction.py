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
from pokerlab.solvers.counter.profiles import shares as shares_of
from pokerlab.solvers.counter.profiles import slots_of
from pokerlab.solvers.measure import check_profile
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.sequence import SequenceForm


@dataclass(frozen=True, eq=False)
class Restriction:
    """One player of two, and how likely that player does what a model says instead of what they like."""

    player: int
    model: np.ndarray  # [A]: of the player's infosets; those of the other are not looked at
    whole: float  # the probability of being held for the whole game, drawn before it
    held: np.ndarray  # [I], in the public form [A] or nothing: else the probability of being held at each infoset

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left free: the best counter-strategy is then a best response to the model."""
        return self.whole == 1.0

    @property
    def is_free(self) -> bool:
        """Whether nothing is held: the game is the one without a restriction."""
        return self.whole == 0.0 and not self.held.any()


def held_for_the_game(form: SequenceForm | PublicTree, model: np.ndarray, p: float, *, player: int) -> Restriction:
    """The opponent of a restricted Nash response."""
    _check(form, player)
    share = float(_shares("p", p, ()))
    if isinstance(form, PublicTree):
        return Restriction(player, _checked(form, model), share, np.zeros(0, np.float32))
    return Restriction(player, check_profile(form, model), share, np.zeros(form.tree.infosets))


def held_by_infoset(
    form: SequenceForm | PublicTree, model: np.ndarray, held: np.ndarray, *, player: int
) -> Restriction:
    """The opponent of a data-biased response; `held` is the confidence in the model at each infoset.

    In the sequence form it is [I], in the public form [A], the same at each action of an infoset.
    """
    _check(form, player)
    if isinstance(form, PublicTree):
        shares = _shares("the confidence of an infoset", held, (form.slots,)).astype(np.float32)
        complete = bool((shares[slots_of(form, player)] == 1.0).all())
        return Restriction(player, _checked(form, model), float(complete), shares)
    model = check_profile(form, model)
    own = form.tree.infoset_player == player
    shares = np.where(own, _shares("the confidence of an infoset", held, own.shape), 0.0)
    complete = bool((shares[own] == 1.0).all())
    return Restriction(player, model, float(complete), shares)


def _checked(form: PublicTree, model: np.ndarray) -> np.ndarray:
    """A model of the public form as probabilities that sum to one.  # [A] float32"""
    if model.shape != (form.slots,) or not (model >= 0).all():
        raise BadSetting(f"a strategy of {form.name} has {form.slots:,} numbers from 0 on")
    return shares_of(form, model)


def _check(form: SequenceForm | PublicTree, player: int) -> None:
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
