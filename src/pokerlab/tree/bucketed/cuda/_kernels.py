"""The hands on sampled boards: which are left, their buckets, and their order.

In the last round hands are sorted from the weakest to the strongest, in the others by bucket: the hands of a bucket are
then neighbours, and are added up before they are written.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.canonical import index_rows
from pokerlab.cards._kernels.strength import strength_rows
from pokerlab.compiled import kernel


class SampledRound(NamedTuple):
    """The boards of a round, and where hands are on the boards of the round before."""

    boards: object  # [board, card] uint8
    parent: object  # [board] int32
    row_above: object  # [board of the round before, hand] int16, -1 if it is blocked
    round_index: int
    is_last: bool


class PlacedHands(NamedTuple):
    """The hands of either player on the boards of a round. Rows beyond the count are empty."""

    hand: object  # [board, row] int16, -1 where empty
    cards: object  # [board, row, 2] int16
    above: object  # [board, row] int16: row on the board before, one past its last where empty
    below: object  # [board, row above] int16: row on this board, -1 if blocked
    row: object  # [board, hand] int16, -1 if blocked
    bucket: object  # [board, row] uint16
    group: object  # [board, row + 1] int32: first row of each strength, then the count; the last round's
    groups: object  # [board] int32: how many numbers of `group` are used


class PlacingBuffers(NamedTuple):
    """Buffers of a thread. L hands are left on a board."""

    rows: object  # [L, private + board] uint8
    hand: object  # [L] int64: which of the deck's
    index: object  # [L] int64: up to suit isomorphism
    bucket: object  # [L] int32
    strength: object  # [L] int32, smaller is stronger
    rank: object  # [L] uint16


@kernel
def place_hands(first, last, sampled, hands, hand_cards, deals, placed, buffers):
    """Fill the boards of a half-open range.  # hands [hand, private] uint8, hand_cards [hand, 2] int16"""
    for board in range(first, last):
        count = left_hands(sampled.boards[board], hands, deals.private, buffers)
        number_hands(count, sampled, deals, buffers)
        if sampled.is_last:
            order = np.argsort(-buffers.strength[:count], kind="mergesort")
        else:
            order = np.argsort(buffers.bucket[:count], kind="mergesort")
        row_above = sampled.row_above[sampled.parent[board]]
        groups = 0
        for row in range(count):
            hand = buffers.hand[order[row]]
            placed.hand[board, row] = hand
            placed.cards[board, row, 0], placed.cards[board, row, 1] = hand_cards[hand, 0], hand_cards[hand, 1]
            placed.above[board, row] = row_above[hand]
            placed.below[board, row_above[hand]] = row
            placed.row[board, hand] = row
            placed.bucket[board, row] = buffers.bucket[order[row]]
            if sampled.is_last and (row == 0 or buffers.strength[order[row]] != buffers.strength[order[row - 1]]):
                placed.group[board, groups] = row
                groups += 1
        placed.group[board, groups] = count
        placed.groups[board] = groups + 1


@kernel(allocates=False)
def left_hands(board, hands, private, buffers):
    """The hands that share no card with a board, and their cards with it; returns how many there are."""
    count = 0
    for hand in range(hands.shape[0]):
        free = True
        for position in range(private):
            for card in board:
                free &= hands[hand, position] != card
        if free:
            buffers.hand[count] = hand
            for position in range(private):
                buffers.rows[count, position] = hands[hand, position]
            for position in range(board.shape[0]):
                buffers.rows[count, private + position] = board[position]
            count += 1
    return count


@kernel
def number_hands(count, sampled, deals, buffers):
    """The bucket of each hand in the round, and in the last round its strength."""
    remembers = deals.joins[sampled.round_index].shape[0] > 0
    for earlier in range(0 if remembers else sampled.round_index, sampled.round_index + 1):
        width = deals.private + deals.boards[earlier]
        if earlier == 0 and deals.pairs.shape[0] > 0:
            for hand in range(count):
                buffers.index[hand] = deals.pairs[buffers.rows[hand, 0], buffers.rows[hand, 1]]
        else:
            index_rows(buffers.rows[:count, :width], deals.indexes[earlier], buffers.index)
        classes, join = deals.tables[earlier], deals.joins[earlier]
        for hand in range(count):
            held = np.int32(classes[buffers.index[hand]])
            if join.shape[0]:
                held = np.int32(join[buffers.bucket[hand] if earlier else 0, held])
            buffers.bucket[hand] = held
    if not sampled.is_last:
        return
    if deals.strength.shape[0] > 0:
        for hand in range(count):
            buffers.strength[hand] = deals.strength[buffers.index[hand]]
        return
    for hand in range(count):
        for position in range(buffers.rows.shape[1]):
            buffers.rows[hand, position] = deals.full[buffers.rows[hand, position]]
    strength_rows(buffers.rows[:count], deals.evaluator, buffers.rank)
    for hand in range(count):
        buffers.strength[hand] = buffers.rank[hand]
