"""Counts how often two hands on a board are in each pair of buckets, and which of them wins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.tree.bucketed._kernels.deals import draw_cards, number_deals

NO_CARD = np.uint64(0)


class BoardHands(NamedTuple):
    """The hands on one board."""

    cards: object  # [hand] uint64: bits of the private cards
    bucket: object  # [hand] int32: in the last round
    strength: object  # [hand] int32: smaller is stronger


class PairSums(NamedTuple):
    """Sums over pairs of hands, each pair in one order: symmetrize afterwards."""

    dealt: object  # [bucket, bucket] float64: weight of the pairs
    won: object  # [bucket, bucket] float64: weight of those that the first hand wins, minus that of those it loses


@kernel(allocates=False)
def add_board(count, weight, hands, sums):
    """Add every pair of the first `count` hands of a board; returns the weight of all pairs."""
    total = 0.0
    for one in range(count):
        cards, bucket, strength = hands.cards[one], hands.bucket[one], hands.strength[one]
        for other in range(one):
            if cards & hands.cards[other] == NO_CARD:
                sums.dealt[bucket, hands.bucket[other]] += weight
                total += weight
                if strength < hands.strength[other]:
                    sums.won[bucket, hands.bucket[other]] += weight
                elif strength > hands.strength[other]:
                    sums.won[bucket, hands.bucket[other]] -= weight
    return total


@kernel
def add_sampled_boards(boards, every, deals, dealt, board, hands, sums, state):
    """Add the pairs of `boards` random boards; returns the weight of all pairs.

    every [hand, private] uint8: the hands of the deck; deals: DealTables of one player; dealt: DealBuffers for as many
    deals as there are hands; board [1, cards] uint8: a buffer
    """
    total, private, last = 0.0, deals.private, deals.boards.shape[0] - 1
    for _ in range(boards):
        draw_cards(1, deals, board, state)
        count = 0
        for hand in range(every.shape[0]):
            bits, free = NO_CARD, True
            for position in range(private):
                bits |= np.uint64(1) << np.uint64(every[hand, position])
                for card in board[0]:
                    free &= every[hand, position] != card
            if free:
                dealt.cards[count, :private] = every[hand]
                dealt.cards[count, private:] = board[0]
                hands.cards[count] = bits
                count += 1
        number_deals(count, deals, dealt)
        for hand in range(count):
            hands.bucket[hand] = dealt.bucket[hand, last, 0]
            hands.strength[hand] = dealt.strength[hand, 0]
        total += add_board(count, 1.0, hands, sums)
    return total
