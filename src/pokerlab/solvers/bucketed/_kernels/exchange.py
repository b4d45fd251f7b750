"""External sampling in games with an exchange of cards: walks of one deal, for any number of players.

Like sampling.py, with these differences. The traversing player tries every discard option, so a walk holds several
hands of one player. Hands that drew the same number of cards are at the same public node, where the opponents cannot
distinguish them, and continue together. An entry of the queue is a public node, which a walk visits once, with a number
for each hand of the traversing player. The data of a decision is prefetched when it is queued. Stock cards come in deck
order.

The traversing player learns on one side, the others play another: the same one in self-play, or a fixed strategy that
is to be exploited. Sides may have different buckets, but must have the same betting.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.exchange_buckets import AFTER, EXCHANGE
from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.lines import prefetch_to_read
from pokerlab.solvers.bucketed._kernels.matching import add_average, decision_word, drawn, matched, point, positive
from pokerlab.solvers.bucketed._kernels.tables import ACTOR, CHILDREN, FIRST, ROUND, deal_key, payoff, walk_key
from pokerlab.tree.bucketed._kernels.exchange import (
    CLASS,
    STRENGTH,
    deal_cards,
    discard_mask,
    exchanged,
    hand_number,
    sort_hands,
)

NODE, SLOT, COUNT, BELOW, OWN, OTHERS, GONE = range(7)  # columns of the queue
# SLOT, COUNT: the numbers of its hands are [SLOT, SLOT + COUNT)
# BELOW: offset of its children; if another player decides, the offset of their infoset; negative
#   if that player has exchanged and the new hand is not yet known
# OWN: the number of the traversing player's first exchange, or NONE; OTHERS: the others'; GONE: stock cards used
LINE = 16  # four-byte numbers in a cache line
WIDTH, ENDS = 8, 6  # numbers of a node in the tables, and of its values at an end
BITS, SOME = 10, 1023  # of OTHERS: those of each player's exchange, one more than its number; six players fit
NONE = -1  # no exchange yet
BATCH = 64  # iterations per thread and batch


class ExchangeSide(NamedTuple):
    """The strategy of a player, as kernels read it."""

    cards: object  # ExchangeTables
    slot: object  # [node] int32: offset of a decision's numbers in a row
    moves: object  # [node] int32: how many they are
    base: object  # [stage] int64: offset of a stage's numbers
    rows: object  # [stage] int64: numbers of a bucket
    sums: object  # FloatSums


class ExchangeBuffers(NamedTuple):
    """Buffers for the walks of one thread. The number of an exchange is cards drawn before * options + its rank."""

    queue: object  # [entry, 7] int64: the columns above
    share: object  # [entry] float64: weight in an average, from the others' moves
    offset: object  # [number] int64: offset of a hand's infoset
    factor: object  # [number] float64: the probability that the hand reaches this from the decision above
    value: object  # [number] float64
    cards: object  # [card] uint8: a deal: the players' hands, then the stock
    hands: object  # [player, card] uint8: sorted
    number: object  # [player] int64: of these hands
    bucket: object  # [player] int64: before the exchange
    known: object  # [player, exchange] uint64: the walk in which the hand of an exchange was computed
    held: object  # [2, player, exchange] int64: the bucket after it, and the strength
    numbers: object  # [player, exchange] int64: of the hand that it leads to
    spare: object  # [card] uint8
    strength: object  # [player] int64
    terminal_values: (
        object  # [node, player, 3] float64: payoffs for two players with the stronger, equal, weaker hand; or empty
    )
    state: object  # [1] uint64: of the random numbers that deal


@kernel(allocates=False, forceinline=True)
def number_exchange(player, exchange, option, key, side, buffers):
    """Compute the hand after an exchange, if this walk has not yet, and prefetch its tables."""
    if buffers.known[player, exchange] != key:
        buffers.known[player, exchange] = key
        first = buffers.hands.shape[0] * side.cards.held + exchange // side.cards.discards.shape[0]
        mask = discard_mask(player, option, side.cards, buffers)
        number = exchanged(player, mask, first, side.cards, buffers)
        buffers.numbers[player, exchange] = number
        prefetch_to_read(side.cards.after, 2 * number)


@kernel(allocates=False, forceinline=True)
def settle(player, exchange, option, side, buffers):
    """Store the result of an exchange whose hand is known."""
    number, memory = buffers.numbers[player, exchange], side.cards.memory[buffers.bucket[player], option]
    buffers.held[0, player, exchange] = np.int64(side.cards.after[number, CLASS]) * side.cards.memories + memory
    buffers.held[1, player, exchange] = side.cards.after[number, STRENGTH]


@kernel(allocates=False, forceinline=True)
def exchange_of(others, player):
    """The number of another player's exchange, NONE before it."""
    return ((others >> (BITS * player)) & SOME) - 1


