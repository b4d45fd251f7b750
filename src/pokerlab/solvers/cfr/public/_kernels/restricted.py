"""CFR over a public tree in which one player is held to a model; the rest uses the kernels of solvers/cfr/public.

Held for the whole game, a player has two reaches that are propagated side by side, the model's and their own; the
opponent faces their mixture at terminal nodes. Held at single infosets, the player has one reach: that of the strategy
including what it is held to.
"""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.solvers.cfr.public._kernels.rounds import add_regret, moving, play, remember, settle
from pokerlab.solvers.core._kernels import step_of
from pokerlab.solvers.core.schedule import Step
from pokerlab.tree.public._kernels.assess import answer
from pokerlab.tree.public._kernels.lanes import BLOCK, any_positive, as_kind, draw_number, fill, fused, put, take
from pokerlab.tree.public._kernels.memory import Facing, InfosetRow, Scratch, inner, outer
from pokerlab.tree.public._kernels.reach import (
    arrive,
    clear,
    collect,
    depart,
    descend,
    return_above,
    spread,
    start_values,
    sum_sources,
    value_lanes,
    weigh,
    weigh_all,
)


class Hold(NamedTuple):
    """How far one player is held to a model in a round, and its buffers."""

    player: int
    whole: float  # the probability of being held for the whole game, drawn before it
    by_infoset: bool  # whether `held` counts instead
    model: object  # [board, block, slot, BLOCK] float32: the probabilities that the player is held to
    held: object  # like model, at an infoset's first action: the probability of being held there; little without
    reach: object  # [sequence, BLOCK], buffer: reach of the model
    deals: object  # [row + 1, deal], buffer: the same for each deal
    mixed: object  # [slot, BLOCK], buffer: the strategy including what it is held to


# ---- downwards -----------------------------------------------------------------------------------------------------


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


@inner
def hold_to(plex, hold, at, scratch):
    """Reach of every sequence on a block, from the reach of the roots and scratch.strategy for the free part."""
    reach, strategy, mixed = scratch.reach, scratch.strategy, hold.mixed
    one = fill(reach, 1.0)
    for node in range(plex.nodes):
        slot = plex.node_slot[node] * BLOCK
        to = plex.roots * BLOCK + slot
        arriving = take(reach, plex.node_sequence[node] * BLOCK)
        held = take(hold.held, at + slot)
        for k in range(0, plex.node_actions[node] * BLOCK, BLOCK):
            chosen = fused(held, take(hold.model, at + slot + k), (one - held) * take(strategy, slot + k))
            put(mixed, slot + k, chosen)
            put(reach, to + k, chosen * arriving)


@inner
def clear_cards(tiles, cells):
    """Set the weight of every card to zero."""
    for k in range(cells):
        tiles.of_card[k] = 0


@outer
def descend_whole(side, level, board, sums, last, prediction, above, hold, scratch):
    """Reach of a player who may be held for the whole game: the lanes hold the mixture, the deals are stored
    separately.

    above: the free reach and the model's of the deals above, each [row of the round above + 1, root]; other
    arguments as in reach.descend
    """
    plex, seat, tiles = side.plex, side.seat, side.tiles
    width = len(plex.lane_sequence)
    clear_cards(tiles, level.tokens * width)
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


@inner
def without_average(step):
    """A step that adds nothing to the average strategy."""
    return Step(step.keep_positive, step.keep_negative, step.floor, 1.0, 0.0, step.prediction)


@outer
def descend_by_infoset(side, level, board, store, step, from_above, hold, scratch):
    """Reach of a player who is held at single infosets; see reach.descend."""
    plex, seat, tiles = side.plex, side.seat, side.tiles
    width = len(plex.lane_sequence)
    clear_cards(tiles, level.tokens * width)
    for row in range(0, seat.rows, BLOCK):
        at = (board * seat.rows + row) * plex.slots
        arrive(plex, seat, board, row, from_above, scratch.reach)
        play(plex, store, at, 0, without_average(step), scratch)
        hold_to(plex, hold, at, scratch)
        depart(plex.lane_sequence, row, scratch.reach, tiles.lanes)
        depart(plex.deal_sequence, row, scratch.reach, tiles.deals)
        weigh(tiles.lanes, width, row, min(row + BLOCK, seat.count[board]), seat.cards[board], tiles.of_card)
    weigh_all(tiles.of_card, width, level.tokens)


# ---- upwards -------------------------------------------------------------------------------------------------------


@inner
def remember_held(plex, store, hold, at, scale_at, step, scratch):
    """Add a step's share to the average strategy of a block, including what it is held to."""
    mixed = Scratch(
        scratch.plain,
        scratch.reach,
        hold.mixed,
        scratch.value,
        scratch.worth,
        scratch.transposed,
        scratch.compatible,
        scratch.swept,
    )
    weight = fill(scratch.reach, step.average_weight)
    following = plex.slots * BLOCK
    for node in range(plex.nodes):
        arriving = take(scratch.reach, plex.node_sequence[node] * BLOCK) * weight
        if step.keep_average != 1 or any_positive(arriving):
            slot = plex.node_slot[node] * BLOCK
            infoset = InfosetRow(plex.node_actions[node], at + slot, following, scale_at + node, slot)
            remember(store, infoset, step, arriving, mixed)


