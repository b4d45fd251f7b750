"""Kernels of hand strength measures: every hand of a board against every other, over every run-out.

On one complete board the strengths of all hands are sorted once and swept from the weakest to the strongest. A running
total of weight, and one for each card, tell at each hand how much it beats, its own two cards removed. A second sweep
in the same order finds the hands that were ahead before and are beaten now: running totals split by strength before.
Weights are whole numbers (as floats), so that adding and removing are exact.
"""

import numpy as np

from pokerlab.cards._kernels.board import board_strengths
from pokerlab.compiled import kernel

AHEAD, TIED, BEHIND = 0, 1, 2
HAND_BITS = 11  # a hand, 0 to 1325, beside its strength
HAND_MASK = (1 << HAND_BITS) - 1
RADIX_BITS = 7
CARD_GROUPS = 64  # more than the hands that share one card, and the last entry is the weight of all


@kernel
def sorted_hands(board, dead, keys, start, base, low, classes, flushes, strengths, items, spare):
    """Fill items [1326] int32 with the hands free of dead cards, weakest first; returns how many.

    An item is the class, then the hand's number in the low bits: equal high parts are ties.
    """
    board_strengths(board, dead, keys, start, base, low, classes, flushes, strengths)
    count = 0
    for hand in range(strengths.shape[0]):
        if strengths[hand] > 0:
            items[count] = (np.int32(strengths[hand]) << HAND_BITS) | hand
            count += 1
    places = np.zeros((2, 1 << RADIX_BITS), np.int64)
    digit_mask = (1 << RADIX_BITS) - 1
    for i in range(count):
        places[0, (items[i] >> HAND_BITS) & digit_mask] += 1
        places[1, items[i] >> (HAND_BITS + RADIX_BITS)] += 1
    for digit in range(2):  # least digit first; large classes, the weak hands, to the front
        place = 0
        for value in range(digit_mask, -1, -1):
            size = places[digit, value]
            places[digit, value] = place
            place += size
        source, target = (items, spare) if digit == 0 else (spare, items)
        for i in range(count):
            value = (source[i] >> (HAND_BITS + digit * RADIX_BITS)) & digit_mask
            target[places[digit, value]] = source[i]
            places[digit, value] += 1
    return count


@kernel
def compare_hands(items, count, hands, weights, wins, ties, totals):
    """Weight of the hands that each hand beats, ties, and meets at all; by number of the hand [1326]."""
    total = 0.0
    of_card = np.zeros(52, np.float64)
    i = 0
    while i < count:
        end = i
        while end < count and items[end] >> HAND_BITS == items[i] >> HAND_BITS:
            hand = items[end] & HAND_MASK
            wins[hand] = total - of_card[hands[hand, 0]] - of_card[hands[hand, 1]]
            end += 1
        for j in range(i, end):
            hand = items[j] & HAND_MASK
            total += weights[hand]
            of_card[hands[hand, 0]] += weights[hand]
            of_card[hands[hand, 1]] += weights[hand]
        for j in range(i, end):
            hand = items[j] & HAND_MASK
            others = total - of_card[hands[hand, 0]] - of_card[hands[hand, 1]] + weights[hand]
            ties[hand] = others - wins[hand]
        i = end
    for j in range(count):
        hand = items[j] & HAND_MASK
        totals[hand] = total - of_card[hands[hand, 0]] - of_card[hands[hand, 1]] + weights[hand]


@kernel
def compare_board(board, dead, hands, weights, keys, start, base, low, classes, flushes, wins, ties, totals):
    """Every hand against every other on the board as it is; hands with dead cards are left alone."""
    number = hands.shape[0]
    items, spare, strengths = np.zeros(number, np.int32), np.zeros(number, np.int32), np.zeros(number, np.uint16)
    count = sorted_hands(board, dead, keys, start, base, low, classes, flushes, strengths, items, spare)
    compare_hands(items, count, hands, weights, wins, ties, totals)


@kernel
def group_hands(items, count, hands, groups, local):
    """Number the strengths before: groups [1326] among all hands, local [1326, 2] among those with each of its cards.

    Numbers rise with strength, and ties are equal. Returns how many groups there are.
    """
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


