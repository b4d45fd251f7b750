"""Kernels of the exact positive potential of five-card draw; what they count is told in cards/draw_potential.py.

Hands are first taken as if suits did not matter: a hand is a multiset of ranks, and how many sets of cards have it is a
product of binomials, one for each rank. `p` is the class of a hand so taken, `r` its true class. The sum over pairs of
new cards d and an opposing hand o is then the plain sum, corrected for the pairs in which the opponent, we or both hold
a flush:

    sum G(r', r) = sum G(p', p)
                 + sum over o flush of G(p', r) - G(p', p)
                 + sum over d that make a flush of G(r', p) - G(p', p)
                 + sum over both of G(r', r) - G(r', p) - G(p', r) + G(p', p)

The first two sums and the terms of the third depend on ranks alone, but for which suits are free for a flush.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.compiled import kernel

RANKS, SUITS, HAND = 13, 4, 5


class RankTables(NamedTuple):
    """Hands as ranks."""

    ranks: object  # [hand, 5] int64: of every multiset of five ranks that a deck has, strongest first, the ranks ...
    counts: object  # [hand, 5] int64: ... and how often it has each, 0 where it has fewer than five different ones
    classes: object  # [hand] int64: p of each
    sets: object  # [set] int64: every set of five ranks as 13 bits, by true class of the flush, strongest first
    flushes: object  # [set] int64: r of each as a flush
    plains: object  # [set] int64: p of each
    plain_of: object  # [8192] int64: p of a set of five ranks
    flush_of: object  # [8192] int64: r of a set of five ranks as a flush
    choose: object  # [5, 6] int64: binomials


class Draws(NamedTuple):
    """Every multiset of ranks that may be drawn, for one number of cards."""

    ranks: object  # [draw, cards] int64, descending
    counts: object  # [draw, 13] int64: of each rank


class Group(NamedTuple):
    """The hands with the same ranks that keep the same ranks, and scratch for them."""

    ranks: object  # [5] int64: of the hands
    held: object  # [13] int64: cards of each rank
    kept: object  # [13] int64
    best: int  # c, the class of the hand
    after: object  # [draw] int64: p' of each draw
    ways: object  # [draw] int64: scratch
    gains: object  # [draw] float64: of a draw that makes a flush: what that changes against plain hands
    upto: object  # [7463] float64: scratch: opposing hands of a class or stronger
    flush: object  # [set] float64: what a flush of these ranks changes, for each suit that may hold it
    own: object  # [32] float64: what our flushes in a suit change, by which of our five ranks are of the suit; or nan
    extra: object  # [32, set] float64: what a flush of these ranks changes where we make one in that suit


@kernel(allocates=False)
def gain(ours, theirs, before):
    """G: twice the value of overtaking. 2 for behind to ahead, 1 for behind to tied and for tied to ahead."""
    if theirs > before:
        return 0
    if theirs == before:
        return 1 if ours < theirs else 0
    return 2 if ours < theirs else (1 if ours == theirs else 0)


@kernel(allocates=False)
def gain_of_all(upto, ours, before):
    """The sum of G over opposing hands, of which `upto` [class from 0] are of a class or stronger."""
    if ours >= before:
        return 0.0
    return upto[before] + upto[before - 1] - upto[ours] - upto[ours - 1]


@kernel(allocates=False)
def count_hands(left, tables, last, upto):
    """Fill upto with the opposing hands of each class up to the last or stronger.

    left [13] int64 are the free cards of each rank, upto [7463] float64.
    """
    ranks, counts, choose = tables.ranks, tables.counts, tables.choose
    upto[: last + 1] = 0.0
    for hand in range(ranks.shape[0]):
        if tables.classes[hand] > last:
            break
        weight = choose[left[ranks[hand, 0]], counts[hand, 0]] * choose[left[ranks[hand, 1]], counts[hand, 1]]
        weight *= choose[left[ranks[hand, 2]], counts[hand, 2]] * choose[left[ranks[hand, 3]], counts[hand, 3]]
        upto[tables.classes[hand]] += weight * choose[left[ranks[hand, 4]], counts[hand, 4]]
    for number in range(1, last + 1):
        upto[number] += upto[number - 1]


@kernel(allocates=False)
def ways_to_draw(left, draws, choose, ways):
    """Fill ways [draw] with how many sets of free cards have the ranks of each draw."""
    for draw in range(draws.ranks.shape[0]):
        product = 1
        cards = draws.ranks.shape[1]
        place = 0
        while place < cards:
            rank = draws.ranks[draw, place]
            product *= choose[left[rank], draws.counts[draw, rank]]
            place += draws.counts[draw, rank]
        ways[draw] = product


@kernel(allocates=False)
def plain_sum(group, draws, tables, left):
    """The sum of G over all pairs as if suits did not matter; fills group.gains.  left [13] int64 is scratch"""
    kept_set = 0
    distinct = True
    for rank in range(RANKS):
        left[rank] = SUITS - group.held[rank]
        kept_set |= (group.kept[rank] > 0) << rank
        distinct &= group.kept[rank] <= 1
    ways_to_draw(left, draws, tables.choose, group.ways)
    total = 0.0
    for draw in range(draws.ranks.shape[0]):
        group.gains[draw] = 0.0
        drawn_set = 0
        single = distinct
        for place in range(draws.ranks.shape[1]):
            rank = draws.ranks[draw, place]
            single &= (drawn_set | kept_set) >> rank & 1 == 0
            drawn_set |= 1 << rank
        ours = group.after[draw]
        if group.ways[draw] == 0 or (ours >= group.best and not single):
            continue
        for rank in range(RANKS):
            left[rank] -= draws.counts[draw, rank]
        count_hands(left, tables, group.best, group.upto)
        for rank in range(RANKS):
            left[rank] += draws.counts[draw, rank]
        plain = gain_of_all(group.upto, ours, group.best)
        total += group.ways[draw] * plain
        if single:
            group.gains[draw] = gain_of_all(group.upto, tables.flush_of[drawn_set | kept_set], group.best) - plain
    return total


@kernel(allocates=False)
def opposing_flushes(group, draws, tables, left):
    """Fill group.flush with what a flush of each set of ranks in the opponent's hand changes, suits of ours aside."""
    for number in range(tables.sets.shape[0]):
        held = tables.sets[number]
        change = 0
        possible = True
        for rank in range(RANKS):
            left[rank] = SUITS - group.held[rank] - (held >> rank & 1)
            possible &= left[rank] >= 0
        group.flush[number] = 0.0
        true, plain, before = tables.flushes[number], tables.plains[number], group.best
        if not possible or true > before:
            continue
        ways_to_draw(left, draws, tables.choose, group.ways)
        for draw in range(draws.ranks.shape[0]):
            ours = group.after[draw]
            change += group.ways[draw] * (gain(ours, true, before) - gain(ours, plain, before))
        group.flush[number] = change


