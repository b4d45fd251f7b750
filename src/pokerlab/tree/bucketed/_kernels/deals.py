"""Deals in the bucketed form: each seat's bucket in every round, and its strength at the end.

Deals are processed many at a time: hands are indexed in batches, so the lookups in large tables, each a cache miss,
overlap.
"""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.cards._kernels.canonical import index_rows
from pokerlab.cards._kernels.strength import strength_rows
from pokerlab.compiled import kernel
from pokerlab.tree.bucketed._kernels.exchange import deal_cards


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
    for deal in range(count):
        deal_cards(cards[deal], tables.deck, state)


@kernel
def make_deals(count, tables, buffers, state):
    """Deal `count` times: writes buckets and strengths to the buffers."""
    draw_cards(count, tables, buffers.cards, state)
    number_deals(count, tables, buffers)


@kernel
def number_deals(count, tables, buffers):
    """The buckets and strengths of the first `count` deals whose cards are in the buffers."""
    rounds = tables.boards.shape[0]
    for player in range(tables.players):
        gather(count, player, tables, buffers)
        for round_index in range(rounds):
            if round_index == 0 and tables.pairs.shape[0] > 0:
                for deal in range(count):
                    buffers.hand[deal] = tables.pairs[buffers.rows[deal, 0], buffers.rows[deal, 1]]
            elif tables.dealt[round_index] or round_index == 0:
                width = tables.private + tables.boards[round_index]
                index_rows(buffers.rows[:count, :width], tables.indexes[round_index], buffers.hand)
            classes, join = tables.tables[round_index], tables.joins[round_index]
            if join.shape[0] == 0:
                for deal in range(count):
                    buffers.bucket[deal, round_index, player] = classes[buffers.hand[deal]]
            else:
                for deal in range(count):
                    before = buffers.bucket[deal, round_index - 1, player] if round_index else 0
                    buffers.bucket[deal, round_index, player] = join[before, classes[buffers.hand[deal]]]
        rate(count, player, tables, buffers)


@kernel(allocates=False)
def gather(count, player, tables, buffers):
    """One seat's cards, then the board, as rows."""
    private, board = tables.private, buffers.cards.shape[1] - tables.players * tables.private
    for deal in range(count):
        for position in range(private):
            buffers.rows[deal, position] = buffers.cards[deal, player * private + position]
        for position in range(board):
            buffers.rows[deal, private + position] = buffers.cards[deal, tables.players * private + position]


@kernel
def rate(count, player, tables, buffers):
    """The strength of a seat's rows: by the number of the last hand, or by evaluating the cards."""
    if tables.strength.shape[0] > 0:
        for deal in range(count):
            buffers.strength[deal, player] = tables.strength[buffers.hand[deal]]
        return
    for deal in range(count):
        for position in range(buffers.rows.shape[1]):
            buffers.rows[deal, position] = tables.full[buffers.rows[deal, position]]
    strength_rows(buffers.rows[:count], tables.evaluator, buffers.order)
    for deal in range(count):
        buffers.strength[deal, player] = buffers.order[deal]
