"""Pure CFR for two players with short rounds: one round's subtree at a time, almost without branches on samples.

The plain kernel (pure.py) is limited by memory, since each decision's numbers are a cache miss, and by branch
mispredictions, since each sample is a branch. Here a walk queues the subtrees of rounds that it reaches, and prefetches
their lines (own regrets, the opponent's regrets and averages) a few subtrees ahead: not all at once, which would stall
on the limit of outstanding requests. In a subtree it samples all of the opponent's decisions at once; they form a
pattern, and tables give the rest of the subtree for each pattern: which own decisions are reached, where each own
action leads, which of the opponent's actions count.

The result is identical to that of the plain kernel, to the last bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import STRIDE, mixed
from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.batches import deal_batch
from pokerlab.solvers.bucketed._kernels.lines import add_line, multiply_line, prefetch_to_read, prefetch_to_write
from pokerlab.solvers.bucketed._kernels.tables import BITS, HALF_BITS, TO_BITS, TO_LOW, added, walk_key

LINE, ROW, PLACE = np.uint64(16), np.uint64(8), np.uint64(8)
AHEAD = np.uint64(6) * PLACE  # subtrees whose lines are prefetched before they are walked
NOUGHT, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
NO_REGRET = np.int64(0)
# columns of an entry, ENTRY wide: the sides of the two players; where the numbers of each begin for bucket 0; half the
# number of the first decision of each; numbers in a row; where the round's buckets begin in a deal; where stakes and
# entries below begin
ENTRY = 16
SIDE, START, WORDS, STEP, TURN, STAKES, BELOW = (np.uint64(column) for column in (0, 2, 4, 6, 7, 8, 9))
# columns of a side: pairs from, to; the first pattern; cells of ends; where signs begin; numbers of the other, own
# numbers; whether there are exits
PAIR, LAST_PAIR, PATTERN, ENDS, SIGNS, OTHERS, OWNS, GOES_ON = (np.uint64(column) for column in range(8))
# columns of a pair of the other's decisions: number in the line, actions, weight in the pattern; the same of the second
SLOT, MOVES, WEIGHT, SECOND = (np.uint64(column) for column in range(4))
# columns of a pattern: own decisions from, to; exits from, to; nodes visited; where counts begin; cell of the root
OWN, LAST_OWN, EXIT, LAST_EXIT, VISITED, COUNTED, ROOT = (np.uint64(column) for column in range(7))
# columns of an own decision, after SLOT and MOVES: cells of what each action leads to, its own cell, its word
LEADS, CELL, WORD, SHIFT = (np.uint64(column) for column in (2, 5, 6, 7))
# columns of the queue: entry, own numbers, the other's numbers, cell of its value above, pattern, side
AT_ENTRY, AT_OWN, AT_OTHER, AT_ABOVE, AT_PATTERN, AT_SIDE = (np.uint64(column) for column in range(6))


class Subtrees(NamedTuple):
    """Subtrees of rounds, all in one table: rows refer to others by offset.

    The entries of subtrees come first. Sides are shapes of subtrees as the traversing player 0 or 1 sees them. A
    cell holds the value of a terminal node, of an exit to the next round or of an own decision.
    """

    table: object  # [...] uint32
    cells: int  # buffer size for the cells of one subtree


class FastBuffers(NamedTuple):
    """Buffers for the walks of one thread."""

    queue: object  # [subtree * 8] uint64: the columns above
    value: object  # [subtree * cells + 1] int32
    state: object  # [1] uint64


@kernel(allocates=False, forceinline=True)
def get(table, row, column):
    """An entry of a table."""
    return np.uint64(table[row + column])


@kernel(allocates=False, forceinline=True)
def pick(regret, offset, moves, bits):
    """Sample one of two or three actions, as `sample` does."""
    one = max(np.int64(regret[offset]), NO_REGRET)
    two = max(np.int64(regret[offset + ONE]), NO_REGRET)
    three = max(np.int64(regret[offset + TWO]), NO_REGRET) if moves == THREE else NO_REGRET
    total = np.uint64(one + two + three)
    none = total == NOUGHT
    goal = np.int64((bits * (moves if none else total)) >> BITS)
    first = np.int64(1) if none else one
    second = np.int64(2) if none else one + two
    return np.uint64(first <= goal) + np.uint64(second <= goal)


@kernel(allocates=False, forceinline=True)
def pattern_of(side, other, words, key, table, regret):
    """Sample all of the opponent's decisions in a subtree: returns the offset of the pattern."""
    pattern = get(table, side, PATTERN)
    hashed = key + STRIDE * (words + ONE)
    for pair in range(get(table, side, PAIR), get(table, side, LAST_PAIR), ROW):
        word = mixed(hashed)
        hashed += STRIDE
        taken = pick(regret, other + get(table, pair, SLOT), get(table, pair, MOVES), word >> TO_BITS)
        pattern += get(table, pair, WEIGHT) * taken
        second, bits = pair + SECOND, (word >> TO_LOW) & HALF_BITS
        taken = pick(regret, other + get(table, second, SLOT), get(table, second, MOVES), bits)
        pattern += get(table, second, WEIGHT) * taken
    return pattern


