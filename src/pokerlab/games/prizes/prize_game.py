"""A poker hand played for prizes: the rules are the game's, payoffs are changes in expected prize.

The utility of the stacks after a hand is the chips, or the prizes by the independent chip model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame, State
from pokerlab.games.prizes.payouts import check_payouts

Utility = Callable[[np.ndarray], np.ndarray]  # stacks [n, seat] after a hand to utilities [n, seat]


def chip_utility(stacks: np.ndarray) -> np.ndarray:
    """The stacks themselves."""
    return stacks


def prize_utility(before: Sequence[float] | np.ndarray, payouts: Sequence[float] | np.ndarray) -> Utility:
    """Expected prizes, for prizes from the first place down.

    Players with chips share the places by the model of Malmuth and Harville. Of players eliminated in the same hand,
    the one with the larger stack before it finishes ahead; equal stacks share their places.
    """
    chips = np.asarray(before, np.float64)
    prizes = np.zeros(len(chips))
    paid = np.asarray(payouts, np.float64)[: len(chips)]
    prizes[: len(paid)] = paid

    def utility(stacks: np.ndarray) -> np.ndarray:
        from pokerlab.games.prizes._kernels import prize_values

        values = np.empty(stacks.shape)
        prize_values(np.ascontiguousarray(stacks, np.float64), chips, prizes, values)
        return values

    return utility


class PrizeGame:
    """A poker game whose payoffs are prizes by the independent chip model, from the first place down.

    Everything except `returns` is the game's own. It is not a PokerGame, so that forms that count chips reject it.
    """

    def __init__(self, game: PokerGame, payouts: Sequence[float]) -> None:
        check_payouts(payouts)
        if not any(payouts[: game.players]):
            raise BadSetting("none of these players can win a prize: prizes start with the first place")
        assert game.rules.stacks is not None
        self.game, self.payouts = game, tuple(payouts)
        self.name, self.players = game.name, game.players
        self._before = np.array([game.rules.stacks], float)
        self._utility = prize_utility(self._before[0], self.payouts)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "game":
            raise AttributeError(name)
        return getattr(self.game, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return PrizeGame, (self.game, self.payouts)

    def __repr__(self) -> str:
        return f"PrizeGame({self.name})"

    def returns(self, state: State) -> tuple[float, ...]:
        """The change in each seat's expected prize."""
        after = self._before + np.array(self.game.returns(state))
        return tuple((self._utility(after) - self._utility(self._before))[0].tolist())
