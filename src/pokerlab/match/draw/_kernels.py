"""Hands of five-card draw between any two of: a strategy over buckets, one that falls back on a rule, a rule.

Rules are those of agents/parts/_kernels/draw_play.py. The cards of a deal lie in the order of the deck, and are the
same whoever sits where: two hands of five, then the stock.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.agents.parts._kernels.draw_play import (
    CALL,
    FOLD,
    Facts,
    agent_action,
    agent_discards,
    in_canonical_order,
)
from pokerlab.cards._kernels.randomness import draw, unit
from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.matching import drawn, positive
from pokerlab.solvers.bucketed._kernels.tables import ACTOR, FIRST, ROUND, payoff
from pokerlab.tree.bucketed._kernels.exchange import CLASS, STRENGTH, deal_cards, hand_number, insert, sort_hands

EXCHANGE, AFTER = 1, 2  # stages


class Contestant(NamedTuple):
    """How one side plays."""

    side: object  # ExchangeSide: the strategy, or any other where a rule plays
    rule: object  # DrawTables: the rule, or what the strategy falls back on
    learned: bool  # whether the strategy plays
    least: float  # it falls back where its sums are less
    thrown: object  # [way] uint8: the place of each way among masks by sorted cards where all hands have the same


class PlaceFacts(NamedTuple):
    """What a rule looks at in each place of the betting."""

    child: object  # [node, 3] int32: which child a fold, a call and the least raise lead to, -1 where not allowed
    bets: object  # [node] int32: bets and raises of the round
    cost: object  # [node] int32: of a call
    pot: object  # [node] int32
    raise_by: object  # [node] int32: what the least raise adds to the largest bet; 0 where there is none


class Table(NamedTuple):
    """Room for one hand."""

    cards: object  # [20] uint8: the deal
    hands: object  # [2, 5] uint8: sorted
    dealt: object  # [2] int64: the numbers of the hands dealt
    held: object  # [2] int64: and of those held now
    bucket: object  # [2] int64: of a strategy, now
    strength: object  # [2] int64
    told: (
        object  # [2, 4] int64: of each seat: cards exchanged, whether it acted and raised in this round, raised before
    )
    spare: object  # [2, 5] uint8
    state: object  # [1] uint64: of all random numbers


DRAWN, ACTED, RAISED, RAISED_BEFORE = range(4)


@kernel(allocates=False, forceinline=True)
def by_rule(node, seat, who, facts, canonical, table):
    """The child that a rule chooses at a place of betting."""
    told = table.told[seat]
    turn = 1 if table.told[seat, DRAWN] >= 0 else 0
    situation = Facts(
        turn,
        facts.bets[node],
        facts.cost[node],
        facts.pot[node],
        facts.raise_by[node],
        max(told[DRAWN], 0),
        told[ACTED],
        told[RAISED],
        told[RAISED_BEFORE] if turn else told[RAISED],
    )
    dealt, held = canonical[table.dealt[seat]], canonical[table.held[seat]]
    action = agent_action(who.rule, dealt, held, situation, draw(table.state))
    if action == FOLD and facts.child[node, FOLD] < 0:
        action = CALL
    return np.int64(facts.child[node, action])


@kernel(allocates=False, forceinline=True)
def thrown_by_rule(seat, who, canonical, table):
    """The mask, over the sorted hand, of the cards that a rule throws away."""
    raised = table.told[seat, RAISED]
    found = agent_discards(who.rule, canonical[table.dealt[seat]], raised, draw(table.state))
    in_canonical_order(table.hands[seat], table.spare[1])
    mask = np.int64(0)
    for place in range(5):
        if (found >> place) & 1:
            for own in range(5):
                mask |= np.int64(table.hands[seat, own] == table.spare[1, place]) << own
    return mask


@kernel(allocates=False, forceinline=True)
def exchange(seat, mask, taken, side, table):
    """Throw the cards of a mask away and take others from the stock; returns how many of those are gone."""
    size, spare = 0, table.spare[0]
    for place in range(5):
        if not (mask >> place) & 1:
            spare[size] = table.hands[seat, place]
            size += 1
    table.told[seat, DRAWN] = 5 - size
    while size < 5:
        insert(spare, size, table.cards[10 + taken])
        size += 1
        taken += 1
    for place in range(5):
        table.hands[seat, place] = spare[place]
    table.held[seat] = hand_number(spare, side.cards.choose)
    table.strength[seat] = side.cards.after[table.held[seat], STRENGTH]
    return taken


@kernel(allocates=False, forceinline=True)
def note(node, chosen, seat, facts, table):
    """Remember that a seat acted, and whether it raised."""
    table.told[seat, ACTED] = 1
    if chosen != facts.child[node, CALL] and chosen != facts.child[node, FOLD]:
        table.told[seat, RAISED] = 1


@kernel(allocates=False, forceinline=True)
def step(node, taken, who, tables, facts, canonical, table):
    """One decision; returns the next node, and how many cards of the stock are gone."""
    seat, stage, side = np.int64(tables.nodes[node, ACTOR]), tables.nodes[node, ROUND], who.side
    first, falls = np.int64(tables.nodes[node, FIRST]), not who.learned
    chosen = np.int64(0)
    if who.learned:
        moves = np.int64(side.moves[node])
        place = side.base[stage] + side.rows[stage] * table.bucket[seat] + np.int64(side.slot[node])
        total = positive(side.sums.play, place, moves)
        chosen = drawn(side.sums.play, place, moves, total, unit(table.state))
        falls = total < who.least
    if stage != EXCHANGE:
        if falls:
            chosen = by_rule(node, seat, who, facts, canonical, table)
        note(node, chosen, seat, facts, table)
        return first + chosen, taken
    raised = table.told[seat, RAISED]
    if falls:
        mask = thrown_by_rule(seat, who, canonical, table)
        way = np.int64(who.thrown[mask]) if who.learned else np.int64(0)
    else:
        way = chosen
        masks = side.cards.masks
        mask = np.int64(masks[table.dealt[seat] if masks.shape[0] > 1 else 0, way])
    before = taken
    taken = exchange(seat, mask, taken, side, table)
    table.told[seat, RAISED_BEFORE], table.told[seat, RAISED], table.told[seat, ACTED] = raised, 0, 0
    if who.learned:
        memory = side.cards.memory[table.bucket[seat], way]
        table.bucket[seat] = np.int64(side.cards.after[table.held[seat], CLASS]) * side.cards.memories + memory
    return first + taken - before, taken


@kernel
def play_draw(tables, facts, canonical, pair, table, won, held):
    """Deals, each played with the first of the pair at both seats: won [deal, seat], held [deal, seat] its hand."""
    nodes = tables.nodes
    for deal in range(won.shape[0]):
        deal_cards(table.cards, pair[0].side.cards.deck, table.state)
        for seat in range(2):
            sort_hands(table.cards, 5, table.hands)
            for player in range(2):
                number = hand_number(table.hands[player], pair[0].side.cards.choose)
                table.dealt[player], table.held[player] = number, number
                table.strength[player] = pair[0].side.cards.after[number, STRENGTH]
                if player == seat:
                    table.bucket[player] = pair[0].side.cards.before[number]
                else:
                    table.bucket[player] = pair[1].side.cards.before[number]
                table.told[player, DRAWN] = -1
                table.told[player, ACTED], table.told[player, RAISED], table.told[player, RAISED_BEFORE] = 0, 0, 0
            held[deal, seat] = table.dealt[seat]
            node, taken = np.int64(0), np.int64(0)
            while nodes[node, ACTOR] >= 0:
                if nodes[node, ACTOR] == seat:
                    node, taken = step(node, taken, pair[0], tables, facts, canonical, table)
                else:
                    node, taken = step(node, taken, pair[1], tables, facts, canonical, table)
            won[deal, seat] = payoff(node, seat, table.strength, tables)
