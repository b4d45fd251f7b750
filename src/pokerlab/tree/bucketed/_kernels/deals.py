"""Deals in the bucketed form: each seat's bucket in every round, and its strength at the end.

Deals are processed many at a time: hands are indexed in batches, so the lookups in large tables, each a cache miss,
overlap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.canonical import index_rows
from pokerlab.cards._kernels.randomness import draw
from pokerlab.cards._kernels.strength import strength_rows
from pokerlab.compiled import kernel

THIRTY_TWO = np.uint64(32)
LOW_BITS = np.uint64(0xFFFFFFFF)


class DealTables(NamedTuple):
    """How cards are dealt and evaluated. Tuples have an entry for each of MOST_ROUNDS rounds."""

    deck: int  # cards
    players: int
    private: int  # cards of a hand
    boards: object  # [round] int64: public cards on the board in each round
    dealt: object  # [round] bool: whether it deals public cards, so that hands must be indexed again
    pairs: object  # [card, card] int64: the numbers of hands of two cards before any board; [0, 0] of other hands
    indexes: object  # tuple of cards._kernels.canonical.IndexTables
    tables: object  # tuple of [hand] uint16 or uint32: classes
    joins: object  # tuple of [bucket before, class] int32; [0, 0] if a class is a bucket
    strength: object  # [hand of the last round] int32, smaller is stronger; [0] if cards are evaluated
    evaluator: object  # cards._kernels.strength.StrengthTables of all cards of a hand
    full: object  # [card] uint8: the same card of the full deck


class DealBuffers(NamedTuple):
    """Buffers for a batch of deals."""

    cards: object  # [deal, player * private + board] uint8: hands in order of seats, then the board
    rows: object  # [deal, private + board] uint8: one seat's hand with the board
    hand: object  # [deal] int64
    order: object  # [deal] uint16
    bucket: object  # [deal, round, player] int32
    strength: object  # [deal, player] int32


@kernel(allocates=False)
def draw_cards(count, tables, cards, state):
    """Deal distinct cards into the first `count` rows; advances state [1] uint64."""
    size, deck = cards.shape[1], np.uint64(tables.deck)
    for deal in range(count):
        used, place = np.uint64(0), 0
        while place < size:
            word = draw(state)
            for half in range(2):
                part = word & LOW_BITS if half == 0 else word >> THIRTY_TWO
                card = (part * deck) >> THIRTY_TWO
                bit = np.uint64(1) << card
                if place < size and used & bit == np.uint64(0):
                    used |= bit
                    cards[deal, place] = card
                    place += 1


@kernel
def make_deals(count, tables, room, state):
    """Deal `count` times: writes buckets and strengths to the buffers."""
    draw_cards(count, tables, room.cards, state)
    number_deals(count, tables, room)


@kernel
def number_deals(count, tables, room):
    """The buckets and strengths of the first `count` deals whose cards are in the buffers."""
    rounds = tables.boards.shape[0]
    for player in range(tables.players):
        gather(count, player, tables, room)
        for turn in range(rounds):
            if turn == 0 and tables.pairs.shape[0] > 0:
                for deal in range(count):
                    room.hand[deal] = tables.pairs[room.rows[deal, 0], room.rows[deal, 1]]
            elif tables.dealt[turn] or turn == 0:
                width = tables.private + tables.boards[turn]
                index_rows(room.rows[:count, :width], tables.indexes[turn], room.hand)
            classes, join = tables.tables[turn], tables.joins[turn]
            if join.shape[0] == 0:
                for deal in range(count):
                    room.bucket[deal, turn, player] = classes[room.hand[deal]]
            else:
                for deal in range(count):
                    before = room.bucket[deal, turn - 1, player] if turn else 0
                    room.bucket[deal, turn, player] = join[before, classes[room.hand[deal]]]
        rate(count, player, tables, room)


@kernel(allocates=False)
def gather(count, player, tables, room):
    """One seat's cards, then the board, as rows."""
    private, board = tables.private, room.cards.shape[1] - tables.players * tables.private
    for deal in range(count):
        for place in range(private):
            room.rows[deal, place] = room.cards[deal, player * private + place]
        for place in range(board):
            room.rows[deal, private + place] = room.cards[deal, tables.players * private + place]


@kernel
def rate(count, player, tables, room):
    """The strength of a seat's rows: by the number of the last hand, or by evaluating the cards."""
    if tables.strength.shape[0] > 0:
        for deal in range(count):
            room.strength[deal, player] = tables.strength[room.hand[deal]]
        return
    for deal in range(count):
        for place in range(room.rows.shape[1]):
            room.rows[deal, place] = tables.full[room.rows[deal, place]]
    strength_rows(room.rows[:count], tables.evaluator, room.order)
    for deal in range(count):
        room.strength[deal, player] = room.order[deal]
