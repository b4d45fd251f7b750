"""One round of a public tree: reach downwards, values at the ends, values and regrets upwards.

Stored numbers lie as [board][block][slot][hand of the block], so a block reads and writes one contiguous stretch. What
passes between rounds and to the ends of betting lies as *tiles* [hand][lane]: there a row of lanes is a vector, moves
between boards as a whole, and one sweep over hands sorted by strength serves all lanes at once. Squares are turned
between the two. Tiles have one more row than hands, always zero, for hands that are not there.

Numbers may be stored as int16: then the numbers of a block and an infoset share a scale. Play in proportion to positive
regret does not need it, so a scale is only read where sums are added to.
"""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.compiled import kernel
from pokerlab.solve._kernels.lanes import (
    BLOCK,
    WIDTH,
    any_positive,
    as_kind,
    draw_number,
    fill,
    fill_row,
    fused,
    holds_whole_numbers,
    largest,
    peak,
    prefetch,
    put,
    put_turned,
    take,
    take_row,
    where_positive,
)

LARGEST_WHOLE = 32767.0

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
    ahead_width: int  # lanes that are compared at showdown
    compatible_from: int  # lanes from here on are weighed by compatible hands
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


class Level(NamedTuple):
    """What both players share in a round; see tree.public.Round."""

    image_start: object  # [board + 1] int32
    group_start: object  # [board + 1] int32
    chance: float
    tokens: int


class Store(NamedTuple):
    """What a player keeps of a round."""

    regret: object  # [board, block, slot, BLOCK] float32 or int16
    average: object  # the same: the strategy summed over steps
    last: object  # the same, or little: the latest step's regret, for schedules that predict
    regret_scale: object  # [board, block, node] float32: one unit of the whole numbers
    average_scale: object  # [board, block, node] float32


class Tiles(NamedTuple):
    """What passes through a board for one player, flat."""

    lanes: object  # [row + 1, lane]: own reach at the lanes that the opponent's values depend on
    of_card: object  # [card + 1, lane]: the same summed over the hands that hold each card; the last row holds all
    deals: object  # [row + 1, deal]: own reach at each deal
    ahead: object  # [row, lane of the opponent]: own value at showdown for one unit
    worth: object  # [row + 1, deal]: own value of each deal


class Scratch(NamedTuple):
    """Room for one block, and for the sums of a sweep."""

    plain: object  # [row] int16: 0, 1, 2 ...
    reach: object  # [sequence, BLOCK]
    strategy: object  # [slot, BLOCK]
    value: object  # [value lane + node, BLOCK]
    worth: object  # [action, BLOCK]
    turned: object  # [BLOCK, root]
    compatible: object  # [BLOCK, lane]
    swept: object  # [card + 2, lane]: the last rows hold all, and what is being passed


class Step(NamedTuple):
    """The numbers of one step of a schedule, the average's weight as it is stored."""

    keep_positive: float
    keep_negative: float
    floor: bool
    keep_average: float
    average_weight: float
    prediction: float


# ---- downwards -----------------------------------------------------------------------------------------------------


@inner
def arrive(plex, seat, board, row, from_above, reach):
    """The reach of a block's roots, from that of the deals above."""
    above = seat.above[board]
    for part in range(0, BLOCK, WIDTH):
        for v in range(0, plex.roots, WIDTH):
            put_turned(from_above, plex.roots, above, row + part, v, reach, v * BLOCK + part, BLOCK)


@inner
def spread(plex, sums, last, prediction, at, reach):
    """Own reach of every sequence on a block, from that of the roots, playing in proportion to positive sums."""
    zero = fill(reach, 0.0)
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
        scale = where_positive(total, arriving / total, zero)
        equal = where_positive(total, zero, arriving * fill(reach, 1.0 / actions))
        for k in range(0, actions * BLOCK, BLOCK):
            put(reach, to + k, fused(take(reach, to + k), scale, equal))


@inner
def depart(sequences, row, reach, tile):
    """The reach of some sequences of a block, as rows of a tile."""
    width = len(sequences)
    for part in range(0, BLOCK, WIDTH):
        for v in range(0, width, WIDTH):
            put_turned(reach, BLOCK, sequences, v, part, tile, (row + part) * width + v, width)


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
def descend(plex, seat, level, board, sums, last, prediction, from_above, tiles, scratch):
    """A player's reach of the lanes and deals of a board, from the reach of the deals above it."""
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
def weigh_compatible(other_tiles, width, first, row, end, cards, twin, tokens, out):
    """For a block of own hands the weight of opposing hands that share no card, in the lanes from `first` on."""
    narrow = width - first
    everything = tokens * width
    of_card, lanes = other_tiles.of_card, other_tiles.lanes
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
def start_sweep(of_card, width, narrow, tokens, swept):
    """Before the weakest hand: nothing, less half of all."""
    half = fill_row(swept, -0.5)
    for token in range(tokens + 1):
        for v in range(0, narrow, WIDTH):
            put(swept, token * narrow + v, take_row(of_card, token * width + v) * half)


