"""Counter-based random numbers, and real deals of numbers and cards.

A stream is a 64-bit counter that grows by a fixed odd step; each value is mixed into a random word (splitmix64). A word
depends only on its position in the stream, so a run can be interrupted anywhere and any number of threads can share the
work. A number below n is the upper half of 32 random bits times n; its bias is below n / 2^32.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import STRIDE, mixed
from pokerlab.cards._kernels.strength import FLUSH_BITS, plain_class
from pokerlab.compiled import kernel

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
ONE = np.uint64(1)


class Numbers(NamedTuple):
    """A deal of two numbers."""

    count: int  # uint64: numbers to deal from
    replacement: bool


class Pack(NamedTuple):
    """A deal of two hands, and of a board where it matters."""

    deck: object  # [52] uint8: all cards in any order; left shuffled
    hand_class: object  # [52, 52] uint8: class of two cards
    board_size: int
    tables: object  # StrengthTables of a hand and the board


@kernel(allocates=False)
def shuffle(order, counter):
    """Shuffle an array uniformly; returns the new counter."""
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


@kernel(allocates=False)
def numbers(random, deal):
    """Two numbers of a deal from one random word; different ones without replacement."""
    count = deal.count
    first = ((random >> HALF) * count) >> HALF
    if deal.replacement:
        return first, ((random & LOW) * count) >> HALF
    second = ((random & LOW) * (count - ONE)) >> HALF
    return first, second + np.uint64(second >= first)


@kernel(allocates=False)
def two_cards(deck, start, half):
    """Move two random cards of deck[start:] to its front, from 32 random bits."""
    scaled = half * np.uint64(52 - start)
    chosen = np.uint64(start) + (scaled >> HALF)
    deck[start], deck[chosen] = deck[chosen], deck[start]
    scaled = (scaled & LOW) * np.uint64(51 - start)
    chosen = np.uint64(start + 1) + (scaled >> HALF)
    deck[start + 1], deck[chosen] = deck[chosen], deck[start + 1]


@kernel(allocates=False)
def hands(deck, random):
    """Deal two cards each to the front of the deck: positions 0, 1 and 2, 3."""
    two_cards(deck, 0, random >> HALF)
    two_cards(deck, 2, random & LOW)


@kernel(allocates=False)
def board(deck, counter, board_size):
    """Deal a board of three or five cards to positions 4 and on; returns the new counter."""
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


@kernel(allocates=False)
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


@kernel(allocates=False)
def showdown(pack):
    """0, 1 or 2: the first hand wins, ties or loses against the second on the dealt board."""
    deck, board_size, tables = pack.deck, pack.board_size, pack.tables
    keys = tables.keys
    shared = tables.start
    for place in range(4, 4 + board_size):
        shared += keys[deck[place]]
    key = shared + keys[deck[0]] + keys[deck[1]]
    other = shared + keys[deck[2]] + keys[deck[3]]
    first = plain_class(key, tables)
    second = plain_class(other, tables)
    if (key | other) & FLUSH_BITS:
        if key & FLUSH_BITS:
            first = min(first, flush(deck, 0, board_size, tables.flushes))
        if other & FLUSH_BITS:
            second = min(second, flush(deck, 2, board_size, tables.flushes))
    return np.int64(second < first) * 2 + np.int64(first == second)
