"""External sampling in games with an exchange of cards: walks of one deal, for any number of players.

As sampling.py, with these differences. The walking player tries every way of the own exchange, so a walk holds several
hands of one player: an entry says how each player exchanged, as the number of an exchange in a table of those that this
walk has come to (where in the stock its cards began, and the way). Cards of the stock come in the order of the deck.

The walking player learns on one side, the others play by another: the same where a strategy plays itself, a fixed one
where it is to be exploited. Sides may have different buckets, but the same betting.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.lines import prefetch_to_read, prefetch_to_write
from pokerlab.solvers.bucketed._kernels.matching import add_average, decision_word, drawn, matched, point, positive
from pokerlab.solvers.bucketed._kernels.tables import ACTOR, FIRST, ROUND, deal_key, payoff, walk_key
from pokerlab.tree.bucketed._kernels.exchange import CLASS, STRENGTH, deal_cards, exchanged, hand_number, sort_hands

NODE, PLACE, BELOW, HANDS = range(4)  # columns of the queue
BITS, SOME, GONE = 10, 1023, 52  # of HANDS: those of each player's exchange, one more than its number; cards gone above
SHARE, FACTOR, VALUE = range(3)  # columns of the weights
BEFORE, EXCHANGE, AFTER = range(3)  # stages
NONE = -1  # no exchange yet


class ExchangeSide(NamedTuple):
    """What a player goes by."""

    cards: object  # ExchangeTables
    slot: object  # [node] int32: where in a row the numbers of a decision begin
    moves: object  # [node] int32: how many they are
    base: object  # [stage] int64: where the numbers of a stage begin
    rows: object  # [stage] int64: numbers of a bucket
    sums: object  # FloatSums


class ExchangeRoom(NamedTuple):
    """Room for the walks of one thread."""

    queue: object  # [entry, 4] int64: the columns above
    weights: object  # [entry, 3] float64
    cards: object  # [card] uint8: a deal: the players' hands, then the stock
    hands: object  # [player, place] uint8: sorted
    number: object  # [player] int64: of these hands
    bucket: object  # [player] int64: before the exchange
    seen: object  # [node] uint64: the walk that came to another player's decision last
    chosen: object  # [node] int32: what it did there
    passed: object  # [node] float64: and how likely that was
    known: object  # [player, exchange] uint64: the walk in which an exchange was worked out
    held: object  # [player, exchange, 2] int64: the bucket after it, and the strength
    numbers: object  # [way] int64: of the hands that exchanges lead to
    spare: object  # [place] uint8
    strength: object  # [player] int64
    worth: object  # [node, player, 3] float64: ends for two: with the stronger hand, the same, the weaker; or none
    state: object  # [1] uint64: of the random numbers that deal


@kernel(allocates=False, forceinline=True)
def hold(player, drawn_before, way, key, side, room):
    """The number of a player's exchange, whose bucket and strength are worked out where this walk had not."""
    exchange = drawn_before * side.cards.discards.shape[0] + way
    if room.known[player, exchange] != key:
        first = room.hands.shape[0] * side.cards.held + drawn_before
        settle(player, exchange, way, exchanged(player, way, first, side.cards, room), key, side, room)
    return exchange


@kernel(allocates=False, forceinline=True)
def settle(player, exchange, way, number, key, side, room):
    """Write down what an exchange leads to: a hand of this number."""
    room.known[player, exchange] = key
    memory = side.cards.memory[room.bucket[player], way]
    room.held[player, exchange, 0] = np.int64(side.cards.after[number, CLASS]) * side.cards.memories + memory
    room.held[player, exchange, 1] = side.cards.after[number, STRENGTH]


@kernel(allocates=False, forceinline=True)
def hold_all(player, drawn_before, key, side, room):
    """All exchanges of a player, so that tables are waited for once and not for each."""
    ways = side.cards.discards.shape[0]
    first = room.hands.shape[0] * side.cards.held + drawn_before
    if room.known[player, drawn_before * ways + ways - 1] == key:
        return
    for way in range(ways):
        number = exchanged(player, way, first, side.cards, room)
        room.numbers[way] = number
        prefetch_to_read(side.cards.after, 2 * number)
    for way in range(ways):
        settle(player, drawn_before * ways + way, way, room.numbers[way], key, side, room)


@kernel(inline="always", allocates=False)
def exchange_of(hands, player):
    """The number of a player's exchange, NONE before it."""
    return ((hands >> (BITS * player)) & SOME) - 1