@inner
def sweep(lanes, width, narrow, mine, my_end, theirs, their_end, my_cards, their_cards, tokens, swept, out):
    """Pass the hands of one strength. With `swept` the weight of the hands passed so far less half of all, what an own
    hand is ahead of, less what it is behind, is the sum of what was swept before its strength and what is after it."""
    everything = tokens * narrow
    for row in range(mine, my_end):
        one = my_cards[row, 0] * narrow
        other = my_cards[row, 1] * narrow
        for v in range(0, narrow, WIDTH):
            apart = take_row(swept, everything + v) - take_row(swept, one + v) - take_row(swept, other + v)
            put(out, row * narrow + v, apart)
    passing = everything + narrow  # added up apart, so that a small weight is not lost in the large sum
    for v in range(0, narrow, WIDTH):
        put(swept, passing + v, fill_row(swept, 0.0))
    for row in range(theirs, their_end):
        one = their_cards[row, 0] * narrow
        other = their_cards[row, 1] * narrow
        for v in range(0, narrow, WIDTH):
            weight = take_row(lanes, row * width + v)
            put(swept, passing + v, take_row(swept, passing + v) + weight)
            put(swept, one + v, take_row(swept, one + v) + weight)
            put(swept, other + v, take_row(swept, other + v) + weight)
    for v in range(0, narrow, WIDTH):
        put(swept, everything + v, take_row(swept, everything + v) + take_row(swept, passing + v))
    for row in range(mine, my_end):
        one = my_cards[row, 0] * narrow
        other = my_cards[row, 1] * narrow
        for v in range(0, narrow, WIDTH):
            apart = take_row(swept, everything + v) - take_row(swept, one + v) - take_row(swept, other + v)
            put(out, row * narrow + v, take_row(out, row * narrow + v) + apart)


@inner
def start_values(other, seat, level, board, tiles, other_tiles, scratch):
    """Make ready to value the ends of a board; `other` is the opponent's treeplex. Gives the first group."""
    narrow = other.ahead_width
    if narrow:
        start_sweep(other_tiles.of_card, len(other.lane_sequence), narrow, level.tokens, scratch.swept)
        for k in range(seat.count[board] * narrow, seat.rows * narrow):
            tiles.ahead[k] = 0
    return level.group_start[board]


@inner
def collect(tile, width, row, plain, value, to):
    """A block of rows of a tile, as vectors of hands; gives where the next may go."""
    for part in range(0, BLOCK, WIDTH):
        for v in range(0, width, WIDTH):
            put_turned(tile, width, plain, row + part, v, value, to + v * BLOCK + part, BLOCK)
    return to + width * BLOCK


@inner
def value_lanes(other, seat, other_seat, level, board, row, group, tiles, other_tiles, scratch):
    """The values of a block's lanes, the sweep taken up where the block before left it; gives where it has come to."""
    width = len(other.lane_sequence)
    narrow = other.ahead_width
    cards, other_cards = seat.cards[board], other_seat.cards[board]
    if narrow:
        while group + 1 < level.group_start[board + 1] and seat.group[group] < row + BLOCK:
            sweep(
                other_tiles.lanes,
                width,
                narrow,
                seat.group[group],
                seat.group[group + 1],
                other_seat.group[group],
                other_seat.group[group + 1],
                cards,
                other_cards,
                level.tokens,
                scratch.swept,
                tiles.ahead,
            )
            group += 1
    to = collect(tiles.ahead, narrow, row, scratch.plain, scratch.value, 0)
    first = other.compatible_from
    if first < width:
        end = max(row, min(row + BLOCK, seat.count[board]))
        twin = seat.twin[board]
        weigh_compatible(other_tiles, width, first, row, end, cards, twin, level.tokens, scratch.compatible)
        collect(scratch.compatible, width - first, 0, scratch.plain, scratch.value, to)
    return group


# ---- upwards -------------------------------------------------------------------------------------------------------


