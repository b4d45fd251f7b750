"""Random numbers by counting, and real deals of numbers and cards.

A stream is a 64-bit counter that grows by a fixed odd step; each value is mixed into a random word (splitmix64). The
word at a place of a stream depends on nothing but the place, so a run can be cut anywhere and work can be shared by
any number of threads. A number below n is the upper half of 32 random bits times n; its bias is below n / 2^32.
"""

import numpy as np

from pokerlab.cards._kernels.randomness import STRIDE, mixed
from pokerlab.compiled import kernel

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
ONE = np.uint64(1)

UPPER_MASK = np.uint64(0x1FFFF)
LOWER_MASK = np.uint64(0x3FFF)
LOWER_SHIFT = np.uint64(17)
FLUSH_BITS = np.uint64(0x8888) << np.uint64(31)


@kernel
def shuffle(order, counter):
    """Put an array into a uniformly random order; gives the counter after it."""
    last = order.shape[0] - 1
    while last > 0:
        counter += STRIDE
        random = mixed(counter)
        chosen = ((random >> HALF) * np.uint64(last + 1)) >> HALF
        order[last], order[chosen] = order[chosen], order[last]
        last -= 1
        if last > 0:
            chosen = ((random & LOW) * np.uint64(last + 1)) >> HALF
            order[last], order[chosen] = order[chosen], order[last]
            last -= 1
    return counter


@kernel
def numbers(random, count, replacement):
    """Two numbers below `count` from one random word; different ones without replacement."""
    first = ((random >> HALF) * count) >> HALF
    if replacement:
        return first, ((random & LOW) * count) >> HALF
    second = ((random & LOW) * (count - ONE)) >> HALF
    return first, second + np.uint64(second >= first)


@kernel
def two_cards(deck, start, half):
    """Move two random cards of deck[start:] to its front, from 32 random bits."""
    scaled = half * np.uint64(52 - start)
    chosen = np.uint64(start) + (scaled >> HALF)
    deck[start], deck[chosen] = deck[chosen], deck[start]
    scaled = (scaled & LOW) * np.uint64(51 - start)
    chosen = np.uint64(start + 1) + (scaled >> HALF)
    deck[start + 1], deck[chosen] = deck[chosen], deck[start + 1]


@kernel
def hands(deck, random):
    """Deal two cards each to the front of the deck: places 0, 1 and 2, 3."""
    two_cards(deck, 0, random >> HALF)
    two_cards(deck, 2, random & LOW)


@kernel
def board(deck, counter, board_size):
    """Deal a board of three or five cards to places 4 and on; gives the counter after it."""
    counter += STRIDE
    random = mixed(counter)
    two_cards(deck, 4, random >> HALF)
    if board_size == 3:
        chosen = np.uint64(6) + (((random & LOW) * np.uint64(46)) >> HALF)
        deck[6], deck[chosen] = deck[chosen], deck[6]
        return counter
    two_cards(deck, 6, random & LOW)
    counter += STRIDE
    two_cards(deck, 8, mixed(counter) & LOW)
    return counter


@kernel
def flush(deck, hole, board_size, flushes):
    """The best flush class of a hand and the board, 65535 where there is none."""
    best = np.uint16(65535)
    for suit in range(4):
        ranks = np.uint64(0)
        for place in range(2 + board_size):
            card = deck[hole + place] if place < 2 else deck[2 + place]
            if card & 3 == suit:
                ranks |= ONE << np.uint64(card >> 2)
        best = min(best, flushes[ranks])
    return best


@kernel
def showdown(deck, board_size, keys, start, base, low, classes, flushes):
    """0, 1 or 2: the first hand wins, ties or loses against the second on the dealt board."""
    shared = start
    for place in range(4, 4 + board_size):
        shared += keys[deck[place]]
    key = shared + keys[deck[0]] + keys[deck[1]]
    other = shared + keys[deck[2]] + keys[deck[3]]
    first = classes[base[key & UPPER_MASK] + low[(key >> LOWER_SHIFT) & LOWER_MASK]]
    second = classes[base[other & UPPER_MASK] + low[(other >> LOWER_SHIFT) & LOWER_MASK]]
    if (key | other) & FLUSH_BITS:
        if key & FLUSH_BITS:
            first = min(first, flush(deck, 0, board_size, flushes))
        if other & FLUSH_BITS:
            second = min(second, flush(deck, 2, board_size, flushes))
    return np.int64(second < first) * 2 + np.int64(first == second)
