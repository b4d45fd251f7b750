"""One round of a public tree: reach downwards, values at terminal nodes, values and regrets upwards.

Stored numbers are ordered [board][block][slot][hand of the block], so a block reads and writes one contiguous range.
Data passed between rounds and to terminal nodes is stored as *tiles* [hand][lane]: there a row of lanes is a vector
that moves between boards as a whole, and one sweep over hands sorted by strength serves all lanes at once. Squares are
transposed between the two layouts. Tiles have one extra row, always zero, for missing hands.

Numbers may be stored as int16: then the numbers of a block and an infoset share a scale. A strategy proportional to
positive regret does not need it, so a scale is only read where sums are added to.

`hold` says that a player is held to a model (restricted.py), or is None. Held at single infosets, the player's reach,
values and average include the model's part, and regrets are those of the free part.
"""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.cfr.public._kernels.restricted import descend_whole
from pokerlab.solvers.core._kernels import step_of
from pokerlab.solvers.core.schedule import Step
from pokerlab.tree.public._kernels.lanes import (
    BLOCK,
    any_positive,
    draw_number,
    fill,
    fused,
    holds_whole_numbers,
    largest,
    peak,
    prefetch,
    put,
    take,
    where_positive,
)
from pokerlab.tree.public._kernels.memory import ASCENT, DESCENT, WHOLE, Facing, InfosetRow, inner, outer
from pokerlab.tree.public._kernels.reach import (
    arrive,
    clear,
    collect,
    depart,
    descend,
    return_above,
    start_values,
    sum_sources,
    value_lanes,
    weigh,
    weigh_all,
)

LARGEST_WHOLE = 32767.0
SMALLEST_TOP = 1e-33  # smaller numbers are stored as zero: the inverse of their unit overflows float32


@inner
def play(plex, store, hold, at, scale_at, step, scratch):
    """Current strategy of a block, its reach, and the average strategy's share of this step."""
    reach, strategy = scratch.reach, scratch.strategy
    played = strategy if hold is None else hold.mixed
    zero = fill(reach, 0.0)
    one = fill(reach, 1.0)
    endless = fill(reach, np.inf)
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
        divided = one / total
        finite = endless - divided  # not positive if the total is zero or so small that its inverse is infinite
        scale = where_positive(finite, divided, zero)
        equal = where_positive(finite, zero, fill(reach, 1.0 / actions))
        held = zero if hold is None else take(hold.held, first)
        for k in range(0, actions * BLOCK, BLOCK):
            chosen = fused(take(strategy, slot + k), scale, equal)
            put(strategy, slot + k, chosen)
            if hold is not None:
                chosen = fused(held, take(hold.model, first + k), (one - held) * chosen)
                put(played, slot + k, chosen)
            put(reach, to + k, chosen * arriving)
        arriving = arriving * weight
        if step.keep_average != 1 or any_positive(arriving):
            infoset = InfosetRow(actions, first, following, scale_at + node, slot)
            remember(store, infoset, step, arriving, played, scratch.action_value)


@inner
def remember(store, infoset, step, arriving, strategy, action_value):
    """Add a step's share to the average strategy of an infoset's block."""
    actions, first, following, scale_at, slot = infoset
    average = store.average
    keep = fill(action_value, step.keep_average)
    if holds_whole_numbers(average):
        keep = fill(action_value, step.keep_average * store.average_scale[scale_at])
        top = fill(action_value, 0.0)
        for k in range(0, actions * BLOCK, BLOCK):
            new = fused(take(average, first + k), keep, take(strategy, slot + k) * arriving)
            put(action_value, k, new)
            top = largest(top, new)
        store.average_scale[scale_at] = put_scaled(average, first, actions, peak(top), action_value)
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
    """Store the numbers of an infoset's block as integers; returns their unit."""
    unit = top / LARGEST_WHOLE
    inverse = fill(numbers, 0.0 if top < SMALLEST_TOP else LARGEST_WHOLE / top)
    for k in range(0, actions * BLOCK, BLOCK):
        put(array, first + k, take(numbers, k) * inverse)
    return unit


@inner
def learn(plex, store, hold, at, scale_at, step, scratch, nodes_at):
    """Values of a block's infosets, deepest first, and their regrets."""
    strategy, value, action_value = scratch.strategy, scratch.value, scratch.action_value
    zero = fill(value, 0.0)
    for node in range(plex.nodes - 1, -1, -1):
        actions = plex.node_actions[node]
        slot = plex.node_slot[node]
        first = at + slot * BLOCK
        mean = zero
        played = zero
        for k in range(actions):
            gain = sum_sources(plex, plex.roots + slot + k, value)
            put(action_value, k * BLOCK, gain)
            mean = fused(take(strategy, (slot + k) * BLOCK), gain, mean)
            if hold is not None:
                played = fused(take(hold.mixed, (slot + k) * BLOCK), gain, played)
        put(value, nodes_at + node * BLOCK, mean if hold is None else played)
        infoset = InfosetRow(actions, first, 0, scale_at + node, slot * BLOCK)
        add_regret(store, infoset, step, mean, action_value)


