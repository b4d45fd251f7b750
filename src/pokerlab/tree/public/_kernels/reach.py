"""Reach in a round of a public tree, downwards; values at terminal nodes; and values of its roots, upwards.

The array layout is described in solvers/cfr/public/_kernels/rounds.py.
"""

from __future__ import annotations

import numpy as np

from pokerlab.tree.public._kernels.lanes import (
    BLOCK,
    WIDTH,
    any_positive,
    as_kind,
    fill,
    fill_row,
    fused,
    largest,
    prefetch,
    put,
    put_transposed,
    take,
    take_row,
    where_positive,
)
from pokerlab.tree.public._kernels.memory import Sweeping, inner, outer

# ---- downwards -----------------------------------------------------------------------------------------------------


@inner
def arrive(plex, seat, board, row, from_above, reach):
    """The reach of a block's roots, from that of the deals above."""
    above = seat.above[board]
    for part in range(0, BLOCK, WIDTH):
        for v in range(0, plex.roots, WIDTH):
            put_transposed(from_above, plex.roots, above, row + part, v, reach, v * BLOCK + part, BLOCK)


@inner
def spread(plex, sums, last, prediction, at, reach):
    """Own reach of every sequence on a block, from that of the roots, with a strategy proportional to positive sums."""
    zero = fill(reach, 0.0)
    endless = fill(reach, np.inf)
    ahead = fill(reach, prediction)
    following = plex.slots * BLOCK
    for node in range(plex.nodes):
        actions = plex.node_actions[node]
        first = at + plex.node_slot[node] * BLOCK
        to = (plex.roots + plex.node_slot[node]) * BLOCK
        arriving = take(reach, plex.node_sequence[node] * BLOCK)
        if not any_positive(arriving):
            for k in range(0, actions * BLOCK, BLOCK):
                put(reach, to + k, zero)
            continue
        total = zero
        for k in range(0, actions * BLOCK, BLOCK):
            positive = as_kind(reach, take(sums, first + k))
            prefetch(sums, first + following + k)
            if prediction > 0:
                positive = fused(ahead, as_kind(reach, take(last, first + k)), positive)
            positive = largest(positive, zero)
            put(reach, to + k, positive)
            total = total + positive
        divided = arriving / total
        finite = endless - divided  # as in rounds.play
        scale = where_positive(finite, divided, zero)
        equal = where_positive(finite, zero, arriving * fill(reach, 1.0 / actions))
        for k in range(0, actions * BLOCK, BLOCK):
            put(reach, to + k, fused(take(reach, to + k), scale, equal))


@inner
def depart(sequences, row, reach, tile):
    """The reach of some sequences of a block, as rows of a tile."""
    width = len(sequences)
    for part in range(0, BLOCK, WIDTH):
        for v in range(0, width, WIDTH):
            put_transposed(reach, BLOCK, sequences, v, part, tile, (row + part) * width + v, width)


@inner
def weigh(lanes, width, first, end, cards, of_card):
    """Add some rows to the weight of the hands that hold each card."""
    for row in range(first, end):
        one = cards[row, 0] * width
        other = cards[row, 1] * width
        for v in range(0, width, WIDTH):
            weight = take_row(lanes, row * width + v)
            put(of_card, one + v, take_row(of_card, one + v) + weight)
            put(of_card, other + v, take_row(of_card, other + v) + weight)


@inner
def weigh_all(of_card, width, tokens):
    """The weight of all hands: each holds two cards."""
    half = fill_row(of_card, 0.5)
    for v in range(0, width, WIDTH):
        total = fill_row(of_card, 0.0)
        for token in range(tokens):
            total = total + take_row(of_card, token * width + v)
        put(of_card, tokens * width + v, total * half)