@kernel(allocates=False, forceinline=True)
def count_pattern(pattern, side, other, table, average):
    """Count the opponent's actions that were reached."""
    first = get(table, pattern, COUNTED)
    add_line(average, other, table, first)
    for line in range(LINE, get(table, side, OTHERS), LINE):
        add_line(average, other + line, table, first + line)


@kernel(allocates=False, forceinline=True)
def settle(base, entry, side, outcome, table, value):
    """The values of the terminal nodes of a subtree."""
    ends = get(table, side, ENDS)
    stakes, signs = get(table, entry, STAKES), get(table, side, SIGNS) + ends * outcome
    multiply_line(value, base, table, stakes, table, signs)
    for line in range(LINE, ends, LINE):
        multiply_line(value, base + line, table, stakes + line, table, signs + line)


@kernel(allocates=False, forceinline=True)
def learn(base, pattern, own, words, key, table, value, regret):
    """Values of own decisions from below, and their regrets."""
    hashed = key + STRIDE * (words + ONE)
    for row in range(get(table, pattern, OWN), get(table, pattern, LAST_OWN), ROW):
        offset, moves = own + get(table, row, SLOT), get(table, row, MOVES)
        word = mixed(hashed + STRIDE * get(table, row, WORD))
        taken = pick(regret, offset, moves, (word >> get(table, row, SHIFT)) & HALF_BITS)
        own_value = np.int64(value[base + get(table, row, LEADS + taken)])
        one = np.int64(value[base + get(table, row, LEADS)]) - own_value
        two = np.int64(value[base + get(table, row, LEADS + ONE)]) - own_value
        three = np.int64(value[base + get(table, row, LEADS + TWO)]) - own_value if moves == THREE else NO_REGRET
        value[base + get(table, row, CELL)] = own_value
        regret[offset] = added(regret[offset], one)
        regret[offset + ONE] = added(regret[offset + ONE], two)
        # where there are two actions, this number belongs to another decision, and adding zero leaves it as it is
        regret[offset + TWO] = added(regret[offset + TWO], three)


@kernel(allocates=False, forceinline=True)
def arrive(at, entry, player, deal, bucket, table, queue):
    """Compute the offsets of both players' numbers for a subtree that is queued."""
    opponent, turn = ONE - player, deal + get(table, entry, TURN)
    step = get(table, entry, STEP)
    queue[at + AT_ENTRY], queue[at + AT_SIDE] = entry, get(table, entry, SIDE + player)
    queue[at + AT_OWN] = get(table, entry, START + player) + step * np.uint64(bucket[turn + player])
    queue[at + AT_OTHER] = get(table, entry, START + opponent) + step * np.uint64(bucket[turn + opponent])


@kernel(allocates=False, forceinline=True)
def prefetch(at, table, sums, queue):
    """Prefetch the lines of a queued subtree."""
    own, other, side = queue[at + AT_OWN], queue[at + AT_OTHER], queue[at + AT_SIDE]
    prefetch_to_read(sums.regret, other)
    prefetch_to_write(sums.average, other)
    prefetch_to_write(sums.regret, own)
    for line in range(LINE, get(table, side, OTHERS), LINE):
        prefetch_to_read(sums.regret, other + line)
        prefetch_to_write(sums.average, other + line)
    for line in range(LINE, get(table, side, OWNS), LINE):
        prefetch_to_write(sums.regret, own + line)


