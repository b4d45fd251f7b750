"""Simulated hands: what each action wins on average if the rest of the hand is played as models predict.

Each trial deals the opponents hands from their weight tables and the rest of the board at random, and plays the hand
out once for each action: every seat, one's own included, draws its later actions from the triple that its model gives
for its strength (Billings, Peña, Schaeffer and Szafron, "Using probabilistic knowledge and simulation to play poker",
1999). All actions are tried on the same deals, which takes most of the luck out of their differences. Folding is worth
0: values are chips won from now on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.agents.parts.opponent_model import RepeatingModel
from pokerlab.agents.parts.play_outs import PlayOuts
from pokerlab.agents.parts.triple import sized
from pokerlab.games.poker.betting import CALL, FOLD, Action
from pokerlab.games.poker.state import View


class ActionValue(NamedTuple):
    """What an action won in the trials, relative to folding."""

    action: Action
    mean: float
    error: float  # standard error


class Simulation(NamedTuple):
    """How hands are played out."""

    model: RepeatingModel  # of every seat, by place relative to the simulating one
    trials: int = 200
    run_outs: int = 40  # different boards among the trials
    pot_fraction: float = 1.0  # size of simulated raises outside fixed limit


def options(view: View, *, pot_fraction: float) -> list[Action]:
    """The actions that are compared with folding: a check or call, and a raise of one size."""
    legal = view.legal
    found = [CALL] if legal.call >= 0 else []
    return [*found, sized(view, legal, pot_fraction)] if legal.can_raise else found


def action_values(
    view: View, weights: Mapping[int, np.ndarray], simulation: Simulation, rng: np.random.Generator
) -> list[ActionValue]:
    """The value of each option, by simulation."""
    played = PlayOuts(view, simulation.model, rng, pot_fraction=simulation.pot_fraction)
    deals = played.deals(view, weights, simulation.trials, rng, run_outs=simulation.run_outs)
    folded = -view.spent[view.seat]
    values = []
    for action in options(view, pot_fraction=simulation.pot_fraction):
        after = played.graph.child(played.start, action)
        won = np.array([played.value(after, deal) for deal in deals]) - folded
        values.append(ActionValue(action, float(won.mean()), float(won.std(ddof=1) / np.sqrt(len(won)))))
    return values


def best_of(values: Sequence[ActionValue], view: View) -> Action:
    """The action of highest value; a fold if that is allowed and all of them lose."""
    best = max(values, key=lambda value: value.mean)
    return FOLD if view.legal.fold and best.mean < 0 else best.action
