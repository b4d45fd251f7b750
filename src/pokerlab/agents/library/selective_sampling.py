"""Simulates the rest of the hand with hands that opponents are likely to hold, and takes the best action.

The simulation-based strategy of Loki-2 and Poki (Rubin and Watson, "Computer poker: a review", 2011, section 3.3;
Billings, Peña, Schaeffer and Szafron, "Using probabilistic knowledge and simulation to play poker", 1999). A weight
table for each opponent, reweighted after every action, biases which hands are sampled; each sampled deal is played to
its end after a call and after a raise, every seat acting as its model predicts; folding is worth nothing.

Davidson found that Poki folds more and more heads-up: it predicts that it will fold, so its values fall below zero, so
it folds, and its model of itself learns that. `self_model=frequencies` is that player: it predicts itself as it would
an opponent whose hands are never seen, by how often it folds, calls and raises, whatever it holds. By default (`fixed`)
it predicts itself with a fixed model of a plain player who folds weak hands, which its own folds cannot change.
`self_model=learned` learns as a function of the hand: its folds are those of the weakest hands, which are worth little
anyway, and no spiral follows (docs/papers/simulation-players.md).

Differences: the models are frequencies by situation (agents/parts/opponent_model.py), not
Loki's thresholds; simulated strengths are shares of weaker hands without potential; the flop is not treated apart from
other rounds; there are no rules for hands before the flop. A decision takes about 10 ms heads-up, 0.1 s at ten seats.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.parts.simulating import SimulatingAgent
from pokerlab.agents.parts.simulation import ActionValue, Simulation, action_values, best_of
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.state import View


@dataclass(frozen=True)
class SelectiveSampling(SimulatingAgent):
    """The simulating player."""

    label = "selective-sampling"

    def values(self, view: View, rng: np.random.Generator) -> list[ActionValue]:
        """The simulated value of each action, relative to folding."""
        simulation = Simulation(self.model, self.trials_of(view), self.run_outs, self.pot_fraction)
        return action_values(view, self.weights(view), simulation, rng)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        self.check_game(view.game)
        return best_of(self.values(view, rng), view)


agent = SelectiveSampling
