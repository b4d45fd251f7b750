"""Values of sequences of a public tree at terminal nodes, excluding later choices; see solvers/cfr/public."""

from __future__ import annotations

from pokerlab.tree.public._kernels.lanes import BLOCK, draw_number, fill, put
from pokerlab.tree.public._kernels.memory import outer
from pokerlab.tree.public._kernels.reach import (
    clear,
    collect,
    descend,
    return_above,
    start_values,
    sum_sources,
    value_lanes,
)


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
        nodes_at = collect(facing.own.tiles.worth, deals, row, scratch.plain, scratch.value, deals_at)
        for node in range(plex.nodes):
            put(scratch.value, nodes_at + node * BLOCK, zero)  # later choices are excluded
        at = (board * seat.rows + row) * plex.slots
        for slot in range(plex.slots):
            put(gains, at + slot * BLOCK, sum_sources(plex, plex.roots + slot, scratch.value))
        return_above(facing, board, row, scratch.value, to_above)


@outer
def gather_portions(portions, facing, other_sums, gains, from_above, to_above):
    """The same on portions of the boards of the last round until none is left.

    other_sums like gains, of the opponent, whose strategy is proportional to it; from_above [row of the round above
    + 1, root] is the opponent's reach; to_above [portion, tile]
    """
    while True:
        portion = draw_number(portions.counter)
        if portion >= len(portions.boards):
            return
        clear(to_above[portion])
        for board in range(portions.boards[portion, 0], portions.boards[portion, 1]):
            descend(facing.other, facing.level, board, other_sums, other_sums, 0.0, from_above, facing.scratch)
            gather(facing, board, gains, to_above[portion])