@kernel(allocates=False)
def own_flushes(group, draws, tables, suited, which):
    """Fill group.own and group.extra [which] for flushes in a suit of which the hand holds the ranks `suited`.

    A flush in the same suit that would hold a card that we draw is left out.
    """
    kept_set = 0
    for rank in range(RANKS):
        kept_set |= (group.kept[rank] > 0) << rank
    extra = group.extra[which]
    extra[:] = 0.0
    total = 0.0
    before = group.best
    for draw in range(draws.ranks.shape[0]):
        drawn_set = 0
        free = True
        for place in range(draws.ranks.shape[1]):
            rank = draws.ranks[draw, place]
            free &= (drawn_set | suited) >> rank & 1 == 0
            drawn_set |= 1 << rank
        if not free:
            continue
        total += group.gains[draw]
        whole = kept_set | drawn_set
        true, plain = tables.flush_of[whole], tables.plain_of[whole]
        for number in range(tables.sets.shape[0]):
            theirs, theirs_plain = tables.flushes[number], tables.plains[number]
            change = gain(true, theirs, before) - gain(true, theirs_plain, before)
            change += gain(plain, theirs_plain, before) - gain(plain, theirs, before)
            extra[number] += change
            if tables.sets[number] & suited == 0 and tables.sets[number] & drawn_set:
                total -= change
    group.own[which] = total


@kernel(allocates=False)
def free_suits(ranks, suit_ranks):
    """How many suits may hold these ranks (13 bits); suit_ranks [4] int64 are the ranks that we hold of each."""
    count = 0
    for suit in range(SUITS):
        count += suit_ranks[suit] & ranks == 0
    return count


@kernel
def gains_of_group(group, draws, tables, suits, suited, out):
    """The sum of G over all pairs for each hand of a group, into out [hand] float64.

    suits [hand, 4] int64: the ranks that each holds of each suit, 13 bits; suited [hand, 4] bool: the suits in which it
    may make a flush, those of all kept cards.
    """
    plain = plain_sum(group, draws, tables, np.zeros(RANKS, np.int64))
    opposing_flushes(group, draws, tables, np.zeros(RANKS, np.int64))
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
                own_flushes(group, draws, tables, suits[hand, suit], which)
            total += group.own[which]
            changes += group.extra[which]
        for number in range(changes.shape[0]):
            if changes[number] != 0.0:
                total += changes[number] * free_suits(tables.sets[number], suits[hand])
        out[hand] = total
