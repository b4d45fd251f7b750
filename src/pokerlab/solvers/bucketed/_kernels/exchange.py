"""External sampling in games with an exchange of cards: walks of one deal, for any number of players.

As sampling.py, with these differences. The walking player tries every way of the own exchange, so a walk holds several
hands of one player. Those that exchanged as many cards are in the same public place, and the others, who see no more
than that, do the same: they go on together. An entry of the queue is a public place, which a walk comes to once, with a
number for each hand of the walking player. What a decision needs is fetched when it is queued, and there when its turn
comes. Cards of the stock come in the order of the deck.

The walking player learns on one side, the others play by another: the same where a strategy plays itself, a fixed one
where it is to be exploited. Sides may have different buckets, but the same betting.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.lines import prefetch_to_read
from pokerlab.solvers.bucketed._kernels.matching import add_average, decision_word, drawn, matched, point, positive
from pokerlab.solvers.bucketed._kernels.tables import ACTOR, CHILDREN, FIRST, ROUND, deal_key, payoff, walk_key
from pokerlab.tree.bucketed._kernels.exchange import CLASS, STRENGTH, deal_cards, exchanged, hand_number, sort_hands

NODE, SLOT, COUNT, BELOW, OWN, OTHERS, GONE = range(7)  # columns of the queue
# SLOT, COUNT: the numbers of its hands are [SLOT, SLOT + COUNT)
# BELOW: where those of its children begin; where another player decides, the place of that one's infoset; below 0
#   where that player has exchanged, and it is not yet known what for
# OWN: the number of the walking player's first exchange, or NONE; OTHERS: those of the others; GONE: cards of the stock
LINE = 16  # numbers of four bytes in a line of the cache
WIDTH, ENDS = 8, 6  # numbers of a node in the tables, and of its values at an end
BITS, SOME = 10, 1023  # of OTHERS: those of each player's exchange, one more than its number; six players fit
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
    """Room for the walks of one thread. An exchange has the number: cards gone before * ways + place of its way."""

    queue: object  # [entry, 7] int64: the columns above
    share: object  # [entry] float64: what counts in an average, for what others did
    place: object  # [number] int64: where the infoset of a hand lies
    factor: object  # [number] float64: how likely the hand comes here from the decision above
    value: object  # [number] float64
    cards: object  # [card] uint8: a deal: the players' hands, then the stock
    hands: object  # [player, place] uint8: sorted
    number: object  # [player] int64: of these hands
    bucket: object  # [player] int64: before the exchange
    known: object  # [player, exchange] uint64: the walk in which the hand of an exchange was worked out
    held: object  # [2, player, exchange] int64: the bucket after it, and the strength
    numbers: object  # [player, exchange] int64: of the hand that it leads to
    spare: object  # [place] uint8
    strength: object  # [player] int64
    worth: object  # [node, player, 3] float64: ends for two: with the stronger hand, the same, the weaker; or none
    state: object  # [1] uint64: of the random numbers that deal


@kernel(allocates=False, forceinline=True)
def number_exchange(player, exchange, way, key, side, room):
    """Work out the hand that an exchange leads to, where this walk had not, and have the tables of it fetched."""
    if room.known[player, exchange] != key:
        room.known[player, exchange] = key
        first = room.hands.shape[0] * side.cards.held + exchange // side.cards.discards.shape[0]
        number = exchanged(player, way, first, side.cards, room)
        room.numbers[player, exchange] = number
        prefetch_to_read(side.cards.after, 2 * number)


@kernel(allocates=False, forceinline=True)
def settle(player, exchange, way, side, room):
    """Write down what an exchange leads to, whose hand is known."""
    number, memory = room.numbers[player, exchange], side.cards.memory[room.bucket[player], way]
    room.held[0, player, exchange] = np.int64(side.cards.after[number, CLASS]) * side.cards.memories + memory
    room.held[1, player, exchange] = side.cards.after[number, STRENGTH]


@kernel(inline="always", allocates=False)
def exchange_of(others, player):
    """The number of another player's exchange, NONE before it."""
    return ((others >> (BITS * player)) & SOME) - 1


