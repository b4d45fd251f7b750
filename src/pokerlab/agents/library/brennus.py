"""Brennus: beliefs about the opponent's hand, a game tree for each hand, and five strategies that take turns.

Maîtrepierre, Mary and Munos, "Adaptive play in Texas hold'em poker" (2008), as Rubin and Watson describe it ("Computer
poker: a review", 2011, section 5.1.2). A belief table over all hands of the opponent is updated by Bayes' rule with a
set of basis opponent models (parts/styles.py); a forest has a game tree for each hand, and the values of the trees,
weighted by the beliefs, give the action (parts/forest.py). UCB1 picks one of five basic strategies for each hand.

The review does not say what the five are. Ours assume that the opponent is tight or loose, passive or aggressive, or
the mixture of these that explains their actions so far best; each has its own beliefs and its own forest. Trees end
with the betting round. The review's Brennus plays limit games; outside of these, raises have one size here.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import numpy as np

from pokerlab.agents.parts.beliefs import Beliefs
from pokerlab.agents.parts.coach import Coach, most_lost, scaled
from pokerlab.agents.parts.context_search import Raises
from pokerlab.agents.parts.forest import forest_values
from pokerlab.agents.parts.hand_tables import NOW
from pokerlab.agents.parts.search_tree import Extent, check_heads_up
from pokerlab.agents.parts.styles import STYLES, StyleBeliefs
from pokerlab.agents.parts.triple import PotFraction
from pokerlab.formats.acpc import returns_of
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import declared, number

NOBODY = -1


class Brennus:
    """Five strategies and a coach."""

    def __init__(self, name: str, *, exploration: float, extent: Extent) -> None:
        self.name = name
        self.styles = StyleBeliefs()
        self.models = (*STYLES, self.styles)
        self.beliefs = [Beliefs(model, measure=NOW) for model in self.models]
        self.coach = Coach(len(self.models), exploration=exploration)
        self._extent = extent
        self._playing = NOBODY
        self._played: Counter[str] = Counter()

    def check_game(self, game: PokerGame) -> None:
        check_heads_up(game, self.name)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        if self._playing == NOBODY:
            self._playing = self.coach.choice()
            self._played[f"{self._label(self._playing)} played the hand"] += 1
        actions, values = self.action_values(view, self._playing)
        return actions[int(np.argmax(values))]

    def _label(self, strategy: int) -> str:
        return f"against {STYLES[strategy].name}" if strategy < len(STYLES) else "against a mixture of styles"

    def action_values(self, view: View, strategy: int) -> tuple[list[Action], np.ndarray]:
        """The actions of a decision, and what one of the five strategies expects them to win.  # [action]"""
        [weights] = self.beliefs[strategy].weights(view).values()
        return forest_values(view, weights, self.models[strategy], self._extent)

    def observe(self, view: View) -> None:
        """Add the payoff of the strategy that played, and weigh the styles by what the opponent did."""
        won = returns_of(view)
        if self._playing != NOBODY and won is not None:
            self.coach.add(self._playing, scaled(won[view.seat], most_lost(view.game)))
        self._playing = NOBODY
        self.styles.observe(view)

    def reset(self) -> None:
        """Forget the opponent, and how the strategies fared."""
        self.coach.reset()
        self.styles.reset()
        self._playing = NOBODY

    def remarks(self) -> Counter[str]:
        """How often each strategy was chosen."""
        played, self._played = self._played, Counter()
        return played


@declared("brennus")
def agent(
    name: str,
    *,
    exploration: Annotated[float, number(0, 1e6)] = 0.2,
    raises: Raises = 4,
    pot_fraction: PotFraction = 1.0,
) -> Brennus:
    """An adaptive player of heads-up games. `exploration` multiplies the bonus of UCB1 for strategies that were tried
    rarely (1 in UCB1 itself, for payoffs as large as the rules allow); `raises` per round and raises of `pot_fraction`
    outside fixed limit are searched."""
    return Brennus(name, exploration=exploration, extent=Extent(raises=raises, sizes=(pot_fraction,)))