@inner
def add_regret(store, infoset, step, mean, action_value):
    """Add a step's regret to an infoset's block: each action's value minus the mean; `action_value` is overwritten."""
    actions, first, _, scale_at, _ = infoset
    regret = store.regret
    zero = fill(action_value, 0.0)
    keep_positive = fill(action_value, step.keep_positive)
    keep_negative = fill(action_value, step.keep_negative)
    if holds_whole_numbers(regret):
        scale = fill(action_value, store.regret_scale[scale_at])
        top = zero
        for k in range(0, actions * BLOCK, BLOCK):
            old = take(regret, first + k) * scale
            new = fused(old, where_positive(old, keep_positive, keep_negative), take(action_value, k) - mean)
            if step.floor:
                new = largest(new, zero)
            put(action_value, k, new)
            top = largest(top, largest(new, zero - new))
        store.regret_scale[scale_at] = put_scaled(regret, first, actions, peak(top), action_value)
        return
    for k in range(0, actions * BLOCK, BLOCK):
        old = take(regret, first + k)
        instant = take(action_value, k) - mean
        new = fused(old, where_positive(old, keep_positive, keep_negative), instant)
        if step.floor:
            new = largest(new, zero)
        if step.prediction > 0:
            put(store.last, first + k, instant)
        put(regret, first + k, new)


@outer
def settle(facing, board, store, step, from_above, to_above, hold):
    """One step of a player on a board: values of terminal nodes, strategy, average, regrets, values of its roots.

    from_above and to_above [row of the round above + 1, root]: own reach, and own values, which are added to
    """
    plex, seat, scratch = facing.own.plex, facing.own.seat, facing.scratch
    group = start_values(facing, board)
    other = facing.other.plex
    deals_at = (other.ahead_width + len(other.lane_sequence) - other.compatible_from) * BLOCK
    for row in range(0, seat.rows, BLOCK):
        at = (board * seat.rows + row) * plex.slots
        scale_at = (board * seat.rows + row) // BLOCK * plex.nodes
        arrive(plex, seat, board, row, from_above, scratch.reach)
        play(plex, store, hold, at, scale_at, step, scratch)
        group = value_lanes(facing, board, row, group)
        deals = len(plex.deal_sequence)
        nodes_at = collect(facing.own.tiles.action_value, deals, row, scratch.plain, scratch.value, deals_at)
        learn(plex, store, hold, at, scale_at, step, scratch, nodes_at)
        return_above(facing, board, row, scratch.value, to_above)


@outer
def settle_player(player, facing, board, store, step, from_above, to_above, hold):
    """The same in a game in which a player may be held to a model, or in which nobody is (None)."""
    if hold is None:
        settle(facing, board, store, step, from_above, to_above, None)
    elif hold.by_infoset and player == hold.player:
        settle(facing, board, store, step, from_above, to_above, hold)
    else:
        settle(facing, board, store, step, from_above, to_above, None)


@outer
def descend_player(player, side, level, board, store, step, from_above, hold, scratch):
    """A player's reach on a board; see reach.descend. from_above [player], and from_above[2] is the model's."""
    above = from_above[player]
    if hold is None:
        descend(side, level, board, store.regret, store.last, step.prediction, above, scratch)
    elif player != hold.player:
        descend(side, level, board, store.regret, store.last, step.prediction, above, scratch)
    elif hold.by_infoset:
        descend_by_infoset(side, level, board, store, step, above, hold, scratch)
    else:
        both = (above, from_above[2])
        descend_whole(side, level, board, store.regret, store.last, step.prediction, both, hold, scratch)


@outer
def descend_by_infoset(side, level, board, store, step, from_above, hold, scratch):
    """Reach of a player who is held at single infosets; see reach.descend."""
    plex, seat, tiles = side.plex, side.seat, side.tiles
    width = len(plex.lane_sequence)
    clear(tiles.of_card[: level.tokens * width])
    unaveraged = Step(step.keep_positive, step.keep_negative, step.floor, 1.0, 0.0, step.prediction)
    for row in range(0, seat.rows, BLOCK):
        arrive(plex, seat, board, row, from_above, scratch.reach)
        play(plex, store, hold, (board * seat.rows + row) * plex.slots, 0, unaveraged, scratch)
        depart(plex.lane_sequence, row, scratch.reach, tiles.lanes)
        depart(plex.deal_sequence, row, scratch.reach, tiles.deals)
        weigh(tiles.lanes, width, row, min(row + BLOCK, seat.count[board]), seat.cards[board], tiles.of_card)
    weigh_all(tiles.of_card, width, level.tokens)


@inner
def moving(moves, k, player):
    """Whether a player updates in step k."""
    return (moves.players[k] >> player) & 1


@outer
def advance_portions(portions, moves, level, sides, stores, from_above, to_above, scratch, hold):
    """Run steps on portions of boards of a round until none is left; several steps in games of one round.

    sides, stores, from_above and to_above are pairs, by player; each of to_above is [portion, tile], written only
    for a player who updates. Before the last round, the reach of both players is passed down.
    """
    while True:
        portion = draw_number(portions.counter)
        if portion >= len(portions.boards):
            return
        for player in range(2):
            if portions.part == WHOLE and moving(moves, 0, player):
                clear(to_above[player][portion])
        for k in range(len(moves.players)):
            step = step_of(moves.steps, k)
            for board in range(portions.boards[portion, 0], portions.boards[portion, 1]):
                for player in range(2):
                    if portions.part == DESCENT or (portions.part == WHOLE and moving(moves, k, 1 - player)):
                        side, store = sides[player], stores[player]
                        descend_player(player, side, level, board, store, step, from_above, hold, scratch)
                for player in range(2):
                    if portions.part & ASCENT and moving(moves, k, player):
                        facing = Facing(sides[player], sides[1 - player], level, scratch)
                        store, above, to = stores[player], from_above[player], to_above[player][portion]
                        settle_player(player, facing, board, store, step, above, to, hold)