@kernel(inline="always", allocates=False)
def row_of(node, stage, side):
    """Where the numbers of a decision would begin in bucket 0."""
    return side.base[stage] + np.int64(side.slot[node])


@kernel(inline="always", allocates=False)
def enter(room, entry, node, slot, count, own, others, gone):
    """Write one place."""
    queue = room.queue
    queue[entry, NODE], queue[entry, SLOT], queue[entry, COUNT], queue[entry, BELOW] = node, slot, count, 0
    queue[entry, OWN], queue[entry, OTHERS], queue[entry, GONE] = own, others, gone


@kernel(allocates=False, forceinline=True)
def arrive(entry, walker, tables, sides, room):
    """Work out where the numbers of a new entry lie, and have them fetched; returns how many entries there are with it.

    An end has its values at once and needs no entry.
    """
    player, queue = walker[0], room.queue
    node = queue[entry, NODE]
    actor, stage = np.int64(tables.nodes[node, ACTOR]), tables.nodes[node, ROUND]
    if actor < 0:
        end_values(entry, player, tables, room)
        return entry
    first, children = np.int64(tables.nodes[node, FIRST]), np.int64(tables.nodes[node, CHILDREN])
    if stage == EXCHANGE:  # a child for each number of cards
        children = 1 + room.hands.shape[1]
    elif room.worth.shape[0] > 0:
        fetch(room.worth, ENDS * first, ENDS * children, LINE // 2)
    fetch(tables.nodes, WIDTH * first, WIDTH * children, LINE)
    if actor == player:
        arrive_at_own(entry, node, stage, walker, sides[0], room)
    else:
        arrive_at_other(entry, node, stage, actor, sides[1], room)
    return entry + 1


@kernel(allocates=False, forceinline=True)
def arrive_at_other(entry, node, stage, actor, side, room):
    """Where another player's numbers lie."""
    bucket = room.bucket[actor]
    if stage == AFTER:
        bucket = room.held[0, actor, exchange_of(room.queue[entry, OTHERS], actor)]
    place, moves = row_of(node, stage, side) + side.rows[stage] * bucket, np.int64(side.moves[node])
    room.queue[entry, BELOW] = place
    fetch(side.sums.play, place, moves, LINE)
    fetch(side.sums.average, place, moves, LINE)


@kernel(allocates=False, forceinline=True)
def arrive_at_own(entry, node, stage, walker, side, room):
    """Where the numbers of all hands lie; at the exchange, the hands that it leads to."""
    player, queue = walker[0], room.queue
    slot, own, moves = queue[entry, SLOT], queue[entry, OWN], np.int64(side.moves[node])
    row, rows = row_of(node, stage, side), side.rows[stage]
    for hand in range(queue[entry, COUNT]):
        bucket = room.held[0, player, own + hand] if stage == AFTER else room.bucket[player]
        place = row + rows * bucket
        room.place[slot + hand] = place
        fetch(side.sums.play, place, moves, LINE)
        fetch(side.sums.regret, place, moves, LINE)
    if stage == EXCHANGE:
        start = queue[entry, GONE] * moves
        for place in range(moves):
            number_exchange(player, start + place, side.cards.order[place], walker[2], side, room)


@kernel(inline="always", allocates=False)
def fetch(array, place, count, line):
    """Have numbers fetched, a line of the cache at a time."""
    for at in range(place, place + count, line):
        prefetch_to_read(array, at)


@kernel(allocates=False, forceinline=True)
def go_on(entry, size, walker, tables, sides, room):
    """Sample what another player does, which adds to the average; returns how many entries there are."""
    _, following, key, learns = walker
    side, queue = sides[1], room.queue
    node, place, others, gone = queue[entry, NODE], queue[entry, BELOW], queue[entry, OTHERS], queue[entry, GONE]
    actor, first = np.int64(tables.nodes[node, ACTOR]), np.int64(tables.nodes[node, FIRST])
    play, moves, base = side.sums.play, np.int64(side.moves[node]), decision_word(key, node)
    total, share = positive(play, place, moves), room.share[entry]
    chosen = drawn(play, place, moves, total, point(base, 0))
    if actor != following:
        share /= matched(play, place + chosen, moves, total)
    elif learns:
        each = share * (1.0 / total if total > 0.0 else 1.0 / moves)
        for index in range(moves):
            gained = each * (max(np.float64(play[place + index]), 0.0) if total > 0.0 else 1.0)
            add_average(side.sums.average, place + index, gained, base, index)
    room.share[size] = share
    if tables.nodes[node, ROUND] != EXCHANGE:
        enter(room, size, first + chosen, queue[entry, SLOT], queue[entry, COUNT], queue[entry, OWN], others, gone)
        return arrive(size, walker, tables, sides, room)
    exchange, cards = gone * moves + chosen, side.cards.discards[chosen]
    number_exchange(actor, exchange, chosen, key, side, room)
    others += (exchange + 1) << (BITS * actor)
    enter(room, size, first + cards, queue[entry, SLOT], queue[entry, COUNT], queue[entry, OWN], others, gone + cards)
    queue[size, BELOW] = -1 - actor  # what the new hand is worth is on its way
    return size + 1


@kernel(allocates=False, forceinline=True)
def come_back(entry, size, walker, tables, sides, room):
    """An entry that waited for what another player's new hand is worth; returns how many entries there are."""
    side, queue = sides[1], room.queue
    actor, others = -1 - queue[entry, BELOW], queue[entry, OTHERS]
    exchange = exchange_of(others, actor)
    settle(actor, exchange, exchange % side.cards.discards.shape[0], side, room)
    slot, count, gone = queue[entry, SLOT], queue[entry, COUNT], queue[entry, GONE]
    enter(room, size, queue[entry, NODE], slot, count, queue[entry, OWN], others, gone)
    room.share[size] = room.share[entry]
    return arrive(size, walker, tables, sides, room)


@kernel(allocates=False, forceinline=True)
def end_values(entry, player, tables, room):
    """What an end is worth to the walking player with each hand; of two players it is looked up."""
    queue, held, value = room.queue, room.held, room.value
    node, slot, count, own = queue[entry, NODE], queue[entry, SLOT], queue[entry, COUNT], queue[entry, OWN]
    if room.worth.shape[0] > 0:
        other = exchange_of(queue[entry, OTHERS], 1 - player)
        if other == NONE or own == NONE:  # somebody has folded before the exchange
            for hand in range(count):
                value[slot + hand] = room.worth[node, player, 0]
            return
        theirs = held[1, 1 - player, other]
        for hand in range(count):
            mine = held[1, player, own + hand]
            value[slot + hand] = room.worth[node, player, 1 + np.int64(mine > theirs) - np.int64(mine < theirs)]
        return
    for seat in range(room.hands.shape[0]):
        exchange = exchange_of(queue[entry, OTHERS], seat)
        room.strength[seat] = held[1, seat, exchange] if exchange != NONE else 0
    for hand in range(count):
        room.strength[player] = held[1, player, own + hand] if own != NONE else 0
        value[slot + hand] = np.float64(payoff(node, player, room.strength, tables))


@kernel(allocates=False, forceinline=True)
def match_hand(play, place, moves, factor, first, step):
    """The behaviour of a hand into every step-th factor: in proportion to positive numbers, uniform without any."""
    total = positive(play, place, moves)
    scale = 1.0 / total if total > 0.0 else 0.0
    least = 0.0 if total > 0.0 else 1.0 / moves
    for index in range(moves):
        factor[first + index * step] = least + scale * max(np.float64(play[place + index]), 0.0)


@kernel(allocates=False, forceinline=True)
def open_bets(entry, size, below, walker, tables, sides, room):
    """Queue what may follow the walking player's own bets; returns how many entries there are."""
    side, queue = sides[0], room.queue
    node, slot, count = queue[entry, NODE], queue[entry, SLOT], queue[entry, COUNT]
    moves, first = np.int64(side.moves[node]), np.int64(tables.nodes[node, FIRST])
    own, others = queue[entry, OWN], queue[entry, OTHERS]
    for hand in range(count):
        match_hand(side.sums.play, room.place[slot + hand], moves, room.factor, below + hand, count)
    for index in range(moves):
        enter(room, size, first + index, below + index * count, count, own, others, queue[entry, GONE])
        room.share[size] = room.share[entry]
        size = arrive(size, walker, tables, sides, room)
    return size


@kernel(allocates=False, forceinline=True)
def open_exchange(entry, size, below, walker, tables, sides, room):
    """The same for the own exchange: an entry for each number of cards, with all hands that exchanged as many."""
    side, queue, order = sides[0], room.queue, sides[0].cards.order
    discards = side.cards.discards
    node, others = queue[entry, NODE], queue[entry, OTHERS]
    moves, first = np.int64(side.moves[node]), np.int64(tables.nodes[node, FIRST])
    gone = queue[entry, GONE]
    start = gone * moves
    for place in range(moves):
        settle(walker[0], start + place, order[place], side, room)
    match_hand(side.sums.play, room.place[queue[entry, SLOT]], moves, room.value, below, 1)
    for place in range(moves):
        room.factor[below + place] = room.value[below + order[place]]
    place = 0
    while place < moves:
        cards, last = discards[order[place]], place + 1
        while last < moves and discards[order[last]] == cards:
            last += 1
        enter(room, size, first + cards, below + place, last - place, start + place, others, gone + cards)
        room.share[size] = room.share[entry]
        size = arrive(size, walker, tables, sides, room)
        place = last
    return size


@kernel(allocates=False, forceinline=True)
def gather_up(size, player, tables, sides, room):
    """Go back over the queue: values, and the regrets of the walking player's decisions."""
    queue, side, value, factor = room.queue, sides[0], room.value, room.factor
    regret, order = side.sums.regret, side.cards.order
    for entry in range(size - 1, -1, -1):
        node, slot, count, below = queue[entry, NODE], queue[entry, SLOT], queue[entry, COUNT], queue[entry, BELOW]
        if below < 0 or tables.nodes[node, ACTOR] != player:
            continue
        moves, exchanges = np.int64(side.moves[node]), tables.nodes[node, ROUND] == EXCHANGE
        for hand in range(count):
            mean, place = 0.0, room.place[slot + hand]
            for index in range(moves):
                child = below + index * count + hand
                mean += factor[child] * value[child]
            value[slot + hand] = mean
            for index in range(moves):
                action = order[index] if exchanges else index
                regret[place + action] += np.float32(value[below + index * count + hand] - mean)


@kernel(allocates=False, forceinline=True)
def begin(sides, player, room):
    """The hands of a walk whose cards lie in the room: sorted, numbered, in buckets."""
    held = sides[0].cards.held
    sort_hands(room.cards, held, room.hands)
    for seat in range(room.hands.shape[0]):
        number = hand_number(room.hands[seat], sides[0].cards.choose)
        room.number[seat] = number
        room.bucket[seat] = sides[0].cards.before[number] if seat == player else sides[1].cards.before[number]


@kernel(allocates=False)
def walk(walker, tables, sides, room):
    """One walk of a player; returns the nodes visited, each for every hand."""
    player, queue = walker[0], room.queue
    begin(sides, player, room)
    enter(room, 0, 0, 0, 1, NONE, np.int64(0), np.int64(0))
    room.share[0] = 1.0
    size = arrive(0, walker, tables, sides, room)
    entry, below, visited = 0, 1, 1
    while entry < size:
        node, count = queue[entry, NODE], queue[entry, COUNT]
        if queue[entry, BELOW] < 0:
            size = come_back(entry, size, walker, tables, sides, room)
        elif tables.nodes[node, ACTOR] != player:
            size = go_on(entry, size, walker, tables, sides, room)
            visited += count
        else:
            queue[entry, BELOW] = below
            if tables.nodes[node, ROUND] == EXCHANGE:
                size = open_exchange(entry, size, below, walker, tables, sides, room)
            else:
                size = open_bets(entry, size, below, walker, tables, sides, room)
            below += count * np.int64(sides[0].moves[node])
        entry += 1
    gather_up(size, player, tables, sides, room)
    return visited + below - 1


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
