"""Pure CFR for two players whose rounds are short: a round's subtree at a time, almost without branches on samples.

What limits the plain kernel (pure.py) is memory: each decision's numbers are a miss of the cache; and each sample is a
branch that the machine guesses wrong. Here a walk queues the subtrees of rounds that it comes to, and asks for their
lines (own regrets, the other's regrets and averages) before it walks them. In a subtree it samples all of the other's
decisions at once; they make up his pattern, and tables say what is left of the subtree for each: which own decisions
are reached, where each own action leads, which of the other's actions count.

The result is that of the plain kernel to the last bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import STRIDE, mixed
from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.prefetching import prefetch_to_read, prefetch_to_write
from pokerlab.solvers.bucketed._kernels.tables import BITS, HALF_BITS, MOST_REGRET, TO_BITS, TO_LOW, deal_key, walk_key
from pokerlab.tree.bucketed._kernels.deals import make_deals

LINE = np.uint64(16)
NOUGHT, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
NO_REGRET = np.int64(0)
# columns of entries: the side of player 0 (that of player 1 follows); the round; where the numbers of each player begin
# in a row; half the number of the first decision of each; where stakes and entries below begin
SIDE, ROUND, START, WORDS, STAKES, BELOW = (np.uint64(column) for column in (0, 1, 2, 4, 6, 7))
# columns of sides: pairs from, to; the first pattern; cells of ends; where signs begin; numbers of the other, own ones;
# whether there are exits
PAIR, LAST_PAIR, PATTERN, ENDS, SIGNS, OTHERS, OWNS, GOES_ON = (np.uint64(column) for column in range(8))
# columns of patterns: own decisions from, to; exits from, to; nodes visited; where counts begin; cell of the root
OWN, LAST_OWN, EXIT, LAST_EXIT, VISITED, COUNTED, ROOT = (np.uint64(column) for column in range(7))
# columns of own decisions: number in the line, actions, cells of what each leads to, its cell, number of its word
SLOT, MOVES, LEADS, CELL, WORD = (np.uint64(column) for column in (0, 1, 2, 5, 6))


class Subtrees(NamedTuple):
    """Subtrees of rounds, by entry; sides are shapes of subtrees as the walking player 0 or 1 sees them.

    A cell holds the value of an end, of an exit to the next round or of an own decision.
    """

    entries: object  # [entry, 8] uint32
    sides: object  # [shape * 2 + player, 8] uint32
    pairs: object  # [pair, 8] uint32: of the other's decisions: number, actions, weight in the pattern; twice
    patterns: object  # [pattern, 8] uint32
    owns: object  # [own decision of a pattern, 8] uint32, those below first
    exits: object  # [exit of a pattern, 2] uint32: which of the entry's, its cell
    counted: object  # [...] uint32: what to add to the other's lines of averages
    stakes: object  # [...] int32: what is won or lost at each end, by entry
    signs: object  # [...] int32: whether it is won or lost, for each outcome, by side
    below: object  # [exit] uint32: entry
    cells: int  # room for those of one subtree


class FastRoom(NamedTuple):
    """Room for the walks of one thread."""

    queue: object  # [place, 6] uint64: entry, own numbers, the other's numbers, cell of its value above, pattern, side
    value: object  # [place * cells + 1] int32
    state: object  # [1] uint64


@kernel(inline="always", allocates=False)
def pick(regret, place, moves, bits):
    """An action of two or three, as `sample` does it."""
    one = max(np.int64(regret[place]), NO_REGRET)
    two = max(np.int64(regret[place + ONE]), NO_REGRET)
    three = max(np.int64(regret[place + TWO]), NO_REGRET) if moves == THREE else NO_REGRET
    total = np.uint64(one + two + three)
    none = total == NOUGHT
    goal = np.int64((bits * (moves if none else total)) >> BITS)
    first = np.int64(1) if none else one
    second = np.int64(2) if none else one + two
    return np.uint64(first <= goal) + np.uint64(second <= goal)


@kernel(inline="always", allocates=False)
def pattern_of(side, other, words, key, trees, sums):
    """What the other plays at all of his decisions of a subtree, as one number."""
    pairs, regret = trees.pairs, sums.regret
    pattern = np.uint64(trees.sides[side, PATTERN])
    first = np.uint64(trees.sides[side, PAIR])
    hashed = key + STRIDE * (words + ONE)
    for pair in range(first, np.uint64(trees.sides[side, LAST_PAIR])):
        word = mixed(hashed)
        hashed += STRIDE
        moves, weight = np.uint64(pairs[pair, 1]), np.uint64(pairs[pair, 2])
        pattern += weight * pick(regret, other + np.uint64(pairs[pair, 0]), moves, word >> TO_BITS)
        moves, weight = np.uint64(pairs[pair, 4]), np.uint64(pairs[pair, 5])
        pattern += weight * pick(regret, other + np.uint64(pairs[pair, 3]), moves, (word >> TO_LOW) & HALF_BITS)
    return pattern


@kernel(inline="always", allocates=False)
def count_pattern(pattern, side, other, trees, sums):
    """Count the other's actions that were reached."""
    first = np.uint64(trees.patterns[pattern, COUNTED])
    for line in range(NOUGHT, np.uint64(trees.sides[side, OTHERS]), LINE):
        for number in range(LINE):
            sums.average[other + line + np.uint64(number)] += trees.counted[first + line + np.uint64(number)]


