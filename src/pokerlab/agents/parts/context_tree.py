"""A context tree: what an opponent did and showed after each betting sequence, with similar sequences as support.

Betting sequences alone are contexts; cards are ignored. Each context has the frequencies of the opponent's folds, calls
and raises, or, where the hand ends in a showdown, a histogram of the hands shown, by the share of possible hands that
are weaker. A *level of similarity* groups contexts by a key; the finest has a key for each sequence. An estimate starts
from a default player and mixes in the observations of each level, from the coarsest to the finest: n observations weigh
1 - keep^n against what the coarser levels say (Billings, Davidson, Schauenberg, Burch, Bowling, Holte, Schaeffer and
Szafron, "Game-tree search with adaptation in stochastic imperfect-information games", 2004, as far as Rubin and Watson
describe it, "Computer poker: a review", 2011, section 5.1.2). The review generalises showdowns alone; here frequencies
are generalised in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.agents.parts.opponent_model import DEFAULT, by_strength
from pokerlab.agents.parts.search_tree import KINDS, NOBODY, SearchTree
from pokerlab.agents.parts.situations import situation
from pokerlab.agents.parts.triple import Triple

WIDTH = 0.2  # of the ramps of the default player
EARLIER = 0.5  # weight of an action of the round before, relative to one of the last, for the hand at the showdown


class Context(NamedTuple):
    """A betting sequence from one player's point of view."""

    opponent: int  # their seat
    moves: str  # "Rc/cR": one's own actions in capitals, rounds separated by "/"

    @property
    def rounds(self) -> list[str]:
        """The moves of each round so far."""
        return self.moves.split("/")

    @property
    def is_facing(self) -> bool:
        """Whether the last action was one's own raise."""
        return self.moves.endswith("R")

    def after(self, seat: int, kind: str) -> Context:
        """The context after an action."""
        return Context(self.opponent, self.moves + (kind if seat == self.opponent else kind.upper()))

    def in_round(self, number: int) -> Context:
        """The same with the marks of as many rounds as have begun."""
        return Context(self.opponent, self.moves + "/" * (number - self.moves.count("/")))


Level = Callable[[Context], Hashable]


def by_sequence(context: Context) -> Hashable:
    """The exact sequence."""
    return context


def by_raises_of_each(context: Context) -> Hashable:
    """How often each player has bet or raised in each round, and who sits where."""
    counts = tuple((part.count("r"), part.count("R")) for part in context.rounds)
    return context.opponent, counts, context.is_facing


def by_raises_of_rounds(context: Context) -> Hashable:
    """How many bets and raises there were in each round."""
    return tuple(part.lower().count("r") for part in context.rounds), context.is_facing


def by_raises_of_hand(context: Context) -> Hashable:
    """How often each player has bet or raised in the hand."""
    moves = context.moves
    return moves.count("/"), moves.count("r"), moves.count("R"), context.is_facing


def by_round(context: Context) -> Hashable:
    """The round, and whether there is a bet to call."""
    return context.moves.count("/"), context.is_facing


class Table:
    """Counts by key of one level."""

    def __init__(self, width: int) -> None:
        self.rows: dict[Hashable, int] = {}
        self.counts = np.zeros((64, width))  # [row, column]

    def row(self, key: Hashable) -> int:
        """The row of a key; a new one if necessary."""
        row = self.rows.setdefault(key, len(self.rows))
        if row >= len(self.counts):
            self.counts = np.concatenate([self.counts, np.zeros_like(self.counts)])
        return row

    def clear(self) -> None:
        """Zero all counts; rows stay."""
        self.counts[:] = 0


class Places(NamedTuple):
    """Where the nodes of a search are in the tables."""

    decisions: np.ndarray  # [decision] nodes where the opponent acts
    rows: np.ndarray  # [level, decision]
    frequencies: np.ndarray  # [decision, kind] of the default player
    leaves: np.ndarray  # [leaf]
    leaf_rows: np.ndarray  # [level, leaf]
    histograms: np.ndarray  # [leaf, bucket] of the default player


