"""Beliefs: the probability of each history of an infoset for the player to act, given that the infoset was reached.

At infosets that a profile reaches, they follow from Bayes' rule. Elsewhere beliefs are a limit of vanishing trembles:
each action is taken by accident with a small probability e, and e goes to zero (Kreps and Wilson, "Sequential
equilibria", 1982: beliefs that are such a limit are consistent). The limit is computed exactly: a history that takes k
accidents has a probability of about weight * e^k, so only histories with the fewest accidents count, in proportion to
their weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pokerlab.errors import BadSetting, shortened
from pokerlab.tree.history.layout import NO_PARENT, HistoryTree
from pokerlab.tree.sequence import SequenceForm

NO_SLOT = -1  # of the root and of nodes after chance
NEVER = 1e-12  # an action with a lower probability is taken only by accident
ROUNDING = 1e-6  # tolerance for the sum of user-supplied beliefs
TREMBLES = (1e-2, 1e-5, 1e-10, 1e-15, 1e-20)  # of the completely mixed sequence


@dataclass(frozen=True, eq=False)
class Depths:
    """A tree by levels, for passes from the root to the leaves and back."""

    tree: HistoryTree

    @cached_property
    def slot(self) -> np.ndarray:
        """[N] int64: the slot of the action that led to each node, or NO_SLOT."""
        tree = self.tree
        above = np.maximum(tree.parent, 0)
        slots = tree.start[np.maximum(tree.label[above], 0)] + np.arange(tree.nodes) - tree.first_child[above]
        by_player = (tree.parent != NO_PARENT) & (tree.actor[above] >= 0)
        return np.where(by_player, slots, NO_SLOT).astype(np.int64)

    @cached_property
    def levels(self) -> list[np.ndarray]:
        """The nodes at each distance from the root, but not the root."""
        tree = self.tree
        levels: list[np.ndarray] = []
        level = np.zeros(1, np.int64)
        while len(inner := level[tree.child_count[level] > 0]):
            counts = tree.child_count[inner].astype(np.int64)
            before = np.cumsum(counts) - counts
            level = np.repeat(tree.first_child[inner] - before, counts) + np.arange(counts.sum())
            levels.append(level)
        return levels

    @cached_property
    def decisions(self) -> np.ndarray:
        """[D] int64: the nodes where a player acts."""
        return np.flatnonzero(self.tree.actor >= 0)

    @cached_property
    def _members(self) -> tuple[np.ndarray, np.ndarray]:
        """The nodes where a player acts, by infoset, and the offset of each infoset."""
        infosets = self.tree.label[self.decisions]
        order = np.argsort(infosets, kind="stable")
        return self.decisions[order], np.searchsorted(infosets[order], np.arange(self.tree.infosets + 1))

    def history(self, node: int) -> str:
        """A history as the moves that lead there."""
        return " ".join(self.tree.path(node)) or "(start)"

    def members(self, infoset: int) -> np.ndarray:
        """The nodes of an infoset."""
        nodes, starts = self._members
        return nodes[starts[infoset] : starts[infoset + 1]]

    def step(self, profile: np.ndarray) -> np.ndarray:
        """The probability of reaching each node from its parent.  # [A] -> [N]"""
        return np.asarray(self.tree.probability * self.taken(profile))

    def taken(self, of_slots: np.ndarray) -> np.ndarray:
        """A number of the action that led to each node; 1 where chance did.  # [A] -> [N]"""
        return np.asarray(np.append(of_slots, 1.0)[self.slot])  # NO_SLOT is the last


@dataclass(frozen=True, eq=False)
class Beliefs:
    """The beliefs of every infoset of a tree under a profile."""

    depths: Depths
    share: np.ndarray  # [N]: of each history within its infoset; 0 where no player acts
    accidents: np.ndarray  # [I] int64: how many accidents it takes to reach an infoset; 0 on the path of play
    reach: np.ndarray  # [I]: its reach probability; 0 off the path

    def of(self, infoset: int) -> dict[str, float]:
        """By history, written as the moves that lead there; only those with positive belief, likeliest first."""
        nodes = self.depths.members(infoset)
        nodes = nodes[np.argsort(-self.share[nodes], kind="stable")]
        return {self.depths.history(int(node)): float(self.share[node]) for node in nodes if self.share[node] > 0}

    def believing(self, beliefs: Mapping[int, Mapping[str, float]]) -> Beliefs:
        """The same with other beliefs at some infosets, by history in the format of `of`; histories not named get 0."""
        share = self.share.copy()
        for infoset, shares in beliefs.items():
            nodes = self.depths.members(infoset)
            names = [self.depths.history(int(node)) for node in nodes]
            chances = np.array([float(shares.get(name, 0.0)) for name in names])
            if set(shares) - set(names) or not (chances >= 0).all() or abs(chances.sum() - 1) > ROUNDING:
                raise BadSetting(
                    f"beliefs at {self.depths.tree.infoset_names[infoset]!r} are probabilities of its histories "
                    f"({shortened(', '.join(names), 80)}) that sum to 1, not {shortened(str(dict(shares)), 80)}"
                )
            share[nodes] = chances / chances.sum()
        return replace(self, share=share)