@kernel(allocates=False, forceinline=True)
def row_of(node, stage, side):
    """The offset of a decision's numbers in bucket 0."""
    return side.base[stage] + np.int64(side.slot[node])


@kernel(allocates=False, forceinline=True)
def enter(buffers, entry, node, slot, count, own, others, gone):
    """Write one entry of the queue."""
    queue = buffers.queue
    queue[entry, NODE], queue[entry, SLOT], queue[entry, COUNT], queue[entry, BELOW] = node, slot, count, 0
    queue[entry, OWN], queue[entry, OTHERS], queue[entry, GONE] = own, others, gone


@kernel(allocates=False, forceinline=True)
def arrive(entry, walker, tables, sides, buffers):
    """Compute the offsets of a new entry's numbers and prefetch them; returns the new number of entries.

    A terminal node gets its values at once and needs no entry.
    """
    player, queue = walker[0], buffers.queue
    node = queue[entry, NODE]
    actor, stage = np.int64(tables.nodes[node, ACTOR]), tables.nodes[node, ROUND]
    if actor < 0:
        end_values(entry, player, tables, buffers)
        return entry
    first, children = np.int64(tables.nodes[node, FIRST]), np.int64(tables.nodes[node, CHILDREN])
    if stage == EXCHANGE:  # a child for each number of cards
        children = 1 + buffers.hands.shape[1]
    elif buffers.terminal_values.shape[0] > 0:
        fetch(buffers.terminal_values, ENDS * first, ENDS * children, LINE // 2)
    fetch(tables.nodes, WIDTH * first, WIDTH * children, LINE)
    if actor == player:
        arrive_at_own(entry, node, stage, walker, sides[0], buffers)
    else:
        arrive_at_other(entry, node, stage, actor, sides[1], buffers)
    return entry + 1


@kernel(allocates=False, forceinline=True)
def arrive_at_other(entry, node, stage, actor, side, buffers):
    """The offset of another player's numbers."""
    bucket = buffers.bucket[actor]
    if stage == AFTER:
        bucket = buffers.held[0, actor, exchange_of(buffers.queue[entry, OTHERS], actor)]
    offset, moves = row_of(node, stage, side) + side.rows[stage] * bucket, np.int64(side.moves[node])
    buffers.queue[entry, BELOW] = offset
    fetch(side.sums.play, offset, moves, LINE)
    fetch(side.sums.average, offset, moves, LINE)


@kernel(allocates=False, forceinline=True)
def arrive_at_own(entry, node, stage, walker, side, buffers):
    """The offsets of all hands' numbers; at the exchange, the hands that it leads to."""
    player, queue = walker[0], buffers.queue
    slot, own, moves = queue[entry, SLOT], queue[entry, OWN], np.int64(side.moves[node])
    row, rows = row_of(node, stage, side), side.rows[stage]
    for hand in range(queue[entry, COUNT]):
        bucket = buffers.held[0, player, own + hand] if stage == AFTER else buffers.bucket[player]
        offset = row + rows * bucket
        buffers.offset[slot + hand] = offset
        fetch(side.sums.play, offset, moves, LINE)
        fetch(side.sums.regret, offset, moves, LINE)
    if stage == EXCHANGE:
        start = queue[entry, GONE] * moves
        for offset in range(moves):
            number_exchange(player, start + offset, side.cards.order[offset], walker[2], side, buffers)


@kernel(allocates=False, forceinline=True)
def fetch(array, offset, count, line):
    """Prefetch numbers, one cache line at a time."""
    for at in range(offset, offset + count, line):
        prefetch_to_read(array, at)


@kernel(allocates=False, forceinline=True)
def sample_opponent(entry, size, walker, tables, sides, buffers):
    """Sample another player's action, adding to their average; returns the new number of entries."""
    _, following, key, learns = walker
    side, queue = sides[1], buffers.queue
    node, offset, others, gone = queue[entry, NODE], queue[entry, BELOW], queue[entry, OTHERS], queue[entry, GONE]
    actor, first = np.int64(tables.nodes[node, ACTOR]), np.int64(tables.nodes[node, FIRST])
    play, moves, base = side.sums.play, np.int64(side.moves[node]), decision_word(key, node)
    total, share = positive(play, offset, moves), buffers.share[entry]
    chosen = drawn(play, offset, moves, total, point(base, 0))
    if actor != following:
        share /= matched(play, offset + chosen, moves, total)
    elif learns:
        each = share * (1.0 / total if total > 0.0 else 1.0 / moves)
        for index in range(moves):
            gained = each * (max(np.float64(play[offset + index]), 0.0) if total > 0.0 else 1.0)
            add_average(side.sums.average, offset + index, gained, base, index)
    buffers.share[size] = share
    if tables.nodes[node, ROUND] != EXCHANGE:
        enter(buffers, size, first + chosen, queue[entry, SLOT], queue[entry, COUNT], queue[entry, OWN], others, gone)
        return arrive(size, walker, tables, sides, buffers)
    exchange, cards = gone * moves + chosen, side.cards.discards[chosen]
    number_exchange(actor, exchange, chosen, key, side, buffers)
    others += (exchange + 1) << (BITS * actor)
    slot, count = queue[entry, SLOT], queue[entry, COUNT]
    enter(buffers, size, first + cards, slot, count, queue[entry, OWN], others, gone + cards)
    queue[size, BELOW] = -1 - actor  # the strength of the new hand is not yet known
    return size + 1


@kernel(allocates=False, forceinline=True)
def continue_entry(entry, size, walker, tables, sides, buffers):
    """Resume an entry that waited for another player's new hand; returns the new number of entries."""
    side, queue = sides[1], buffers.queue
    actor, others = -1 - queue[entry, BELOW], queue[entry, OTHERS]
    exchange = exchange_of(others, actor)
    settle(actor, exchange, exchange % side.cards.discards.shape[0], side, buffers)
    slot, count, gone = queue[entry, SLOT], queue[entry, COUNT], queue[entry, GONE]
    enter(buffers, size, queue[entry, NODE], slot, count, queue[entry, OWN], others, gone)
    buffers.share[size] = buffers.share[entry]
    return arrive(size, walker, tables, sides, buffers)


@kernel(allocates=False, forceinline=True)
def end_values(entry, player, tables, buffers):
    """The value of a terminal node to the traversing player with each hand; looked up for two players."""
    queue, held, value = buffers.queue, buffers.held, buffers.value
    node, slot, count, own = queue[entry, NODE], queue[entry, SLOT], queue[entry, COUNT], queue[entry, OWN]
    if buffers.terminal_values.shape[0] > 0:
        other = exchange_of(queue[entry, OTHERS], 1 - player)
        if other == NONE or own == NONE:  # somebody has folded before the exchange
            for hand in range(count):
                value[slot + hand] = buffers.terminal_values[node, player, 0]
            return
        theirs = held[1, 1 - player, other]
        for hand in range(count):
            mine = held[1, player, own + hand]
            value[slot + hand] = buffers.terminal_values[
                node, player, 1 + np.int64(mine > theirs) - np.int64(mine < theirs)
            ]
        return
    for seat in range(buffers.hands.shape[0]):
        exchange = exchange_of(queue[entry, OTHERS], seat)
        buffers.strength[seat] = held[1, seat, exchange] if exchange != NONE else 0
    for hand in range(count):
        buffers.strength[player] = held[1, player, own + hand] if own != NONE else 0
        value[slot + hand] = np.float64(payoff(node, player, buffers.strength, tables))


@kernel(allocates=False, forceinline=True)
def match_hand(play, offset, moves, factor, first, step):
    """The behaviour of a hand into every step-th factor: in proportion to positive numbers, uniform without any."""
    total = positive(play, offset, moves)
    scale = 1.0 / total if total > 0.0 else 0.0
    least = 0.0 if total > 0.0 else 1.0 / moves
    for index in range(moves):
        factor[first + index * step] = least + scale * max(np.float64(play[offset + index]), 0.0)


@kernel(allocates=False, forceinline=True)
def open_bets(entry, size, below, walker, tables, sides, buffers):
    """Queue the children of the traversing player's betting decision; returns the new number of entries."""
    side, queue = sides[0], buffers.queue
    node, slot, count = queue[entry, NODE], queue[entry, SLOT], queue[entry, COUNT]
    moves, first = np.int64(side.moves[node]), np.int64(tables.nodes[node, FIRST])
    own, others = queue[entry, OWN], queue[entry, OTHERS]
    for hand in range(count):
        match_hand(side.sums.play, buffers.offset[slot + hand], moves, buffers.factor, below + hand, count)
    for index in range(moves):
        enter(buffers, size, first + index, below + index * count, count, own, others, queue[entry, GONE])
        buffers.share[size] = buffers.share[entry]
        size = arrive(size, walker, tables, sides, buffers)
    return size


@kernel(allocates=False, forceinline=True)
def open_exchange(entry, size, below, walker, tables, sides, buffers):
    """The same for the player's own exchange: an entry per number of cards, with all hands that exchanged as many."""
    side, queue, order = sides[0], buffers.queue, sides[0].cards.order
    discards = side.cards.discards
    node, others = queue[entry, NODE], queue[entry, OTHERS]
    moves, first = np.int64(side.moves[node]), np.int64(tables.nodes[node, FIRST])
    gone = queue[entry, GONE]
    start = gone * moves
    for offset in range(moves):
        settle(walker[0], start + offset, order[offset], side, buffers)
    match_hand(side.sums.play, buffers.offset[queue[entry, SLOT]], moves, buffers.value, below, 1)
    for offset in range(moves):
        buffers.factor[below + offset] = buffers.value[below + order[offset]]
    offset = 0
    while offset < moves:
        cards, last = discards[order[offset]], offset + 1
        while last < moves and discards[order[last]] == cards:
            last += 1
        enter(buffers, size, first + cards, below + offset, last - offset, start + offset, others, gone + cards)
        buffers.share[size] = buffers.share[entry]
        size = arrive(size, walker, tables, sides, buffers)
        offset = last
    return size


@kernel(allocates=False, forceinline=True)
def gather_up(size, player, tables, sides, buffers):
    """Go back over the queue: values, and the regrets of the traversing player's decisions."""
    queue, side, value, factor = buffers.queue, sides[0], buffers.value, buffers.factor
    regret, order = side.sums.regret, side.cards.order
    for entry in range(size - 1, -1, -1):
        node, slot, count, below = queue[entry, NODE], queue[entry, SLOT], queue[entry, COUNT], queue[entry, BELOW]
        if below < 0 or tables.nodes[node, ACTOR] != player:
            continue
        moves, exchanges = np.int64(side.moves[node]), tables.nodes[node, ROUND] == EXCHANGE
        for hand in range(count):
            mean, offset = 0.0, buffers.offset[slot + hand]
            for index in range(moves):
                child = below + index * count + hand
                mean += factor[child] * value[child]
            value[slot + hand] = mean
            for index in range(moves):
                action = order[index] if exchanges else index
                regret[offset + action] += np.float32(value[below + index * count + hand] - mean)


@kernel(allocates=False, forceinline=True)
def begin(sides, player, buffers):
    """Prepare the hands of a walk whose cards are in the buffers: sorted, indexed, in buckets."""
    held = sides[0].cards.held
    sort_hands(buffers.cards, held, buffers.hands)
    for seat in range(buffers.hands.shape[0]):
        number = hand_number(buffers.hands[seat], sides[0].cards.choose)
        buffers.number[seat] = number
        buffers.bucket[seat] = sides[0].cards.before[number] if seat == player else sides[1].cards.before[number]


@kernel(allocates=False)
def walk(walker, tables, sides, buffers):
    """One walk of a player; returns the nodes visited, counted once per hand."""
    player, queue = walker[0], buffers.queue
    begin(sides, player, buffers)
    enter(buffers, 0, 0, 0, 1, NONE, np.int64(0), np.int64(0))
    buffers.share[0] = 1.0
    size = arrive(0, walker, tables, sides, buffers)
    entry, below, visited = 0, 1, 1
    while entry < size:
        node, count = queue[entry, NODE], queue[entry, COUNT]
        if queue[entry, BELOW] < 0:
            size = continue_entry(entry, size, walker, tables, sides, buffers)
        elif tables.nodes[node, ACTOR] != player:
            size = sample_opponent(entry, size, walker, tables, sides, buffers)
            visited += count
        else:
            queue[entry, BELOW] = below
            if tables.nodes[node, ROUND] == EXCHANGE:
                size = open_exchange(entry, size, below, walker, tables, sides, buffers)
            else:
                size = open_bets(entry, size, below, walker, tables, sides, buffers)
            below += count * np.int64(sides[0].moves[node])
        entry += 1
    gather_up(size, player, tables, sides, buffers)
    return visited + below - 1


@kernel
def advance_exchanging(span, players, learns, tables, sides, buffers):
    """One thread's share of the iterations of a span, with walks of players (first, last + 1); returns nodes visited.

    `learns`: whether the others' averages are updated, which is the case if both sides are the same.
    """
    visited, seats = 0, buffers.hands.shape[0]
    iteration = span.first
    while iteration < span.last:
        batch = iteration // BATCH
        end = min((batch + 1) * BATCH, span.last)
        if batch % span.members == span.member:
            for now in range(iteration, end):
                buffers.state[0] = deal_key(span.seed, now)
                deal_cards(buffers.cards, sides[0].cards.deck, buffers.state)
                for player in range(players[0], players[1]):
                    key = walk_key(span.seed, now, seats, player)
                    walker = (player, (player + 1) % seats, key, learns)
                    visited += walk(walker, tables, sides, buffers)
        iteration = end
    return visited