@inner
def play(plex, store, at, scale_at, step, reach, strategy, worth):
    """Current strategy of a block, its reach, and the average strategy's share of this step."""
    zero = fill(reach, 0.0)
    one = fill(reach, 1.0)
    ahead = fill(reach, step.prediction)
    weight = fill(reach, step.average_weight)
    following = plex.slots * BLOCK
    for node in range(plex.nodes):
        actions = plex.node_actions[node]
        slot = plex.node_slot[node] * BLOCK
        first = at + slot
        to = plex.roots * BLOCK + slot
        arriving = take(reach, plex.node_sequence[node] * BLOCK)
        total = zero
        for k in range(0, actions * BLOCK, BLOCK):
            positive = take(store.regret, first + k)
            prefetch(store.regret, first + following + k)
            if step.prediction > 0:
                positive = fused(ahead, take(store.last, first + k), positive)
            positive = largest(positive, zero)
            put(strategy, slot + k, positive)
            total = total + positive
        scale = where_positive(total, one / total, zero)
        equal = where_positive(total, zero, fill(reach, 1.0 / actions))
        for k in range(0, actions * BLOCK, BLOCK):
            chosen = fused(take(strategy, slot + k), scale, equal)
            put(strategy, slot + k, chosen)
            put(reach, to + k, chosen * arriving)
        arriving = arriving * weight
        if step.keep_average != 1 or any_positive(arriving):
            remember(store, first, following, actions, scale_at + node, step, arriving, strategy, slot, worth)


@inner
def remember(store, first, following, actions, scale_at, step, arriving, strategy, slot, worth):
    """Add a step's share to the average strategy of an infoset's block."""
    average = store.average
    keep = fill(worth, step.keep_average)
    if holds_whole_numbers(average):
        keep = fill(worth, step.keep_average * store.average_scale[scale_at])
        top = fill(worth, 0.0)
        for k in range(0, actions * BLOCK, BLOCK):
            new = fused(take(average, first + k), keep, take(strategy, slot + k) * arriving)
            put(worth, k, new)
            top = largest(top, new)
        store.average_scale[scale_at] = put_scaled(average, first, actions, peak(top), worth)
        return
    for k in range(0, actions * BLOCK, BLOCK):
        share = take(strategy, slot + k) * arriving
        if step.keep_average != 1:
            put(average, first + k, fused(take(average, first + k), keep, share))
        elif any_positive(share):
            prefetch(average, first + following + k)
            put(average, first + k, take(average, first + k) + share)


@inner
def put_scaled(array, first, actions, top, numbers):
    """Store the numbers of an infoset's block as whole numbers of a unit, which is given back."""
    unit = top / LARGEST_WHOLE
    inverse = fill(numbers, 0.0 if top == 0 else LARGEST_WHOLE / top)
    for k in range(0, actions * BLOCK, BLOCK):
        put(array, first + k, take(numbers, k) * inverse)
    return unit


@inner
def sum_sources(plex, sequence, value):
    """The value of a sequence on a block."""
    worth = fill(value, 0.0)
    for source in range(plex.source_start[sequence], plex.source_start[sequence + 1]):
        factor = fill(value, plex.source_factor[source])
        worth = fused(factor, take(value, plex.source_value[source] * BLOCK), worth)
    return worth


@inner
def learn(plex, store, at, scale_at, step, strategy, value, nodes_at, worth):
    """Values of a block's infosets, deepest first, and their regrets."""
    zero = fill(value, 0.0)
    keep_positive = fill(value, step.keep_positive)
    keep_negative = fill(value, step.keep_negative)
    regret = store.regret
    for node in range(plex.nodes - 1, -1, -1):
        actions = plex.node_actions[node]
        slot = plex.node_slot[node]
        first = at + slot * BLOCK
        mean = zero
        for k in range(actions):
            gain = sum_sources(plex, plex.roots + slot + k, value)
            put(worth, k * BLOCK, gain)
            mean = fused(take(strategy, (slot + k) * BLOCK), gain, mean)
        put(value, nodes_at + node * BLOCK, mean)
        if holds_whole_numbers(regret):
            scale = fill(value, store.regret_scale[scale_at + node])
            top = zero
            for k in range(0, actions * BLOCK, BLOCK):
                old = take(regret, first + k) * scale
                new = fused(old, where_positive(old, keep_positive, keep_negative), take(worth, k) - mean)
                if step.floor:
                    new = largest(new, zero)
                put(worth, k, new)
                top = largest(top, largest(new, zero - new))
            store.regret_scale[scale_at + node] = put_scaled(regret, first, actions, peak(top), worth)
            continue
        for k in range(0, actions * BLOCK, BLOCK):
            old = take(regret, first + k)
            instant = take(worth, k) - mean
            new = fused(old, where_positive(old, keep_positive, keep_negative), instant)
            if step.floor:
                new = largest(new, zero)
            if step.prediction > 0:
                put(store.last, first + k, instant)
            put(regret, first + k, new)