@outer
def descend(side, level, board, sums, last, prediction, from_above, scratch):
    """A player's reach of the lanes and deals of a board, from the reach of the deals above it.

    sums and last like Store.regret and Store.last; from_above [row of the round above + 1, root]
    """
    plex, seat, tiles = side.plex, side.seat, side.tiles
    width = len(plex.lane_sequence)
    for k in range(level.tokens * width):
        tiles.of_card[k] = 0
    cards = seat.cards[board]
    for row in range(0, seat.rows, BLOCK):
        arrive(plex, seat, board, row, from_above, scratch.reach)
        spread(plex, sums, last, prediction, (board * seat.rows + row) * plex.slots, scratch.reach)
        depart(plex.lane_sequence, row, scratch.reach, tiles.lanes)
        depart(plex.deal_sequence, row, scratch.reach, tiles.deals)
        weigh(tiles.lanes, width, row, min(row + BLOCK, seat.count[board]), cards, tiles.of_card)
    weigh_all(tiles.of_card, width, level.tokens)


# ---- the ends of betting -------------------------------------------------------------------------------------------


@inner
def weigh_compatible(tiles, width, first, seat, board, row, tokens, out):
    """For a block of own hands, the weight of opposing hands that share no card, in the lanes from `first` on.

    tiles are the opponent's, with `width` lanes per hand; seat is the player's own; out like Scratch.compatible
    """
    of_card, lanes = tiles.of_card, tiles.lanes
    narrow = width - first
    everything = tokens * width
    cards, twin = seat.cards[board], seat.twin[board]
    end = max(row, min(row + BLOCK, seat.count[board]))
    for i in range(row, end):
        one = cards[i, 0] * width
        other = cards[i, 1] * width
        same = twin[i] * width
        to = (i - row) * narrow - first
        for v in range(first, width, WIDTH):
            apart = take_row(of_card, everything + v) - take_row(of_card, one + v) - take_row(of_card, other + v)
            put(out, to + v, apart + take_row(lanes, same + v))
    for k in range((end - row) * narrow, BLOCK * narrow):
        out[k] = 0


@inner
def start_sweep(sweeping):
    """Initialise `swept` before the weakest hand: no weight passed so far, minus half of all weight."""
    of_card, swept, width, narrow = sweeping.of_card, sweeping.swept, sweeping.width, sweeping.narrow
    half = fill_row(swept, -0.5)
    for token in range(sweeping.tokens + 1):
        for v in range(0, narrow, WIDTH):
            put(swept, token * narrow + v, take_row(of_card, token * width + v) * half)


@inner
def sweep(sweeping, mine, my_end, theirs, their_end, cards, other_cards):
    """Pass the hands of one strength.

    `swept` is the weight of the hands passed so far, minus half of all. The weight that an own hand beats, minus
    the weight that beats it, is the sum of `swept` before and after the hands of its strength are passed.

    The hands are own rows mine .. my_end-1 and opposing rows theirs .. their_end-1; cards [row, 2] of each player
    """
    lanes, swept, out = sweeping.lanes, sweeping.swept, sweeping.ahead
    width, narrow = sweeping.width, sweeping.narrow
    everything = sweeping.tokens * narrow
    for row in range(mine, my_end):
        one = cards[row, 0] * narrow
        other = cards[row, 1] * narrow
        for v in range(0, narrow, WIDTH):
            apart = take_row(swept, everything + v) - take_row(swept, one + v) - take_row(swept, other + v)
            put(out, row * narrow + v, apart)
    passing = everything + narrow  # summed separately, so that a small weight is not lost in the large sum
    for v in range(0, narrow, WIDTH):
        put(swept, passing + v, fill_row(swept, 0.0))
    for row in range(theirs, their_end):
        one = other_cards[row, 0] * narrow
        other = other_cards[row, 1] * narrow
        for v in range(0, narrow, WIDTH):
            weight = take_row(lanes, row * width + v)
            put(swept, passing + v, take_row(swept, passing + v) + weight)
            put(swept, one + v, take_row(swept, one + v) + weight)
            put(swept, other + v, take_row(swept, other + v) + weight)
    for v in range(0, narrow, WIDTH):
        put(swept, everything + v, take_row(swept, everything + v) + take_row(swept, passing + v))
    for row in range(mine, my_end):
        one = cards[row, 0] * narrow
        other = cards[row, 1] * narrow
        for v in range(0, narrow, WIDTH):
            apart = take_row(swept, everything + v) - take_row(swept, one + v) - take_row(swept, other + v)
            put(out, row * narrow + v, take_row(out, row * narrow + v) + apart)


