"""Kernels of sampled regret matching on a game of one decision each: one deal a round, both players updated.

Regrets are floored at zero after each round and the average strategy is unweighted. Regrets that sum to no more than
`nothing` are rounding, not regret: matching them would make a pure strategy out of the last bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards._kernels.randomness import STRIDE, mixed
from pokerlab.compiled import kernel
from pokerlab.solvers.evolve._kernels.deals import board, hands, numbers, showdown


class PlayerSums(NamedTuple):
    """The state of a player."""

    regret: object  # [hand, 2] float64: not acting, acting
    current: object  # [hand] float64: how often to act
    total: object  # [hand] float64: sum of current after each update
    visits: object  # [hand] int64


@kernel(allocates=False)
def update(player, hand, passive, active, nothing):
    """Update one hand of a player after a round in which not acting and acting would have won these amounts."""
    regret = player.regret
    mean = passive + player.current[hand] * (active - passive)
    less = max(0.0, regret[hand, 0] + passive - mean)
    more = max(0.0, regret[hand, 1] + active - mean)
    regret[hand, 0], regret[hand, 1] = less, more
    both = less + more
    acting = more / both if both > nothing else 0.5
    player.current[hand] = acting
    player.total[hand] += acting
    player.visits[hand] += 1


@kernel(allocates=False)
def learn(payoffs, result, mine, yours, first, second, nothing):
    """Update both players after a deal whose showdown is `result`, each against the other's strategy before the round.

    Where the first player does not act both decisions of the second pay the same, so regret is weighted by how often
    that decision is reached, as in equation (37). payoffs [3, 2, 2] float64
    """
    acts, calls = first.current[mine], second.current[yours]
    passive = payoffs[result, 0, 0] + calls * (payoffs[result, 0, 1] - payoffs[result, 0, 0])
    active = payoffs[result, 1, 0] + calls * (payoffs[result, 1, 1] - payoffs[result, 1, 0])
    folding = -(payoffs[result, 0, 0] + acts * (payoffs[result, 1, 0] - payoffs[result, 0, 0]))
    calling = -(payoffs[result, 0, 1] + acts * (payoffs[result, 1, 1] - payoffs[result, 0, 1]))
    update(first, mine, passive, active, nothing)
    update(second, yours, folding, calling, nothing)


@kernel(allocates=False)
def learn_numbers(counter, rounds, deal, payoffs, first, second, nothing):
    """Rounds of a deal of Numbers, from `counter` (uint64) in the random stream; returns the counter after them."""
    for _ in range(rounds):
        counter += STRIDE
        mine, yours = numbers(mixed(counter), deal)
        result = np.int64(mine < yours) * 2 + np.int64(mine == yours)
        learn(payoffs, result, mine, yours, first, second, nothing)
    return counter


@kernel(allocates=False)
def learn_cards(counter, rounds, pack, payoffs, first, second, nothing):
    """Rounds dealt from a Pack, each with its board and both hands evaluated; returns the counter after them."""
    deck, hand_class = pack.deck, pack.hand_class
    for _ in range(rounds):
        counter += STRIDE
        hands(deck, mixed(counter))
        counter = board(deck, counter, pack.board_size)
        mine, yours = hand_class[deck[0], deck[1]], hand_class[deck[2], deck[3]]
        learn(payoffs, showdown(pack), mine, yours, first, second, nothing)
    return counter
