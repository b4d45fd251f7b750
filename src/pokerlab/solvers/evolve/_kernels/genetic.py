"""Kernels of the genetic algorithm: games between two populations, and breeding.

Chromosomes are packed 64 genes per word. In a round every agent sits at one table. In separate populations, agent t of
the first plays agent order[t] of the second; united agents are paired in shuffled order and the one drawn first takes
the first role. An agent's score in a game is read from a table by the showdown result and the two decisions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import S11, STRIDE, TO_UNIT, mixed
from pokerlab.compiled import kernel
from pokerlab.solvers.evolve._kernels.deals import ONE, board, hands, numbers, showdown, shuffle

WORD = np.uint64(6)
BIT = np.uint64(63)


class Population(NamedTuple):
    """The agents in one role."""

    chromosomes: object  # [agents, words] uint64
    scores: object  # [12] int32: of a game, by showdown, first acts, second acts
    totals: object  # [agents] int32: added to


@kernel(allocates=False)
def gene(chromosomes, agent, place):
    """One gene, 0 or 1."""
    return np.int64((chromosomes[agent, place >> WORD] >> (place & BIT)) & ONE)


@kernel(allocates=False)
def seated(table, order, united):
    """The agents of the first and of the second role at a table."""
    if united:
        return np.int64(order[2 * table]), np.int64(order[2 * table + 1])
    return np.int64(table), np.int64(order[table])


@kernel(allocates=False)
def play_numbers(
    counter,  # uint64, place in the stream
    rounds,
    order,  # [agents] uint16, any order of the agents; left shuffled
    first,  # Population
    second,
    deal,  # Numbers
    united,
):
    """Rounds of a game dealt from numbers, between shuffled pairs."""
    tables = order.shape[0] // 2 if united else order.shape[0]
    for _ in range(rounds):
        counter = shuffle(order, counter)
        for table in range(tables):
            counter += STRIDE
            mine, yours = numbers(mixed(counter), deal)
            one, two = seated(table, order, united)
            result = np.int64(mine < yours) * 2 + np.int64(mine == yours)
            cell = result * 4 + gene(first.chromosomes, one, mine) * 2 + gene(second.chromosomes, two, yours)
            first.totals[one] += first.scores[cell]
            second.totals[two] += second.scores[cell]


@kernel(allocates=False)
def play_cards(
    counter,  # uint64
    rounds,
    order,  # [agents] uint16
    first,  # Population
    second,
    pack,
    needs_showdown,  # [4] bool by first acts, second acts: whether the board is dealt
    united,
):
    """Rounds of a game dealt from the full deck, with the board dealt and both hands evaluated where it matters."""
    deck, hand_class = pack.deck, pack.hand_class
    tables = order.shape[0] // 2 if united else order.shape[0]
    for _ in range(rounds):
        counter = shuffle(order, counter)
        for table in range(tables):
            counter += STRIDE
            hands(deck, mixed(counter))
            one, two = seated(table, order, united)
            mine, yours = np.uint64(hand_class[deck[0], deck[1]]), np.uint64(hand_class[deck[2], deck[3]])
            acts = gene(first.chromosomes, one, mine) * 2 + gene(second.chromosomes, two, yours)
            result = 0
            if needs_showdown[acts]:
                counter = board(deck, counter, pack.board_size)
                result = showdown(pack)
            first.totals[one] += first.scores[result * 4 + acts]
            second.totals[two] += second.scores[result * 4 + acts]


@kernel
def breed(
    counter,  # uint64
    parents,  # [parents, genes] uint8
    cumulative,  # [parents] float64, running sum of the weights, last is their total
    weights,  # [parents] float64, how likely each is to be a parent, and its genes to be taken
    mutation,
    children,  # [children, genes] uint8, written
):
    """Children of two different parents drawn by weight, gene by gene.

    Where the parents agree the child has their gene, or with probability `mutation` the other; where they differ it has
    the gene of one of them, by weight.
    """
    total, last = cumulative[-1], cumulative.shape[0] - 1
    for child in range(children.shape[0]):
        counter += STRIDE
        one = min(last, np.searchsorted(cumulative, float(mixed(counter) >> S11) * TO_UNIT * total, side="right"))
        two = one
        while two == one:
            counter += STRIDE
            two = min(last, np.searchsorted(cumulative, float(mixed(counter) >> S11) * TO_UNIT * total, side="right"))
        share = weights[one] / (weights[one] + weights[two])
        for place in range(parents.shape[1]):
            counter += STRIDE
            random = float(mixed(counter) >> S11) * TO_UNIT
            if parents[one, place] == parents[two, place]:
                children[child, place] = parents[one, place] ^ np.uint8(random < mutation)
            else:
                children[child, place] = parents[one if random < share else two, place]
