"""Kernels of hand strength measures: every hand of a board against every other, over every run-out.

On one complete board the hands are sorted and swept from the weakest to the strongest (cards/_kernels/sweep.py). A
second sweep in the same order counts the hands that were ahead before and are beaten now: running totals split by
strength before. Weights are integers (as floats), so that adding and removing are exact. Indices of the long loops are
unsigned: a signed one costs a check at each access.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.board import board_strengths
from pokerlab.cards._kernels.sweep import HAND_BITS, HAND_MASK, OpposingWeights, sort_by_strength, sweep
from pokerlab.compiled import kernel

AHEAD, TIED, BEHIND = 0, 1, 2
ONE = np.uint64(1)
CARD_GROUPS = 64  # more than the hands that share one card; the last entry is the total weight


class BoardBuffers(NamedTuple):
    """Scratch arrays in which the hands of a board are compared."""

    every: object  # [1326] int16: all hands
    strengths: object  # [1326] uint16
    items: object  # [1326] int32
    spare: object  # [1326] int32
    opposing: object  # Met


class EarlierStrengths(NamedTuple):
    """The strengths before the run-out, and the weight passed so far in a sweep of the hands after it."""

    groups: object  # [1326] int64: rank of each hand's strength among all hands, ascending, ties equal
    local: object  # [1326, 2] int64: the same among the hands with each of its cards
    below: object  # [1327] float64: weight passed so far of hands weaker before than a group; the last is the total
    below_card: object  # [52, CARD_GROUPS] float64: the same among the hands with a card; the last entry is the total
    ahead: object  # [1326] float64: weight passed so far of hands ahead before


class RunOutSums(NamedTuple):
    """Sums over run-outs, by hand."""

    scores: object  # [1326] float64: wins plus half the ties
    squares: object  # [1326] float64: score squared over opponent weight
    totals: object  # [1326] float64: opponent weight
    histogram: object  # [1326, bins] float64: opponent weight, by share won
    gains: object  # [1326] float64: weight ahead before and beaten now; length 0 skips it


class Outcomes(NamedTuple):
    """Sums over run-outs for one hand, in the order ahead, tied, behind."""

    now: object  # [3] float64: weight of opponents on the board
    table: object  # [3, 3] float64: the same, times the same after the run-out
    scores: object  # [run-out] float64: wins plus half the ties
    totals: object  # [run-out] float64: opponent weight


@kernel
def empty_buffers(number):
    """Scratch arrays for this many hands."""
    return BoardBuffers(
        np.arange(number).astype(np.int16),
        np.zeros(number, np.uint16),
        np.zeros(number, np.int32),
        np.zeros(number, np.int32),
        OpposingWeights(np.zeros(number), np.zeros(number), np.zeros(number)),
    )


@kernel
def sorted_hands(board, dead, tables, buffers):
    """Fill room.items with the hands free of dead cards, weakest first; returns how many."""
    board_strengths(board, dead, tables, buffers.strengths)
    return sort_by_strength(buffers.strengths, buffers.every, buffers.items, buffers.spare)


@kernel
def compare_hands(buffers, count, combos, weights):
    """Fill room.met with the weights that each of the sorted hands beats, ties and faces."""
    for sums in buffers.opposing:
        sums[:] = 0.0
    sweep(buffers.items, count, combos, weights, buffers.opposing)


@kernel
def compare_board(board, dead, combos, weights, tables, opposing):
    """Every hand against every other on the current board; hands with dead cards are skipped.

    board [m] uint8, dead [52] bool, combos [1326, 2] uint8, weights [1326] float64; met is added to
    """
    buffers = empty_buffers(combos.shape[0])
    count = sorted_hands(board, dead, tables, buffers)
    sweep(buffers.items, count, combos, weights, opposing)


@kernel
def group_hands(items, count, hands, before):
    """Rank the strengths before, from the sorted items; returns the number of groups.  hands [1326, 2]"""
    groups, local = before.groups, before.local
    last = np.full(52, -1, np.int64)  # the latest group seen with each card
    size = np.zeros(52, np.int64)
    group = -1
    for i in range(count):
        if i == 0 or items[i] >> HAND_BITS != items[i - 1] >> HAND_BITS:
            group += 1
        hand = items[i] & HAND_MASK
        groups[hand] = group
        for side in range(2):
            card = hands[hand, side]
            if last[card] != group:
                last[card] = group
                size[card] += 1
            local[hand, side] = size[card] - 1
    return group + 1


@kernel(allocates=False)
def add_improvements(items, count, hands, weights, before, group_count, gains):
    """Add to gains [1326] the weight of hands ahead before and beaten now; half if tied before or now."""
    groups, local, below, below_card, was_ahead = before
    for k in range(group_count + 1):
        below[k] = 0.0
    below_card[:] = 0.0
    i = 0
    while i < count:
        end = i
        while end < count and items[end] >> HAND_BITS == items[i] >> HAND_BITS:
            hand = np.uint32(items[end] & HAND_MASK)
            first, second = hands[hand, 0], hands[hand, 1]
            one, two, group = np.uint64(local[hand, 0]), np.uint64(local[hand, 1]), np.uint64(groups[hand])
            ahead = below[group_count] - below[group + ONE]
            ahead -= below_card[first, CARD_GROUPS - 1] - below_card[first, one + ONE]
            ahead -= below_card[second, CARD_GROUPS - 1] - below_card[second, two + ONE]
            tied = below[group + ONE] - below[group]
            tied -= below_card[first, one + ONE] - below_card[first, one]
            tied -= below_card[second, two + ONE] - below_card[second, two]
            was_ahead[hand] = ahead
            gains[hand] += ahead + 0.5 * tied
            end += 1
        for j in range(i, end):
            hand = np.uint32(items[j] & HAND_MASK)
            weight = weights[hand]
            for k in range(np.uint64(groups[hand] + 1), np.uint64(group_count + 1)):
                below[k] += weight
            for side in range(2):
                card = hands[hand, side]
                for k in range(np.uint64(local[hand, side] + 1), np.uint64(CARD_GROUPS)):
                    below_card[card, k] += weight
        for j in range(i, end):
            hand = np.uint32(items[j] & HAND_MASK)
            first, second = hands[hand, 0], hands[hand, 1]
            ahead = below[group_count] - below[np.uint64(groups[hand]) + ONE]
            ahead -= below_card[first, CARD_GROUPS - 1] - below_card[first, np.uint64(local[hand, 0]) + ONE]
            ahead -= below_card[second, CARD_GROUPS - 1] - below_card[second, np.uint64(local[hand, 1]) + ONE]
            gains[hand] += 0.5 * (ahead - was_ahead[hand])
        i = end


@kernel
def sum_run_outs(
    board,  # [m] uint8
    run_outs,  # [run-out, k] uint8: every set of cards still to come
    dead,  # [52] bool: cards that no hand holds, the board's included; modified and restored
    hands,  # [1326, 2] uint8
    weights,  # [1326] float64, integers
    tables_now,  # of m + 2 cards
    tables_later,  # of m + k + 2
    sums,  # RunOutSums: added to
):
    """Every hand against every other, over all run-outs of the board."""
    number = hands.shape[0]
    buffers = empty_buffers(number)
    before = EarlierStrengths(
        np.zeros(number, np.int64),
        np.zeros((number, 2), np.int64),
        np.zeros(number + 1),
        np.zeros((52, CARD_GROUPS)),
        np.zeros(number),
    )
    group_count = 0
    if sums.gains.shape[0] > 0:
        count = sorted_hands(board, dead, tables_now, buffers)
        group_count = group_hands(buffers.items, count, hands, before)
    full = np.zeros(board.shape[0] + run_outs.shape[1], np.uint8)
    for j in range(board.shape[0]):
        full[j] = board[j]
    for i in range(run_outs.shape[0]):
        for j in range(run_outs.shape[1]):
            full[board.shape[0] + j] = run_outs[i, j]
            dead[run_outs[i, j]] = True
        count = sorted_hands(full, dead, tables_later, buffers)
        compare_hands(buffers, count, hands, weights)
        if sums.gains.shape[0] > 0:
            add_improvements(buffers.items, count, hands, weights, before, group_count, sums.gains)
        add_scores(buffers, count, sums)
        for j in range(run_outs.shape[1]):
            dead[run_outs[i, j]] = False


@kernel(allocates=False)
def add_scores(buffers, count, sums):
    """Add the scores of each hand on one run-out."""
    wins, ties, opposing = buffers.opposing
    bins = sums.histogram.shape[1]
    for j in range(count):
        hand = buffers.items[j] & HAND_MASK
        if opposing[hand] > 0:
            score = wins[hand] + 0.5 * ties[hand]
            sums.scores[hand] += score
            sums.totals[hand] += opposing[hand]
            sums.squares[hand] += score * score / opposing[hand]
            sums.histogram[hand, min(int(score * bins / opposing[hand]), bins - 1)] += opposing[hand]


@kernel
def count_boards(
    boards,  # [n, 5] uint8
    counts,  # [n] int64: how many boards each represents
    hands,  # [1326, 2] uint8
    hand_class,  # [1326] uint8: 0 to 168
    tables,
    out,  # [169, 1981] int64, added to: boards, by twice the wins plus the ties against the 990 other hands
):
    """The distribution of the final strength of each class of hole cards against a uniform opponent."""
    buffers = empty_buffers(hands.shape[0])
    weights = np.ones(hands.shape[0])
    dead = np.zeros(52, np.bool_)
    for i in range(boards.shape[0]):
        for card in boards[i]:
            dead[card] = True
        count = sorted_hands(boards[i], dead, tables, buffers)
        compare_hands(buffers, count, hands, weights)
        for j in range(count):
            hand = buffers.items[j] & HAND_MASK
            out[hand_class[hand], int(2 * buffers.opposing.wins[hand] + buffers.opposing.ties[hand])] += counts[i]
        for card in boards[i]:
            dead[card] = False


@kernel
def one_hand(
    hand,  # int64: index of the hand
    board,  # [m] uint8
    run_outs,  # [run-out, k] uint8: every set of cards still to come
    dead,  # [52] bool: cards that nobody holds, the board's included
    weights,  # [1326] float64, 0 for hands that share a card with ours
    tables_now,
    tables_later,
    outcomes,  # Outcomes: added to
):
    """One hand against every other, before and after each run-out, pair by pair."""
    number = weights.shape[0]
    strengths = np.zeros(number, np.uint16)
    state = np.zeros(number, np.int64)
    board_strengths(board, dead, tables_now, strengths)
    for other in range(number):
        if strengths[other] > 0:
            state[other] = outcome_of(strengths[hand], strengths[other])
            outcomes.now[state[other]] += weights[other]
    full = np.zeros(board.shape[0] + run_outs.shape[1], np.uint8)
    for j in range(board.shape[0]):
        full[j] = board[j]
    for i in range(run_outs.shape[0]):
        for j in range(run_outs.shape[1]):
            full[board.shape[0] + j] = run_outs[i, j]
        board_strengths(full, dead, tables_later, strengths)
        for other in range(number):
            if weights[other] > 0 and strengths[other] > 0:
                outcome = outcome_of(strengths[hand], strengths[other])
                outcomes.table[state[other], outcome] += weights[other]
                outcomes.scores[i] += weights[other] * (1.0 - 0.5 * outcome)
                outcomes.totals[i] += weights[other]


@kernel(allocates=False)
def outcome_of(ours, theirs):
    """AHEAD, TIED or BEHIND; the smaller class is the stronger."""
    return AHEAD if ours < theirs else TIED if ours == theirs else BEHIND


@kernel
def count_transitions(
    hand,  # int64: index of the hand
    board,  # [m] uint8
    ahead,  # int64: 0 or 1 cards to look ahead
    dead,  # [52] bool: cards that nobody holds, the board's included
    hands,  # [1326, 2] uint8
    tables_now,
    tables_later,
    counts,  # [9] int64, added to: hands by ahead, tied, behind now, times the same after the next card
):
    """One hand against every other, now and after each next card, each counted once: fast, for one decision."""
    number = hands.shape[0]
    first, second = hands[hand, 0], hands[hand, 1]
    strengths = np.zeros(number, np.uint16)
    others, state = np.empty(number, np.int64), np.empty(number, np.int64)
    board_strengths(board, dead, tables_now, strengths)
    opposing = 0
    for other in range(number):
        one, two = hands[other, 0], hands[other, 1]
        if strengths[other] > 0 and one != first and one != second and two != first and two != second:
            others[opposing] = other
            state[opposing] = outcome_of(strengths[hand], strengths[other])
            opposing += 1
    if ahead == 0:
        for k in range(opposing):
            counts[4 * state[k]] += 1
        return
    full = np.zeros(board.shape[0] + 1, np.uint8)
    for j in range(board.shape[0]):  # not one assignment: Numba compiles that for seconds
        full[j] = board[j]
    for card in range(52):
        if dead[card] or card == first or card == second:
            continue
        full[board.shape[0]] = card
        board_strengths(full, dead, tables_later, strengths)
        ours = strengths[hand]
        for k in range(opposing):
            theirs = strengths[others[k]]
            if theirs > 0:
                counts[3 * state[k] + outcome_of(ours, theirs)] += 1