@kernel(inline="always", allocates=False)
def exchanging(hands, player, exchange, count):
    """The hands after a player's exchange of so many cards."""
    return hands + ((exchange + 1) << (BITS * player)) + (np.int64(count) << GONE)


@kernel(inline="always", allocates=False)
def place_at(node, stage, actor, entry, side, room):
    """Where the numbers of a decision begin."""
    bucket = room.bucket[actor]
    if stage == AFTER:
        bucket = room.held[actor, exchange_of(room.queue[entry, HANDS], actor), 0]
    return side.base[stage] + side.rows[stage] * bucket + np.int64(side.slot[node])


@kernel(allocates=False, forceinline=True)
def choose_once(node, entry, walker, tables, sides, room):
    """What another player does at a place in this walk: drawn when it first comes there, which adds to the average.

    All entries at a place have the same hand of the player to act, since what differs is how the walking one exchanged.
    """
    _, following, key, learns = walker
    side, actor, stage = sides[1], np.int64(tables.nodes[node, ACTOR]), tables.nodes[node, ROUND]
    play, moves = side.sums.play, np.int64(side.moves[node])
    place, base = place_at(node, stage, actor, entry, side, room), decision_word(key, node)
    total = positive(play, place, moves)
    room.seen[node] = key
    room.chosen[node] = drawn(play, place, moves, total, point(base, 0))
    if actor == following:
        if learns:
            share = room.weights[entry, SHARE] * (1.0 / total if total > 0.0 else 1.0 / moves)
            for index in range(moves):
                gained = share * (max(np.float64(play[place + index]), 0.0) if total > 0.0 else 1.0)
                add_average(side.sums.average, place + index, gained, base, index)
    else:
        room.passed[node] = matched(play, place + room.chosen[node], moves, total)


@kernel(allocates=False, forceinline=True)
def follow(entry, walker, tables, sides, room):
    """Move an entry on past the others' sampled actions; returns how far."""
    player, following, key, _ = walker
    nodes, side = tables.nodes, sides[1]
    node, steps = room.queue[entry, NODE], 0
    while nodes[node, ACTOR] >= 0 and nodes[node, ACTOR] != player:
        if room.seen[node] != key:
            choose_once(node, entry, walker, tables, sides, room)
        actor, chosen = np.int64(nodes[node, ACTOR]), np.int64(room.chosen[node])
        if actor != following:
            room.weights[entry, SHARE] /= room.passed[node]
        if nodes[node, ROUND] == EXCHANGE:
            hands = room.queue[entry, HANDS]
            exchange = hold(actor, hands >> GONE, chosen, key, side, room)
            chosen = side.cards.discards[chosen]
            room.queue[entry, HANDS] = exchanging(hands, actor, exchange, chosen)
        node = np.int64(nodes[node, FIRST]) + chosen
        steps += 1
    room.queue[entry, NODE] = node
    return steps


@kernel(inline="always", allocates=False)
def enter(room, entry, node, hands, share, factor):
    """Write one place."""
    room.queue[entry, NODE], room.queue[entry, HANDS] = node, hands
    room.weights[entry, SHARE], room.weights[entry, FACTOR] = share, factor


@kernel(allocates=False, forceinline=True)
def arrive(entry, walker, tables, sides, room):
    """Move a new entry on to the walking player's next decision, whose numbers are fetched; returns how far."""
    player = walker[0]
    steps = follow(entry, walker, tables, sides, room)
    node = room.queue[entry, NODE]
    if tables.nodes[node, ACTOR] >= 0:
        place = place_at(node, tables.nodes[node, ROUND], player, entry, sides[0], room)
        room.queue[entry, PLACE] = place
        prefetch_to_read(sides[0].sums.play, place)
        prefetch_to_write(sides[0].sums.regret, place)
    return steps


@kernel(allocates=False, forceinline=True)
def open_own(entry, size, walker, tables, sides, room):
    """Queue all that may follow the walking player's own decision; returns the nodes passed on the way."""
    player, _, key, _ = walker
    nodes, side = tables.nodes, sides[0]
    play = side.sums.play
    node, place = room.queue[entry, NODE], room.queue[entry, PLACE]
    moves, first = np.int64(side.moves[node]), np.int64(nodes[node, FIRST])
    total = positive(play, place, moves)
    scale = 1.0 / total if total > 0.0 else 1.0 / moves
    exchanges, steps = nodes[node, ROUND] == EXCHANGE, 0
    hands, share = room.queue[entry, HANDS], room.weights[entry, SHARE]
    before = hands >> GONE
    if exchanges:
        hold_all(player, before, key, side, room)
    for index in range(moves):
        count, held = np.int64(index), hands
        if exchanges:
            count = side.cards.discards[index]
            held = exchanging(hands, player, before * moves + index, count)
        factor = scale * (max(np.float64(play[place + index]), 0.0) if total > 0.0 else 1.0)
        enter(room, size + index, first + count, held, share, factor)
        steps += arrive(size + index, walker, tables, sides, room)
    return steps


