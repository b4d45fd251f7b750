"""Kernels of all-ins of four and more seats: hands drawn from ranges, a board, and the rank of every other hand."""

import numpy as np

from pokerlab.cards._kernels.board import board_strengths
from pokerlab.cards._kernels.randomness import unit
from pokerlab.compiled import kernel

MOST_TRIES = 200
TAKEN = 255  # a hand with a card that is held or on the board


@kernel
def deal_others(
    cumulative,  # [seat, 169] float64: running sums of the weights of classes, of each seat but the one looked at
    class_hands,  # [169, 12] int64: the hands of each class, padded with -1
    class_sizes,  # [169] int64
    cards,  # [1326, 2] uint8
    tables,  # StrengthTables of seven cards
    state,  # [1] uint64: randomness
    others,  # [deal, seat] uint16, written: strength of each seat's hand, smaller is stronger; 0 where none was dealt
    ranks,  # [deal, 1326] uint8, written: twice the hands of others that beat this one, plus one where it ties
):
    """Deal hands to the other seats, and a board, and rank every hand that the seat looked at may hold."""
    seats = cumulative.shape[0]
    dead = np.zeros(52, np.bool_)
    board = np.empty(5, np.uint8)
    held = np.empty(seats, np.int64)
    strengths = np.empty(1326, np.uint16)
    for deal in range(ranks.shape[0]):
        others[deal] = 0
        ranks[deal] = TAKEN
        if not deal_hands(cumulative, class_hands, class_sizes, cards, state, dead, held):
            continue
        for i in range(5):
            card = np.int64(unit(state) * 52)
            while dead[card]:
                card = np.int64(unit(state) * 52)
            dead[card] = True
            board[i] = card
        for card in board:
            dead[card] = False
        dead_hands = dead.copy()
        dead[:] = False
        board_strengths(board, dead, tables, strengths)
        for seat in range(seats):
            others[deal, seat] = strengths[held[seat]]
        rank_hands(strengths, dead_hands, cards, others[deal], ranks[deal])


@kernel(allocates=False)
def deal_hands(cumulative, class_hands, class_sizes, cards, state, dead, held):
    """Draw a hand for every seat until none share a card; False where that fails."""
    for _ in range(MOST_TRIES):
        dead[:] = False
        disjoint = True
        for seat in range(cumulative.shape[0]):
            number = drawn(cumulative[seat], unit(state) * cumulative[seat, 168])
            hand = class_hands[number, np.int64(unit(state) * class_sizes[number])]
            one, two = cards[hand, 0], cards[hand, 1]
            if dead[one] or dead[two]:
                disjoint = False
                break
            dead[one] = True
            dead[two] = True
            held[seat] = hand
        if disjoint:
            return True
    dead[:] = False
    return False


@kernel(allocates=False)
def drawn(cumulative, mark):
    """The first class whose running sum is above a mark, by halving."""
    low, high = 0, 168
    while low < high:
        middle = (low + high) >> 1
        if cumulative[middle] > mark:
            high = middle
        else:
            low = middle + 1
    return low


@kernel(allocates=False)
def rank_hands(strengths, dead, cards, others, ranks):
    """Rank each hand among others."""
    for hand in range(1326):
        own = strengths[hand]
        if own == 0 or dead[cards[hand, 0]] or dead[cards[hand, 1]]:
            continue
        better, tied = 0, 0
        for level in others:
            better += level < own
            tied += level == own
        ranks[hand] = 2 * better + (tied > 0)


@kernel
def class_values(
    ranks,  # [deal, 1326] uint8
    values,  # [deal, rank] float64: utility of each rank to the seat looked at
    hand_class,  # [1326] uint8
    ranges,  # [169] float64: the weight of each class of the seat looked at
    sums,  # [169, 2] float64, added to: hands dealt, and the sum of their values
    weights,  # [deal, rank] float64, added to: the weight of the hands with that rank
):
    """Sum the values of the hands of each class, and how often each rank comes up."""
    for deal in range(ranks.shape[0]):
        for hand in range(1326):
            rank = ranks[deal, hand]
            if rank != TAKEN:
                number = hand_class[hand]
                sums[number, 0] += 1.0
                sums[number, 1] += values[deal, rank]
                weights[deal, rank] += ranges[number]
