"""Values of the average strategies of a public tree, of a best response to each, and of sequences by themselves."""

from __future__ import annotations

from pokerlab.tree.public._kernels.lanes import (
    BLOCK,
    as_kind,
    draw_number,
    fill,
    fused,
    largest,
    put,
    take,
    where_positive,
)
from pokerlab.tree.public._kernels.memory import ASCENT, DESCENT, WHOLE, inner, outer
from pokerlab.tree.public._kernels.reach import (
    clear,
    collect,
    descend,
    return_above,
    start_values,
    sum_sources,
    value_lanes,
)


@inner
def respond(plex, request, at, values_at, value, best, nodes_at, action_value):
    """Values of a block's infosets, deepest first: of the player's average strategy, and of the best actions.

    Hands that are held to their strategy, always or with a probability, respond by it to that extent. value and
    best like Scratch.value, worth like Scratch.worth.
    """
    sums, held, holding, choice, choosing, sequence_values, valuing = request
    zero = fill(value, 0.0)
    one = fill(value, 1.0)
    for node in range(plex.nodes - 1, -1, -1):
        actions = plex.node_actions[node]
        slot = plex.node_slot[node]
        first = at + slot * BLOCK
        total = zero
        mean = zero
        plain = zero
        top = zero
        reached = zero
        for k in range(actions):
            weight = as_kind(value, take(sums, first + k * BLOCK))
            now = sum_sources(plex, plex.roots + slot + k, value)
            reachable = sum_sources(plex, plex.roots + slot + k, best)
            put(action_value, k * BLOCK, reachable)
            if valuing:
                put(sequence_values, values_at + (plex.roots + slot + k) * BLOCK, now)
            total = total + weight
            mean = fused(weight, now, mean)
            plain = plain + now
            if holding:
                reached = fused(weight, reachable, reached)
            top = reachable if k == 0 else largest(top, reachable)
        mean = where_positive(total, mean / total, plain * fill(value, 1.0 / actions))
        put(value, nodes_at + node * BLOCK, mean)
        if choosing:
            free = one
            for k in range(0, actions * BLOCK, BLOCK):
                chosen = where_positive(top - take(action_value, k), zero, free)
                free = free - chosen
                if holding:
                    own = as_kind(value, take(sums, first + k))
                    chosen = where_positive(as_kind(value, take(held, first)), own, chosen)
                put(choice, first + k, chosen)
        if holding:
            share = as_kind(value, take(held, first))
            top = where_positive(share, fused(share, reached / total, (one - share) * top), top)
        put(best, nodes_at + node * BLOCK, top)
    if valuing:
        for root in range(plex.roots):
            put(sequence_values, values_at + root * BLOCK, sum_sources(plex, root, value))


@outer
def respond_at_board(facing, board, request, best, to_above, best_above):
    """Both values of a player on a board, given the values of its deals and the opponent's reach.

    to_above and best_above [row of the round above + 1, root]: own values, which are added to
    """
    plex, seat, scratch = facing.own.plex, facing.own.seat, facing.scratch
    group = start_values(facing, board)
    other = facing.other.plex
    deals_at = (other.ahead_width + len(other.lane_sequence) - other.compatible_from) * BLOCK
    deals = len(plex.deal_sequence)
    for row in range(0, seat.rows, BLOCK):
        group = value_lanes(facing, board, row, group)
        for k in range(0, deals_at, BLOCK):
            put(best.value, k, take(scratch.value, k))
        nodes_at = collect(facing.own.tiles.action_value, deals, row, scratch.plain, scratch.value, deals_at)
        collect(best.action_value, deals, row, scratch.plain, best.value, deals_at)
        at = (board * seat.rows + row) * plex.slots
        values_at = row * (plex.roots + plex.slots)
        respond(plex, request, at, values_at, scratch.value, best.value, nodes_at, scratch.action_value)
        return_above(facing, board, row, scratch.value, to_above)
        return_above(facing, board, row, best.value, best_above)


@outer
def respond_in_portions(portions, facing, request, other_sums, best, from_above, to_above, best_above):
    """Both values of a player on portions of the boards of a round until none is left.

    from_above [row of the round above + 1, root] is the opponent's reach; to_above and best_above [portion, tile].
    """
    while True:
        portion = draw_number(portions.counter)
        if portion >= len(portions.boards):
            return
        if portions.part == WHOLE:
            clear(to_above[portion])
            clear(best_above[portion])
        for board in range(portions.boards[portion, 0], portions.boards[portion, 1]):
            if portions.part & DESCENT:
                descend(facing.other, facing.level, board, other_sums, other_sums, 0.0, from_above, facing.scratch)
            if portions.part & ASCENT:
                respond_at_board(facing, board, request, best, to_above[portion], best_above[portion])


@outer
def gather(facing, board, gains, to_above):
    """Values of a player's actions on a board, given the opponent's reach, and of the deals that follow them.

    gains [board, block, slot, BLOCK] float64, flat; to_above [row of the round above + 1, root]: what is won
    without an action on this board, which is added to
    """
    plex, seat, scratch = facing.own.plex, facing.own.seat, facing.scratch
    other, zero = facing.other.plex, fill(scratch.value, 0.0)
    deals_at = (other.ahead_width + len(other.lane_sequence) - other.compatible_from) * BLOCK
    group = start_values(facing, board)
    for row in range(0, seat.rows, BLOCK):
        group = value_lanes(facing, board, row, group)
        deals = len(plex.deal_sequence)
        nodes_at = collect(facing.own.tiles.action_value, deals, row, scratch.plain, scratch.value, deals_at)
        for node in range(plex.nodes):
            put(scratch.value, nodes_at + node * BLOCK, zero)  # later choices are excluded
        at = (board * seat.rows + row) * plex.slots
        for slot in range(plex.slots):
            put(gains, at + slot * BLOCK, sum_sources(plex, plex.roots + slot, scratch.value))
        return_above(facing, board, row, scratch.value, to_above)


@outer
def gather_portions(portions, facing, other_sums, gains, from_above, to_above):
    """The same on portions of the boards of a round until none is left.

    other_sums like gains, of the opponent, whose strategy is proportional to it; from_above [row of the round above
    + 1, root] is the opponent's reach; to_above [portion, tile]
    """
    while True:
        portion = draw_number(portions.counter)
        if portion >= len(portions.boards):
            return
        if portions.part == WHOLE:
            clear(to_above[portion])
        for board in range(portions.boards[portion, 0], portions.boards[portion, 1]):
            if portions.part & DESCENT:
                descend(facing.other, facing.level, board, other_sums, other_sums, 0.0, from_above, facing.scratch)
            if portions.part & ASCENT:
                gather(facing, board, gains, to_above[portion])