@inner
def learn_held(plex, store, hold, at, scale_at, step, scratch, nodes_at):
    """Values of a block's infosets, including what they are held to; and regrets of the free part only."""
    strategy, value, worth = scratch.strategy, scratch.value, scratch.worth
    for node in range(plex.nodes - 1, -1, -1):
        actions = plex.node_actions[node]
        slot = plex.node_slot[node]
        free = fill(value, 0.0)
        whole = fill(value, 0.0)
        for k in range(actions):
            gain = sum_sources(plex, plex.roots + slot + k, value)
            put(worth, k * BLOCK, gain)
            free = fused(take(strategy, (slot + k) * BLOCK), gain, free)
            whole = fused(take(hold.mixed, (slot + k) * BLOCK), gain, whole)
        put(value, nodes_at + node * BLOCK, whole)
        infoset = InfosetRow(actions, at + slot * BLOCK, 0, scale_at + node, slot * BLOCK)
        add_regret(store, infoset, step, free, worth)


@outer
def settle_by_infoset(facing, board, store, step, from_above, to_above, hold):
    """One step of a player who is held at single infosets; see rounds.settle."""
    plex, seat, scratch = facing.own.plex, facing.own.seat, facing.scratch
    group = start_values(facing, board)
    other = facing.other.plex
    deals_at = (other.ahead_width + len(other.lane_sequence) - other.compatible_from) * BLOCK
    for row in range(0, seat.rows, BLOCK):
        at = (board * seat.rows + row) * plex.slots
        scale_at = (board * seat.rows + row) // BLOCK * plex.nodes
        arrive(plex, seat, board, row, from_above, scratch.reach)
        play(plex, store, at, scale_at, without_average(step), scratch)
        hold_to(plex, hold, at, scratch)
        remember_held(plex, store, hold, at, scale_at, step, scratch)
        group = value_lanes(facing, board, row, group)
        deals = len(plex.deal_sequence)
        nodes_at = collect(facing.own.tiles.worth, deals, row, scratch.plain, scratch.value, deals_at)
        learn_held(plex, store, hold, at, scale_at, step, scratch, nodes_at)
        return_above(facing, board, row, scratch.value, to_above)


# ---- portions of the last round ------------------------------------------------------------------------------------


@outer
def advance_held_portions(portions, moves, level, sides, stores, from_above, to_above, scratch, hold):
    """Steps on portions of boards of the last round; see rounds.advance_portions. from_above[2] is the model's."""
    while True:
        portion = draw_number(portions.counter)
        if portion >= len(portions.boards):
            return
        for player in range(2):
            if moving(moves, 0, player):
                clear(to_above[player][portion])
        for k in range(len(moves.players)):
            step = step_of(moves.steps, k)
            for board in range(portions.boards[portion, 0], portions.boards[portion, 1]):
                for player in range(2):
                    if moving(moves, k, 1 - player):
                        side, store, above = sides[player], stores[player], from_above[player]
                        if player != hold.player:
                            descend(side, level, board, store.regret, store.last, step.prediction, above, scratch)
                        elif hold.by_infoset:
                            descend_by_infoset(side, level, board, store, step, above, hold, scratch)
                        else:
                            both = (above, from_above[2])
                            sums, last = store.regret, store.last
                            descend_whole(side, level, board, sums, last, step.prediction, both, hold, scratch)
                for player in range(2):
                    if moving(moves, k, player):
                        facing = Facing(sides[player], sides[1 - player], level, scratch)
                        store, above, to = stores[player], from_above[player], to_above[player][portion]
                        if player == hold.player and hold.by_infoset:
                            settle_by_infoset(facing, board, store, step, above, to, hold)
                        else:
                            settle(facing, board, store, step, above, to)


@outer
def answer_held_portions(portions, facing, inquiry, other_sums, best, above, to_above, best_above, hold):
    """Both values of a player against one who may be held for the whole game; see assess.answer_portions.

    above: the opponent's free reach and the model's, each [row of the round above + 1, root]
    """
    while True:
        portion = draw_number(portions.counter)
        if portion >= len(portions.boards):
            return
        clear(to_above[portion])
        clear(best_above[portion])
        for board in range(portions.boards[portion, 0], portions.boards[portion, 1]):
            side, level, scratch = facing.other, facing.level, facing.scratch
            descend_whole(side, level, board, other_sums, other_sums, 0.0, above, hold, scratch)
            answer(facing, board, inquiry, best, to_above[portion], best_above[portion])
