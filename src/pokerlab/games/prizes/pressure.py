"""Bubble factors and risk premiums of every pair of players: how much more a lost chip costs than a won chip brings.

Player i is all-in against player j for the shorter stack; losing costs i L and winning brings G in prize money. The
bubble factor is L / G, i needs a probability of L / (L + G) to win the showdown, and the risk premium is the excess of
that over one half. With nothing at risk both are undefined (nan); if winning brings nothing the factor is infinite.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from pokerlab.games.prizes.bounties import bounty_values
from pokerlab.games.prizes.icm import values

MOST_PLAYERS = 30  # for which every pair is computed


@dataclass(frozen=True, eq=False)
class Pressure:
    """Of player i (row) against player j (column); nan on the diagonal and for eliminated players."""

    bubble_factor: np.ndarray  # [n, n]
    needed_equity: np.ndarray  # [n, n] the win probability at which an all-in breaks even
    risk_premium: np.ndarray  # [n, n] needed_equity - 1/2


def pressure(stacks: np.ndarray, payouts: np.ndarray, bounties: np.ndarray | None = None) -> Pressure:
    """Bubble factors and risk premiums of every pair of players with chips."""
    everyone = np.asarray(stacks, float)
    alive = np.flatnonzero(everyone > 0)  # a player eliminated now finishes ahead of those already out
    heads = None if bounties is None else np.asarray(bounties, float)[alive]
    factor, equity = np.full((2, len(everyone), len(everyone)), np.nan)
    pairs = alive[:, None], alive
    factor[pairs], equity[pairs] = _among_alive(everyone[alive], np.asarray(payouts, float)[: len(alive)], heads)
    return Pressure(factor, equity, equity - 0.5)


def _among_alive(chips: np.ndarray, payouts: np.ndarray, bounties: np.ndarray | None) -> np.ndarray:
    """Bubble factors and needed equities: [2, n, n]."""

    def value_of(stacks: np.ndarray) -> np.ndarray:
        stacks = np.maximum(stacks, 0.0)
        prizes = values(stacks, payouts)
        return prizes if bounties is None else prizes + bounty_values(stacks, np.where(stacks > 0, bounties, 0.0))

    now = value_of(chips)
    pairs = np.full((2, len(chips), len(chips)), np.nan)
    nothing = 1e-10 * (float(payouts.sum()) + (0.0 if bounties is None else float(bounties.sum())))
    for i, j in permutations(range(len(chips)), 2):
        at_risk = min(chips[i], chips[j])
        moved = np.zeros(len(chips))
        moved[i], moved[j] = at_risk, -at_risk
        bounty = float(bounties[j]) if bounties is not None and chips[j] <= at_risk else 0.0  # of an eliminated player
        won = value_of(chips + moved)[i] + bounty
        loss, gain = now[i] - value_of(chips - moved)[i], won - now[i]
        if gain > nothing:
            pairs[:, i, j] = loss / gain, loss / (loss + gain)
        elif loss > nothing:
            pairs[:, i, j] = np.inf, 1.0
    return pairs
