"""Matches between table strategies, compiled: millions of hands per second on the tree of a small game.

Hands follow duplicate or plain matches as in block.py: the same seating and the same statistics. Random numbers are
counter-based, so that the cards of a deal are the same in each of its passes, and a match can be split anywhere. (They
are not the random numbers of `play_match`, so single hands differ; the means agree.)
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pokerlab import parallel
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.run.block import BlockResult
from pokerlab.match.run.match import open_table
from pokerlab.match.run.result import MatchResult, Tally
from pokerlab.strategy.policy import Policy
from pokerlab.strategy.profile import profile_of
from pokerlab.tree.history.layout import HistoryTree, build
from pokerlab.tree.sequence import sequence_form

if TYPE_CHECKING:
    from pokerlab.match.run._kernels import PlayedTree

_DEALS = 100_000  # at a time


def play_table_match(
    game: str | PokerGame,
    strategies: Sequence[Policy],
    *,
    hands: int,
    seed: int = 0,
    duplicate: bool = False,
    names: Sequence[str] = (),
    workers: int | None = None,
) -> MatchResult:
    """Play strategies of one game against each other.

    >>> from pokerlab import solve
    >>> strategy = solve("kuhn", algorithm="lp").strategy
    >>> result = play_table_match("kuhn", [strategy, strategy], hands=100_000, duplicate=True)
    >>> result.summaries[0].low < 0 < result.summaries[0].high
    True
    """
    from pokerlab.match.run._kernels import play_tables

    table = open_table(game, len(strategies), "strategies")
    if hands < 1:
        raise BadSetting(f"hands must be at least 1, not {hands}")
    form = sequence_form(build(table))
    tree = form.tree
    sums = np.stack([running_sums(profile_of(strategy, table, form), tree.start) for strategy in strategies])
    table_tree = played_tree(tree, sums)
    passes = table.players if duplicate else 1
    deals = -(-hands // passes)
    place = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def played(first: int) -> BlockResult:
        payoffs = np.empty((passes, min(_DEALS, deals - first), table.players))
        play_tables(table_tree, place, first, payoffs)
        return BlockResult(first // _DEALS, payoffs, None, Counter())

    began = time.perf_counter()
    tally = Tally(table.players, passes)
    for result in parallel.run(played, range(0, deals, _DEALS), workers=workers):
        tally.add(result, first=result.number * _DEALS)
    labels = tuple(names) or tuple(f"strategy {place + 1}" for place in range(len(strategies)))
    return tally.result(labels, table, seconds=time.perf_counter() - began)


def played_tree(tree: HistoryTree, sums: np.ndarray) -> PlayedTree:
    """A tree in the kernel's layout, with each agent's cumulative action probabilities.  # sums [agent, A]"""
    from pokerlab.match.run._kernels import PlayedTree

    nodes = tree.actor, tree.first_child, tree.child_count, tree.label
    return PlayedTree(*nodes, _chance_sums(tree), tree.start, sums, tree.returns)


def running_sums(probability: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Cumulative sums within each infoset.  # [A] -> [A]"""
    sums = np.cumsum(probability)
    before = np.concatenate([[0.0], sums])[start[:-1]]
    return np.asarray(sums - np.repeat(before, np.diff(start)))


def _chance_sums(tree: HistoryTree) -> np.ndarray:
    """Cumulative chance probabilities among the children of each node.  # [N]"""
    sums = np.zeros(tree.nodes)
    for node in np.flatnonzero((tree.actor < 0) & (tree.child_count > 0)).tolist():
        first, count = int(tree.first_child[node]), int(tree.child_count[node])
        sums[first : first + count] = np.cumsum(tree.probability[first : first + count])
    return sums