@kernel(inline="always", allocates=False)
def settle(base, entry, side, outcome, trees, room):
    """The values of the ends of a subtree."""
    ends = np.uint64(trees.sides[side, ENDS])
    stakes, signs = np.uint64(trees.entries[entry, STAKES]), np.uint64(trees.sides[side, SIGNS]) + ends * outcome
    for line in range(NOUGHT, ends, LINE):
        for number in range(LINE):
            end = line + np.uint64(number)
            room.value[base + end] = trees.stakes[stakes + end] * trees.signs[signs + end]


@kernel(inline="always", allocates=False)
def bounded(regret):
    """A regret that has stopped growing."""
    return np.int32(min(max(regret, -MOST_REGRET), MOST_REGRET))


@kernel(inline="always", allocates=False)
def learn(base, pattern, own, words, key, trees, sums, room):
    """Values of own decisions from below, and their regrets."""
    owns, value, regret = trees.owns, room.value, sums.regret
    for index in range(np.uint64(trees.patterns[pattern, OWN]), np.uint64(trees.patterns[pattern, LAST_OWN])):
        place, moves, number = own + owns[index, SLOT], np.uint64(owns[index, MOVES]), np.uint64(owns[index, WORD])
        word = mixed(key + STRIDE * (words + (number >> ONE) + ONE))
        bits = (word >> TO_BITS) if number & ONE == NOUGHT else (word >> TO_LOW) & HALF_BITS
        taken = pick(regret, place, moves, bits)
        worth = np.int64(value[base + np.uint64(owns[index, LEADS + taken])])
        value[base + np.uint64(owns[index, CELL])] = worth
        gain = np.int64(value[base + np.uint64(owns[index, LEADS])]) - worth
        regret[place] = bounded(regret[place] + gain)
        gain = np.int64(value[base + np.uint64(owns[index, LEADS + ONE])]) - worth
        regret[place + ONE] = bounded(regret[place + ONE] + gain)
        if moves == THREE:
            gain = np.int64(value[base + np.uint64(owns[index, LEADS + TWO])]) - worth
            regret[place + TWO] = bounded(regret[place + TWO] + gain)


@kernel(inline="always", allocates=False)
def arrive(at, player, bucket, trees, tables, sums, room):
    """Find the numbers of both players for a subtree in the queue, and ask for their lines."""
    entries, entry, opponent = trees.entries, room.queue[at, 0], ONE - player
    turn, side = np.uint64(entries[entry, ROUND]), np.uint64(entries[entry, SIDE]) + player
    base, row = np.uint64(tables.base[turn]), np.uint64(tables.rows[turn])
    own = base + row * np.uint64(bucket[turn, player]) + np.uint64(entries[entry, START + player])
    other = base + row * np.uint64(bucket[turn, opponent]) + np.uint64(entries[entry, START + opponent])
    room.queue[at, 1], room.queue[at, 2], room.queue[at, 5] = own, other, side
    for line in range(other, other + np.uint64(trees.sides[side, OTHERS]), LINE):
        prefetch_to_read(sums.regret, line)
        prefetch_to_write(sums.average, line)
    for line in range(own, own + np.uint64(trees.sides[side, OWNS]), LINE):
        prefetch_to_write(sums.regret, line)