@kernel(allocates=False, forceinline=True)
def finish(at, base, player, key, outcome, table, sums, buffers):
    """The value of a subtree, given the values of its exits, with its learning updates."""
    queue, value = buffers.queue, buffers.value
    entry, pattern = queue[at + AT_ENTRY], queue[at + AT_PATTERN]
    settle(base, entry, queue[at + AT_SIDE], outcome, table, value)
    words = get(table, entry, WORDS + player)
    learn(base, pattern, queue[at + AT_OWN], words, key, table, value, sums.regret)
    value[queue[at + AT_ABOVE]] = value[base + get(table, pattern, ROOT)]


@kernel(allocates=False)
def walk_fast(player, key, deal, bucket, outcome, trees, sums, buffers):
    """One walk of a player; returns the nodes visited.

    bucket [deal, round, player] flat, with the walk's deal at offset `deal`; outcome 0, 1, 2: as in signs.
    """
    queue, table, cells = buffers.queue, trees.table, np.uint64(trees.cells)
    queue[AT_ABOVE] = np.uint64(buffers.value.shape[0] - 1)  # the value of the root is written to an unused cell
    arrive(NOUGHT, NOUGHT, player, deal, bucket, table, queue)
    size, at, prefetched, base, visited = PLACE, NOUGHT, PLACE, NOUGHT, ONE
    while at < size:
        while prefetched < min(size, at + AHEAD):
            prefetch(prefetched, table, sums, queue)
            prefetched += PLACE
        entry, other, side = queue[at + AT_ENTRY], queue[at + AT_OTHER], queue[at + AT_SIDE]
        pattern = pattern_of(side, other, get(table, entry, WORDS + ONE - player), key, table, sums.regret)
        queue[at + AT_PATTERN] = pattern
        visited += get(table, pattern, VISITED)
        count_pattern(pattern, side, other, table, sums.average)
        if get(table, side, GOES_ON):
            below = get(table, entry, BELOW)
            for exit in range(get(table, pattern, EXIT), get(table, pattern, LAST_EXIT), TWO):
                queue[size + AT_ABOVE] = base + get(table, exit, ONE)
                following = get(table, below, get(table, exit, NOUGHT))
                arrive(size, following, player, deal, bucket, table, queue)
                size += PLACE
        else:
            finish(at, base, player, key, outcome, table, sums, buffers)
        at += PLACE
        base += cells
    while at > NOUGHT:
        at -= PLACE
        base -= cells
        if get(table, queue[at + AT_SIDE], GOES_ON):
            finish(at, base, player, key, outcome, table, sums, buffers)
    return visited


@kernel
def advance_fast(span, trees, deals, dealt, sums, buffers):
    """As advance_pure."""
    visited, iteration = NOUGHT, span.first
    while iteration < span.last:
        begin, end, falls_here = deal_batch(iteration, span, deals, dealt, buffers.state)
        if falls_here:
            bucket = dealt.bucket.reshape(-1)
            visited += walk_deals(iteration, end, begin, span.seed, bucket, dealt.strength, trees, sums, buffers)
        iteration = end
    return visited


@kernel(allocates=False)
def walk_deals(first, last, begin, seed, bucket, strength, trees, sums, buffers):
    """Walks of both players with each of some deals of a batch that begins at an iteration.  strength [deal, player]"""
    visited, each = NOUGHT, bucket.shape[0] // strength.shape[0]
    for now in range(first, last):
        row = now - begin
        mine, theirs = strength[row, 0], strength[row, 1]
        outcome = np.uint64(mine >= theirs) + np.uint64(mine > theirs)
        for player in range(2):
            key = walk_key(seed, now, 2, player)
            visited += walk_fast(np.uint64(player), key, np.uint64(row * each), bucket, outcome, trees, sums, buffers)
    return visited