class ContextTree:
    """Observations of one opponent."""

    def __init__(self, levels: Sequence[Level], *, buckets: int, keep: float) -> None:
        self.levels = tuple(levels)  # the finest first
        self.buckets, self.keep = buckets, keep
        self._actions = [Table(len(KINDS)) for _ in levels]
        self._showdowns = [Table(buckets) for _ in levels]

    def clear(self) -> None:
        """Forget every observation."""
        for table in (*self._actions, *self._showdowns):
            table.clear()

    def observe_action(self, context: Context, kind: str, *, times: int = 1) -> None:
        """The opponent folds, calls or raises."""
        for level, table in zip(self.levels, self._actions, strict=True):
            row = table.row(level(context))  # first: it may replace the counts
            table.counts[row, KINDS[kind]] += times

    def observe_showdown(self, context: Context, strength: float, *, times: int = 1) -> None:
        """The opponent shows a hand; its strength is the share of possible hands that are weaker."""
        for level, table in zip(self.levels, self._showdowns, strict=True):
            row = table.row(level(context))
            table.counts[row, self.bucket(strength)] += times

    def bucket(self, strength: float) -> int:
        """The bucket of a strength."""
        return min(int(strength * self.buckets), self.buckets - 1)

    def places(self, tree: SearchTree, root: Context, start: np.ndarray) -> Places:
        """The rows of the nodes of a tree; `start` [bucket] is what the default player holds at its root."""
        contexts = _contexts(tree, root)
        decisions, leaves = np.flatnonzero(tree.actor == root.opponent), tree.leaves
        histograms = _default_histograms(tree, root.opponent, start)
        return Places(
            decisions,
            _rows(self.levels, self._actions, [contexts[node] for node in decisions.tolist()]),
            np.array([DEFAULT[situation(tree.game, tree.bettings[node]).facing] for node in decisions]).reshape(-1, 3),
            leaves,
            _rows(self.levels, self._showdowns, [contexts[node] for node in leaves.tolist()]),
            histograms[leaves],
        )

    def frequencies(self, places: Places, nodes: int) -> np.ndarray:
        """How often the opponent is expected to fold, call and raise.  # [node, kind]"""
        found = np.zeros((nodes, len(KINDS)))
        found[places.decisions] = self._mixed(self._actions, places.rows, places.frequencies)
        return found

    def histograms(self, places: Places) -> np.ndarray:
        """The chance of each bucket of the opponent's hands at showdowns.  # [leaf, bucket]"""
        return self._mixed(self._showdowns, places.leaf_rows, places.histograms)

    def _mixed(self, tables: list[Table], rows: np.ndarray, prior: np.ndarray) -> np.ndarray:
        """Level by level, the finer over the coarser."""
        estimate = prior
        for table, row in reversed(list(zip(tables, rows, strict=True))):
            counts = table.counts[row]
            total = counts.sum(axis=1, keepdims=True)
            weight = 1 - self.keep**total
            estimate = estimate + weight * (counts / np.maximum(total, 1) - estimate)
        return estimate


def showdown_chances(own: np.ndarray) -> np.ndarray:
    """The share of the pot that a hand wins against each bucket of the opponent's, the same bucket counting one half.

    `own` [bucket] or [bucket, hand] is the chance of each bucket for one's own hand at the showdown.  # the same
    """
    return np.asarray(own.sum(axis=0) - np.cumsum(own, axis=0) + own / 2)


def default_histogram(steps: Sequence[tuple[str, int, int]], buckets: int) -> np.ndarray:
    """What a default player holds after actions given by kind, what they faced, and round.  # [bucket]"""
    found, at = np.ones(buckets), 0
    for kind, facing, round_ in steps:
        if round_ > at:
            found, at = found**EARLIER, round_
        found = found * _likelihoods(buckets)[facing, KINDS[kind]]
        found = found / found.sum()
    return found


def _likelihoods(buckets: int) -> np.ndarray:
    """How likely the default player does what with each bucket.  # [facing, kind, bucket]"""
    middles = (np.arange(buckets) + 0.5) / buckets
    return np.array([by_strength(middles, Triple(*DEFAULT[facing]), width=WIDTH) for facing in sorted(DEFAULT)])


def _default_histograms(tree: SearchTree, opponent: int, start: np.ndarray) -> np.ndarray:
    """What the default player holds at each node.  # [node, bucket]"""
    likely = _likelihoods(len(start))
    found = np.zeros((len(tree), len(start)))
    found[0] = start / start.sum()
    rounds = np.array([betting.round for betting in tree.bettings])
    facing = np.zeros(len(tree), np.int64)
    for node, now in tree.situations(opponent).items():
        facing[node] = now.facing
    for children in tree.levels[1:]:
        parents = tree.parent[children]
        theirs = tree.actor[parents] == opponent
        factor = np.where(theirs[:, None], likely[facing[parents], tree.kind[children]], 1.0)
        next_round = (rounds[children] > rounds[parents])[:, None] & (tree.actor[children] != NOBODY)[:, None]
        histogram = found[parents] * factor
        histogram = np.where(next_round, histogram**EARLIER, histogram)
        found[children] = histogram / histogram.sum(axis=1, keepdims=True)
    return found


def _contexts(tree: SearchTree, root: Context) -> list[Context]:
    contexts = [root]
    for node in range(1, len(tree)):
        parent = int(tree.parent[node])
        after = contexts[parent].after(int(tree.actor[parent]), tree.actions[node].kind)
        is_leaf = tree.actor[node] == NOBODY
        contexts.append(after if is_leaf else after.in_round(tree.bettings[node].round))
    return contexts


def _rows(levels: Sequence[Level], tables: list[Table], contexts: list[Context]) -> np.ndarray:
    rows = [[table.row(level(context)) for context in contexts] for level, table in zip(levels, tables, strict=True)]
    return np.array(rows, np.int64).reshape(len(levels), len(contexts))