@kernel
def add_improvements(items, count, hands, weights, groups, local, group_count, below, below_card, before, gains):
    """Add to gains [1326] the weight of hands ahead before and beaten now; halves where a tie is before or now.

    below [group] is the weight met so far of hands weaker before than a group; below_card [52, group] the same among
    the hands with a card. The last entry of each is the weight of all groups.
    """
    for k in range(group_count + 1):
        below[k] = 0.0
    below_card[:] = 0.0
    i = 0
    while i < count:
        end = i
        while end < count and items[end] >> HAND_BITS == items[i] >> HAND_BITS:
            hand = items[end] & HAND_MASK
            first, second = hands[hand, 0], hands[hand, 1]
            one, two, group = local[hand, 0], local[hand, 1], groups[hand]
            ahead = below[group_count] - below[group + 1]
            ahead -= below_card[first, CARD_GROUPS - 1] - below_card[first, one + 1]
            ahead -= below_card[second, CARD_GROUPS - 1] - below_card[second, two + 1]
            tied = below[group + 1] - below[group]
            tied -= below_card[first, one + 1] - below_card[first, one]
            tied -= below_card[second, two + 1] - below_card[second, two]
            before[hand] = ahead
            gains[hand] += ahead + 0.5 * tied
            end += 1
        for j in range(i, end):
            hand = items[j] & HAND_MASK
            weight = weights[hand]
            for k in range(np.uint64(groups[hand] + 1), np.uint64(group_count + 1)):
                below[k] += weight
            for side in range(2):
                card = hands[hand, side]
                for k in range(np.uint64(local[hand, side] + 1), np.uint64(CARD_GROUPS)):
                    below_card[card, k] += weight
        for j in range(i, end):
            hand = items[j] & HAND_MASK
            first, second = hands[hand, 0], hands[hand, 1]
            ahead = below[group_count] - below[groups[hand] + 1]
            ahead -= below_card[first, CARD_GROUPS - 1] - below_card[first, local[hand, 0] + 1]
            ahead -= below_card[second, CARD_GROUPS - 1] - below_card[second, local[hand, 1] + 1]
            gains[hand] += 0.5 * (ahead - before[hand])
        i = end


@kernel
def sum_run_outs(
    board,  # [m] uint8
    run_outs,  # [run-out, k] uint8: the cards still to come, in every way
    dead,  # [52] bool: cards that no hand holds, the board's among them; changed and restored
    hands,  # [1326, 2] uint8
    weights,  # [1326] float64, whole numbers
    keys,
    start,
    base_now,  # tables of classes for m + 2 cards
    base_later,  # and for m + k + 2
    low,
    classes,
    flushes,
    scores,  # [1326] float64, added to: wins and half of ties
    squares,  # [1326] float64, added to: score squared over weight met
    totals,  # [1326] float64, added to: weight met
    histogram,  # [1326, bins] float64, added to: weight met, by share won
    gains,  # [1326] float64, added to: weight ahead before and beaten now; [0] leaves it out
):
    """Every hand against every other, over all run-outs of the board."""
    number = hands.shape[0]
    items, spare = np.zeros(number, np.int32), np.zeros(number, np.int32)
    strengths = np.zeros(number, np.uint16)
    wins, ties, met = np.zeros(number), np.zeros(number), np.zeros(number)
    groups, local = np.zeros(number, np.int64), np.zeros((number, 2), np.int64)
    below, below_card, before = np.zeros(number + 1), np.zeros((52, CARD_GROUPS)), np.zeros(number)
    group_count = 0
    if gains.shape[0] > 0:
        count = sorted_hands(board, dead, keys, start, base_now, low, classes, flushes, strengths, items, spare)
        group_count = group_hands(items, count, hands, groups, local)
    bins = histogram.shape[1]
    full = np.zeros(board.shape[0] + run_outs.shape[1], np.uint8)
    for j in range(board.shape[0]):
        full[j] = board[j]
    for i in range(run_outs.shape[0]):
        for j in range(run_outs.shape[1]):
            full[board.shape[0] + j] = run_outs[i, j]
            dead[run_outs[i, j]] = True
        count = sorted_hands(full, dead, keys, start, base_later, low, classes, flushes, strengths, items, spare)
        compare_hands(items, count, hands, weights, wins, ties, met)
        if gains.shape[0] > 0:
            add_improvements(items, count, hands, weights, groups, local, group_count, below, below_card, before, gains)
        for j in range(count):
            hand = items[j] & HAND_MASK
            if met[hand] > 0:
                score = wins[hand] + 0.5 * ties[hand]
                scores[hand] += score
                totals[hand] += met[hand]
                squares[hand] += score * score / met[hand]
                histogram[hand, min(int(score * bins / met[hand]), bins - 1)] += met[hand]
        for j in range(run_outs.shape[1]):
            dead[run_outs[i, j]] = False


