"""Values of tournament chips: the race integral, against all sets of players ahead."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from bench import Row, interleaved
from pokerlab.games.prizes.icm import place_chances, values

PLAYERS, FIELDS = 14, ((300, 45), (1000, 150))
QUICK = {"PLAYERS": 9, "FIELDS": ((30, 5),)}


def measure() -> Iterator[Row]:
    """Seconds for all values of a field; one thread."""
    rng = np.random.default_rng(1)
    small, prizes = rng.lognormal(0, 1, PLAYERS), np.linspace(8.0, 1.0, 8)
    seconds = interleaved(
        {"race": partial(values, small, prizes), "sets": partial(_over_sets, small, prizes)}, repeats=5
    )
    yield Row(f"{PLAYERS} players, 8 prizes", seconds["race"], seconds["sets"], "over sets, NumPy", unit="s", asked=10)
    for players, paid in FIELDS:
        field = rng.lognormal(0, 1, players)
        money = np.sort(rng.random(paid))[::-1]
        contenders = {"values": partial(values, field, money), "places": partial(place_chances, field)}
        seconds = interleaved(contenders, repeats=3)
        yield Row(f"{players} players, {paid} prizes: values", seconds["values"], unit="s")
        yield Row(f"{players} players: chances of all places", seconds["places"], unit="s")


def _over_sets(stacks: np.ndarray, prizes: np.ndarray) -> np.ndarray:
    """The definition, over all sets of players ahead of the paid places, each set at once for all next players."""
    chances: dict[int, float] = {0: 1.0}
    found = np.zeros(len(stacks))
    for prize in prizes:
        following: dict[int, float] = {}
        for ahead, chance in chances.items():
            others = np.array([player for player in range(len(stacks)) if not ahead >> player & 1])
            each = chance * stacks[others] / stacks[others].sum()
            found[others] += prize * each
            for player, more in zip(others.tolist(), each.tolist(), strict=True):
                grown = ahead | 1 << player
                following[grown] = following.get(grown, 0.0) + more
        chances = following
    return found