@inner
def start_values(facing, board):
    """Prepare to value the terminal nodes of a board. Returns the first group."""
    tiles, plex, seat = facing.other.tiles, facing.other.plex, facing.own.seat
    ahead, narrow, level = facing.own.tiles.ahead, plex.ahead_width, facing.level
    if narrow:
        width = len(plex.lane_sequence)
        start_sweep(Sweeping(tiles.lanes, tiles.of_card, width, facing.scratch.swept, ahead, narrow, level.tokens))
        for k in range(seat.count[board] * narrow, seat.rows * narrow):
            ahead[k] = 0
    return np.int64(level.group_start[board])


@inner
def collect(tile, width, row, plain, value, to):
    """A block of rows of a tile, as vectors of hands; returns the next free offset."""
    for part in range(0, BLOCK, WIDTH):
        for v in range(0, width, WIDTH):
            put_transposed(tile, width, plain, row + part, v, value, to + v * BLOCK + part, BLOCK)
    return to + width * BLOCK


@inner
def value_lanes(facing, board, row, group):
    """The values of a block's lanes, continuing the sweep of the previous block; returns its new position."""
    tiles, plex, other_seat = facing.other.tiles, facing.other.plex, facing.other.seat
    seat, level, scratch = facing.own.seat, facing.level, facing.scratch
    ahead, narrow, width = facing.own.tiles.ahead, plex.ahead_width, len(plex.lane_sequence)
    cards, other_cards = seat.cards[board], other_seat.cards[board]
    if narrow:
        sweeping = Sweeping(tiles.lanes, tiles.of_card, width, scratch.swept, ahead, narrow, level.tokens)
        while group + 1 < level.group_start[board + 1] and seat.group[group] < row + BLOCK:
            mine, my_end = seat.group[group], seat.group[group + 1]
            theirs, their_end = other_seat.group[group], other_seat.group[group + 1]
            sweep(sweeping, mine, my_end, theirs, their_end, cards, other_cards)
            group += 1
    to = collect(ahead, narrow, row, scratch.plain, scratch.value, 0)
    first = plex.compatible_from
    if first < width:
        weigh_compatible(tiles, width, first, seat, board, row, level.tokens, scratch.compatible)
        collect(scratch.compatible, width - first, 0, scratch.plain, scratch.value, to)
    return group


# ---- upwards ---------------------------------------------------------------------------------------------------------


@inner
def sum_sources(plex, sequence, value):
    """The value of a sequence on a block."""
    action_value = fill(value, 0.0)
    for source in range(plex.source_start[sequence], plex.source_start[sequence + 1]):
        factor = fill(value, plex.source_factor[source])
        action_value = fused(factor, take(value, plex.source_value[source] * BLOCK), action_value)
    return action_value


@inner
def return_above(facing, board, row, value, to_above):
    """Add a block's root values to the deals above, once for each image of the board.

    value like Scratch.value; to_above [row of the round above + 1, root]
    """
    plex, seat, level, scratch = facing.own.plex, facing.own.seat, facing.level, facing.scratch
    for root in range(plex.roots):
        put(scratch.reach, root * BLOCK, sum_sources(plex, root, value))
    width = plex.roots
    for part in range(0, BLOCK, WIDTH):
        for v in range(0, width, WIDTH):
            put_transposed(scratch.reach, BLOCK, scratch.plain, v, part, scratch.transposed, part * width + v, width)
    factor = fill_row(value, level.chance)
    rows = min(BLOCK, seat.count[board] - row)
    for image in range(level.image_start[board], level.image_start[board + 1]):
        for i in range(rows):
            to = seat.image_row[image, row + i] * width
            for v in range(0, width, WIDTH):
                old = take_row(to_above, to + v)
                put(to_above, to + v, fused(factor, take_row(scratch.transposed, i * width + v), old))


@inner
def clear(tile):
    """Set a tile to zero."""
    for k in range(len(tile)):
        tile[k] = 0
