"""Card exchanges inside kernels: hand indices, and what a hand becomes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import draw
from pokerlab.compiled import kernel

LOW_BITS, THIRTY_TWO = np.uint64(0xFFFFFFFF), np.uint64(32)
CLASS, STRENGTH = range(2)  # columns of `after`


class ExchangeTables(NamedTuple):
    """Buckets of a game with an exchange; see abstraction/exchange_buckets.py."""

    deck: int  # cards
    held: int  # of a hand
    memories: int
    choose: object  # [card, position] int32: binomial coefficients, for indexing hands
    before: object  # [hand] int32: bucket
    masks: object  # [hand or 1, option] uint8: the cards discarded, the lowest being bit 0
    discards: object  # [option] int64: how many
    order: object  # [option] int64: the options, fewest cards first
    after: object  # [hand, 2] int32: class and strength, smaller being stronger
    memory: object  # [bucket, option] int32


@kernel(allocates=False)
def deal_cards(cards, deck, state):
    """Deal distinct cards into a row; advances state [1] uint64."""
    used, position, size = np.uint64(0), 0, np.uint64(deck)
    while position < cards.shape[0]:
        word = draw(state)
        for half in range(2):
            part = word & LOW_BITS if half == 0 else word >> THIRTY_TWO
            card = (part * size) >> THIRTY_TWO
            bit = np.uint64(1) << card
            if position < cards.shape[0] and used & bit == np.uint64(0):
                used |= bit
                cards[position] = card
                position += 1


@kernel(allocates=False)
def sort_hands(cards, held, hands):
    """The first cards of a row as sorted hands of the players, lowest card first.  hands [player, position]"""
    for player in range(hands.shape[0]):
        for position in range(held):
            insert(hands[player], position, cards[player * held + position])


@kernel(allocates=False, forceinline=True)
def insert(hand, size, card):
    """Put a card into a sorted hand of `size` cards."""
    position = size
    while position > 0 and hand[position - 1] > card:
        hand[position] = hand[position - 1]
        position -= 1
    hand[position] = card


@kernel(allocates=False, forceinline=True)
def hand_number(hand, choose):
    """The number of a sorted hand."""
    number = np.int64(0)
    for position in range(choose.shape[1]):
        number += choose[hand[position], position]
    return number


@kernel(allocates=False, forceinline=True)
def discard_mask(player, option, tables, buffers):
    """The cards that a player discards by an option, as a mask over the sorted hand.  buffers.number [player]"""
    return tables.masks[buffers.number[player] if tables.masks.shape[0] > 1 else 0, option]


@kernel(allocates=False, forceinline=True)
def exchanged(player, mask, first, tables, buffers):
    """The number of a player's hand after the cards of a mask are replaced by those of the deal from `first` on.

    Of the buffers: cards [card], hands [player, card], and spare [card], which is overwritten.
    """
    size = 0
    for position in range(tables.held):
        if not (mask >> position) & 1:
            buffers.spare[size] = buffers.hands[player, position]
            size += 1
    while size < tables.held:
        insert(buffers.spare, size, buffers.cards[first])
        first += 1
        size += 1
    return hand_number(buffers.spare, tables.choose)
