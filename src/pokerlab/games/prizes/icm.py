"""The independent chip model (Malmuth and Harville): the value of tournament stacks.

A player finishes first with probability equal to their share of all chips; second place goes to the first among the
others, and so on. Eliminated players (a stack of 0) share the last places evenly. Small fields are computed in exact
rationals over all sets of players ahead; others as a race: with an exponential time of rate s for a stack of s, the
players' times have exactly this order (Harville's model is a race of exponential times), so a place is the number of
earlier times and every result is one integral over time. Under t = exp(y - exp(-y)) the trapezoid rule converges faster
than any power of its step, which is halved until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

MOST_EXACT = 10  # players: 1,024 sets of them
_FIRST_NODE = -3.6  # y, where t is about 1e-17 of the time by which all chips together finish with probability 1 - 1/e
_LAST_RATE = 45.0  # the smallest stack is still in with probability exp(-45)
_STEPS = [2.0**-power for power in range(2, 10)]  # 1/4 to 1/512
_CLOSE = 1e-11  # of the prize pool: convergence tolerance between two steps


def values(stacks: Sequence[float] | np.ndarray, payouts: Sequence[float] | np.ndarray) -> np.ndarray:
    """The value of each stack, for prizes from the first place down: [n].

    >>> [round(float(value), 4) for value in values([10, 1, 289], [60, 40])]
    [37.0348, 3.7076, 59.2576]
    """
    from pokerlab.games.prizes._kernels import add_values

    chips, prizes = np.asarray(stacks, float), np.asarray(payouts, float)
    alive = np.flatnonzero(chips > 0)
    out = max(len(chips) - len(alive), 1)  # eliminated players share the prizes of the last places
    expected = np.full(len(chips), float(prizes[len(alive) : len(chips)].sum()) / out)
    paid = prizes[: len(alive)]
    while len(paid) > 1 and paid[-1] == 0:
        paid = paid[:-1]
    scale = float(paid.sum()) or 1.0

    def add(rates: np.ndarray, times: np.ndarray, weights: np.ndarray, sums: np.ndarray) -> None:
        add_values(rates, paid / scale, times, weights, sums)

    expected[alive] = scale * _integrated(chips[alive], (len(alive),), add)
    return expected


def place_chances(stacks: Sequence[float] | np.ndarray) -> np.ndarray:
    """The probability of each player finishing in each place: [n, place], rows and columns sum to 1.

    >>> place_chances([3, 1]).round(6).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    from pokerlab.games.prizes._kernels import add_places

    chips = np.asarray(stacks, float)
    alive = np.flatnonzero(chips > 0)
    chances = np.zeros((len(chips), len(chips)))
    if len(alive) < len(chips):
        chances[chips == 0, len(alive) :] = 1 / (len(chips) - len(alive))
    chances[np.ix_(alive, np.arange(len(alive)))] = _integrated(chips[alive], (len(alive), len(alive)), add_places)
    return chances


def exact_place_chances(stacks: Sequence[Fraction]) -> list[list[Fraction]]:
    """The same in exact rationals, for at most MOST_EXACT players."""
    count = len(stacks)
    assert count <= MOST_EXACT
    by_place = [[Fraction(0)] * count for _ in stacks]
    alive = [player for player in range(count) if stacks[player] > 0]
    for player in set(range(count)) - set(alive):
        by_place[player][len(alive) :] = [Fraction(1, count - len(alive))] * (count - len(alive))
    chances = {0: Fraction(1)}  # probability that a set of players (bit mask) takes the first places
    for place in range(len(alive)):
        following: dict[int, Fraction] = {}
        for ahead, chance in chances.items():
            others = [player for player in alive if not ahead >> player & 1]
            each = chance / sum(stacks[player] for player in others)
            for player in others:
                by_place[player][place] += each * stacks[player]
                grown = ahead | 1 << player
                following[grown] = following.get(grown, Fraction(0)) + each * stacks[player]
        chances = following
    return by_place


def exact_values(stacks: Sequence[Fraction], payouts: Sequence[Fraction]) -> list[Fraction]:
    """The value of each stack in exact rationals, for at most MOST_EXACT players."""
    return [
        sum((chance * prize for chance, prize in zip(row, payouts, strict=False)), Fraction(0))
        for row in exact_place_chances(stacks)
    ]


Integrand = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]


def _integrated(stacks: np.ndarray, shape: tuple[int, ...], add: Integrand) -> np.ndarray:
    """The integral over time that `add(rates, times, weights, sums)` accumulates over nodes, to machine precision."""
    rates = stacks / stacks.sum() if len(stacks) > 1 else np.ones(1)
    total, before = np.zeros(shape), np.full(shape, np.inf)
    for step in _STEPS:
        times, weights = nodes(float(rates.min()), step, between=step < _STEPS[0])
        add(rates, times, weights, total)  # weights exclude the step, so finer nodes are simply added
        now = total * step
        if np.abs(now - before).max() < _CLOSE:
            break
        before = now
    return now


def nodes(smallest: float, step: float, *, between: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Times and weights (without the step) for rates that sum to 1; `between`: only nodes missing at 2 * step."""
    last = np.log(_LAST_RATE / smallest) + 1
    start = _FIRST_NODE + (step if between else 0.0)
    points = np.arange(start, last, 2 * step if between else step)
    times = np.exp(points - np.exp(-points))
    return times, times * (1 + np.exp(-points))
