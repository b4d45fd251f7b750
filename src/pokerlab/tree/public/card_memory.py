"""Whether the public form and a solver of it fit in the memory of a card."""

from __future__ import annotations

from pokerlab.errors import TooLarge
from pokerlab.tree.forecast import bytes_text

LEAST_ARENA = 2.5e8  # bytes for what is computed on the way
# what is computed, and what would make it smaller
IN_PUBLIC = "the public form", "store int16 (half the memory), drop bet sizes, cap the raises, narrow the ranges"
OVER_BUCKETS = "training over these buckets", "choose fewer buckets, or a game with fewer raises"


def check_card_memory(needed: float, free: float, *, of: tuple[str, str] = IN_PUBLIC) -> None:
    """TooLarge where regrets and averages do not fit in the memory that a card has left."""
    if needed + LEAST_ARENA > free:
        raise TooLarge(
            f"{of[0]} needs {bytes_text(needed + LEAST_ARENA)} on the card, which has {bytes_text(free)} left; "
            f"{of[1]}, or start later"
        )