def cleaned(form: SequenceForm, profile: np.ndarray, *, never: float = NEVER) -> np.ndarray:
    """A profile without rounding noise: actions with a probability below `never` are not taken.  # [A] -> [A]"""
    if not 0 <= never < 1:
        raise BadSetting(f"an action that is never taken has a probability from 0 to below 1, not {never}")
    trees = form.treeplexes
    taken = np.where((profile >= never) | (profile == trees.largest(profile)), profile, 0.0)
    return np.asarray(taken / trees.sums(taken))


def check_accidents(form: SequenceForm, profile: np.ndarray, accidents: np.ndarray) -> np.ndarray:
    """Accidents that make a profile completely mixed; BadSetting if an action stays impossible.  # [A], [A] -> [A]"""
    accidents, tree = form.check(accidents), form.tree
    missing = np.flatnonzero((profile == 0.0) & (accidents == 0.0))
    if len(missing):
        slot = int(missing[0])
        infoset = int(np.searchsorted(tree.start, slot, side="right")) - 1
        action = tree.action_names[infoset][slot - int(tree.start[infoset])]
        raise BadSetting(
            f"{shortened(action)!r} at {shortened(tree.infoset_names[infoset])!r} is neither played nor taken by "
            f"accident: beliefs are consistent as a limit of completely mixed play, so give such actions probabilities "
            f"above 0 among the accidents"
        )
    return accidents


def limit_beliefs(depths: Depths, profile: np.ndarray, trembles: np.ndarray | None = None) -> Beliefs:
    """Beliefs by Bayes' rule, and by vanishing trembles at infosets that the profile never reaches.

    Accidental actions have the probabilities `trembles` (see check_accidents), by default uniform.  # [A]
    """
    tree = depths.tree
    accident = tree.uniform() if trembles is None else trembles
    never = depths.taken(profile) == 0.0
    step = tree.probability * np.where(never, depths.taken(accident), depths.taken(profile))
    log, order = np.zeros(tree.nodes), np.zeros(tree.nodes, np.int64)
    with np.errstate(divide="ignore"):
        step = np.log(step)
    for level in depths.levels:
        above = tree.parent[level]
        log[level] = log[above] + step[level]
        order[level] = order[above] + never[level]
    return _normalised(depths, log, order)


def _normalised(depths: Depths, log: np.ndarray, order: np.ndarray) -> Beliefs:
    """Probabilities exp(log) * e^order of histories, in the limit, as shares of their infosets."""
    tree, nodes = depths.tree, depths.decisions
    infoset = tree.label[nodes]
    possible = np.isfinite(log[nodes])
    few = np.full(tree.infosets, np.iinfo(np.int64).max)
    np.minimum.at(few, infoset[possible], order[nodes][possible])
    counted = possible & (order[nodes] == few[infoset])
    most = np.full(tree.infosets, -np.inf)
    np.maximum.at(most, infoset[counted], log[nodes][counted])
    most[np.isinf(most)] = 0.0  # chance never leads there
    weight = np.where(counted, np.exp(np.where(counted, log[nodes], 0.0) - most[infoset]), 0.0)
    total = np.bincount(infoset, weight, tree.infosets)
    share = np.zeros(tree.nodes)
    share[nodes] = weight / np.where(total > 0, total, 1.0)[infoset]
    unreached = total == 0
    accidents = np.where(unreached, 0, few)
    return Beliefs(depths, share, accidents, np.where((accidents > 0) | unreached, 0.0, total * np.exp(most)))


@dataclass(frozen=True, eq=False)
class Consistency:
    """The distance of beliefs from those of a sequence of completely mixed profiles that converges to a profile."""

    trembles: tuple[float, ...]  # tremble probabilities along the sequence
    distance: np.ndarray  # [len(trembles), I]: the largest difference of a belief, at each infoset

    @property
    def largest(self) -> list[float]:
        """The largest difference at any infoset, along the sequence."""
        return [float(found.max(initial=0.0)) for found in self.distance]

    def fails(self, tolerance: float = 1e-6) -> np.ndarray:
        """The infosets whose beliefs are not the limit.  # [<= I]"""
        return np.flatnonzero(self.distance[-1] > tolerance)


def consistency(
    beliefs: Beliefs,
    profile: np.ndarray,
    *,
    accidents: np.ndarray | None = None,
    trembles: Sequence[float] = TREMBLES,
) -> Consistency:
    """Compare beliefs with Bayes' rule along profiles with vanishing trembles.

    `accidents` are the probabilities of accidental actions, uniform by default.  # [A]
    """
    depths = beliefs.depths
    tree, nodes = depths.tree, depths.decisions
    mixed = tree.uniform() if accidents is None else accidents
    rows = np.zeros((len(trembles), tree.infosets))
    for row, tremble in enumerate(trembles):
        found = limit_beliefs(depths, (1 - tremble) * profile + tremble * mixed)
        far = np.abs(found.share - beliefs.share)[nodes]
        np.maximum.at(rows[row], tree.label[nodes], far)
    return Consistency(tuple(trembles), rows)
