"""Whether the public form and a solver of it fit in the memory of a device."""

from __future__ import annotations

from pokerlab.errors import TooLarge
from pokerlab.tree.forecast import bytes_text

BYTES = {"float32": 8, "int16": 4}  # a slot: regret and average
LEAST_ARENA = 2.5e8  # bytes for what is computed on the way


def check_memory(slots: int, storage: str, free: float, *, predictive: bool = False) -> None:
    """TooLarge where regrets and averages do not fit in the memory that a card has left."""
    needed = slots * (BYTES[storage] + 4 * predictive) + LEAST_ARENA
    if needed > free:
        raise TooLarge(
            f"the public form needs {bytes_text(needed)} on the card, which has {bytes_text(free)} left; store int16 "
            "(half the memory), drop bet sizes, cap the raises, narrow the ranges, or start on a later street"
        )
