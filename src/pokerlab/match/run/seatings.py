"""The tables of a ring tournament, and the orders in which agents sit around one.

A table is a combination of agents. With fewer agents than seats, agents sit several times: every combination with at
least two different agents is a table. Where there are too many tables, a balanced sample is drawn, in which the numbers
of seats of two agents differ by at most one.

In which direction chips flow depends on the order of the players, so agents sit in several orders. There are (n - 1)!
orders around a table of n seats. Beyond `MOST_ORDERS` of them a balanced set is used: rotations of one zigzag through
the seats and its mirror images (Walecki's decomposition of the complete graph into cycles, 1892), in which every agent
has every other equally often on the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, factorial

import numpy as np

from pokerlab.errors import BadSetting

MOST_ORDERS = 6  # all orders of up to four players
_LOOKED_AT = 20  # tables, of which the most even is taken

Table = tuple[int, ...]  # the agents of a table, in ascending order


def table_count(agents: int, seats: int) -> int:
    """The number of tables of these agents.

    >>> table_count(5, 3), table_count(2, 3)
    (10, 2)
    """
    return comb(agents, seats) if agents >= seats else comb(agents + seats - 1, seats) - agents


def tables(agents: int, seats: int, *, most: int, rng: np.random.Generator) -> tuple[Table, ...]:
    """Every table of these agents, or a balanced sample of `most` of them.

    >>> tables(4, 3, most=10, rng=np.random.default_rng(0))
    ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    >>> tables(2, 3, most=10, rng=np.random.default_rng(0))
    ((0, 0, 1), (0, 1, 1))
    """
    if agents < 2:
        raise BadSetting(f"a tournament needs at least two agents; {agents} is named")
    if agents < seats:
        every = [table for table in combinations_with_replacement(range(agents), seats) if len(set(table)) > 1]
        return tuple(every) if len(every) <= most else _sample(every, agents, most=most, rng=rng)
    if table_count(agents, seats) <= most:
        return tuple(combinations(range(agents), seats))
    return _drawn(agents, seats, most=most, rng=rng)


def _sample(every: Sequence[Table], agents: int, *, most: int, rng: np.random.Generator) -> tuple[Table, ...]:
    """Some of these tables: each time, of a few, the one after which the numbers of seats differ least."""
    left = [every[place] for place in rng.permutation(len(every))]
    sat, chosen = np.zeros(agents), list[Table]()
    while len(chosen) < most:
        spread = [float(((sat + np.bincount(table, minlength=agents)) ** 2).sum()) for table in left[:_LOOKED_AT]]
        chosen.append(left.pop(int(np.argmin(spread))))
        sat += np.bincount(chosen[-1], minlength=agents)
    return tuple(sorted(chosen))


def _drawn(agents: int, seats: int, *, most: int, rng: np.random.Generator) -> tuple[Table, ...]:
    """Different tables of different agents, filled seat by seat with those that sat and then met least often."""
    sat, met = np.zeros(agents), np.zeros((agents, agents))
    chosen: dict[Table, None] = {}
    while len(chosen) < most:
        table = _filled(sat, met, seats, rng)
        while table in chosen:
            table = tuple(sorted(map(int, rng.choice(agents, seats, replace=False))))
        chosen[table] = None
        sat[list(table)] += 1
        met[np.ix_(table, table)] += 1
    return tuple(sorted(chosen))


def _filled(sat: np.ndarray, met: np.ndarray, seats: int, rng: np.random.Generator) -> Table:
    table = list[int]()
    for _ in range(seats):
        free = np.setdiff1d(np.arange(len(sat)), table)
        keys = rng.random(len(free)), met[np.ix_(free, np.array(table, int))].sum(axis=1), sat[free]
        table.append(int(free[np.lexsort(keys)[0]]))
    return tuple(sorted(table))


def orders(seats: int) -> tuple[tuple[int, ...], ...]:
    """The orders in which the players of a table sit: all of them, or a balanced set; each begins with player 0.

    >>> orders(3)
    ((0, 1, 2), (0, 2, 1))
    >>> [len(orders(seats)) for seats in range(2, 11)]
    [1, 2, 6, 4, 10, 6, 14, 8, 18]
    """
    if factorial(seats - 1) <= MOST_ORDERS:
        return tuple((0, *rest) for rest in permutations(range(1, seats)))
    others = seats - 1
    zigzag = [(turn + 1) // 2 if turn % 2 else -(turn // 2) for turn in range(others)]  # 0, 1, -1, 2, -2 ...
    cycles = [(others, *((step + moved) % others for step in zigzag)) for moved in range(others)]
    mirrored = [tuple(reversed(cycle)) for cycle in cycles]
    return tuple(dict.fromkeys(_from_zero(cycle) for cycle in [*cycles, *mirrored]))


def _from_zero(cycle: Sequence[int]) -> tuple[int, ...]:
    start = list(cycle).index(0)
    return (*cycle[start:], *cycle[:start])
