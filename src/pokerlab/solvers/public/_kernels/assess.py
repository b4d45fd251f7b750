"""What the average strategies of a public tree are worth, and what a best response to each would win."""

from __future__ import annotations

from pokerlab.solvers.public._kernels.lanes import (
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
from pokerlab.solvers.public._kernels.memory import inner, outer
from pokerlab.solvers.public._kernels.reach import collect, descend, start_values, value_lanes
from pokerlab.solvers.public._kernels.rounds import clear, return_above, sum_sources


@inner
def respond(plex, sums, held, holding, choice, choosing, told, telling, at, told_at, value, best, nodes_at, worth):
    """Values of a block's infosets, deepest first: of the own average strategy, and of the best actions.

    Hands that are held to their strategy answer by it, not by the best action.
    """
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
        kept = zero
        for k in range(actions):
            weight = as_kind(value, take(sums, first + k * BLOCK))
            now = sum_sources(plex, plex.roots + slot + k, value)
            reachable = sum_sources(plex, plex.roots + slot + k, best)
            put(worth, k * BLOCK, reachable)
            if telling:
                put(told, told_at + (plex.roots + slot + k) * BLOCK, now)
            total = total + weight
            mean = fused(weight, now, mean)
            plain = plain + now
            if holding:
                kept = fused(weight, reachable, kept)
            top = reachable if k == 0 else largest(top, reachable)
        mean = where_positive(total, mean / total, plain * fill(value, 1.0 / actions))
        put(value, nodes_at + node * BLOCK, mean)
        if choosing:
            free = one
            for k in range(0, actions * BLOCK, BLOCK):
                chosen = where_positive(top - take(worth, k), zero, free)
                free = free - chosen
                if holding:
                    own = as_kind(value, take(sums, first + k))
                    chosen = where_positive(as_kind(value, take(held, first)), own, chosen)
                put(choice, first + k, chosen)
        if holding:
            top = where_positive(as_kind(value, take(held, first)), kept / total, top)
        put(best, nodes_at + node * BLOCK, top)
    if telling:
        for root in range(plex.roots):
            put(told, told_at + root * BLOCK, sum_sources(plex, root, value))


@outer
def answer(
    plex,
    other,
    seat,
    other_seat,
    level,
    board,
    sums,
    held,  # like sums, above 0 where a hand is held to its strategy; looked at where `holding`
    holding,
    choice,  # like sums, float32: the best response, written where `choosing`
    choosing,
    told,  # [block, sequence, BLOCK]: own value of every sequence of this board, written where `telling`
    telling,
    to_above,
    best_above,
    tiles,
    other_tiles,
    best_worth,  # [row + 1, deal]: own value of each deal when answered best
    scratch,
    best,  # like scratch.value
):
    """Both values of a player on a board whose deals are valued and whose opponent's reach is known."""
    group = start_values(other, seat, level, board, tiles, other_tiles, scratch)
    deals_at = (other.ahead_width + len(other.lane_sequence) - other.compatible_from) * BLOCK
    deals = len(plex.deal_sequence)
    for row in range(0, seat.rows, BLOCK):
        group = value_lanes(other, seat, other_seat, level, board, row, group, tiles, other_tiles, scratch)
        for k in range(0, deals_at, BLOCK):
            put(best, k, take(scratch.value, k))
        nodes_at = collect(tiles.worth, deals, row, scratch.plain, scratch.value, deals_at)
        collect(best_worth, deals, row, scratch.plain, best, deals_at)
        at = (board * seat.rows + row) * plex.slots
        told_at = row * (plex.roots + plex.slots)
        value, worth = scratch.value, scratch.worth
        respond(plex, sums, held, holding, choice, choosing, told, telling, at, told_at, value, best, nodes_at, worth)
        return_above(plex, seat, level, board, row, scratch.value, scratch, to_above)
        return_above(plex, seat, level, board, row, best, scratch, best_above)


@outer
def answer_portions(
    counter,  # [1] int64: how many portions are taken; shared by threads
    portions,  # [portion, 2] int64: boards, first and end
    plex,
    other,
    seat,
    other_seat,
    level,
    sums,
    other_sums,
    held,
    holding,
    choice,
    choosing,
    told,
    telling,
    from_above,  # the opponent's reach
    to_above,  # [portion, tile]
    best_above,
    tiles,
    other_tiles,
    best_worth,
    scratch,
    best,
):
    """Both values of a player on portions of the boards of the last round until none is left."""
    while True:
        portion = draw_number(counter)
        if portion >= len(portions):
            return
        clear(to_above[portion])
        clear(best_above[portion])
        for board in range(portions[portion, 0], portions[portion, 1]):
            descend(other, other_seat, level, board, other_sums, other_sums, 0.0, from_above, other_tiles, scratch)
            answer(
                plex,
                other,
                seat,
                other_seat,
                level,
                board,
                sums,
                held,
                holding,
                choice,
                choosing,
                told,
                telling,
                to_above[portion],
                best_above[portion],
                tiles,
                other_tiles,
                best_worth,
                scratch,
                best,
            )
