"""Kernels that count wins: over all boards for known hands, and over all deals of two ranges.

A set of cards is two sums, one addition per card: the key of cards/_kernels/strength.py, and `bits`, in which card c of
rank r and suit s is bit 16 * s + r. Hands are indices in the fixed order of the 1,326.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.board import board_strengths
from pokerlab.cards._kernels.strength import FLUSH_BITS, plain_class
from pokerlab.cards._kernels.sweep import sort_by_strength, sweep
from pokerlab.compiled import kernel

SUIT_BITS = np.uint64(0x1FFF)
NO_CLASS = np.uint16(65535)


class CardSets(NamedTuple):
    """Some sets of cards."""

    keys: object  # [n] uint64
    bits: object  # [n] uint64


@kernel(allocates=False, forceinline=True)
def strength_of(key, bits, tables):
    """Class of one set of cards."""
    best = plain_class(key, tables)
    if key & FLUSH_BITS:
        for suit in range(4):
            best = min(best, tables.flushes[(bits >> np.uint64(16 * suit)) & SUIT_BITS])
    return best


@kernel(allocates=False, forceinline=True)
def score(own, key, bits, tables, strengths, splits):
    """Add one showdown of n known hands with the rest of the cards in (key, bits) to splits [n, n + 1]."""
    best = NO_CLASS
    count = 0
    for player in range(own.keys.shape[0]):
        mine = strength_of(own.keys[player] + key, own.bits[player] + bits, tables)
        strengths[player] = mine
        if mine < best:
            best = mine
            count = 1
        elif mine == best:
            count += 1
    for player in range(own.keys.shape[0]):
        if strengths[player] == best:
            splits[player, count] += 1


@kernel
def count_boards(
    own,  # CardSets: each player's hand with the known board, suit offsets included
    deck,  # CardSets: the cards still to come, one each
    outer,  # [row, cards] int64: deck indices of the first cards to come, ascending
    inner,  # 0, 1 or 2: number of cards dealt after them
    tables,
    splits,  # [player, players + 1] int64: how often each takes an equal k-th of the pot, at k
):
    """Every board for known hands: all choices of `inner` more cards after each row of `outer`."""
    size = deck.keys.shape[0]
    strengths = np.empty(own.keys.shape[0], np.uint16)
    for row in range(outer.shape[0]):
        key = np.uint64(0)
        bits = np.uint64(0)
        first = 0
        for place in outer[row]:
            key += deck.keys[place]
            bits += deck.bits[place]
            first = place + 1
        if inner == 0:
            score(own, key, bits, tables, strengths, splits)
        elif inner == 1:
            for i in range(first, size):
                score(own, key + deck.keys[i], bits + deck.bits[i], tables, strengths, splits)
        else:
            for i in range(first, size - 1):
                key_i = key + deck.keys[i]
                bits_i = bits + deck.bits[i]
                if own.keys.shape[0] == 2:
                    last = CardSets(deck.keys[i + 1 :], deck.bits[i + 1 :])
                    count_duels(own, key_i, bits_i, last, tables, splits)
                    continue
                for j in range(i + 1, size):
                    score(own, key_i + deck.keys[j], bits_i + deck.bits[j], tables, strengths, splits)


@kernel(allocates=False)
def count_duels(own, key, bits, last, tables, splits):
    """Two known hands, one card of `last` to come: the innermost loop, without branches except for flushes."""
    key_a, key_b = own.keys[0] + key, own.keys[1] + key
    bits_a, bits_b = own.bits[0] + bits, own.bits[1] + bits
    wins, losses = 0, 0
    for j in range(last.keys.shape[0]):
        a = strength_of(key_a + last.keys[j], bits_a + last.bits[j], tables)
        b = strength_of(key_b + last.keys[j], bits_b + last.bits[j], tables)
        wins += a < b
        losses += a > b
    ties = last.keys.shape[0] - wins - losses
    splits[0, 1] += wins
    splits[1, 1] += losses
    splits[0, 2] += ties
    splits[1, 2] += ties


@kernel
def sweep_boards(
    boards,  # [board, 5] uint8
    dead,  # [52] bool
    tables,
    hands,  # [n] int16: hands of either player
    combos,  # [1326, 2] uint8
    weights,  # [1326] float64: the opponent's range
    opposing,  # Met: added to
):
    """Each hand against a weighted range, over many boards."""
    strengths = np.empty(combos.shape[0], np.uint16)
    items = np.empty(combos.shape[0], np.int32)
    spare = np.empty(combos.shape[0], np.int32)
    for i in range(boards.shape[0]):
        board_strengths(boards[i], dead, tables, strengths)
        count = sort_by_strength(strengths, hands, items, spare)
        sweep(items, count, combos, weights, opposing)
