"""The betting of a bucketed form for its solvers: chips in integer units, so that regrets are integers.

The unit is the largest that divides all payoffs, including split pots; if the largest payoff would then exceed
MOST_PAYOFF units, a larger unit is used and payoffs are rounded to it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.tree.bucketed.betting import FOLDED, BettingArrays, BettingForm, entries, grouped_offsets
from pokerlab.tree.bucketed.form import BucketedForm

if TYPE_CHECKING:
    from pokerlab.solvers.bucketed._kernels.tables import Tables

MOST_PAYOFF = 2**17


def tables_of(form: BucketedForm) -> tuple[Tables, float]:
    """The betting as kernels read it, and the unit in chips."""
    from pokerlab.solvers.bucketed._kernels import tables as kernel

    arrays = form.betting.arrays
    nodes = np.zeros((form.betting.nodes, 8), np.int32)
    nodes[:, kernel.ACTOR], nodes[:, kernel.ROUND] = arrays.actor, arrays.round
    nodes[:, kernel.FIRST], nodes[:, kernel.CHILDREN] = arrays.first, arrays.moves
    nodes[:, kernel.SLOT] = arrays.slot
    first, chips, seats = _pots(form.betting)
    nodes[:, kernel.FIRST_POT], nodes[:, kernel.LAST_POT] = first[:-1], first[1:]
    nodes[:, kernel.WORD] = decision_numbers(arrays, form.players)
    put, share, unit = _in_units(arrays.put, chips, seats)
    base, rows = form.base[:-1].copy(), np.array(form.betting.rows, np.int64)
    return kernel.Tables(nodes, put, share, seats.astype(np.int32), base, rows), unit


def _pots(betting: BettingForm) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pots of every terminal node, including those won by folds.  # [node + 1], [pot], [pot], all int64"""
    arrays = betting.arrays
    folded = np.flatnonzero(arrays.actor == FOLDED)
    sizes = np.diff(arrays.pot_first).astype(np.int64)
    before = arrays.pot_first[folded]  # their positions in the list of pots
    chips = np.insert(arrays.pot_chips.astype(np.int64), before, arrays.put[folded].sum(axis=1, dtype=np.int64))
    seats = np.insert(arrays.pot_seats.astype(np.int64), before, betting.alive[folded])
    sizes[folded] = 1
    return np.concatenate([[0], np.cumsum(sizes)]), chips, seats


def decision_numbers(arrays: BettingArrays, players: int) -> np.ndarray:
    """Consecutive numbers for a player's decisions in a round's subtree, the first one even.  # [node] int64"""
    decisions = np.flatnonzero(arrays.actor >= 0)
    group = (entries(arrays) * players + arrays.actor)[decisions]
    numbers = np.zeros(len(arrays.actor), np.int64)
    numbers[decisions], _ = grouped_offsets(group, np.ones(len(decisions), np.int64), 2)
    return numbers


def _in_units(put: np.ndarray, chips: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """The amounts put in, and what each winner of a pot gets, in units.  # [node, player], [pot, winners] int32"""
    players = put.shape[1]
    parts = math.lcm(*range(1, players + 1))  # of a chip
    sharing = np.bitwise_count(seats.astype(np.uint64)).astype(np.int64)
    paid = put.astype(np.int64) * parts
    share = np.zeros((len(chips), players + 1), np.int64)
    for winners in range(1, players + 1):
        share[:, winners] = np.where(winners <= sharing, chips * parts // winners, 0)
    divisor = int(np.gcd(np.gcd.reduce(paid, axis=None), np.gcd.reduce(share, axis=None))) or 1
    most = max(int(share.max(initial=0)), int(paid.max(initial=0)))
    divisor *= -(-most // (divisor * MOST_PAYOFF))
    half = divisor // 2
    return ((paid + half) // divisor).astype(np.int32), ((share + half) // divisor).astype(np.int32), divisor / parts
