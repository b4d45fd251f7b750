"""Hands of games with an exchange of cards, played by two strategies: one at a seat, the other elsewhere."""

from __future__ import annotations

import numpy as np

from pokerlab.cards._kernels.randomness import unit
from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.exchange import AFTER, EXCHANGE
from pokerlab.solvers.bucketed._kernels.matching import drawn, positive
from pokerlab.solvers.bucketed._kernels.tables import ACTOR, FIRST, ROUND, payoff
from pokerlab.tree.bucketed._kernels.exchange import (
    CLASS,
    STRENGTH,
    deal_cards,
    exchanged,
    hand_number,
    sort_hands,
)


@kernel(allocates=False, forceinline=True)
def number_hands(room, choose):
    """Sort and number the hands of a deal that lies in the room."""
    sort_hands(room.cards, choose.shape[1], room.hands)
    for seat in range(room.hands.shape[0]):
        room.number[seat] = hand_number(room.hands[seat], choose)


@kernel(allocates=False, forceinline=True)
def choose_by(side, node, stage, actor, room, state):
    """What a strategy does: drawn; uniform where it was never there."""
    bucket = room.bucket[actor] if stage != AFTER else room.held[0, actor, 0]
    moves = np.int64(side.moves[node])
    place = side.base[stage] + side.rows[stage] * bucket + np.int64(side.slot[node])
    total = positive(side.sums.play, place, moves)
    return drawn(side.sums.play, place, moves, total, unit(state))


@kernel(allocates=False, forceinline=True)
def play_one(seat, tables, one, other, room, state):
    """What the strategy `one` wins at a seat with a deal that is numbered, the other at all others."""
    nodes, node, taken = tables.nodes, np.int64(0), np.int64(0)
    players = room.hands.shape[0]
    for held in range(players):
        number = room.number[held]
        room.bucket[held] = one.cards.before[number] if held == seat else other.cards.before[number]
        room.strength[held] = one.cards.after[number, STRENGTH]
    while nodes[node, ACTOR] >= 0:
        actor, stage = np.int64(nodes[node, ACTOR]), nodes[node, ROUND]
        if actor == seat:
            chosen = choose_by(one, node, stage, actor, room, state)
        else:
            chosen = choose_by(other, node, stage, actor, room, state)
        node = np.int64(nodes[node, FIRST])
        if stage == EXCHANGE:
            if actor == seat:
                taken = take(actor, chosen, taken, one, room)
                node += one.cards.discards[chosen]
            else:
                taken = take(actor, chosen, taken, other, room)
                node += other.cards.discards[chosen]
        else:
            node += chosen
    return payoff(node, seat, room.strength, tables)


@kernel(allocates=False, forceinline=True)
def take(player, way, taken, side, room):
    """Exchange cards; returns how many of the stock are gone."""
    number = exchanged(player, way, room.hands.shape[0] * side.cards.held + taken, side.cards, room)
    memory = side.cards.memory[room.bucket[player], way]
    room.held[0, player, 0] = np.int64(side.cards.after[number, CLASS]) * side.cards.memories + memory
    room.strength[player] = side.cards.after[number, STRENGTH]
    return taken + side.cards.discards[way]


@kernel
def play_exchanging(tables, sides, room, won, held):
    """Deals, each played with one side at every seat: into won [deal, seat] what it won, held [deal, seat] its hand."""
    one, other = sides
    for deal in range(won.shape[0]):
        deal_cards(room.cards, one.cards.deck, room.state)
        number_hands(room, one.cards.choose)
        for seat in range(won.shape[1]):
            held[deal, seat] = room.number[seat]
            won[deal, seat] = play_one(seat, tables, one, other, room, room.state)
