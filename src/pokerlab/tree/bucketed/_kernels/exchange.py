"""How cards are exchanged, inside kernels: the numbers of hands, and what a hand becomes."""

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
    choose: object  # [card, place] int32: binomials, of which the number of a hand is made
    before: object  # [hand] int32: bucket
    masks: object  # [hand or 1, way] uint8: the cards thrown away, the lowest being bit 0
    discards: object  # [way] int64: how many
    order: object  # [way] int64: the ways, those of few cards first
    after: object  # [hand, 2] int32: class and strength, smaller being stronger
    memory: object  # [bucket, way] int32


@kernel(allocates=False)
def deal_cards(cards, deck, state):
    """Deal distinct cards into a row; state [1] uint64 moves on."""
    used, place, size = np.uint64(0), 0, np.uint64(deck)
    while place < cards.shape[0]:
        word = draw(state)
        for half in range(2):
            part = word & LOW_BITS if half == 0 else word >> THIRTY_TWO
            card = (part * size) >> THIRTY_TWO
            bit = np.uint64(1) << card
            if place < cards.shape[0] and used & bit == np.uint64(0):
                used |= bit
                cards[place] = card
                place += 1


@kernel(allocates=False)
def sort_hands(cards, held, hands):
    """The first cards of a row as sorted hands of the players, lowest card first.  hands [player, place]"""
    for player in range(hands.shape[0]):
        for place in range(held):
            insert(hands[player], place, cards[player * held + place])


@kernel(inline="always", allocates=False)
def insert(hand, size, card):
    """Put a card into a sorted hand of `size` cards."""
    place = size
    while place > 0 and hand[place - 1] > card:
        hand[place] = hand[place - 1]
        place -= 1
    hand[place] = card


@kernel(inline="always", allocates=False)
def hand_number(hand, choose):
    """The number of a sorted hand."""
    number = np.int64(0)
    for place in range(choose.shape[1]):
        number += choose[hand[place], place]
    return number


@kernel(allocates=False, forceinline=True)
def exchanged(player, way, first, tables, room):
    """The number of the hand that a way leads to, with the cards of the deal from `first` on.

    Of the room: cards [card], hands [player, place], number [player], spare [place], which is used.
    """
    mask = tables.masks[room.number[player] if tables.masks.shape[0] > 1 else 0, way]
    size = 0
    for place in range(tables.held):
        if not (mask >> place) & 1:
            room.spare[size] = room.hands[player, place]
            size += 1
    while size < tables.held:
        insert(room.spare, size, room.cards[first])
        first += 1
        size += 1
    return hand_number(room.spare, tables.choose)
