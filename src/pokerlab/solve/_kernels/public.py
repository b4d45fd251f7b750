"""One round of a public tree: reach downwards, values at the ends, values and regrets upwards.

Stored numbers lie as [board][block of 16 hands][slot][16 hands], so a block reads and writes one contiguous stretch.
What passes between rounds and to the ends of betting lies as *tiles* [hand][lane]: there a row of lanes is one vector,
moves between boards as a whole, and a sweep over hands sorted by strength serves all lanes at once. Squares of 16 by 16
are turned between the two. Tiles have one more row than hands, always zero, for hands that are not there.
"""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.compiled import kernel
from pokerlab.solve._kernels.lanes import (
    any_positive,
    as_kind,
    fill,
    fused,
    largest,
    put,
    put_transposed,
    take,
    take_transposed,
    where_positive,
)

WIDTH = 16

# Nothing is allocated in here, so arrays need no counting of references; counted, they cost more than the arithmetic.
outer = kernel(_nrt=False)
inner = kernel(_nrt=False, forceinline=True)


class Plex(NamedTuple):
    """A player's betting in a round; see tree.public.Treeplex."""

    roots: int
    nodes: int
    slots: int
    node_sequence: object  # [node] int32
    node_slot: object  # [node] int32
    node_actions: object  # [node] int32
    source_start: object  # [sequence + 1] int32
    source_value: object  # [source] int32
    source_factor: object  # [source] float of the kind computed with
    lane_sequence: object  # [lane] int32
    vectors: int
    ahead_vectors: int
    compatible_first: int
    deal_sequence: object  # [deal] int32


class Seat(NamedTuple):
    """A player's hands on the boards of a round; see tree.public.Hands."""

    rows: int
    count: object  # [board] int32
    cards: object  # [board, row, 2] int16
    above: object  # [board, row] int16
    twin: object  # [board, row] int16
    image_row: object  # [image, row] int16
    group: object  # [group] int32


class Tiles(NamedTuple):
    """What passes through a board for one player; all flat, one row a hand and one more."""

    lanes: object  # [row + 1, lane]: own reach at the lanes that the opponent's values depend on
    deals: object  # [row + 1, deal]: own reach at each deal
    ahead: object  # [row, lane of the opponent]
    compatible: object  # [row, lane of the opponent]
    worth: object  # [row + 1, deal]: own value of each deal


class Scratch(NamedTuple):
    """Room for one block, and for the sums of a sweep."""

    plain: object  # [row] int16: 0, 1, 2 ...
    reach: object  # [sequence, 16]
    strategy: object  # [slot, 16]
    value: object  # [value lane + node, 16]
    worth: object  # [action, 16]
    turned: object  # [16, root]
    of_card: object  # [card + 1, lane]: weight of the hands that hold each card; the last row holds all
    swept: object  # [card + 1, lane]


class Step(NamedTuple):
    """The numbers of one step of a schedule, the average's weight as it is stored."""

    keep_positive: float
    keep_negative: float
    floor: bool
    keep_average: float
    average_weight: float
    prediction: float


@inner
def spread(plex, sums, last, prediction, at, reach):
    """Own reach of every sequence on a block, from that of the roots, playing in proportion to positive sums."""
    zero = fill(reach, 0.0)
    ahead = fill(reach, prediction)
    for node in range(plex.nodes):
        actions = plex.node_actions[node]
        first = at + plex.node_slot[node] * WIDTH
        to = (plex.roots + plex.node_slot[node]) * WIDTH
        arriving = take(reach, plex.node_sequence[node] * WIDTH)
        if not any_positive(arriving):
            for k in range(actions):
                put(reach, to + k * WIDTH, zero)
            continue
        total = zero
        for k in range(actions):
            positive = as_kind(reach, take(sums, first + k * WIDTH))
            if prediction > 0:
                positive = fused(ahead, as_kind(reach, take(last, first + k * WIDTH)), positive)
            positive = largest(positive, zero)
            put(reach, to + k * WIDTH, positive)
            total = total + positive
        scale = where_positive(total, arriving / total, zero)
        equal = where_positive(total, zero, arriving * fill(reach, 1.0 / actions))
        for k in range(actions):
            put(reach, to + k * WIDTH, fused(take(reach, to + k * WIDTH), scale, equal))


