"""Bounties of knockout tournaments as a separate prize.

Each player has a bounty, collected by whoever knocks them out; the winner keeps their own. The chip model gives the
finishing order, not who wins whose last chips: here it is one of the remaining players, with probability equal to their
share of the chips. So all bounties are paid out in full.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.prizes.icm import nodes, place_chances

MOST_PLAYERS = 100  # the integral has two dimensions
_CLOSE = 1e-10  # of all bounties
_STEPS = (1 / 4, 1 / 8, 1 / 16, 1 / 32)


def bounty_values(stacks: Sequence[float] | np.ndarray, bounties: Sequence[float] | np.ndarray) -> np.ndarray:
    """What each player is expected to collect, including their own bounty if they win: [n].

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
    if (stacks > 0).sum() > MOST_PLAYERS:
        raise BadSetting(f"bounties are computed for at most {MOST_PLAYERS} players with chips")
    if (bounties < 0).any():
        raise BadSetting("bounties are 0 or more")