@kernel
def count_boards(
    boards,  # [n, 5] uint8
    counts,  # [n] int64: how many boards each stands for
    hands,  # [1326, 2] uint8
    hand_class,  # [1326] uint8: 0 to 168
    keys,
    start,
    base,
    low,
    classes,
    flushes,
    out,  # [169, 1981] int64, added to: boards, by twice the wins plus the ties against the 990 other hands
):
    """The distribution of final strength of each class of hole cards against a uniform opponent."""
    number = hands.shape[0]
    items, spare = np.zeros(number, np.int32), np.zeros(number, np.int32)
    strengths = np.zeros(number, np.uint16)
    wins, ties, met = np.zeros(number), np.zeros(number), np.zeros(number)
    weights = np.ones(number)
    dead = np.zeros(52, np.bool_)
    for i in range(boards.shape[0]):
        for card in boards[i]:
            dead[card] = True
        count = sorted_hands(boards[i], dead, keys, start, base, low, classes, flushes, strengths, items, spare)
        compare_hands(items, count, hands, weights, wins, ties, met)
        for j in range(count):
            hand = items[j] & HAND_MASK
            out[hand_class[hand], int(2 * wins[hand] + ties[hand])] += counts[i]
        for card in boards[i]:
            dead[card] = False


@kernel
def one_hand(
    hand,  # int64: number of the hand
    board,  # [m] uint8
    run_outs,  # [run-out, k] uint8: the cards still to come, in every way
    dead,  # [52] bool: cards that nobody holds, the board's among them
    weights,  # [1326] float64, 0 for hands that share a card with ours
    keys,
    start,
    base_now,
    base_later,
    low,
    classes,
    flushes,
    now,  # [3] float64, added to: weight of opponents by ahead, tied, behind on the board
    table,  # [3, 3] float64, added to: weight by ahead, tied, behind on the board, and the same after the run-out
    scores,  # [run-out] float64 out: wins and half of ties
    totals,  # [run-out] float64 out: weight met
):
    """One hand against every other, before and after each run-out, pair by pair."""
    number = weights.shape[0]
    strengths = np.zeros(number, np.uint16)
    state = np.zeros(number, np.int64)
    board_strengths(board, dead, keys, start, base_now, low, classes, flushes, strengths)
    for other in range(number):
        if strengths[other] > 0:
            state[other] = outcome_of(strengths[hand], strengths[other])
            now[state[other]] += weights[other]
    full = np.zeros(board.shape[0] + run_outs.shape[1], np.uint8)
    for j in range(board.shape[0]):
        full[j] = board[j]
    for i in range(run_outs.shape[0]):
        for j in range(run_outs.shape[1]):
            full[board.shape[0] + j] = run_outs[i, j]
        board_strengths(full, dead, keys, start, base_later, low, classes, flushes, strengths)
        for other in range(number):
            if weights[other] > 0 and strengths[other] > 0:
                outcome = outcome_of(strengths[hand], strengths[other])
                table[state[other], outcome] += weights[other]
                scores[i] += weights[other] * (1.0 - 0.5 * outcome)
                totals[i] += weights[other]


@kernel
def outcome_of(ours, theirs):
    """AHEAD, TIED or BEHIND; the smaller class is the stronger."""
    return AHEAD if ours < theirs else TIED if ours == theirs else BEHIND


@kernel
def count_transitions(
    hand,  # int64: number of the hand
    board,  # [m] uint8
    ahead,  # int64: 0 or 1 cards to look ahead
    dead,  # [52] bool: cards that nobody holds, the board's among them
    hands,  # [1326, 2] uint8
    keys,
    start,
    base_now,
    base_later,
    low,
    classes,
    flushes,
    counts,  # [9] int64, added to: hands by ahead, tied, behind now, times the same after the next card
):
    """One hand against every other, now and after each next card, counting each once: the fast way for one decision."""
    number = hands.shape[0]
    first, second = hands[hand, 0], hands[hand, 1]
    strengths = np.zeros(number, np.uint16)
    others, state = np.empty(number, np.int64), np.empty(number, np.int64)
    board_strengths(board, dead, keys, start, base_now, low, classes, flushes, strengths)
    met = 0
    for other in range(number):
        one, two = hands[other, 0], hands[other, 1]
        if strengths[other] > 0 and one != first and one != second and two != first and two != second:
            others[met] = other
            state[met] = outcome_of(strengths[hand], strengths[other])
            met += 1
    if ahead == 0:
        for k in range(met):
            counts[4 * state[k]] += 1
        return
    full = np.zeros(board.shape[0] + 1, np.uint8)
    full[: board.shape[0]] = board
    for card in range(52):
        if dead[card] or card == first or card == second:
            continue
        full[board.shape[0]] = card
        board_strengths(full, dead, keys, start, base_later, low, classes, flushes, strengths)
        ours = strengths[hand]
        for k in range(met):
            theirs = strengths[others[k]]
            if theirs > 0:
                counts[3 * state[k] + outcome_of(ours, theirs)] += 1
