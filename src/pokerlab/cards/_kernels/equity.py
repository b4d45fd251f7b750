"""Kernels that count who wins: over all boards for known hands, over all deals of ranges, over random deals.

A set of cards is two sums, one addition a card: the key of cards/_kernels/strength.py, and `bits`, in which card c of
rank r and suit s is bit 16 * s + r. Hands are indices in the fixed order of the 1,326.
"""

import numpy as np

from pokerlab.cards._kernels.board import board_strengths
from pokerlab.cards._kernels.strength import FLUSH_BITS, LOWER_MASK, LOWER_SHIFT, UPPER_MASK
from pokerlab.compiled import kernel

SUIT_BITS = np.uint64(0x1FFF)
NO_CLASS = np.uint16(65535)
HAND_BITS = 11  # a hand index fits in these


@kernel
def strength_of(key, bits, base, low, classes, flushes):
    """Class of one set of cards."""
    best = classes[base[key & UPPER_MASK] + low[(key >> LOWER_SHIFT) & LOWER_MASK]]
    if key & FLUSH_BITS:
        for suit in range(4):
            best = min(best, flushes[(bits >> np.uint64(16 * suit)) & SUIT_BITS])
    return best


@kernel
def score(own_keys, own_bits, key, bits, base, low, classes, flushes, strengths, splits):
    """Add one showdown of n known hands with the rest of the cards in (key, bits) to splits [n, n + 1]."""
    best = NO_CLASS
    count = 0
    for player in range(own_keys.shape[0]):
        mine = strength_of(own_keys[player] + key, own_bits[player] + bits, base, low, classes, flushes)
        strengths[player] = mine
        if mine < best:
            best = mine
            count = 1
        elif mine == best:
            count += 1
    for player in range(own_keys.shape[0]):
        if strengths[player] == best:
            splits[player, count] += 1


@kernel
def count_boards(
    own_keys,  # [player] uint64: key of each hand with the known board, suit offsets included
    own_bits,  # [player] uint64
    deck_keys,  # [card] uint64, of cards still to come
    deck_bits,  # [card] uint64
    outer,  # [row, cards] int64: places in the deck of the first cards to come, ascending
    inner,  # 0, 1 or 2: how many more come after them
    base,
    low,
    classes,
    flushes,
    splits,  # [player, players + 1] int64: how often each takes an equal k-th of the pot, at k
):
    """Every board for known hands: all ways to add `inner` cards behind each row of `outer`."""
    size = deck_keys.shape[0]
    strengths = np.empty(own_keys.shape[0], np.uint16)
    for row in range(outer.shape[0]):
        key = np.uint64(0)
        bits = np.uint64(0)
        first = 0
        for place in outer[row]:
            key += deck_keys[place]
            bits += deck_bits[place]
            first = place + 1
        if inner == 0:
            score(own_keys, own_bits, key, bits, base, low, classes, flushes, strengths, splits)
        elif inner == 1:
            for i in range(first, size):
                score(
                    own_keys,
                    own_bits,
                    key + deck_keys[i],
                    bits + deck_bits[i],
                    base,
                    low,
                    classes,
                    flushes,
                    strengths,
                    splits,
                )
        else:
            for i in range(first, size - 1):
                key_i = key + deck_keys[i]
                bits_i = bits + deck_bits[i]
                if own_keys.shape[0] == 2:
                    count_duels(
                        own_keys,
                        own_bits,
                        key_i,
                        bits_i,
                        deck_keys[i + 1 :],
                        deck_bits[i + 1 :],
                        base,
                        low,
                        classes,
                        flushes,
                        splits,
                    )
                    continue
                for j in range(i + 1, size):
                    score(
                        own_keys,
                        own_bits,
                        key_i + deck_keys[j],
                        bits_i + deck_bits[j],
                        base,
                        low,
                        classes,
                        flushes,
                        strengths,
                        splits,
                    )


