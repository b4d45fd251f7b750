"""Public chance sampling on the bucketed form: samples a board and follows all hands of both players in vectors.

A walk traverses the betting depth first. Each depth stores the opponent's reach of every hand, the behaviour of the
player to act, and the values of the actions tried so far. Hands are sorted by bucket, round by round, so that the
numbers of an infoset are read once and written once per visit; they are also sorted by strength, so that a showdown
costs a few passes over hands, with card removal (as in cards/_kernels/sweep.py).

All boards are equally likely, and so are all compatible pairs of hands on a board: what a hand gains against all others
is weighted by the probability of a pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.matching import add_average, decision_word, matched, positive
from pokerlab.solvers.bucketed._kernels.tables import (
    ACTOR,
    CHILDREN,
    FIRST,
    ROUND,
    SLOT,
    deal_key,
    payoff,
    walk_key,
)
from pokerlab.tree.bucketed._kernels.deals import draw_cards, number_deals

NODE, NEXT = range(2)  # columns of the path


class Hands(NamedTuple):
    """The hands of one player, and their probability on a board."""

    cards: object  # [hand, private] uint8: of the whole deck
    one: float  # the probability of a hand that shares no card with the board
    pair: float  # of two that share none with it or with one another


class BoardBuffers(NamedTuple):
    """Buffers for the walks of one thread. L hands share no card with a board."""

    board: object  # [1, board] uint8
    dealt: object  # DealBuffers of one player: a row for each of the L hands, in the order of the deck
    cards: object  # [L, 2] uint8: hands from the strongest to the weakest; the second of one card is past the deck
    strength: object  # [L] int32, and so on in that order
    bucket: object  # [round, L] int32
    by_bucket: object  # [round, L] int32: the same hands sorted by bucket
    path: object  # [depth, 2] int64: node, its next child
    reach: object  # [depth, L] float64: of the opponent
    play: object  # [depth, action, L] float64
    value: object  # [depth, action, L] float64: to the traversing player, against the opponent's reach
    card: object  # [3, card + 1] float64: weight of the hands with each card: all, those passed, those of a strength
    state: object  # [1] uint64


@kernel
def deal_board(hands, deals, buffers):
    """Sample a board, and index and sort the hands that share no card with it; returns how many there are."""
    dealt, private = buffers.dealt, deals.private
    draw_cards(1, deals, buffers.board, buffers.state)
    count = 0
    for hand in range(hands.shape[0]):
        free = True
        for position in range(private):
            for card in buffers.board[0]:
                free &= hands[hand, position] != card
        if free:
            dealt.cards[count, :private] = hands[hand]
            dealt.cards[count, private:] = buffers.board[0]
            count += 1
    number_deals(count, deals, dealt)
    sort_hands(count, deals, buffers)
    return count


@kernel
def sort_hands(count, deals, buffers):
    """The hands that were dealt, by strength and by bucket."""
    dealt = buffers.dealt
    order = np.argsort(dealt.strength[:count, 0], kind="mergesort")
    for hand in range(count):
        buffers.strength[hand] = dealt.strength[order[hand], 0]
        buffers.cards[hand, 1] = deals.deck
        for position in range(deals.private):
            buffers.cards[hand, position] = dealt.cards[order[hand], position]
        for round_index in range(buffers.bucket.shape[0]):
            buffers.bucket[round_index, hand] = dealt.bucket[order[hand], round_index, 0]
    for round_index in range(buffers.bucket.shape[0]):
        buffers.by_bucket[round_index, :count] = np.argsort(buffers.bucket[round_index, :count], kind="mergesort")


@kernel(allocates=False, forceinline=True)
def same_bucket(start, count, round_index, buffers):
    """The end of the range of hands that share the bucket of the one at `start`, in bucket order."""
    order, bucket = buffers.by_bucket[round_index], buffers.bucket[round_index]
    held = bucket[order[start]]
    end = start + 1
    while end < count and bucket[order[end]] == held:
        end += 1
    return end, held


@kernel(allocates=False)
def match(depth, count, averaged, key, hands, tables, sums, buffers):
    """The behaviour with every hand at the decision of a depth; added to the player's average if `averaged`."""
    nodes, node = tables.nodes, buffers.path[depth, NODE]
    round_index, moves = np.int64(nodes[node, ROUND]), np.int64(nodes[node, CHILDREN])
    order, play, reach = buffers.by_bucket[round_index], buffers.play[depth], buffers.reach[depth]
    start = 0
    while start < count:
        end, held = same_bucket(start, count, round_index, buffers)
        offset = tables.base[round_index] + tables.rows[round_index] * np.int64(held) + np.int64(nodes[node, SLOT])
        total = positive(sums.play, offset, moves)
        weight = 0.0
        for position in range(start, end):
            weight += reach[order[position]]
        base = decision_word(key + np.uint64(held), node)
        for index in range(moves):
            chance = matched(sums.play, offset + index, moves, total)
            for position in range(start, end):
                play[index, order[position]] = chance
            if averaged:
                add_average(sums.average, offset + index, hands.one * weight * chance, base, index)
        start = end


