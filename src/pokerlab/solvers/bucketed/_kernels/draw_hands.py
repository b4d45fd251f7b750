"""Plays hands of draw poker: each contestant is a strategy over buckets, a rule, or a strategy that falls back on one.

The cards of a deal are the players' hands, then the stock, and do not depend on the seating. Strategies play any game
with one draw; rules (draw_rules.py) play five-card draw for two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.exchange_buckets import EXCHANGE
from pokerlab.cards._kernels.canonical import bit_count
from pokerlab.cards._kernels.randomness import draw, unit
from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.draw_rules import (
    CALL,
    FOLD,
    Facts,
    agent_action,
    agent_discards,
    in_canonical_order,
)
from pokerlab.solvers.bucketed._kernels.matching import drawn, positive
from pokerlab.solvers.bucketed._kernels.tables import ACTOR, FIRST, ROUND, payoff
from pokerlab.tree.bucketed._kernels.exchange import (
    CLASS,
    STRENGTH,
    deal_cards,
    discard_mask,
    exchanged,
    hand_number,
    sort_hands,
)

DRAWN, ACTED, RAISED, RAISED_BEFORE = range(4)  # columns of `history`


class Contestant(NamedTuple):
    """How one side plays."""

    side: object  # ExchangeSide: the strategy; of a rule, only its cards are read
    rule: object  # DrawTables: the rule, or the fallback of the strategy
    has_strategy: bool
    fallback: float  # the strategy falls back on the rule if its numbers sum to less
    fell: object  # [1] int64: decisions that the rule took for the strategy


class BettingFacts(NamedTuple):
    """What a rule needs to know about each betting node; empty arrays if no rule plays."""

    child: object  # [node, 3] int32: the child after a fold, a call and the minimum raise, -1 where not allowed
    bets: object  # [node] int32: bets and raises of the round
    cost: object  # [node] int32: of a call
    pot: object  # [node] int32
    raise_by: object  # [node] int32: what the minimum raise adds to the largest bet; 0 if no raise is allowed


class HandBuffers(NamedTuple):
    """Scratch memory for one hand."""

    cards: object  # [card] uint8: the deal
    hands: object  # [player, card] uint8: as dealt, sorted
    number: object  # [player] int64: of the hands dealt
    current: object  # [player] int64: of the hands held now
    bucket: object  # [player] int64
    strength: object  # [player] int64
    history: object  # [player, 4] int64: cards drawn (-1 before), acted and raised this round, raised before the draw
    spare: object  # [card] uint8
    state: object  # [1] uint64: of the random numbers


@kernel(allocates=False, forceinline=True)
def action_of_rule(node, seat, rule, facts, canonical, buffers):
    """The child that a rule chooses at a betting decision."""
    history = buffers.history[seat]
    has_drawn = history[DRAWN] >= 0
    situation = Facts(
        1 if has_drawn else 0,
        facts.bets[node],
        facts.cost[node],
        facts.pot[node],
        facts.raise_by[node],
        max(history[DRAWN], 0),
        history[ACTED],
        history[RAISED],
        history[RAISED_BEFORE] if has_drawn else history[RAISED],
    )
    dealt, held = canonical[buffers.number[seat]], canonical[buffers.current[seat]]
    action = agent_action(rule, dealt, held, situation, draw(buffers.state))
    if action == FOLD and facts.child[node, FOLD] < 0:
        action = CALL
    return np.int64(facts.child[node, action])


@kernel(allocates=False, forceinline=True)
def discards_of_rule(seat, rule, canonical, buffers):
    """The mask, over the sorted hand, of the cards that a rule discards."""
    dealt = canonical[buffers.number[seat]]
    discards = agent_discards(rule, dealt, buffers.history[seat, RAISED], draw(buffers.state))
    in_canonical_order(buffers.hands[seat], buffers.spare)
    mask = np.int64(0)
    for rank in range(buffers.spare.shape[0]):
        if (discards >> rank) & 1:
            for position in range(buffers.spare.shape[0]):
                mask |= np.int64(buffers.hands[seat, position] == buffers.spare[rank]) << position
    return mask


@kernel(allocates=False)
def closest_option(seat, mask, cards, buffers):
    """The option that discards the cards of a mask, or else the closest: as many cards, most of them the same."""
    count, best, shared = np.int64(bit_count(mask)), np.int64(0), np.int64(-1)
    for option in range(cards.discards.shape[0]):
        if cards.discards[option] == count and shared < count:
            same = np.int64(bit_count(np.int64(discard_mask(seat, option, cards, buffers)) & mask))
            if same > shared:
                best, shared = np.int64(option), same
    return best


@kernel(allocates=False, forceinline=True)
def draw_cards(seat, mask, option, taken, who, buffers):
    """Discard the cards of a mask and draw as many; returns the number of stock cards used."""
    cards, history = who.side.cards, buffers.history
    number = exchanged(seat, mask, buffers.hands.shape[0] * cards.held + taken, cards, buffers)
    buffers.current[seat], buffers.strength[seat] = number, cards.after[number, STRENGTH]
    count = np.int64(bit_count(mask))
    history[seat, RAISED_BEFORE] = history[seat, RAISED]
    history[seat, DRAWN], history[seat, RAISED], history[seat, ACTED] = count, 0, 0
    if who.has_strategy:
        memory = cards.memory[buffers.bucket[seat], option]
        buffers.bucket[seat] = np.int64(cards.after[number, CLASS]) * cards.memories + memory
    return taken + count


@kernel(allocates=False, forceinline=True)
def decide(node, taken, who, tables, facts, canonical, buffers):
    """One decision; returns the next node, and the number of stock cards used."""
    seat, stage, side = np.int64(tables.nodes[node, ACTOR]), tables.nodes[node, ROUND], who.side
    first, by_rule, chosen = np.int64(tables.nodes[node, FIRST]), not who.has_strategy, np.int64(0)
    if who.has_strategy:
        moves = np.int64(side.moves[node])
        start = side.base[stage] + side.rows[stage] * buffers.bucket[seat] + np.int64(side.slot[node])
        total = positive(side.sums.play, start, moves)
        chosen = drawn(side.sums.play, start, moves, total, unit(buffers.state))
        by_rule = total < who.fallback
        who.fell[0] += by_rule
    if stage == EXCHANGE:
        if by_rule:
            mask = discards_of_rule(seat, who.rule, canonical, buffers)
            if who.has_strategy:
                chosen = closest_option(seat, mask, side.cards, buffers)
        else:
            mask = np.int64(discard_mask(seat, chosen, side.cards, buffers))
        after = draw_cards(seat, mask, chosen, taken, who, buffers)
        return first + after - taken, after
    if by_rule:
        chosen = action_of_rule(node, seat, who.rule, facts, canonical, buffers)
    if facts.child.shape[0] > 0:
        buffers.history[seat, ACTED] = 1
        if chosen != facts.child[node, CALL] and chosen != facts.child[node, FOLD]:
            buffers.history[seat, RAISED] = 1
    return first + chosen, taken


@kernel(allocates=False, forceinline=True)
def begin_hand(seat, one, other, buffers):
    """Reset the buffers to the hands as dealt, with `one` at a seat and `other` at the rest."""
    for player in range(buffers.hands.shape[0]):
        number = buffers.number[player]
        buffers.current[player], buffers.strength[player] = number, one.side.cards.after[number, STRENGTH]
        if player == seat:
            buffers.bucket[player] = one.side.cards.before[number]
        else:
            buffers.bucket[player] = other.side.cards.before[number]
        history = buffers.history
        history[player, DRAWN], history[player, ACTED], history[player, RAISED] = -1, 0, 0


@kernel
def play_draw_hands(tables, facts, canonical, pair, buffers, won, held):
    """Play each deal with the first of the pair at every seat: won [deal, seat], held [deal, seat] the hand dealt.

    With one column, won [deal, 1], it plays each deal once, in the seats in turn.
    """
    one, other = pair  # unpacked once: each access to a tuple of arrays counts references
    nodes, cards = tables.nodes, one.side.cards
    for deal in range(won.shape[0]):
        deal_cards(buffers.cards, cards.deck, buffers.state)
        sort_hands(buffers.cards, cards.held, buffers.hands)
        for player in range(buffers.hands.shape[0]):
            buffers.number[player] = hand_number(buffers.hands[player], cards.choose)
            held[deal, player] = buffers.number[player]
        for column in range(won.shape[1]):
            seat = column if won.shape[1] > 1 else deal % buffers.hands.shape[0]
            begin_hand(seat, one, other, buffers)
            node, taken = np.int64(0), np.int64(0)
            while nodes[node, ACTOR] >= 0:
                if nodes[node, ACTOR] == seat:
                    node, taken = decide(node, taken, one, tables, facts, canonical, buffers)
                else:
                    node, taken = decide(node, taken, other, tables, facts, canonical, buffers)
            won[deal, column] = payoff(node, seat, buffers.strength, tables)