@kernel
def count_duels(own_keys, own_bits, key, bits, last_keys, last_bits, base, low, classes, flushes, splits):
    """Two known hands, one card to come: the innermost loop, kept without branches but for flushes."""
    key_a, key_b = own_keys[0] + key, own_keys[1] + key
    bits_a, bits_b = own_bits[0] + bits, own_bits[1] + bits
    wins, losses = 0, 0
    for j in range(last_keys.shape[0]):
        a = strength_of(key_a + last_keys[j], bits_a + last_bits[j], base, low, classes, flushes)
        b = strength_of(key_b + last_keys[j], bits_b + last_bits[j], base, low, classes, flushes)
        wins += a < b
        losses += a > b
    ties = last_keys.shape[0] - wins - losses
    splits[0, 1] += wins
    splits[1, 1] += losses
    splits[0, 2] += ties
    splits[1, 2] += ties


@kernel
def counting_pass(source, target, size, shift, buckets):
    """Copy the first `size` numbers of source to target, ordered by `buckets` (a power of two) values above shift."""
    ends = np.zeros(129, np.int64)
    for i in range(size):
        ends[((source[i] >> shift) & (buckets - 1)) + 1] += 1
    for bucket in range(buckets):
        ends[bucket + 1] += ends[bucket]
    for i in range(size):
        bucket = (source[i] >> shift) & (buckets - 1)
        target[ends[bucket]] = source[i]
        ends[bucket] += 1


@kernel
def sort_by_strength(packed, scratch, size):
    """Order the first `size` of packed [n] uint32 (class << 11 | hand), strongest first."""
    counting_pass(packed, scratch, size, HAND_BITS, 128)
    counting_pass(scratch, packed, size, HAND_BITS + 7, 64)


@kernel
def sweep(
    strengths,  # [1326] uint16 on one full board, 0 where a card is taken
    hands,  # [n] int16: hands of either player
    combos,  # [1326, 2] uint8
    weights,  # [1326] float64: the opponent's range
    packed,  # [1326] uint32, scratch
    scratch,  # [1326] uint32
    win,  # [1326] float64, added to: weight of opponent's hands that each hand beats
    tie,  # [1326] float64, added to
    total,  # [1326] float64, added to: weight of opponent's hands that fit with each hand
):
    """Each hand against a weighted range on one board, by one pass from the weakest hand up.

    The weight below a hand, less what shares one of its cards, is what it beats: no pair of hands is looked at.
    """
    size = 0
    for hand in hands:
        if strengths[hand]:
            packed[size] = (np.uint32(strengths[hand]) << np.uint32(HAND_BITS)) | np.uint32(hand)
            size += 1
    sort_by_strength(packed, scratch, size)
    below = 0.0
    below_card = np.zeros(52)
    level_card = np.zeros(52)
    end = size
    while end > 0:
        start = end - 1
        while start > 0 and packed[start - 1] >> HAND_BITS == packed[end - 1] >> HAND_BITS:
            start -= 1
        level = 0.0
        for i in range(start, end):
            hand = packed[i] & 2047
            weight = weights[hand]
            win[hand] += below - below_card[combos[hand, 0]] - below_card[combos[hand, 1]]
            level += weight
            level_card[combos[hand, 0]] += weight
            level_card[combos[hand, 1]] += weight
        for i in range(start, end):
            hand = packed[i] & 2047
            tie[hand] += level - level_card[combos[hand, 0]] - level_card[combos[hand, 1]] + weights[hand]
        for i in range(start, end):
            hand = packed[i] & 2047
            for card in combos[hand]:
                below_card[card] += level_card[card]
                level_card[card] = 0.0
        below += level
        end = start
    for i in range(size):
        hand = packed[i] & 2047
        total[hand] += below - below_card[combos[hand, 0]] - below_card[combos[hand, 1]] + weights[hand]


@kernel
def sweep_boards(
    boards,  # [board, 5] uint8
    dead,  # [52] bool
    keys,
    start,
    base,
    low,
    classes,
    flushes,
    hands,  # [n] int16
    combos,  # [1326, 2] uint8
    weights,  # [1326] float64
    win,  # [1326] float64, added to
    tie,  # [1326] float64, added to
    total,  # [1326] float64, added to
):
    """`sweep` over many boards."""
    strengths = np.empty(1326, np.uint16)
    packed = np.empty(1326, np.uint32)
    scratch = np.empty(1326, np.uint32)
    for i in range(boards.shape[0]):
        board_strengths(boards[i], dead, keys, start, base, low, classes, flushes, strengths)
        sweep(strengths, hands, combos, weights, packed, scratch, win, tie, total)
