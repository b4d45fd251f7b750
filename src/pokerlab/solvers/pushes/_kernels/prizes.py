"""Kernel of prizes by chips: the model of Malmuth and Harville over all sets of players ahead, for many stacks."""

import numpy as np

from pokerlab.compiled import kernel


@kernel
def prize_values(
    stacks,  # [n, player] float64, 0 where a player is out
    before,  # [player] float64: the stacks before the hand: of players who are out, the larger finishes ahead
    payouts,  # [player] float64, from the first place down
    out,  # [n, player] float64, written
):
    """What each player's place is worth: places of those with chips by the model, then those who are out."""
    players = stacks.shape[1]
    alive = np.empty(players, np.int64)
    reach = np.empty(1 << players)
    for row in range(stacks.shape[0]):
        count = 0
        for player in range(players):
            out[row, player] = 0.0
            if stacks[row, player] > 1e-12:
                alive[count] = player
                count += 1
        ahead_values(stacks[row], alive[:count], payouts, reach, out[row])
        for player in range(players):
            if stacks[row, player] <= 1e-12:
                first, tied = count, 0
                for other in range(players):
                    if stacks[row, other] <= 1e-12:
                        first += before[other] > before[player]
                        tied += before[other] == before[player]
                for place in range(first, first + tied):
                    out[row, player] += payouts[place] / tied


@kernel(allocates=False)
def ahead_values(stacks, alive, payouts, reach, values):
    """Add the prizes of players with chips; reach [2 ** players] is scratch: the chance that a set finishes first."""
    count = len(alive)
    total = 0.0
    for player in alive:
        total += stacks[player]
    reach[: 1 << count] = 0.0
    reach[0] = 1.0
    for ahead in range(1 << count):
        chance = reach[ahead]
        if chance == 0.0:
            continue
        left, place = total, 0
        for i in range(count):
            if ahead >> i & 1:
                left -= stacks[alive[i]]
                place += 1
        for i in range(count):
            if not ahead >> i & 1:
                part = chance * stacks[alive[i]] / left
                values[alive[i]] += part * payouts[place]
                reach[ahead | 1 << i] += part
