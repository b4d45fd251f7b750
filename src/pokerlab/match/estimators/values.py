"""What a value function is: a guess of how much a hand is worth to each seat, at any public moment.

A better guess takes more luck out of the estimates, and no guess can bias them: only differences between a value and
its own expectation are used. A value has one or more columns, which control variates weigh separately (fitting.py).

The hands of one seat vary and those of the others are given, so values are arrays over hands of that seat.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from pokerlab.games.poker.betting import Betting
from pokerlab.match.estimators.path import Acted, Cards, Dealt, Path


class Side(NamedTuple):
    """The seat whose hands vary, and the hands that it may have had."""

    seat: int
    hands: tuple[Cards, ...]  # lowest card first; hands that hold another player's cards may be among them
    varies: bool  # all hands of the game, in the order of agents/parts/roll_out.py; else the one that was dealt


class DealValues(Protocol):
    """Values in one deal. Entries of hands that cannot be held are arbitrary."""

    def deal(self) -> np.ndarray:
        """After the private cards and the first board.  # [column, seat, hand]"""

    def dealt(self, event: Dealt) -> tuple[np.ndarray, np.ndarray]:
        """Expected before public cards come, over all that may, and after them.  # both [column, seat, hand]"""

    def acted(self, event: Acted, after: Betting) -> np.ndarray:
        """After an action, which need not be the one that was played.  # [column, seat, hand]"""

    def end(self) -> np.ndarray:
        """Payoffs when betting has ended, averaged over what it leaves to be dealt.  # [seat, hand]"""


class ValueFunction(Protocol):
    """A value function of one game."""

    @property
    def weights(self) -> np.ndarray:
        """The weight of each column before anything is learned.  # [column]"""

    def start(self, *, varies: bool) -> np.ndarray:
        """Expected before any card is dealt, with a side of many hands or of one.  # [column, seat]"""

    def of(self, path: Path, side: Side) -> DealValues:
        """The values in a deal."""
