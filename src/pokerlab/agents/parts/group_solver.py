"""Regret matching for two ranges in groups, in a search tree: a small equilibrium, computed at the table.

Every node has a strategy matrix [group of the hand, action] for the player to act, improved by regret matching+ with
alternating updates and linear averaging; showdowns are decided by a matrix of equities between groups. All groups and
nodes of a level are updated at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.agents.parts.search_tree import SearchTree, siblings


@dataclass(frozen=True, eq=False)
class GroupGame:
    """Two ranges and a tree."""

    tree: SearchTree
    ranges: tuple[np.ndarray, np.ndarray]  # [group] of each seat
    equity: tuple[np.ndarray, np.ndarray]  # [own group, opposing group] the share of the pot, of each seat


def solve_groups(game: GroupGame, iterations: int) -> np.ndarray:
    """The average strategy: the chance of the action into each node with each group.  # [node, group]

    Rows of children of a player's nodes are strategies of that player.
    """
    tree, groups = game.tree, len(game.ranges[0])
    strategy = np.ones((len(tree), groups))
    for children in tree.levels[1:]:
        _, owner = siblings(tree.parent[children])
        strategy[children] = 1 / np.bincount(owner)[owner][:, None]
    regret, total = np.zeros_like(strategy), np.zeros_like(strategy)
    for iteration in range(1, iterations + 1):
        for seat in (0, 1):
            reach = _reaches(game, strategy)
            values = _values(game, strategy, reach[1 - seat], seat)
            for children in tree.levels[1:]:
                parents = tree.parent[children]
                own = tree.actor[parents] == seat
                update = regret[children] + values[children] - values[parents]
                regret[children] = np.where(own[:, None], np.maximum(update, 0.0), regret[children])
                played = reach[seat][parents] * strategy[children]
                total[children] += np.where(own[:, None], iteration * played, 0.0)
                strategy[children] = np.where(own[:, None], _matched(regret[children], parents), strategy[children])
    for children in tree.levels[1:]:
        strategy[children] = _matched(total[children], tree.parent[children])
    return strategy


def _matched(weights: np.ndarray, parents: np.ndarray) -> np.ndarray:
    """Shares of weights among the actions of a node; uniform where there are none.  # [child, group]"""
    starts, owner = siblings(parents)
    totals = np.add.reduceat(weights, starts)[owner]
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1), 1 / np.bincount(owner)[owner][:, None])


def _reaches(game: GroupGame, strategy: np.ndarray) -> list[np.ndarray]:
    """How likely each seat comes to a node with each group, by its own actions.  # each [node, group]"""
    tree, found = game.tree, []
    for seat in (0, 1):
        reach = np.empty_like(strategy)
        reach[0] = game.ranges[seat]
        for children in tree.levels[1:]:
            parents = tree.parent[children]
            own = (tree.actor[parents] == seat)[:, None]
            reach[children] = reach[parents] * np.where(own, strategy[children], 1.0)
        found.append(reach)
    return found


def _values(game: GroupGame, strategy: np.ndarray, against: np.ndarray, seat: int) -> np.ndarray:
    """Counterfactual values of the groups of a seat; `against` [node, group] is the other's reach.  # [node, group]"""
    tree, leaves = game.tree, game.tree.leaves
    values = tree.fold_values[:, seat, None] * against.sum(axis=1, keepdims=True) * np.ones(strategy.shape[1])
    won = against[leaves] @ game.equity[seat].T
    paid = tree.invested[leaves, seat, None] * against[leaves].sum(axis=1, keepdims=True)
    values[leaves] = won * tree.pot[leaves, None] - paid
    for children in reversed(tree.levels[1:]):
        parents = tree.parent[children]
        starts, _ = siblings(parents)
        own = (tree.actor[parents] == seat)[:, None]
        values[parents[starts]] = np.add.reduceat(np.where(own, strategy[children], 1.0) * values[children], starts)
    return values
