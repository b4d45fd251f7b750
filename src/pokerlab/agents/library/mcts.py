"""Monte-Carlo tree search: simulated hands as in selective-sampling, but its own later actions are searched for.

UCT over the betting with an opponent model at the opponents' decisions (Rubin and Watson, "Computer poker: a review",
2011, section 3.3): opponents' hands are sampled from weight tables, opponents act as a model predicts, and the player's
own actions are selected by agents/parts/betting_search.py. selective-sampling predicts what it will do later, which can
be wrong; a tree search does not need that, except where the tree ends.

The action played is the one of highest mean, or with `choice=visits` the one tried most. One's own later decisions know
the strength of the hand in eight classes only, so that simulations with different boards meet. mcts-broeck has other
selection and backup and a learned model. A decision takes about 30 ms heads-up and 0.4 s at ten seats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.agents.parts.betting_search import (
    MAX_DISTRIBUTION,
    MEAN,
    STANDARD_ERROR,
    UCT,
    BettingSearch,
    Choice,
    Search,
)
from pokerlab.agents.parts.play_outs import PlayOuts
from pokerlab.agents.parts.simulating import SimulatingAgent, Trials
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.state import View
from pokerlab.settings import number, one_of

VISITS = "visits"


@dataclass(frozen=True)
class TreeSearch(SimulatingAgent):
    """The searching player."""

    label = "mcts"
    trials: Trials = 200
    exploration: Annotated[float, number(0, 1000)] = 2.0  # in pots for uct, in standard errors otherwise
    selection: Annotated[str, one_of(UCT, STANDARD_ERROR)] = UCT
    backup: Annotated[str, one_of(MEAN, MAX_DISTRIBUTION)] = MEAN
    choice: Annotated[str, one_of(MEAN, VISITS)] = MEAN

    def choices(self, view: View, rng: np.random.Generator) -> list[Choice]:
        """The actions of a view, with what the search found."""
        plays = PlayOuts(view, self.model, rng, pot_fraction=self.pot_fraction)
        deals = plays.deals(view, self.weights(view), self.trials_of(view), rng, run_outs=self.run_outs)
        search = Search(self.selection, self.backup, self.exploration)
        return BettingSearch(plays, search).run(deals).choices

    def act(self, view: View, rng: np.random.Generator) -> Action:
        self.check_game(view.game)
        choices = self.choices(view, rng)
        if self.choice == VISITS:
            return max(choices, key=lambda choice: (choice.visits, choice.mean)).action
        return max(choices, key=lambda choice: choice.mean).action


agent = TreeSearch
