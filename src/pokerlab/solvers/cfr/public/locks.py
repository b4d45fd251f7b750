"""Locked parts of the strategies of a public form: stored numbers that keep their proportions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

LARGEST_WHOLE = 32767.0  # of numbers stored as int16


class Lock(NamedTuple):
    """Numbers of a player in a round."""

    number: int
    player: int
    places: np.ndarray  # offsets
    stored: np.ndarray  # by offset


class Locks:
    """All locks of a solver. If two overlap, the later one holds."""

    def __init__(self) -> None:
        self._locks: list[Lock] = []

    def __iter__(self) -> Iterator[Lock]:
        return iter(self._locks)

    def __bool__(self) -> bool:
        return bool(self._locks)

    def add(self, number: int, player: int, places: np.ndarray, frequencies: np.ndarray, storage: str) -> Lock:
        """A new lock."""
        stored = frequencies.astype(np.float32)
        if storage == "int16":  # integers in any unit: only proportions are read where a strategy is locked
            stored = np.rint(stored * LARGEST_WHOLE).astype(np.int16)
        for index, lock in enumerate(self._locks):
            if (lock.number, lock.player) == (number, player):
                left = ~np.isin(lock.places, places)
                self._locks[index] = Lock(number, player, lock.places[left], lock.stored[left])
        self._locks.append(Lock(number, player, places, stored))
        return self._locks[-1]