@kernel(allocates=False)
def learn(depth, count, hands, tables, sums, buffers, values):
    """Write the values of the traversing player's decision to values [L], and update its regrets."""
    nodes, node = tables.nodes, buffers.path[depth, NODE]
    round_index, moves = np.int64(nodes[node, ROUND]), np.int64(nodes[node, CHILDREN])
    order, play, value = buffers.by_bucket[round_index], buffers.play[depth], buffers.value[depth]
    for hand in range(count):
        total = 0.0
        for index in range(moves):
            total += play[index, hand] * value[index, hand]
        values[hand] = total
    start = 0
    while start < count:
        end, held = same_bucket(start, count, round_index, buffers)
        offset = tables.base[round_index] + tables.rows[round_index] * np.int64(held) + np.int64(nodes[node, SLOT])
        for index in range(moves):
            gained = 0.0
            for position in range(start, end):
                gained += value[index, order[position]] - values[order[position]]
            sums.regret[offset + index] += hands.pair * gained
        start = end


@kernel(allocates=False)
def settle(ending, depth, count, second, buffers, values):
    """Write the value of a terminal node with each hand, against the opponent's reach, to values [L].

    ending: payoffs of a hand won, tied and lost; second: 1.0 if hands have a second card, else 0.0. Running weights
    of the hands passed, in total and per card, give the weight of stronger hands at each hand; a hand of two cards
    is subtracted with each of them and added back once.
    """
    (won, tied, lost), reach, cards = ending, buffers.reach[depth], buffers.cards
    every, passed_card, level_card = buffers.card[0], buffers.card[1], buffers.card[2]
    buffers.card[:] = 0.0
    total, passed = 0.0, 0.0
    for hand in range(count):
        total += reach[hand]
        every[cards[hand, 0]] += reach[hand]
        every[cards[hand, 1]] += second * reach[hand]
    for hand in range(count):
        values[hand] = won * (total - every[cards[hand, 0]] - every[cards[hand, 1]] + second * reach[hand])
    if won == lost:
        return
    strength, start = buffers.strength, 0
    while start < count:
        end, level = start, 0.0
        while end < count and strength[end] == strength[start]:
            one, two, weight = cards[end, 0], cards[end, 1], reach[end]
            values[end] += (lost - won) * (passed - passed_card[one] - passed_card[two])
            level += weight
            level_card[one] += weight
            level_card[two] += second * weight
            end += 1
        for hand in range(start, end):
            same = level - level_card[cards[hand, 0]] - level_card[cards[hand, 1]] + second * reach[hand]
            values[hand] += (tied - won) * same
        for hand in range(start, end):
            level_card[cards[hand, 0]], level_card[cards[hand, 1]] = 0.0, 0.0
            passed_card[cards[hand, 0]] += reach[hand]
            passed_card[cards[hand, 1]] += second * reach[hand]
        passed += level
        start = end


@kernel(allocates=False, forceinline=True)
def outcomes(node, player, tables):
    """The payoffs of a terminal node to a player with the stronger hand, an equal one, the weaker."""
    better = (0, 1) if player == 0 else (1, 0)
    worse = (1, 0) if player == 0 else (0, 1)
    won, tied = payoff(node, player, better, tables), payoff(node, player, (0, 0), tables)
    return np.float64(won), np.float64(tied), np.float64(payoff(node, player, worse, tables))


@kernel(allocates=False, forceinline=True)
def descend(depth, count, is_own, step, buffers):
    """The opponent's reach after an action of the decision at a depth; returns whether any is positive."""
    reach, below, play = buffers.reach[depth], buffers.reach[depth + 1], buffers.play[depth, step]
    most = 0.0
    for hand in range(count):
        below[hand] = reach[hand] if is_own else reach[hand] * play[hand]
        most = max(most, below[hand])
    return most > 0.0


@kernel(allocates=False)
def walk_board(player, count, key, hands, tables, sums, buffers):
    """One walk of a player with all hands of a board; returns nodes visited times hands."""
    nodes, path = tables.nodes, buffers.path
    path[0, NEXT], path[1, NODE], path[1, NEXT] = 1, 0, 0
    buffers.reach[1, :count] = 1.0
    depth, visited = 1, 0
    while depth > 0:
        node, step = path[depth, NODE], path[depth, NEXT]
        values = buffers.value[depth - 1, path[depth - 1, NEXT] - 1]
        is_own = nodes[node, ACTOR] == player
        if nodes[node, ACTOR] < 0:
            settle(outcomes(node, player, tables), depth, count, hands.cards.shape[1] - 1.0, buffers, values)
        elif step == nodes[node, CHILDREN] and is_own:
            learn(depth, count, hands, tables, sums, buffers, values)
        elif step == nodes[node, CHILDREN]:
            for hand in range(count):
                values[hand] = 0.0
                for index in range(step):
                    values[hand] += buffers.value[depth, index, hand]
        else:
            if step == 0:
                visited += count
                match(depth, count, not is_own, key, hands, tables, sums, buffers)
            path[depth, NEXT] = step + 1
            if descend(depth, count, is_own, step, buffers):
                depth += 1
                path[depth, NODE], path[depth, NEXT] = np.int64(nodes[node, FIRST]) + step, 0
            else:  # zero reach: nothing to learn, and nothing to add to an average
                buffers.value[depth, step, :count] = 0.0
            continue
        visited += count if nodes[node, ACTOR] < 0 else 0
        depth -= 1
    return visited


@kernel
def advance_boards(span, players, hands, tables, deals, sums, buffers):
    """One thread's share of the iterations of a span, with walks of players (first, last + 1); returns nodes visited.

    deals: DealTables of one player.
    """
    visited = 0
    for iteration in range(span.first, span.last):
        if iteration % span.members == span.member:
            buffers.state[0] = deal_key(span.seed, iteration)
            count = deal_board(hands.cards, deals, buffers)
            for player in range(players[0], players[1]):
                visited += walk_board(
                    player, count, walk_key(span.seed, iteration, 2, player), hands, tables, sums, buffers
                )
    return visited
