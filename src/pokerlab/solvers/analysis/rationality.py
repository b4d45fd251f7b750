"""Sequential rationality: whether a player could do better at each infoset, under the beliefs there.

Two deviations are considered at an infoset: another action there only, and any other play from there on. For consistent
beliefs, no gain from the first anywhere implies none from the second (Hendon, Jacobsen and Sloth, "The
one-shot-deviation principle for sequential rationality", 1996); user-supplied beliefs need not be consistent.

If beliefs at a player's later infosets follow by Bayes' rule from those at earlier ones, one pass from the last
infosets to the first computes the best play everywhere; otherwise each infoset needs its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.solvers.analysis.beliefs import Beliefs
from pokerlab.tree.history.layout import HistoryTree
from pokerlab.tree.history.reading import Histories
from pokerlab.tree.sequence import SequenceForm

MOVED_ON = 1e-9  # tolerance for beliefs updated from earlier ones


@dataclass(frozen=True, eq=False)
class Rationality:
    """The possible gains of the player at each infoset, once it is reached."""

    value: np.ndarray  # [I]: of the profile
    action_value: np.ndarray  # [A]: of each action, the profile being played afterwards
    one_shot: np.ndarray  # [I]: gain by the best other action there alone
    loss: np.ndarray  # [I]: gain by the best play from there on
    better: np.ndarray  # [I] int64: the slot that the best play takes


def rationality(form: SequenceForm, profile: np.ndarray, beliefs: Beliefs) -> Rationality:
    """The gains of deviations at every infoset of every player."""
    tree = form.tree
    action_value = _action_values(form, profile, beliefs)
    start, counts = tree.start[:-1].astype(np.int64), np.diff(tree.start)
    value = np.add.reduceat(profile * action_value, start) if len(start) else np.zeros(0)
    best_value, better = np.zeros(tree.infosets), np.zeros(tree.infosets, np.int64)
    one_shot = (np.maximum.reduceat(action_value, start) if len(start) else value) - value
    for player in range(form.players):
        own = slice(*form.tree.first_infoset[player : player + 2].tolist())
        action_values = _best_play(form, profile, beliefs, player)
        top_value = np.maximum.reduceat(action_values, start) if len(start) else value
        best_value[own] = top_value[own]
        first = np.flatnonzero(action_values == np.repeat(top_value, counts))[::-1]  # keeps the first of equal actions
        choice = np.zeros(tree.infosets, np.int64)
        choice[np.repeat(np.arange(tree.infosets), counts)[first]] = first
        better[own] = choice[own]
    return Rationality(value, action_value, np.maximum(one_shot, 0.0), np.maximum(best_value - value, 0.0), better)


def _action_values(form: SequenceForm, profile: np.ndarray, beliefs: Beliefs) -> np.ndarray:
    """The value of each action to its player under the beliefs, with the profile played afterwards.  # [A]"""
    tree = form.tree
    taken = np.flatnonzero(tree.slot >= 0)
    above = tree.parent[taken]
    weighted = Histories(form, profile).value[taken, tree.actor[above]] * beliefs.share[above]
    return np.bincount(tree.slot[taken], weighted, tree.slots)


def _best_play(form: SequenceForm, profile: np.ndarray, beliefs: Beliefs, player: int) -> np.ndarray:
    """The value of each action of a player who plays optimally afterwards.  # [A]"""
    tree, step = form.tree, form.tree.step(profile)
    begun = np.zeros(tree.nodes)
    begun[0] = 1.0
    weight, last = _moved(tree, step, begun, player, shares=beliefs.share)
    own = tree.decisions[tree.actor[tree.decisions] == player]
    arriving = np.bincount(tree.label[own], weight[own], tree.infosets)
    moved = weight[own] / np.where(arriving > 0, arriving, 1.0)[tree.label[own]]
    unlike = np.abs(moved - beliefs.share[own]) > MOVED_ON
    if not (unlike & (arriving > 0)[tree.label[own]]).any():
        return _swept(form, player, weight, last, arriving)
    action_values = np.zeros(tree.slots)
    for infoset in range(*form.tree.first_infoset[player : player + 2].tolist()):
        begun = np.where((tree.actor >= 0) & (tree.label == infoset), beliefs.share, 0.0)
        weight, last = _moved(tree, step, begun, player)
        slots = slice(int(tree.start[infoset]), int(tree.start[infoset + 1]))
        action_values[slots] = _swept(form, player, weight, last, np.ones(tree.infosets))[slots]
    return action_values


def _moved(
    tree: HistoryTree, step: np.ndarray, begun: np.ndarray, player: int, *, shares: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The probability that chance and the others lead to each node, and the slot of the player's last action before.

    `begun` [N] is where it starts. With `shares`, weights after an action of the player start from those beliefs.
    Both results are [N]; without an action before it, a node has the last slot -1.
    """
    weight, last = begun.copy(), np.full(tree.nodes, -1, np.int64)
    for level in tree.levels[1:]:
        above = tree.parent[level]
        own = tree.actor[above] == player
        if shares is None:
            moved = weight[above] * np.where(own, 1.0, step[level])
            weight[level] = np.where(begun[level] > 0, begun[level], moved)
        else:
            weight[level] = np.where(own, shares[above], weight[above] * step[level])
        last[level] = np.where(own, tree.slot[level], last[above])
    return weight, last


def _swept(form: SequenceForm, player: int, weight: np.ndarray, last: np.ndarray, arriving: np.ndarray) -> np.ndarray:
    """Values of a player's actions from the last infosets to the first, the best action taken at each.  # [A]

    `weight` and `last` are of `_moved`; `arriving` [I] is what the worth of an infoset counts in the action before it.
    """
    tree = form.tree
    ends = np.flatnonzero((tree.child_count == 0) & (last >= 0))
    paid = tree.returns[tree.label[ends], player] * weight[ends]
    action_values = np.bincount(last[ends], paid, tree.slots)
    low, high = form.tree.first_infoset[player : player + 2].tolist()
    before = form.parent.astype(np.int64) - form.players
    starts = tree.start.tolist()
    for infoset in range(high - 1, low - 1, -1):
        if before[infoset] >= 0:
            action_values[before[infoset]] += (
                arriving[infoset] * action_values[starts[infoset] : starts[infoset + 1]].max()
            )
    return action_values