@outer
def descend(plex, seat, board, sums, last, prediction, from_above, stride, tiles, scratch):
    """A player's reach of the lanes and deals of a board, from the reach of the deals above it."""
    vectors = plex.vectors
    deal_vectors = len(plex.deal_sequence) // WIDTH
    above = seat.above[board]
    for block in range(seat.rows // WIDTH):
        row = block * WIDTH
        for v in range(plex.roots // WIDTH):
            take_transposed(from_above, above, row, stride, v * WIDTH, scratch.reach, v * WIDTH * WIDTH)
        at = (board * seat.rows + row) * plex.slots
        spread(plex, sums, last, prediction, at, scratch.reach)
        for v in range(vectors):
            to = (row * vectors + v) * WIDTH
            put_transposed(scratch.reach, plex.lane_sequence, v * WIDTH, tiles.lanes, to, vectors * WIDTH)
        for v in range(deal_vectors):
            to = (row * deal_vectors + v) * WIDTH
            put_transposed(scratch.reach, plex.deal_sequence, v * WIDTH, tiles.deals, to, deal_vectors * WIDTH)


@inner
def weigh(lanes, vectors, count, cards, tokens, of_card):
    """Weight of all hands and of those that hold each card, lane by lane."""
    width = vectors * WIDTH
    for k in range((tokens + 1) * width):
        of_card[k] = 0
    everything = tokens * width
    for row in range(count):
        one = cards[row, 0] * width
        other = cards[row, 1] * width
        for v in range(0, width, WIDTH):
            weight = take(lanes, row * width + v)
            put(of_card, one + v, take(of_card, one + v) + weight)
            put(of_card, other + v, take(of_card, other + v) + weight)
            put(of_card, everything + v, take(of_card, everything + v) + weight)


@inner
def weigh_compatible(lanes, vectors, first, count, cards, twin, tokens, of_card, out):
    """For each own hand the weight of opposing hands that share no card with it, in the lanes from vector `first` on."""
    width = vectors * WIDTH
    narrow = width - first * WIDTH
    everything = tokens * width
    for row in range(count):
        one = cards[row, 0] * width
        other = cards[row, 1] * width
        same = twin[row] * width
        for v in range(first * WIDTH, width, WIDTH):
            apart = take(of_card, everything + v) - take(of_card, one + v) - take(of_card, other + v)
            put(out, row * narrow + v - first * WIDTH, apart + take(lanes, same + v))


@inner
def compare(lanes, vectors, ahead_vectors, groups, mine, theirs, my_cards, their_cards, tokens, of_card, swept, out):
    """For each own hand the weight of compatible hands it beats less that of those it loses to.

    Hands are sorted, and a group is the hands of one strength. With `swept` the weight of the hands passed so far less
    half of all, what is ahead is the sum of what was swept before the own group and what is after it.
    """
    width = vectors * WIDTH
    narrow = ahead_vectors * WIDTH
    half = fill(swept, -0.5)
    for token in range(tokens + 1):
        for v in range(0, narrow, WIDTH):
            put(swept, token * narrow + v, take(of_card, token * width + v) * half)
    everything = tokens * narrow
    for group in range(groups - 1):
        for row in range(mine[group], mine[group + 1]):
            one = my_cards[row, 0] * narrow
            other = my_cards[row, 1] * narrow
            for v in range(0, narrow, WIDTH):
                apart = take(swept, everything + v) - take(swept, one + v) - take(swept, other + v)
                put(out, row * narrow + v, apart)
        for row in range(theirs[group], theirs[group + 1]):
            one = their_cards[row, 0] * narrow
            other = their_cards[row, 1] * narrow
            for v in range(0, narrow, WIDTH):
                weight = take(lanes, row * width + v)
                put(swept, everything + v, take(swept, everything + v) + weight)
                put(swept, one + v, take(swept, one + v) + weight)
                put(swept, other + v, take(swept, other + v) + weight)
        for row in range(mine[group], mine[group + 1]):
            one = my_cards[row, 0] * narrow
            other = my_cards[row, 1] * narrow
            for v in range(0, narrow, WIDTH):
                apart = take(swept, everything + v) - take(swept, one + v) - take(swept, other + v)
                put(out, row * narrow + v, take(out, row * narrow + v) + apart)


@outer
def evaluate(plex, seat, other_seat, board, group_start, tokens, lanes, tiles, scratch):
    """Own values of the lanes of a board; `plex` and `lanes` are the opponent's."""
    count = other_seat.count[board]
    weigh(lanes, plex.vectors, count, other_seat.cards[board], tokens, scratch.of_card)
    if plex.compatible_first < plex.vectors:
        weigh_compatible(
            lanes,
            plex.vectors,
            plex.compatible_first,
            seat.count[board],
            seat.cards[board],
            seat.twin[board],
            tokens,
            scratch.of_card,
            tiles.compatible,
        )
    if plex.ahead_vectors:
        begin, end = group_start[board], group_start[board + 1]
        compare(
            lanes,
            plex.vectors,
            plex.ahead_vectors,
            end - begin,
            seat.group[begin:end],
            other_seat.group[begin:end],
            seat.cards[board],
            other_seat.cards[board],
            tokens,
            scratch.of_card,
            scratch.swept,
            tiles.ahead,
        )


@inner
def gather(plex, other, row, tiles, scratch):
    """The values of a block's lanes and deals, from tiles to vectors of hands."""
    to = 0
    width = other.ahead_vectors * WIDTH
    for v in range(0, width, WIDTH):
        take_transposed(tiles.ahead, scratch.plain, row, width, v, scratch.value, to)
        to += WIDTH * WIDTH
    width = (other.vectors - other.compatible_first) * WIDTH
    for v in range(0, width, WIDTH):
        take_transposed(tiles.compatible, scratch.plain, row, width, v, scratch.value, to)
        to += WIDTH * WIDTH
    width = len(plex.deal_sequence)
    for v in range(0, width, WIDTH):
        take_transposed(tiles.worth, scratch.plain, row, width, v, scratch.value, to)
        to += WIDTH * WIDTH
    return to


@inner
def play(plex, regret, last, average, at, step, reach, strategy):
    """Current strategy of a block, its reach, and the average strategy's share of this step."""
    zero = fill(reach, 0.0)
    one = fill(reach, 1.0)
    ahead = fill(reach, step.prediction)
    weight = fill(reach, step.average_weight)
    keep = fill(reach, step.keep_average)
    for node in range(plex.nodes):
        actions = plex.node_actions[node]
        slot = plex.node_slot[node] * WIDTH
        first = at + slot
        to = plex.roots * WIDTH + slot
        arriving = take(reach, plex.node_sequence[node] * WIDTH)
        total = zero
        for k in range(0, actions * WIDTH, WIDTH):
            positive = take(regret, first + k)
            if step.prediction > 0:
                positive = fused(ahead, take(last, first + k), positive)
            positive = largest(positive, zero)
            put(strategy, slot + k, positive)
            total = total + positive
        scale = where_positive(total, one / total, zero)
        equal = where_positive(total, zero, fill(reach, 1.0 / actions))
        arriving_weight = arriving * weight
        used = any_positive(arriving)
        for k in range(0, actions * WIDTH, WIDTH):
            chosen = fused(take(strategy, slot + k), scale, equal)
            put(strategy, slot + k, chosen)
            put(reach, to + k, chosen * arriving)
            if step.keep_average != 1:
                put(average, first + k, fused(take(average, first + k), keep, chosen * arriving_weight))
            elif used:
                share = chosen * arriving_weight
                if any_positive(share):
                    put(average, first + k, take(average, first + k) + share)


@inner
def sum_sources(plex, sequence, value):
    """The value of a sequence on a block."""
    worth = fill(value, 0.0)
    for source in range(plex.source_start[sequence], plex.source_start[sequence + 1]):
        factor = fill(value, plex.source_factor[source])
        worth = fused(factor, take(value, plex.source_value[source] * WIDTH), worth)
    return worth


@inner
def learn(plex, regret, last, at, step, strategy, value, nodes_at, worth):
    """Values of a block's infosets, deepest first, and their regrets."""
    zero = fill(value, 0.0)
    keep_positive = fill(value, step.keep_positive)
    keep_negative = fill(value, step.keep_negative)
    for node in range(plex.nodes - 1, -1, -1):
        actions = plex.node_actions[node]
        slot = plex.node_slot[node]
        first = at + slot * WIDTH
        mean = zero
        for k in range(actions):
            gain = sum_sources(plex, plex.roots + slot + k, value)
            put(worth, k * WIDTH, gain)
            mean = fused(take(strategy, (slot + k) * WIDTH), gain, mean)
        put(value, nodes_at + node * WIDTH, mean)
        for k in range(0, actions * WIDTH, WIDTH):
            old = take(regret, first + k)
            instant = take(worth, k) - mean
            new = fused(old, where_positive(old, keep_positive, keep_negative), instant)
            if step.floor:
                new = largest(new, zero)
            if step.prediction > 0:
                put(last, first + k, instant)
            put(regret, first + k, new)


@inner
def return_above(plex, seat, board, image_start, chance, row, value, scratch, to_above):
    """Add a block's root values to the deals above, once for each image of the board."""
    for root in range(plex.roots):
        put(scratch.reach, root * WIDTH, sum_sources(plex, root, value))
    width = plex.roots
    for v in range(0, width, WIDTH):
        put_transposed(scratch.reach, scratch.plain, v, scratch.turned, v, width)
    factor = fill(value, chance)
    rows = min(WIDTH, seat.count[board] - row)
    for image in range(image_start[board], image_start[board + 1]):
        for i in range(rows):
            to = seat.image_row[image, row + i] * width
            for v in range(0, width, WIDTH):
                put(to_above, to + v, fused(factor, take(scratch.turned, i * width + v), take(to_above, to + v)))


@outer
def settle(
    plex, other, seat, board, image_start, chance, regret, last, average, step, from_above, to_above, tiles, scratch
):
    """One step of a player on a board whose lanes and deals are valued: strategy, average, regrets, root values."""
    above = seat.above[board]
    for block in range(seat.rows // WIDTH):
        row = block * WIDTH
        for v in range(plex.roots // WIDTH):
            take_transposed(from_above, above, row, plex.roots, v * WIDTH, scratch.reach, v * WIDTH * WIDTH)
        at = (board * seat.rows + row) * plex.slots
        play(plex, regret, last, average, at, step, scratch.reach, scratch.strategy)
        nodes_at = gather(plex, other, row, tiles, scratch)
        learn(plex, regret, last, at, step, scratch.strategy, scratch.value, nodes_at, scratch.worth)
        return_above(plex, seat, board, image_start, chance, row, scratch.value, scratch, to_above)
