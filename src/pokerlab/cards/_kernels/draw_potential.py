"""Kernels of the exact positive potential of five-card draw, defined in cards/draw_potential.py.

Hands are first treated as if suits did not matter: a hand is a multiset of ranks, and the number of card sets with
these ranks is a product of binomials, one per rank. `p` is the class of a hand without regard to suits, `r` its true
class. The sum over pairs of new cards d and an opposing hand o is then the plain sum, corrected for the pairs in which
the opponent, we or both hold a flush:

    sum G(r', r) = sum G(p', p)
                 + sum over o flush of G(p', r) - G(p', p)
                 + sum over d that make a flush of G(r', p) - G(p', p)
                 + sum over both of G(r', r) - G(r', p) - G(p', r) + G(p', p)

The first two sums and the terms of the third depend on ranks alone, except for which suits are free for a flush.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.rank_hands import HAND, RANKS, SUITS, free_suits
from pokerlab.compiled import kernel


class Draws(NamedTuple):
    """Multisets of ranks that may be drawn, with the classes of the hands that they make, strongest first."""

    ranks: object  # [draw, cards] int64, descending
    counts: object  # [draw, 13] int64: of each rank
    after: object  # [draw] int64: the class of the hand
    gains: object  # [draw] float32: scratch: the sum of G over opposing hands
    factors: object  # [13, 5, draw] float32: scratch: number of choices of this many cards of a rank for an opponent
    sums: object  # [3, 14, draw] float32: scratch: of one or two cards of any rank below this one


class Group(NamedTuple):
    """The hands with the same ranks that hold the same ranks, and scratch for them."""

    ranks: object  # [5] int64: of the hands
    held: object  # [13] int64: cards of each rank
    held_ranks: int  # the held ranks as 13 bits
    best: int  # c, the class of the hand
    draws: object  # Draws: all, by p'
    flushes: object  # Draws: those that may make a flush, by r'; may be empty
    change: object  # [flush] float64: correction for our flush against plain hands
    both: object  # [flush, set] int8: correction for our flush against a flush of each set
    flush: object  # [set] float64: correction for a flush of these ranks, per suit that may hold it
    factors: object  # [13, 5, set] float32: scratch: choices of this many cards of a rank beside a flush of each set
    own: object  # [32] float64: correction for our flushes in a suit, by which of our five ranks are in it; or nan
    extra: object  # [32, set] float64: correction for a flush of these ranks if we make one in that suit


@kernel(allocates=False, forceinline=True)
def gain(ours, theirs, before):
    """G: twice the value of overtaking. 2 for behind to ahead, 1 for behind to tied and for tied to ahead."""
    overtaken = 2 * (ours < theirs) + (ours == theirs)
    return (theirs < before) * overtaken + (theirs == before) * (ours < theirs)


@kernel(allocates=False)
def add_products(draws, tables, hand, coefficient, start, end):
    """Add to the gains of some draws the number of ways an opponent holds a hand."""
    ranks, counts, factors = tables.ranks[hand], tables.counts[hand], draws.factors
    one, two = factors[ranks[0], counts[0]], factors[ranks[1], counts[1]]
    three, four, five = factors[ranks[2], counts[2]], factors[ranks[3], counts[3]], factors[ranks[4], counts[4]]
    for draw in range(start, end):
        draws.gains[draw] += coefficient * (one[draw] * two[draw] * three[draw] * four[draw] * five[draw])


@kernel(allocates=False)
def add_run(draws, tables, run, end):
    """Add to the gains of the first draws twice the number of ways an opponent holds any hand of a run."""
    hand, varying = tables.runs[run], tables.varying[run]
    ranks, counts, factors = tables.ranks[hand], tables.counts[hand], draws.factors
    a, b = (varying + 1) % HAND, (varying + 2) % HAND
    c, d = (varying + 3) % HAND, (varying + 4) % HAND
    one, two = factors[ranks[a], counts[a]], factors[ranks[b], counts[b]]
    three, four = factors[ranks[c], counts[c]], factors[ranks[d], counts[d]]
    above = ranks[varying] + 1
    upper = draws.sums[counts[varying], above]
    lower = draws.sums[counts[varying], above - (tables.runs[run + 1] - hand)]
    for draw in range(end):
        draws.gains[draw] += (
            np.float32(2) * (upper[draw] - lower[draw]) * (one[draw] * two[draw] * three[draw] * four[draw])
        )


@kernel(allocates=False)
def overtaken_hands(group, draws, tables):
    """Fill draws.gains with the sum of G over all opposing hands, suits aside, for each draw.

    Sums are integers below 2 ** 24, which float32 holds exactly. Draws that are stronger than a whole run of opposing
    hands meet it as one.
    """
    number = draws.after.shape[0]
    for rank in range(RANKS):
        for draw in range(number):
            left = SUITS - group.held[rank] - draws.counts[draw, rank]
            for count in range(SUITS + 1):
                draws.factors[rank, count, draw] = tables.choose[left, count] if left >= 0 else 0
    draws.gains[:] = 0
    sum_factors(draws)
    stronger = upto = 0  # draws that make a stronger hand than the opponent's, or an equal one
    two, one = np.float32(2), np.float32(1)
    for run in range(tables.varying.shape[0]):
        first, end = tables.runs[run], tables.runs[run + 1]
        if tables.classes[first] > group.best:
            break
        while stronger < number and draws.after[stronger] < tables.classes[first]:
            stronger += 1
        whole = 0
        if tables.classes[end - 1] < group.best:
            whole = stronger
            add_run(draws, tables, run, whole)
        for hand in range(first, end):
            theirs = tables.classes[hand]
            if theirs > group.best:
                break
            while upto < number and draws.after[upto] <= theirs:
                upto += 1
            while stronger < number and draws.after[stronger] < theirs:
                stronger += 1
            behind = theirs < group.best
            if stronger > whole:
                add_products(draws, tables, hand, two if behind else one, whole, stronger)
            if behind and upto > stronger:
                add_products(draws, tables, hand, one, stronger, upto)


@kernel(allocates=False)
def sum_factors(draws):
    """Fill draws.sums."""
    draws.sums[:, 0] = 0
    for count in range(1, 3):
        for rank in range(RANKS):
            for draw in range(draws.sums.shape[2]):
                draws.sums[count, rank + 1, draw] = draws.sums[count, rank, draw] + draws.factors[rank, count, draw]


@kernel(allocates=False)
def ways_to_draw(group, draw, choose):
    """The number of sets of free cards with the ranks of a draw."""
    draws = group.draws
    ways = 1
    for rank in range(RANKS):
        ways *= choose[SUITS - group.held[rank], draws.counts[draw, rank]]
    return ways


@kernel(allocates=False)
def plain_sum(group, tables):
    """The sum of G over all pairs as if suits did not matter; also fills group.change."""
    overtaken_hands(group, group.draws, tables)
    total = 0.0
    for draw in range(group.draws.after.shape[0]):
        total += group.draws.gains[draw] * ways_to_draw(group, draw, tables.choose)
    overtaken_hands(group, group.flushes, tables)
    for flush in range(group.flushes.after.shape[0]):
        drawn = ranks_drawn(group, flush)
        plain = tables.plain_of[group.held_ranks | drawn]
        for draw in range(np.searchsorted(group.draws.after, plain), group.draws.after.shape[0]):
            if same_ranks(group.draws.ranks[draw], drawn):
                group.change[flush] = group.flushes.gains[flush] - group.draws.gains[draw]
                break
    return total


@kernel(allocates=False)
def same_ranks(ranks, drawn):
    """Whether ranks [card] equal a set, given as 13 bits."""
    bits = 0
    for rank in ranks:
        bits |= 1 << rank
    return bits == drawn


@kernel(allocates=False)
def opposing_flushes(group, tables):
    """Fill group.flush with the corrections for an opponent's flush of each set of ranks, our suits aside."""
    sets = tables.sets
    for rank in range(RANKS):
        for number in range(sets.shape[0]):
            left = SUITS - group.held[rank] - (sets[number] >> rank & 1)
            for count in range(SUITS + 1):
                group.factors[rank, count, number] = tables.choose[left, count] if left >= 0 else 0
    group.flush[:] = 0.0
    draws = group.draws
    cards = draws.ranks.shape[1]
    for draw in range(draws.after.shape[0]):
        ours = draws.after[draw]
        if ours >= group.best:
            break
        one = group.factors[0, 0]  # for a rank that is not drawn: all 1 if the set is possible
        chosen = draws.ranks[draw]
        two, three, four, five = one, one, one, one
        one = group.factors[chosen[0], draws.counts[draw, chosen[0]]]
        if cards > 1 and chosen[1] != chosen[0]:
            two = group.factors[chosen[1], draws.counts[draw, chosen[1]]]
        if cards > 2 and chosen[2] != chosen[1]:
            three = group.factors[chosen[2], draws.counts[draw, chosen[2]]]
        if cards > 3 and chosen[3] != chosen[2]:
            four = group.factors[chosen[3], draws.counts[draw, chosen[3]]]
        if cards > 4 and chosen[4] != chosen[3]:
            five = group.factors[chosen[4], draws.counts[draw, chosen[4]]]
        for number in range(sets.shape[0]):
            change = gain(ours, tables.flushes[number], group.best) - gain(ours, tables.plains[number], group.best)
            group.flush[number] += change * (one[number] * two[number] * three[number] * four[number] * five[number])


