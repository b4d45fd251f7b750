"""CFR over a public tree in which one player is held to a model; the rest uses the kernels of solvers/cfr/public.

Held for the whole game, a player has two reaches that are propagated side by side, the model's and their own; the
opponent faces their mixture at terminal nodes. Held at single infosets, the player has one reach: that of the strategy
including what it is held to.
"""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.tree.public._kernels.assess import respond_at_board
from pokerlab.tree.public._kernels.lanes import BLOCK, any_positive, as_kind, draw_number, fill, fused, put, take
from pokerlab.tree.public._kernels.memory import ASCENT, DESCENT, WHOLE, inner, outer
from pokerlab.tree.public._kernels.reach import arrive, clear, depart, spread, weigh, weigh_all


class ModelConstraint(NamedTuple):
    """How far one player is held to a model in a round, and its buffers."""

    player: int
    whole: float  # the probability of being held for the whole game, drawn before it
    by_infoset: bool  # whether `held` counts instead
    model: object  # [board, block, slot, BLOCK] float32: the probabilities that the player is held to
    held: object  # like model, at an infoset's first action: the probability of being held there; little without
    reach: object  # [sequence, BLOCK], buffer: reach of the model
    deals: object  # [row + 1, deal], buffer: the same for each deal
    mixed: object  # [slot, BLOCK], buffer: the strategy including what it is held to


@inner
def follow(plex, model, at, reach):
    """Reach of every sequence on a block, from the reach of the roots and these probabilities."""
    zero = fill(reach, 0.0)
    for node in range(plex.nodes):
        slot = plex.node_slot[node]
        first = at + slot * BLOCK
        to = (plex.roots + slot) * BLOCK
        arriving = take(reach, plex.node_sequence[node] * BLOCK)
        reached = any_positive(arriving)
        for k in range(0, plex.node_actions[node] * BLOCK, BLOCK):
            put(reach, to + k, arriving * as_kind(reach, take(model, first + k)) if reached else zero)


@outer
def descend_whole(side, level, board, sums, last, prediction, above, hold, scratch):
    """Reach of a player who may be held for the whole game: the lanes hold the mixture, the deals are stored
    separately.

    above: the free reach and the model's of the deals above, each [row of the round above + 1, root]; other
    arguments as in reach.descend
    """
    plex, seat, tiles = side.plex, side.seat, side.tiles
    width = len(plex.lane_sequence)
    clear(tiles.of_card[: level.tokens * width])
    share = fill(scratch.reach, hold.whole)
    rest = fill(scratch.reach, 1.0 - hold.whole)
    for row in range(0, seat.rows, BLOCK):
        at = (board * seat.rows + row) * plex.slots
        arrive(plex, seat, board, row, above[0], scratch.reach)
        spread(plex, sums, last, prediction, at, scratch.reach)
        depart(plex.deal_sequence, row, scratch.reach, tiles.deals)
        arrive(plex, seat, board, row, above[1], hold.reach)
        follow(plex, hold.model, at, hold.reach)
        depart(plex.deal_sequence, row, hold.reach, hold.deals)
        for k in range(0, (plex.roots + plex.slots) * BLOCK, BLOCK):
            put(scratch.reach, k, fused(share, take(hold.reach, k), rest * take(scratch.reach, k)))
        depart(plex.lane_sequence, row, scratch.reach, tiles.lanes)
        weigh(tiles.lanes, width, row, min(row + BLOCK, seat.count[board]), seat.cards[board], tiles.of_card)
    weigh_all(tiles.of_card, width, level.tokens)


@outer
def respond_held_in_portions(portions, facing, request, other_sums, best, above, to_above, best_above, hold):
    """Both values of a player against one who may be held for the whole game; see assess.answer_portions.

    above: the opponent's free reach and the model's, each [row of the round above + 1, root]
    """
    while True:
        portion = draw_number(portions.counter)
        if portion >= len(portions.boards):
            return
        if portions.part == WHOLE:
            clear(to_above[portion])
            clear(best_above[portion])
        for board in range(portions.boards[portion, 0], portions.boards[portion, 1]):
            side, level, scratch = facing.other, facing.level, facing.scratch
            if portions.part & DESCENT:
                descend_whole(side, level, board, other_sums, other_sums, 0.0, above, hold, scratch)
            if portions.part & ASCENT:
                respond_at_board(facing, board, request, best, to_above[portion], best_above[portion])
