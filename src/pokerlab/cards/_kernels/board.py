"""Kernels that evaluate all 1,326 hands of a board at once.

On one board the class of a hand, flushes aside, depends only on its two ranks: 91 lookups serve all hands. Hands with a
flush are then corrected for the one suit in which the board allows one.
"""

import numpy as np

from pokerlab.cards._kernels.strength import FLUSH_BITS, plain_class
from pokerlab.compiled import kernel

LAST_CLASS = 7463  # one past the weakest class of ordinary poker


@kernel
def board_strengths(board, dead, tables, out):
    """Class of every hand on this board, in the order of hands, into out [1326] uint16: 0 if a card is taken.

    board [size] uint8; dead [52] bool: cards that no hand can hold, besides the board's; tables of size + 2 cards
    """
    keys = tables.keys
    taken = dead.copy()
    suits = np.zeros(4, np.uint16)
    ranks = np.zeros(13, np.uint8)
    key = tables.start
    for card in board:
        taken[card] = True
        ranks[card >> 2] += 1
        suits[card & 3] |= np.uint16(1) << np.uint16(card >> 2)
        key += keys[card]
    plain = np.empty((13, 13), np.uint16)
    rank_bits = (np.uint64(1) << np.uint64(31)) - np.uint64(1)
    for first in range(13):
        for second in range(first + 1):
            if max(ranks[first], ranks[second]) + (first == second) >= 4:
                continue  # no such cards left
            pair = key + (keys[4 * first] & rank_bits) + (keys[4 * second] & rank_bits)
            plain[first, second] = plain_class(pair, tables)
    place = 0
    for second in range(52):
        row = plain[second >> 2]
        for first in range(second):
            out[place + first] = np.uint16(0) if taken[first] or taken[second] else row[first >> 2]
        place += second
    for suit in range(4):
        flush_strengths(suit, suits[suit], key, taken, tables.flushes, out)


@kernel(allocates=False)
def flush_strengths(suit, mask, key, taken, flushes, out):
    """Correct the hands that make a flush in one suit, given the board's ranks in that suit as a mask."""
    of_suit = np.uint64(15) << np.uint64(31 + 4 * suit)
    one = np.uint64(1) << np.uint64(31 + 4 * suit)
    with_two = (key & of_suit) + one + one
    if not with_two & FLUSH_BITS:
        return
    with_one = (key & of_suit) + one
    for rank in range(13):
        second = 4 * rank + suit
        if taken[second]:
            continue
        with_second = mask | (np.uint16(1) << np.uint16(rank))
        for lower in range(rank):
            first = 4 * lower + suit
            if not taken[first]:
                place = (second * (second - 1)) // 2 + first
                out[place] = min(out[place], flushes[with_second | (np.uint16(1) << np.uint16(lower))])
        if with_one & FLUSH_BITS:
            for other in range(52):
                if other & 3 != suit and not taken[other]:
                    high, small = max(second, other), min(second, other)
                    place = (high * (high - 1)) // 2 + small
                    out[place] = min(out[place], flushes[with_second])
    if key & of_suit & FLUSH_BITS:  # the board itself is a flush: hands without the suit play it
        for second in range(52):
            for first in range(second):
                if (first & 3) != suit and (second & 3) != suit and not taken[first] and not taken[second]:
                    place = (second * (second - 1)) // 2 + first
                    out[place] = min(out[place], flushes[mask])


@kernel
def all_board_strengths(boards, dead, tables, out):
    """`board_strengths` of each row of boards [n, size] into out [n, 1326]."""
    for i in range(boards.shape[0]):
        board_strengths(boards[i], dead, tables, out[i])


@kernel
def dense_ranks(strengths, out):
    """The rank of each class among those of its board, from 1, into out [board, 1326] uint8; 0 stays 0.

    A board has 91 classes by two ranks and fewer than 60 flushes, so ranks fit in a byte.
    """
    place = np.empty(LAST_CLASS, np.uint8)
    for board in range(strengths.shape[0]):
        place[:] = 0
        row = strengths[board]
        for hand in range(row.shape[0]):
            place[row[hand]] = 1
        place[0] = 0
        rank = np.uint8(0)
        for strength in range(1, LAST_CLASS):
            rank += place[strength]
            place[strength] = rank
        for hand in range(row.shape[0]):
            out[board, hand] = place[row[hand]]


@kernel
def add_wins(
    ranks,  # [board, 1326] uint8 from dense_ranks, at most 255 boards
    weight,  # int32: the weight of each board
    wins,  # [1326, 1326] int32, added to
):
    """For every two hands, how often the first beats the second.

    Counts are bytes and four boards are processed at a time, so most of the work is comparing 32 or 64 bytes at once.
    """
    boards, hands = ranks.shape
    count = np.empty(hands, np.uint8)
    free = np.empty(boards + 1, np.int64)  # the boards that do not block the first hand
    for first in range(hands):
        length = 0
        for board in range(boards):
            free[length] = board
            length += ranks[board, first] != 0
        count[:] = 0
        whole = length - length % 4
        for i in range(0, whole, 4):
            row_a, row_b, row_c, row_d = ranks[free[i]], ranks[free[i + 1]], ranks[free[i + 2]], ranks[free[i + 3]]
            a, b, c, d = row_a[first], row_b[first], row_c[first], row_d[first]
            for second in range(hands):
                count[second] += np.uint8(np.uint8(a < row_a[second]) + np.uint8(b < row_b[second])) + np.uint8(
                    np.uint8(c < row_c[second]) + np.uint8(d < row_d[second])
                )
        for i in range(whole, length):
            row_a = ranks[free[i]]
            a = row_a[first]
            for second in range(hands):
                count[second] += np.uint8(a < row_a[second])
        total = wins[first]
        for second in range(hands):
            total[second] += weight * np.int32(count[second])
