"""Kernels over deals of ranges to several players, enumerated or sampled.

`splits[player, k]` accumulates the weight of deals in which the player takes an equal k-th of the pot.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.board import board_strengths
from pokerlab.cards._kernels.equity import NO_CLASS, strength_of
from pokerlab.cards._kernels.randomness import draw, unit
from pokerlab.compiled import kernel

MOST_TRIES = 64  # draws of a hand before scanning the whole range


class Ranges(NamedTuple):
    """The hands of each range, without those that the board or a dead card blocks."""

    lengths: object  # [player] int64: number of hands of each
    hands: object  # [player, most] int16
    weights: object  # [player, 1326] float64


class Levels(NamedTuple):
    """What the players before each one hold, while hands are dealt."""

    used: object  # [player] uint64: their cards
    product: object  # [player] float64: of the weights of their hands
    best: object  # [player] uint16: the strongest of them
    leaders: object  # [player] int64: the players who hold it, as a bit set


class Drawing(NamedTuple):
    """Tables from which random hands of each range are drawn."""

    keep: object  # [player, most] float64, and
    other: object  # [player, most] int16: alias tables
    totals: object  # [player] float64: sums of the weights
    card_weights: object  # [player, 52] float64: weight of the hands with each card


class PartialBoard(NamedTuple):
    """The board so far."""

    closed: int  # uint64: board and dead cards as a set
    to_come: int  # board cards still to be dealt
    key: int  # uint64: key of the known board, suit offsets included
    bits: int  # uint64


class DeckCards(NamedTuple):
    """The cards of the deck and of each hand."""

    combos: object  # [1326, 2] uint8
    masks: object  # [1326] uint64: the two cards of each hand
    bits: object  # [52] uint64: see cards/_kernels/equity.py


@kernel
def deal_all(strengths, ranges, masks, splits):
    """Deal each player every hand of their range on one board; returns the total weight of the deals.

    strengths [1326] uint16 on the board, 0 if a card is taken; masks [1326] uint64; splits [player, players + 1]
    float64, added to
    """
    hands, lengths, weights = ranges.hands, ranges.lengths, ranges.weights
    players = hands.shape[0]
    live = np.empty(hands.shape, np.int16)
    live_lengths = np.zeros(players, np.int64)
    for player in range(players):
        for i in range(lengths[player]):
            if strengths[hands[player, i]]:
                live[player, live_lengths[player]] = hands[player, i]
                live_lengths[player] += 1
    place = np.zeros(players, np.int64)  # next hand to try, by level
    used, product = np.zeros(players, np.uint64), np.ones(players)
    best, leaders = np.full(players, NO_CLASS, np.uint16), np.zeros(players, np.int64)
    levels = Levels(used, product, best, leaders)
    total = 0.0
    last = players - 1
    level = 0
    while level >= 0:
        if level == last:
            total += last_player(strengths, live[last, : live_lengths[last]], weights[last], masks, levels, splits)
            level -= 1
            continue
        if place[level] == live_lengths[level]:
            place[level] = 0
            level -= 1
            continue
        hand = live[level, place[level]]
        place[level] += 1
        if masks[hand] & used[level]:
            continue
        used[level + 1] = used[level] | masks[hand]
        product[level + 1] = product[level] * weights[level, hand]
        mine = strengths[hand]
        best[level + 1] = min(mine, best[level])
        if mine < best[level]:
            leaders[level + 1] = 1 << level
        elif mine == best[level]:
            leaders[level + 1] = leaders[level] | (1 << level)
        else:
            leaders[level + 1] = leaders[level]
        level += 1
    return total


@kernel(allocates=False)
def last_player(strengths, live, weights, masks, levels, splits):
    """All hands of the last player, live [n], against the best of the others; adds to splits, returns the weight."""
    used, product, best, leaders = levels
    last = used.shape[0] - 1
    wins, ties, losses = 0.0, 0.0, 0.0
    to_beat = best[last]
    for hand in live:
        if not masks[hand] & used[last]:
            if strengths[hand] < to_beat:
                wins += weights[hand]
            elif strengths[hand] == to_beat:
                ties += weights[hand]
            else:
                losses += weights[hand]
    count = 0
    for player in range(last):
        count += (leaders[last] >> player) & 1
    splits[last, 1] += product[last] * wins
    splits[last, count + 1] += product[last] * ties
    for player in range(last):
        if (leaders[last] >> player) & 1:
            splits[player, count + 1] += product[last] * ties
            splits[player, count] += product[last] * losses
    return product[last] * (wins + ties + losses)


@kernel
def deal_all_boards(boards, dead, tables, ranges, masks, splits):
    """`deal_all` over boards [board, 5] uint8, without dead cards [52] bool; returns the total weight of the deals."""
    strengths = np.empty(1326, np.uint16)
    total = 0.0
    for i in range(boards.shape[0]):
        board_strengths(boards[i], dead, tables, strengths)
        total += deal_all(strengths, ranges, masks, splits)
    return total


@kernel(allocates=False)
def free_weight(held, count, total, card_weights, weights):
    """The weight of a range that shares no card with the `count` cards in held, by inclusion and exclusion."""
    left = total
    for i in range(count):
        left -= card_weights[held[i]]
        for j in range(i):
            low, high = min(held[i], held[j]), max(held[i], held[j])
            left += weights[(high * (high - 1)) // 2 + low]
    return left


@kernel(allocates=False)
def draw_hand(state, used, left, player, ranges, drawing, masks):
    """A random hand of a player's range among those that share no card with `used`; -1 if there is none.

    A draw picks a column of Walker's alias table: its own hand with probability `keep`, else the `other` one. `left` is
    the weight to draw from, for ranges that are mostly blocked.
    """
    length, hands, weights = ranges.lengths[player], ranges.hands[player], ranges.weights[player]
    keep, other = drawing.keep[player], drawing.other[player]
    for _ in range(MOST_TRIES):
        point = unit(state) * length
        column = int(point)
        hand = hands[column] if point - column < keep[column] else other[column]
        if not masks[hand] & used:
            return np.int64(hand)
    point = unit(state) * left
    chosen_hand = np.int64(-1)
    for i in range(length):
        hand = hands[i]
        if not masks[hand] & used:
            chosen_hand = np.int64(hand)
            point -= weights[hand]
            if point < 0:
                break
    return chosen_hand


@kernel
def random_deals(
    samples,
    state,  # [1] uint64, the seed
    known,
    ranges,
    drawing,
    cards,
    tables,
    moments,  # [player, 5] float64, added to: w*win, w*tie, w*share, w*w*share, w*w*share*share
):
    """Random deals: hands drawn player by player from the unblocked part of each range, weighted by its share.

    With these weights, sequential drawing agrees with drawing all hands at once and rejecting conflicts. Returns the
    sums of the weights and of their squares.
    """
    players = ranges.weights.shape[0]
    combos, totals = cards.combos, drawing.totals
    held = np.empty(2 * players, np.int64)
    own_keys = np.empty(players, np.uint64)
    own_bits = np.empty(players, np.uint64)
    strengths = np.empty(players, np.uint16)
    weight_sum, square_sum = 0.0, 0.0
    for _ in range(samples):
        used = known.closed
        weight = 1.0
        for player in range(players):
            left = free_weight(held, 2 * player, totals[player], drawing.card_weights[player], ranges.weights[player])
            hand = draw_hand(state, used, left, player, ranges, drawing, cards.masks)
            if hand < 0:
                weight = 0.0
                break
            weight *= max(0.0, left) / totals[player]
            used |= cards.masks[hand]
            first, second = combos[hand, 0], combos[hand, 1]
            held[2 * player] = first
            held[2 * player + 1] = second
            own_keys[player] = tables.keys[first] + tables.keys[second]
            own_bits[player] = cards.bits[first] + cards.bits[second]
        if weight == 0.0:
            continue
        key, bits = known.key, known.bits
        for _ in range(known.to_come):
            card = np.uint64(0)
            while True:
                card = ((draw(state) >> np.uint64(32)) * np.uint64(52)) >> np.uint64(32)
                if not (used >> card) & np.uint64(1):
                    break
            used |= np.uint64(1) << card
            key += tables.keys[card]
            bits += cards.bits[card]
        best = NO_CLASS
        count = 0
        for player in range(players):
            mine = strength_of(own_keys[player] + key, own_bits[player] + bits, tables)
            strengths[player] = mine
            if mine < best:
                best = mine
                count = 1
            elif mine == best:
                count += 1
        share = 1.0 / count
        for player in range(players):
            if strengths[player] == best:
                moments[player, 0 if count == 1 else 1] += weight
                moments[player, 2] += weight * share
                moments[player, 3] += weight * weight * share
                moments[player, 4] += weight * weight * share * share
        weight_sum += weight
        square_sum += weight * weight
    return weight_sum, square_sum
