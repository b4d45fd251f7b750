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

import numpy as np

from pokerlab.errors import BadSetting, shortened
from pokerlab.tree.history.layout import HistoryTree
from pokerlab.tree.sequence import SequenceForm

NEVER = 1e-12  # an action with a lower probability is taken only by accident
ROUNDING = 1e-6  # tolerance for the sum of user-supplied beliefs
TREMBLES = (1e-2, 1e-5, 1e-10, 1e-15, 1e-20)  # of the completely mixed sequence


@dataclass(frozen=True, eq=False)
class Beliefs:
    """The beliefs of every infoset of a tree under a profile."""

    tree: HistoryTree
    share: np.ndarray  # [N]: of each history within its infoset; 0 where no player acts
    accidents: np.ndarray  # [I] int64: how many accidents it takes to reach an infoset; 0 on the path of play
    reach: np.ndarray  # [I]: its reach probability; 0 off the path

    def of(self, infoset: int) -> dict[str, float]:
        """By history, written as the moves that lead there; only those with positive belief, likeliest first."""
        nodes = self.tree.members(infoset)
        nodes = nodes[np.argsort(-self.share[nodes], kind="stable")]
        return {_history(self.tree, node): float(self.share[node]) for node in nodes if self.share[node] > 0}

    def believing(self, beliefs: Mapping[int, Mapping[str, float]]) -> Beliefs:
        """The same with other beliefs at some infosets, by history in the format of `of`; histories not named get 0."""
        share = self.share.copy()
        for infoset, shares in beliefs.items():
            nodes = self.tree.members(infoset)
            names = [_history(self.tree, node) for node in nodes]
            chances = np.array([float(shares.get(name, 0.0)) for name in names])
            if set(shares) - set(names) or not (chances >= 0).all() or abs(chances.sum() - 1) > ROUNDING:
                raise BadSetting(
                    f"beliefs at {self.tree.infoset_names[infoset]!r} are probabilities of its histories "
                    f"({shortened(', '.join(names), 80)}) that sum to 1, not {shortened(str(dict(shares)), 80)}"
                )
            share[nodes] = chances / chances.sum()
        return replace(self, share=share)


def _history(tree: HistoryTree, node: int) -> str:
    """A history as the moves that lead there."""
    return " ".join(tree.path(node)) or "(start)"


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


def limit_beliefs(tree: HistoryTree, profile: np.ndarray, trembles: np.ndarray | None = None) -> Beliefs:
    """Beliefs by Bayes' rule, and by vanishing trembles at infosets that the profile never reaches.

    Accidental actions have the probabilities `trembles` (see check_accidents), by default uniform.  # [A]
    """
    accident = tree.uniform() if trembles is None else trembles
    never = tree.taken(profile) == 0.0
    step = tree.probability * np.where(never, tree.taken(accident), tree.taken(profile))
    log, order = np.zeros(tree.nodes), np.zeros(tree.nodes, np.int64)
    with np.errstate(divide="ignore"):
        step = np.log(step)
    for level in tree.levels[1:]:
        above = tree.parent[level]
        log[level] = log[above] + step[level]
        order[level] = order[above] + never[level]
    return _normalised(tree, log, order)


def _normalised(tree: HistoryTree, log: np.ndarray, order: np.ndarray) -> Beliefs:
    """Probabilities exp(log) * e^order of histories, in the limit, as shares of their infosets."""
    nodes = tree.decisions
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
    return Beliefs(tree, share, accidents, np.where((accidents > 0) | unreached, 0.0, total * np.exp(most)))


@dataclass(frozen=True, eq=False)
class Consistency:
    """The distance of beliefs from those of a sequence of completely mixed profiles that converges to a profile."""

    trembles: tuple[float, ...]  # tremble probabilities along the sequence
    distance: np.ndarray  # [len(trembles), I]: the largest difference of a belief, at each infoset

    @property
    def largest(self) -> list[float]:
        """The largest difference at any infoset, along the sequence."""
        return [float(distances.max(initial=0.0)) for distances in self.distance]

    def fails(self, tolerance: float = 1e-6) -> np.ndarray:
        """The infosets whose beliefs are not the limit.  # [<= I]"""
        return np.flatnonzero(self.distance[-1] > tolerance)


def consistency(
    beliefs: Beliefs, profile: np.ndarray, *, accidents: np.ndarray | None = None, trembles: Sequence[float] = TREMBLES
) -> Consistency:
    """Compare beliefs with Bayes' rule along profiles with vanishing trembles; accidents [A] are uniform by default."""
    tree, nodes = beliefs.tree, beliefs.tree.decisions
    mixed = tree.uniform() if accidents is None else accidents
    rows = np.zeros((len(trembles), tree.infosets))
    for row, tremble in enumerate(trembles):
        mixed_beliefs = limit_beliefs(tree, (1 - tremble) * profile + tremble * mixed)
        far = np.abs(mixed_beliefs.share - beliefs.share)[nodes]
        np.maximum.at(rows[row], tree.label[nodes], far)
    return Consistency(tuple(trembles), rows)
