"""Bubble factors and risk premiums of every pair of players: how much more a lost chip costs than a won chip brings.

Player i is all-in against player j for the shorter stack; losing costs i L and winning brings G in prize money. The
bubble factor is L / G, i needs a probability of L / (L + G) to win the showdown, and the risk premium is the excess of
that over one half. With nothing at risk both are undefined (nan); if winning brings nothing the factor is infinite.

Bounties of knockout tournaments are a separate prize.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.prizes.icm import nodes, place_chances, values

MOST_PLAYERS = 30  # for which every pair is computed
MOST_WITH_BOUNTIES = 100  # players: the integral has two dimensions
_CLOSE = 1e-10  # of all bounties: convergence tolerance between two steps
_STEPS = (1 / 4, 1 / 8, 1 / 16, 1 / 32)


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


def bounty_values(stacks: Sequence[float] | np.ndarray, bounties: Sequence[float] | np.ndarray) -> np.ndarray:
    """What each player is expected to collect in a knockout tournament, including their own bounty if they win: [n].

    A player who eliminates another collects the bounty. The chip model gives the finishing order, not who wins whose
    last chips: here it is one of the remaining players, with probability equal to their share of the chips.

    >>> bounty_values([1, 1, 1], [5, 5, 5]).round(6).tolist()
    [5.0, 5.0, 5.0]
    """
    from pokerlab.games.prizes._kernels import add_knockouts

    chips, heads = np.asarray(stacks, float), np.asarray(bounties, float)
    check_bounties(chips, heads)
    alive = np.flatnonzero(chips > 0)
    rates = chips[alive] / chips[alive].sum()
    own = heads[alive]
    scale = float(own.sum()) or 1.0
    before = np.full(len(alive), np.inf)
    for step in _STEPS:
        times, weights = nodes(float(rates.min()), step)
        won = np.zeros(len(alive))
        add_knockouts(rates, own / scale, times, step * weights, won)
        if np.abs(won - before).max() < _CLOSE:
            break
        before = won
    expected = np.zeros(len(chips))
    expected[alive] = scale * won + own * place_chances(rates)[:, 0]
    return expected


def check_bounties(stacks: np.ndarray, bounties: np.ndarray) -> None:
    """Raise BadSetting unless there is one bounty per player, and none for eliminated players."""
    if len(bounties) != len(stacks):
        raise BadSetting(f"give one bounty for all, or one for each of the {len(stacks)} players; got {len(bounties)}")
    if (stacks > 0).sum() > MOST_WITH_BOUNTIES:
        raise BadSetting(f"bounties are computed for at most {MOST_WITH_BOUNTIES} players with chips")
    if (bounties < 0).any():
        raise BadSetting("bounties are 0 or more")
