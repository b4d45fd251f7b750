"""Kernels of sampled regret matching on a two-role game: one deal a round, both roles updated where they stand.

Regrets are floored at zero after each round and the average strategy is unweighted. State of a role: regret [hand, 2]
(not acting, acting), current [hand], total [hand] (sum of current after each update) and visits [hand]. Regrets that
sum to no more than `nothing` are rounding, not regret: matching them would make a pure strategy out of the last bit.
"""

import numpy as np

from pokerlab.cards._kernels.randomness import STRIDE, mixed
from pokerlab.compiled import kernel
from pokerlab.solvers.evolve._kernels.deals import board, hands, numbers, showdown


@kernel
def update(regret, current, total, visits, hand, passive, active, nothing):
    """Regrets of one hand of one role after a round in which not acting and acting would have won these."""
    mean = passive + current[hand] * (active - passive)
    less = max(0.0, regret[hand, 0] + passive - mean)
    more = max(0.0, regret[hand, 1] + active - mean)
    regret[hand, 0], regret[hand, 1] = less, more
    both = less + more
    acting = more / both if both > nothing else 0.5
    current[hand] = acting
    total[hand] += acting
    visits[hand] += 1


@kernel
def learn(payoffs, result, mine, yours, first, second, nothing):
    """Update both roles after a deal whose showdown is `result`, each against the other's strategy before the round.

    Where the first role does not act both answers of the second pay the same, so its regret is weighted by how often
    its decision is reached, as in equation (37).
    """
    acts, calls = first[1][mine], second[1][yours]
    passive = payoffs[result, 0, 0] + calls * (payoffs[result, 0, 1] - payoffs[result, 0, 0])
    active = payoffs[result, 1, 0] + calls * (payoffs[result, 1, 1] - payoffs[result, 1, 0])
    folding = -(payoffs[result, 0, 0] + acts * (payoffs[result, 1, 0] - payoffs[result, 0, 0]))
    calling = -(payoffs[result, 0, 1] + acts * (payoffs[result, 1, 1] - payoffs[result, 0, 1]))
    update(first[0], first[1], first[2], first[3], mine, passive, active, nothing)
    update(second[0], second[1], second[2], second[3], yours, folding, calling, nothing)


@kernel
def learn_numbers(counter, rounds, count, replacement, payoffs, first, second, nothing):
    """Rounds dealt from numbers; first and second are the states of the roles as above."""
    for _ in range(rounds):
        counter += STRIDE
        mine, yours = numbers(mixed(counter), count, replacement)
        result = np.int64(mine < yours) * 2 + np.int64(mine == yours)
        learn(payoffs, result, mine, yours, first, second, nothing)
    return counter


@kernel
def learn_cards(
    counter,  # uint64
    rounds,
    deck,  # [52] uint8, all cards in any order; left shuffled
    hand_class,  # [52, 52] uint8, class of two cards
    board_size,
    keys,  # strength tables, see cards/_kernels/strength.py
    start,
    base,
    low,
    classes,
    flushes,
    payoffs,  # [3, 2, 2] float64
    first,
    second,
    nothing,
):
    """Rounds dealt from the full deck, each with its board and both hands evaluated."""
    for _ in range(rounds):
        counter += STRIDE
        hands(deck, mixed(counter))
        counter = board(deck, counter, board_size)
        mine, yours = hand_class[deck[0], deck[1]], hand_class[deck[2], deck[3]]
        result = showdown(deck, board_size, keys, start, base, low, classes, flushes)
        learn(payoffs, result, mine, yours, first, second, nothing)
    return counter
