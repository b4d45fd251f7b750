"""hugh: pure strategies from what one range expects against the other, and a minimax search of the betting to come.

A program of the computer poker competition of 2012, fifth of eleven in no-limit hold'em, as its authors describe it (in
M. Schmid, "Game Theory and Poker", 2013, section 8.4.1): "pure strategies are utilized throughout. Play is based on
range vs range ev calculations. PreFlop ranges are deduced by opponent modeling during play. Subsequent decisions are
based [on] a minmax search of the remaining game tree, coupled with some tactical considerations."

Here both ranges follow from how often each player has acted so in such situations (parts/opponent_model.py), in all
rounds. In the search each hand of the opponent does what is best against one's own range as they see it, and one's own
hand does what is best against that; hands are in groups by strength, public cards are left out, and showdowns are worth
a roll-out. The tactical considerations are not described, and there are none.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pokerlab.agents.parts.beliefs import Beliefs
from pokerlab.agents.parts.equities import equities_against, public_range, shares_of, strength_groups
from pokerlab.agents.parts.hand_tables import NOW
from pokerlab.agents.parts.opponent_model import FrequencyModel
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.search_tree import (
    Extent,
    SearchTree,
    check_heads_up,
    choose_best,
    leaf_values,
    search_tree,
    siblings,
)
from pokerlab.agents.parts.situations import past_actions
from pokerlab.agents.parts.triple import PotFraction
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import declared, whole

GROUPS = 20  # of the opponent's hands


class Hugh:
    """Range against range."""

    def __init__(self, name: str, *, extent: Extent) -> None:
        self.name = name
        self.model = FrequencyModel(width=0.0)
        self.beliefs = Beliefs(self.model, measure=NOW)
        self._extent = extent

    def check_game(self, game: PokerGame) -> None:
        check_heads_up(game, self.name)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        actions, values = self.action_values(view)
        return actions[int(np.argmax(values))]

    def action_values(self, view: View) -> tuple[list[Action], np.ndarray]:
        """The actions of a decision, and what each wins over the hand if both players search.  # [action]"""
        game = view.game
        tree = search_tree(game, view.betting, self._extent)
        [theirs] = self.beliefs.weights(view).values()
        groups = strength_groups(game, view.board, GROUPS)
        weights = groups.masses(theirs)
        shares = shares_of(game, view.cards, view.board)
        against = equities_against(game, view.board, self.own_range(view))
        safe = np.where(weights > 0, weights, 1)
        mine = leaf_values(tree, view.seat, groups.masses(theirs * shares) / safe)
        other = leaf_values(tree, 1 - view.seat, groups.masses(theirs * against) / safe)
        average = minimax(tree, view.seat, mine, other, weights)
        children = tree.children(0)
        return [tree.actions[node] for node in children.tolist()], average[children]

    def own_range(self, view: View) -> np.ndarray:
        """What the opponent may think that this seat holds.  # [hand]"""
        weights = np.ones(len(hands_of(view.game)))
        for past in past_actions(view.game, view.history):
            if past.seat == view.seat:
                weights = weights * self.beliefs.likelihood(view, past)
        return public_range(view.game, view.board, weights)

    def observe(self, view: View) -> None:
        """Count what both did."""
        self.model.observe(view)

    def reset(self) -> None:
        """Forget the opponent."""
        self.model.reset()


def minimax(tree: SearchTree, seat: int, mine: np.ndarray, other: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The value of each node to the seat, averaged over the opponent's hands that come there.  # [node]

    `mine` and `other` [node, group] are the values of leaves to each player with each group of the opponent's hands,
    and are changed; `weights` [group] are the chances of the groups. The opponent chooses for each group, the seat for
    all of them: on the average over those that come there, which takes a second pass.
    """
    taken = np.ones_like(mine)  # [node, group] whether the opponent takes the action into the node
    for _ in range(2):
        reach = np.empty_like(mine)
        reach[0] = weights
        for children in tree.levels[1:]:
            reach[children] = reach[tree.parent[children]] * np.maximum(taken[children], 1e-9)
        for children in reversed(tree.levels[1:]):
            parents = tree.parent[children]
            starts, owner = siblings(parents)
            own = (tree.actor[parents] == seat)[:, None]
            average = (mine[children] * reach[children]).sum(axis=1) / reach[children].sum(axis=1)
            played = np.where(
                own, choose_best(average[:, None], starts, owner), choose_best(other[children], starts, owner)
            )
            taken[children] = np.where(own, 1.0, played)
            inner = parents[starts]
            mine[inner] = np.add.reduceat(played * mine[children], starts)
            other[inner] = np.add.reduceat(played * other[children], starts)
    return np.asarray((mine * reach).sum(axis=1) / reach.sum(axis=1))


@declared("hugh")
def agent(name: str, *, raises: Annotated[int, whole(1, 4)] = 2, pot_fraction: PotFraction = 1.0) -> Hugh:
    """A player of heads-up games. `raises` per round and raises of `pot_fraction` outside fixed limit are searched."""
    return Hugh(name, extent=Extent(whole_hand=False, raises=raises, sizes=(pot_fraction,)))