@kernel(allocates=False, forceinline=True)
def end_value(node, entry, player, tables, room):
    """What an end is worth to the walking player; of two players it is looked up."""
    queue, held = room.queue, room.held
    if room.worth.shape[0] > 0:
        hands = queue[entry, HANDS]
        mine, theirs = exchange_of(hands, player), exchange_of(hands, 1 - player)
        if theirs == NONE or mine == NONE:  # somebody has folded before the exchange
            return room.worth[node, player, 0]
        own, other = held[player, mine, 1], held[1 - player, theirs, 1]
        return room.worth[node, player, 1 + np.int64(own > other) - np.int64(own < other)]
    for seat in range(room.hands.shape[0]):
        exchange = exchange_of(queue[entry, HANDS], seat)
        room.strength[seat] = held[seat, exchange, 1] if exchange != NONE else 0
    return np.float64(payoff(node, player, room.strength, tables))


@kernel(allocates=False, forceinline=True)
def gather_up(size, player, tables, sides, room):
    """Go back over the queue: values, and the regrets of the walking player's decisions."""
    nodes, queue, weights, side = tables.nodes, room.queue, room.weights, sides[0]
    regret = side.sums.regret
    entry = size
    while entry > 0:
        entry -= 1
        node = queue[entry, NODE]
        if nodes[node, ACTOR] < 0:
            weights[entry, VALUE] = end_value(node, entry, player, tables, room)
            continue
        below, moves, place = queue[entry, BELOW], np.int64(side.moves[node]), queue[entry, PLACE]
        value = 0.0
        for child in range(below, below + moves):
            value += weights[child, FACTOR] * weights[child, VALUE]
        weights[entry, VALUE] = value
        for index in range(moves):
            regret[place + index] += np.float32(weights[below + index, VALUE] - value)


@kernel(allocates=False, forceinline=True)
def begin(key, sides, player, room):
    """The hands of a walk whose cards lie in the room: sorted, numbered, in buckets."""
    held = sides[0].cards.held
    sort_hands(room.cards, held, room.hands)
    for seat in range(room.hands.shape[0]):
        number = hand_number(room.hands[seat], sides[0].cards.choose)
        room.number[seat] = number
        room.bucket[seat] = sides[0].cards.before[number] if seat == player else sides[1].cards.before[number]


@kernel(allocates=False)
def walk(walker, tables, sides, room):
    """One walk of a player; returns the nodes visited."""
    player, _, key, _ = walker
    nodes, queue = tables.nodes, room.queue
    begin(key, sides, player, room)
    enter(room, 0, 0, np.int64(0), 1.0, 1.0)
    size, entry, visited = 1, 0, 1 + arrive(0, walker, tables, sides, room)
    while entry < size:
        queue[entry, BELOW] = size
        node = queue[entry, NODE]
        if nodes[node, ACTOR] >= 0:
            moves = np.int64(sides[0].moves[node])
            visited += moves + open_own(entry, size, walker, tables, sides, room)
            size += moves
        entry += 1
    gather_up(size, player, tables, sides, room)
    return visited


@kernel
def advance_exchanging(span, players, learns, tables, sides, room):
    """The iterations of a span that fall to a thread, with walks of players (first, last + 1); returns nodes visited.

    `learns`: whether the others' averages are added to, which is so where both sides are one.
    """
    visited, seats = 0, room.hands.shape[0]
    batch = span.first // BATCH
    iteration = span.first
    while iteration < span.last:
        batch = iteration // BATCH
        end = min((batch + 1) * BATCH, span.last)
        if batch % span.members == span.member:
            for now in range(iteration, end):
                room.state[0] = deal_key(span.seed, now)
                deal_cards(room.cards, sides[0].cards.deck, room.state)
                for player in range(players[0], players[1]):
                    key = walk_key(span.seed, now, seats, player)
                    walker = (player, (player + 1) % seats, key, learns)
                    visited += walk(walker, tables, sides, room)
        iteration = end
    return visited


BATCH = 64  # iterations that one thread does at a time
