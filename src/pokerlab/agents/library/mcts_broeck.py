"""Monte-Carlo tree search with reward distributions and a learned model of players: Van den Broeck's player.

Van den Broeck, Driessens and Ramon, "Monte-Carlo tree search in poker using expected reward distributions", 2009, as
Rubin and Watson describe it ("Computer poker: a review", 2011, section 3.3): a regression tree, learned from logged
hands and the same for all players, predicts actions and hands; selection and backup use the standard errors of the
values (agents/parts/betting_search.py). It plays limit and no-limit with any number of opponents.

Theirs learned from hands of people online and predicts the rank of a hand at the showdown from the betting. This one
learns from hands of the library's agents (agents/parts/tree_model.py) how hands of each strength are played; weights
of opponents' hands follow by Bayes' rule. A decision takes about 50 ms heads-up and 0.5 s at ten seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from pokerlab.agents.library.mcts import TreeSearch
from pokerlab.agents.parts.beliefs import Beliefs
from pokerlab.agents.parts.betting_search import MAX_DISTRIBUTION, MEAN, STANDARD_ERROR, UCT
from pokerlab.agents.parts.hand_tables import NOW
from pokerlab.agents.parts.opponent_model import RepeatingModel
from pokerlab.agents.parts.tree_model import tree_model
from pokerlab.games.poker.state import View
from pokerlab.settings import number, one_of, whole


@dataclass(frozen=True)
class BroeckSearch(TreeSearch):
    """The searching player with a learned model."""

    label = "mcts-broeck"
    exploration: Annotated[float, number(0, 1000)] = 2.0
    selection: Annotated[str, one_of(UCT, STANDARD_ERROR)] = STANDARD_ERROR
    backup: Annotated[str, one_of(MEAN, MAX_DISTRIBUTION)] = MAX_DISTRIBUTION
    seed: Annotated[int, whole(0)] = 0  # of the hands that the model was learned from

    @cached_property
    def model(self) -> RepeatingModel:
        return tree_model(self.seed)

    @cached_property
    def beliefs(self) -> Beliefs:
        """What opponents may hold, by the learned model."""
        return Beliefs(self.model, measure=NOW)

    def weights(self, view: View) -> Mapping[int, np.ndarray]:
        return self.beliefs.weights(view)

    def observe(self, view: View) -> None:
        """Do nothing: the model is learned before the match."""


agent = BroeckSearch
