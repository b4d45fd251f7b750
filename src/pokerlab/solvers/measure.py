"""How good a profile is: values, best responses, exploitability, regrets; any number of players.

All of it is one gather of counterfactual values and one sweep of each treeplex, so it costs about one iteration of CFR.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.run import Measure
from pokerlab.solvers.schedule import Step
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from pokerlab.solvers.sequence import _kernels


@dataclass(frozen=True)
class BestResponse:
    """The most a player can win against the others' part of a profile, and how."""

    value: float
    profile: np.ndarray  # [A]: the profile with the player's part replaced


class Answer(NamedTuple):
    """What a player's sequences bring when he answers best, and what he takes."""

    value: np.ndarray  # [S]: of his own; of his empty one, what he wins
    choice: np.ndarray  # [S]: 1 for what is taken of each of his infosets, 0 for the rest


def check_profile(form: SequenceForm, profile: np.ndarray) -> np.ndarray:
    """The profile as float64; BadSetting unless it is one distribution for each infoset."""
    profile = np.asarray(profile, dtype=np.float64)
    if profile.shape != (form.tree.slots,):
        raise BadSetting(f"a profile of {form.tree.game} has {form.tree.slots} numbers, not {profile.shape}")
    starts = form.tree.start[:-1].astype(np.int64)
    if not len(starts):
        return profile
    sums = np.add.reduceat(profile, starts)
    wrong = np.flatnonzero(~(np.abs(sums - 1) < 1e-6) | ~(np.minimum.reduceat(profile, starts) >= 0))
    if len(wrong):
        name = form.tree.infoset_names[int(wrong[0])]
        raise BadSetting(
            f"the probabilities at infoset {name!r} must be 0 or more and sum to 1, not to {sums[wrong[0]]}"
        )
    return profile


def _gathered(treeplexes: _kernels.Treeplexes, plan: np.ndarray) -> np.ndarray:
    """Payoff of each sequence against the others' plans, without what follows from later choices.  # [S] -> [S]"""
    from pokerlab.solvers.sequence._kernels import gather

    value = np.zeros(len(plan))
    for player in range(len(treeplexes.own)):
        gather(np.uint64(player), False, treeplexes, plan, value)
    return value


def measure(form: SequenceForm, profile: np.ndarray) -> Measure:
    """Values of a profile, and the best response of each player to it."""
    return measure_plan(form, form.plan(check_profile(form, profile)))


def measure_plan(form: SequenceForm, plan: np.ndarray) -> Measure:
    """The same for a profile given as realisation plans.  # [S]"""
    from pokerlab.solvers.sequence._kernels import respond, treeplexes_of

    treeplexes = treeplexes_of(form)
    value = _gathered(treeplexes, plan)
    infosets, own = form.ranges
    values = [
        float(value[player] + value[own[player, 0] : own[player, 1]] @ plan[own[player, 0] : own[player, 1]])
        for player in range(form.players)
    ]
    choice = np.empty(form.sequences)
    respond(np.uint64(0), infosets[-1, 1], treeplexes, value, choice)
    best = tuple(float(best) for best in value[: form.players])
    return Measure(tuple(values), best, zero_sum=form.tree.is_zero_sum)


def expected_values(form: SequenceForm, profile: np.ndarray) -> tuple[float, ...]:
    """What each player wins on average."""
    return measure(form, profile).values


def best_response(form: SequenceForm, profile: np.ndarray, *, player: int) -> BestResponse:
    """The best that one player can do against the others' part of a profile."""
    if isinstance(player, bool) or not isinstance(player, Integral) or not 0 <= player < form.players:
        raise BadSetting(f"{form.tree.game} has players 0 to {form.players - 1}, not {player}")
    profile = check_profile(form, profile)
    found = answer(form, form.plan(profile), int(player))
    played = profile.copy()
    played[form.slots_of(int(player))] = found.choice[form.sequences_of(int(player))]
    return BestResponse(float(found.value[player]), played)


def answer(form: SequenceForm, plan: np.ndarray, player: int) -> Answer:
    """The same against realisation plans, sequence by sequence.  # [S]"""
    from pokerlab.solvers.sequence._kernels import gather, respond, treeplexes_of

    treeplexes, (infosets, _) = treeplexes_of(form), form.ranges
    value, choice = np.zeros((2, form.sequences))
    gather(np.uint64(player), False, treeplexes, plan, value)
    respond(infosets[player, 0], infosets[player, 1], treeplexes, value, choice)
    return Answer(value, choice)


def regrets(form: SequenceForm, profile: np.ndarray) -> np.ndarray:
    """Immediate counterfactual regret of each action: what playing it instead, there alone, would add.  # [A]"""
    from pokerlab.solvers.sequence._kernels import sweep, treeplexes_of

    profile = check_profile(form, profile)
    treeplexes = treeplexes_of(form)
    value = _gathered(treeplexes, form.plan(profile))
    current = np.concatenate([np.ones(form.players), profile])
    regret = np.zeros(form.sequences)
    infosets, _ = form.ranges
    sweep(np.uint64(0), infosets[-1, 1], treeplexes, value, current, regret, Step())
    return regret[form.players :]
