"""A forest of game trees: one for each hand of the opponent, their values weighted by the belief in it.

In the tree of a hand the opponent acts as a model predicts with that hand, and showdowns are decided against it. Trees
end with the betting round; what comes after is dealt out without bets. One's own later actions are the same in all
trees, since a player cannot see which one this is (search_tree.py).
"""

from __future__ import annotations

import numpy as np

from pokerlab.agents.parts.equities import shares_of
from pokerlab.agents.parts.hand_tables import NOW, percentiles
from pokerlab.agents.parts.opponent_model import ActionModel
from pokerlab.agents.parts.search_tree import Extent, back_up, leaf_values, search_tree, spread, triples_by_node
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.state import View


def forest_values(
    view: View, weights: np.ndarray, model: ActionModel, extent: Extent, *, temperature: float = 0.0
) -> tuple[list[Action], np.ndarray]:
    """The actions of a decision, and what each wins over the hand on average.  # [action]

    `weights` [hand] are the beliefs about the one opponent, whose place relative to the view's seat is 1.
    """
    game, held = view.game, np.flatnonzero(weights)
    tree = search_tree(game, view.betting, extent._replace(whole_hand=False))
    strength = percentiles(game, view.board, measure=NOW)[held]
    wins = shares_of(game, view.cards, view.board)[held]
    triples = triples_by_node(tree, 1 - view.seat, lambda now: model.triple(strength, now, 1), len(held))
    values = leaf_values(tree, view.seat, wins)
    average = back_up(
        tree, values, spread(tree, triples), seat=view.seat, weights=weights[held], temperature=temperature
    )
    children = tree.children(0)
    return [tree.actions[node] for node in children.tolist()], average[children]
