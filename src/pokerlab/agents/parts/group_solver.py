"""Regret matching for two ranges in groups, in a search tree: a small equilibrium, computed at the table.

Every node has a strategy matrix [group of the hand, action] for the player to act, improved by regret matching+ with
alternating updates and linear averaging; showdowns are decided by a matrix of equities between groups. All groups and
nodes of a level are updated at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.agents.parts.search_tree import SearchTree, siblings


@dataclass(frozen=True, eq=False)
class GroupGame:
    """Two ranges and a tree."""

    tree: SearchTree
    ranges: tuple[np.ndarray, np.ndarray]  # [group] of each seat
    equity: tuple[np.ndarray, np.ndarray]  # [own group, opposing group] the share of the pot, of each seat


class Level(NamedTuple):
    """The children of a level of the tree, and what every pass needs to know of them."""

    children: slice
    parents: np.ndarray  # [child]
    starts: np.ndarray  # [parent] first child of each
    owner: np.ndarray  # [child] number of the parent within the level
    uniform: np.ndarray  # [child, 1] one over the number of siblings
    own: tuple[np.ndarray, np.ndarray]  # by seat, [child, 1] whether it acts at the parent


def _levels(tree: SearchTree) -> list[Level]:
    found = []
    for children in tree.levels[1:]:
        parents = tree.parent[children]
        starts, owner = siblings(parents)
        actor = tree.actor[parents][:, None]
        found.append(
            Level(children, parents, starts, owner, 1 / np.bincount(owner)[owner][:, None], (actor == 0, actor == 1))
        )
    return found


def solve_groups(game: GroupGame, iterations: int) -> np.ndarray:
    """The average strategy: the chance of the action into each node with each group.  # [node, group]

    Rows of children of a player's nodes are strategies of that player.
    """
    levels, shape = _levels(game.tree), (len(game.tree), len(game.ranges[0]))
    strategy, regret, total = np.ones(shape), np.zeros(shape), np.zeros(shape)
    for level in levels:
        strategy[level.children] = level.uniform
    for iteration in range(1, iterations + 1):
        for seat in (0, 1):
            own_reach, against = (_reach(game, levels, strategy, one) for one in (seat, 1 - seat))
            values = _values(game, levels, strategy, against, seat)
            for level in levels:
                children, own = level.children, level.own[seat]
                update = regret[children] + values[children] - values[level.parents]
                regret[children] = np.where(own, np.maximum(update, 0.0), regret[children])
                total[children] += own * iteration * own_reach[level.parents] * strategy[children]
                strategy[children] = np.where(own, _matched(regret[children], level), strategy[children])
    for level in levels:
        strategy[level.children] = _matched(total[level.children], level)
    return strategy


def _matched(weights: np.ndarray, level: Level) -> np.ndarray:
    """Shares of weights among the actions of a node; uniform where there are none.  # [child, group]"""
    totals = np.add.reduceat(weights, level.starts)[level.owner]
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1), level.uniform)


def _reach(game: GroupGame, levels: list[Level], strategy: np.ndarray, seat: int) -> np.ndarray:
    """How likely a seat comes to a node with each group, by its own actions.  # [node, group]"""
    reach = np.empty_like(strategy)
    reach[0] = game.ranges[seat]
    for level in levels:
        reach[level.children] = reach[level.parents] * np.where(level.own[seat], strategy[level.children], 1.0)
    return reach


def _values(game: GroupGame, levels: list[Level], strategy: np.ndarray, against: np.ndarray, seat: int) -> np.ndarray:
    """Counterfactual values of the groups of a seat; `against` [node, group] is the other's reach.  # [node, group]"""
    tree, leaves = game.tree, game.tree.leaves
    folded = tree.fold_values[:, seat, None] * against.sum(axis=1, keepdims=True)
    values: np.ndarray = np.repeat(folded, strategy.shape[1], axis=1)
    won = against[leaves] @ game.equity[seat].T
    paid = tree.invested[leaves, seat, None] * against[leaves].sum(axis=1, keepdims=True)
    values[leaves] = won * tree.pot[leaves, None] - paid
    for level in reversed(levels):
        played = np.where(level.own[seat], strategy[level.children], 1.0) * values[level.children]
        values[level.parents[level.starts]] = np.add.reduceat(played, level.starts)
    return values