@kernel(allocates=False)
def ranks_drawn(group, flush):
    """The ranks that are drawn for a flush, 13 bits."""
    drawn = 0
    for rank in group.flushes.ranks[flush]:
        drawn |= 1 << rank
    return drawn


@kernel(allocates=False)
def both_flushes(group, tables):
    """Fill group.both, in which suits do not matter."""
    before = group.best
    for flush in range(group.flushes.after.shape[0]):
        true, plain = group.flushes.after[flush], tables.plain_of[group.held_ranks | ranks_drawn(group, flush)]
        for number in range(tables.sets.shape[0]):
            theirs, theirs_plain = tables.flushes[number], tables.plains[number]
            change = gain(true, theirs, before) - gain(true, theirs_plain, before)
            group.both[flush, number] = change + gain(plain, theirs_plain, before) - gain(plain, theirs, before)


@kernel(allocates=False)
def own_flushes(group, tables, suited, which):
    """Fill group.own and group.extra [which] for flushes in a suit in which the hand holds the ranks `suited`.

    A flush in the same suit that would contain a card that we draw is left out.
    """
    extra = group.extra[which]
    extra[:] = 0.0
    total = 0.0
    for flush in range(group.flushes.after.shape[0]):
        drawn = ranks_drawn(group, flush)
        if drawn & suited:
            continue
        both = group.both[flush]
        shared = 0
        for number in range(tables.sets.shape[0]):
            change = both[number]
            extra[number] += change
            if tables.sets[number] & suited == 0 and tables.sets[number] & drawn != 0:
                shared += change
        total += group.change[flush] - shared
    group.own[which] = total


@kernel
def gains_of_group(group, tables, suits, suited, out):
    """The sum of G over all pairs for each hand of a group, into out [hand] float64.

    suits [hand, 4] int64: the ranks held in each suit, 13 bits; suited [hand, 4] bool: the suits in which it may make a
    flush, those of all held cards.
    """
    plain = plain_sum(group, tables)
    opposing_flushes(group, tables)
    both_flushes(group, tables)
    group.own[:] = np.nan
    changes = np.zeros(tables.sets.shape[0])
    for hand in range(suits.shape[0]):
        total = plain
        changes[:] = group.flush
        for suit in range(SUITS):
            if not suited[hand, suit]:
                continue
            which = 0
            for place in range(HAND):
                which |= (suits[hand, suit] >> group.ranks[place] & 1) << place
            if np.isnan(group.own[which]):
                own_flushes(group, tables, suits[hand, suit], which)
            total += group.own[which]
            changes += group.extra[which]
        for number in range(changes.shape[0]):
            if changes[number] != 0.0:
                total += changes[number] * free_suits(tables.sets[number], suits[hand])
        out[hand] = total
