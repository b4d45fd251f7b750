"""Kernels of the independent chip model: the exponential race, and a sum over sets of players for small fields.

In the race players finish in the order of independent exponential times with their stacks as rates; results are
integrated over time nodes.

A player finishes behind those with earlier times. At time t player k has finished with probability p = 1 - exp(-s t)
and not with q = exp(-s t); the number of players ahead is a sum of independent events, whose distribution is given by
the coefficients of the product of all (q + p z).
"""

from __future__ import annotations

import math

import numpy as np

from pokerlab.compiled import kernel

NOTHING = 1e-30  # probabilities below this are ignored


@kernel
def add_values(stacks, payouts, times, weights, values):
    """Add each player's expected prize over these nodes.

    Coefficients beyond the paid places are not needed; those of everyone except player i come from a product of the
    players before i and a prize-weighted sum over those after: no division or subtraction.
    stacks [n], payouts [k], times and weights [node], values [n] float64
    """
    count, paid = len(stacks), len(payouts)
    ahead = np.empty((count, paid))  # coefficients of the product of the players before each
    behind = np.empty(paid + 1)  # expected prize given this many finishers among the players up to here
    for node in range(len(times)):
        ahead[0] = 0.0
        ahead[0, 0] = 1.0
        for i in range(count - 1):
            q = math.exp(-stacks[i] * times[node])
            p = -math.expm1(-stacks[i] * times[node])
            ahead[i + 1, 0] = q * ahead[i, 0]
            for a in range(1, paid):
                ahead[i + 1, a] = q * ahead[i, a] + p * ahead[i, a - 1]
        behind[:paid] = payouts
        behind[paid] = 0.0
        for i in range(count - 1, -1, -1):
            q = math.exp(-stacks[i] * times[node])
            p = -math.expm1(-stacks[i] * times[node])
            total = 0.0
            for a in range(paid):
                total += ahead[i, a] * behind[a]
            values[i] += weights[node] * stacks[i] * q * total
            for a in range(paid):
                behind[a] = q * behind[a] + p * behind[a + 1]


@kernel
def add_places(stacks, times, weights, places):
    """Add each player's probability of each place over these nodes.

    One product serves all players: each divides out its own factor, from the numerically stable end.
    stacks [n], times and weights [node], places [n, n] float64
    """
    count = len(stacks)
    product = np.empty(count + 1)
    for node in range(len(times)):
        product[:] = 0.0
        product[0] = 1.0
        low, high = 0, 0  # coefficients outside this range are zero
        for i in range(count):
            q = math.exp(-stacks[i] * times[node])
            p = -math.expm1(-stacks[i] * times[node])
            high += 1
            for a in range(high, low, -1):
                product[a] = q * product[a] + p * product[a - 1]
            product[low] *= q
            while product[low] < NOTHING and low < high:
                product[low] = 0.0
                low += 1
            while product[high] < NOTHING and low < high:
                product[high] = 0.0
                high -= 1
        for i in range(count):
            q = math.exp(-stacks[i] * times[node])
            p = -math.expm1(-stacks[i] * times[node])
            scale = weights[node] * stacks[i] * q
            other = 0.0
            if q >= p:
                for a in range(low, min(high + 1, count)):
                    other = (product[a] - p * other) / q
                    places[i, a] += scale * max(other, 0.0)
            else:
                for a in range(high, max(low, 1) - 1, -1):
                    other = (product[a] - q * other) / p
                    places[i, a - 1] += scale * max(other, 0.0)


@kernel
def add_knockouts(stacks, bounties, times, weights, won):
    """Add what each player collects for knocking others out, over pairs of nodes.

    A player is assumed to be knocked out by one of the players ahead, with probability equal to that player's share of
    their chips: s_i / S, where 1 / S is the integral of exp(-S u) over u, so that players separate again.
    stacks and bounties [n], times and weights [node], won [n] float64
    """
    count, nodes = len(stacks), len(times)
    still = np.empty((nodes, count))
    for node in range(nodes):
        for k in range(count):
            still[node, k] = math.exp(-stacks[k] * times[node])
    collects = np.empty(count)
    gives = np.empty(count)
    for out in range(nodes):
        for share in range(nodes):
            product = weights[out] * weights[share]
            given = 0.0
            for k in range(count):
                ahead = (1.0 - still[out, k]) * still[share, k]
                both = still[out, k] + ahead
                product *= both
                if product == 0.0:
                    break
                collects[k] = stacks[k] * ahead / both
                gives[k] = bounties[k] * stacks[k] * still[out, k] / both
                given += gives[k]
            if product == 0.0:
                continue
            for k in range(count):
                won[k] += product * collects[k] * (given - gives[k])


@kernel
def prize_values(
    stacks,  # [n, player] float64, 0 where a player is out
    before,  # [player] float64, stacks before the hand: of eliminated players, the larger finishes ahead
    payouts,  # [player] float64, from the first place down
    out,  # [n, player] float64, written
):
    """Expected prizes: players with chips share the first places by the model, eliminated ones take the rest."""
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
    """Add the prizes of players with chips; reach [2 ** players] is scratch: P(this set finishes first)."""
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