@kernel(inline="always", allocates=False)
def finish(at, player, key, outcome, trees, sums, room):
    """The value of a subtree whose exits have theirs, and what is learned in it."""
    queue = room.queue
    entry, pattern, side = queue[at, 0], queue[at, 4], queue[at, 5]
    base = at * np.uint64(trees.cells)
    settle(base, entry, side, outcome, trees, room)
    words = np.uint64(trees.entries[entry, WORDS + player])
    learn(base, pattern, queue[at, 1], words, key, trees, sums, room)
    room.value[queue[at, 3]] = room.value[base + np.uint64(trees.patterns[pattern, ROOT])]


@kernel(allocates=False)
def walk_fast(player, key, bucket, outcome, trees, tables, sums, room):
    """One walk of a player; returns the nodes visited.  bucket [round, player]; outcome 0, 1, 2: as in signs"""
    queue, cells = room.queue, np.uint64(trees.cells)
    queue[0, 0], queue[0, 3] = NOUGHT, np.uint64(room.value.shape[0] - 1)  # its value goes where nobody looks
    arrive(NOUGHT, player, bucket, trees, tables, sums, room)
    size, at, visited = ONE, NOUGHT, ONE
    while at < size:
        entry, other, side = queue[at, 0], queue[at, 2], queue[at, 5]
        words = np.uint64(trees.entries[entry, WORDS + ONE - player])
        pattern = pattern_of(side, other, words, key, trees, sums)
        queue[at, 4] = pattern
        visited += trees.patterns[pattern, VISITED]
        count_pattern(pattern, side, other, trees, sums)
        if trees.sides[side, GOES_ON]:
            below = np.uint64(trees.entries[entry, BELOW])
            for exit in range(np.uint64(trees.patterns[pattern, EXIT]), np.uint64(trees.patterns[pattern, LAST_EXIT])):
                queue[size, 0] = trees.below[below + trees.exits[exit, 0]]
                queue[size, 3] = at * cells + trees.exits[exit, 1]
                arrive(size, player, bucket, trees, tables, sums, room)
                size += ONE
        else:
            finish(at, player, key, outcome, trees, sums, room)
        at += ONE
    while at > NOUGHT:
        at -= ONE
        if trees.sides[queue[at, 5], GOES_ON]:
            finish(at, player, key, outcome, trees, sums, room)
    return visited


@kernel
def advance_fast(span, trees, tables, deals, dealt, sums, room):
    """As advance_pure."""
    visited, at_a_time = NOUGHT, dealt.strength.shape[0]
    iteration = span.first
    while iteration < span.last:
        batch = iteration // at_a_time
        begin, end = batch * at_a_time, min((batch + 1) * at_a_time, span.last)
        if batch % span.members == span.member:
            room.state[0] = deal_key(span.seed, batch)
            make_deals(end - begin, deals, dealt, room.state)
            visited += walk_deals(iteration, end, begin, span.seed, trees, tables, dealt, sums, room)
        iteration = end
    return visited


@kernel(allocates=False)
def walk_deals(first, last, begin, seed, trees, tables, dealt, sums, room):
    """Walks of both players with each of some deals of a batch that begins at an iteration."""
    visited = NOUGHT
    for now in range(first, last):
        bucket, strength = dealt.bucket[now - begin], dealt.strength[now - begin]
        outcome = np.uint64(strength[0] >= strength[1]) + np.uint64(strength[0] > strength[1])
        for player in range(2):
            key = walk_key(seed, now, 2, player)
            visited += walk_fast(np.uint64(player), key, bucket, outcome, trees, tables, sums, room)
    return visited