@inner
def return_above(plex, seat, level, board, row, value, scratch, to_above):
    """Add a block's root values to the deals above, once for each image of the board."""
    for root in range(plex.roots):
        put(scratch.reach, root * BLOCK, sum_sources(plex, root, value))
    width = plex.roots
    for part in range(0, BLOCK, WIDTH):
        for v in range(0, width, WIDTH):
            put_turned(scratch.reach, BLOCK, scratch.plain, v, part, scratch.turned, part * width + v, width)
    factor = fill_row(value, level.chance)
    rows = min(BLOCK, seat.count[board] - row)
    for image in range(level.image_start[board], level.image_start[board + 1]):
        for i in range(rows):
            to = seat.image_row[image, row + i] * width
            for v in range(0, width, WIDTH):
                old = take_row(to_above, to + v)
                put(to_above, to + v, fused(factor, take_row(scratch.turned, i * width + v), old))


@outer
def settle(
    plex,
    other,
    seat,
    other_seat,
    level,
    board,
    store,
    step,
    from_above,
    to_above,
    tiles,
    other_tiles,
    scratch,
):
    """One step of a player on a board: values of its ends, strategy, average, regrets, values of its roots."""
    group = start_values(other, seat, level, board, tiles, other_tiles, scratch)
    deals_at = (other.ahead_width + len(other.lane_sequence) - other.compatible_from) * BLOCK
    for row in range(0, seat.rows, BLOCK):
        at = (board * seat.rows + row) * plex.slots
        scale_at = (board * seat.rows + row) // BLOCK * plex.nodes
        arrive(plex, seat, board, row, from_above, scratch.reach)
        play(plex, store, at, scale_at, step, scratch.reach, scratch.strategy, scratch.worth)
        group = value_lanes(other, seat, other_seat, level, board, row, group, tiles, other_tiles, scratch)
        deals = len(plex.deal_sequence)
        nodes_at = collect(tiles.worth, deals, row, scratch.plain, scratch.value, deals_at)
        learn(plex, store, at, scale_at, step, scratch.strategy, scratch.value, nodes_at, scratch.worth)
        return_above(plex, seat, level, board, row, scratch.value, scratch, to_above)


@outer
def advance_boards(
    first,
    end,
    moves,  # [k] int: 1 player 0 moves, 2 player 1, 3 both at once
    steps,  # [k, 6] float64: see solve.schedule
    level,
    plex0,
    plex1,
    seat0,
    seat1,
    store0,
    store1,
    from_above0,
    from_above1,
    to_above0,
    to_above1,
    tiles0,
    tiles1,
    scratch,
):
    """Steps on boards of the last round, one after another. More than one step is for games of one round only."""
    for k in range(len(moves)):
        step = Step(steps[k, 0], steps[k, 1], steps[k, 2] != 0, steps[k, 3], steps[k, 4], steps[k, 5])
        for board in range(first, end):
            if moves[k] & 1:
                descend(
                    plex1,
                    seat1,
                    level,
                    board,
                    store1.regret,
                    store1.last,
                    step.prediction,
                    from_above1,
                    tiles1,
                    scratch,
                )
            if moves[k] & 2:
                descend(
                    plex0,
                    seat0,
                    level,
                    board,
                    store0.regret,
                    store0.last,
                    step.prediction,
                    from_above0,
                    tiles0,
                    scratch,
                )
            if moves[k] & 1:
                settle(
                    plex0,
                    plex1,
                    seat0,
                    seat1,
                    level,
                    board,
                    store0,
                    step,
                    from_above0,
                    to_above0,
                    tiles0,
                    tiles1,
                    scratch,
                )
            if moves[k] & 2:
                settle(
                    plex1,
                    plex0,
                    seat1,
                    seat0,
                    level,
                    board,
                    store1,
                    step,
                    from_above1,
                    to_above1,
                    tiles1,
                    tiles0,
                    scratch,
                )


@inner
def clear(tile):
    """Make a tile zero."""
    for k in range(len(tile)):
        tile[k] = 0


@outer
def advance_portions(
    counter,  # [1] int64: how many portions are taken; shared by threads
    portions,  # [portion, 2] int64: boards, first and end
    moves,  # [k] int: 1 player 0 moves, 2 player 1, 3 both at once
    steps,  # [k, 6] float64: see solve.schedule
    level,
    plex0,
    plex1,
    seat0,
    seat1,
    store0,
    store1,
    from_above0,
    from_above1,
    to_above0,  # [portion, tile]; only that of a player who moves is written
    to_above1,
    tiles0,
    tiles1,
    scratch,
):
    """Steps on portions of the boards of the last round until none is left."""
    while True:
        portion = draw_number(counter)
        if portion >= len(portions):
            return
        if moves[0] & 1:
            clear(to_above0[portion])
        if moves[0] & 2:
            clear(to_above1[portion])
        advance_boards(
            portions[portion, 0],
            portions[portion, 1],
            moves,
            steps,
            level,
            plex0,
            plex1,
            seat0,
            seat1,
            store0,
            store1,
            from_above0,
            from_above1,
            to_above0[portion],
            to_above1[portion],
            tiles0,
            tiles1,
            scratch,
        )
