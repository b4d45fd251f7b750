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

from pokerlab.agents.parts.deal_sampling import sample_deals
from pokerlab.agents.parts.hand_tables import NOW, percentiles
from pokerlab.agents.parts.opponent_model import ActionModel
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.situations import situation
from pokerlab.agents.parts.triple import allowed, sized
from pokerlab.games.poker.betting import CALL, FOLD, Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State, View


class ActionValue(NamedTuple):
    """What an action won in the trials, relative to folding."""

    action: Action
    mean: float
    error: float  # standard error


class Simulation(NamedTuple):
    """How hands are played out."""

    model: ActionModel  # of every seat, by place relative to the simulating one
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
    game, seat = view.game, view.seat
    deals = sample_deals(view, weights, simulation.trials, rng, run_outs=simulation.run_outs)
    folded = -game.spent(view.betting)[seat]
    values = []
    for action in options(view, pot_fraction=simulation.pot_fraction):
        won = np.array([play_out(game, game.child(deal, action), seat, simulation, rng) for deal in deals]) - folded
        values.append(ActionValue(action, float(won.mean()), float(won.std(ddof=1) / np.sqrt(len(won)))))
    return values


def best_of(values: Sequence[ActionValue], view: View) -> Action:
    """The action of highest value; a fold if that is allowed and all of them lose."""
    best = max(values, key=lambda value: value.mean)
    return FOLD if view.legal.fold and best.mean < 0 else best.action


def play_out(game: PokerGame, state: State, seat: int, simulation: Simulation, rng: np.random.Generator) -> float:
    """Play a deal to its end by the models; the result of one seat in chips."""
    strengths: dict[tuple[int, int], float] = {}  # by seat and round
    while (actor := state.betting.actor) >= 0:
        key = actor, state.betting.round
        if key not in strengths:
            strengths[key] = _strength(game, state, actor)
        now = situation(game, state.betting)
        triple = simulation.model.triple(strengths[key], now, (actor - seat) % game.players)
        fold, call, raise_ = allowed(triple, game.legal(state))
        point = rng.random() * (fold + call + raise_)
        if point < raise_:
            action = sized(game.view(state, actor), game.legal(state), simulation.pot_fraction)
        else:
            action = CALL if point < raise_ + call else FOLD
        state = game.child(state, action)
    return game.returns(state)[seat]


def _strength(game: PokerGame, state: State, seat: int) -> float:
    hand = game.hand(state, seat)
    return float(percentiles(game, game.board(state), measure=NOW)[hands_of(game).number(hand)])
