"""A poker game in which some players know only the buckets of their hands: an abstraction as a game of its own.

With every player blurred it is the abstract game. With one player blurred, that player's equilibrium strategy is the
least exploitable bucket strategy in the real game (K. Waugh and others, 2009). Both are ordinary games that any solver
can solve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pokerlab.abstraction.buckets import Buckets
from pokerlab.games.poker.engine import PokerGame


@dataclass(frozen=True, eq=False)
class BlurredGame:
    """A game that some of its players see through buckets."""

    game: PokerGame
    buckets: Buckets
    blurred: tuple[int, ...]  # players
    _known: dict[tuple[Any, ...], int] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        return f"{self.game.name} with buckets {self.buckets.text}"

    @property
    def players(self) -> int:
        return self.game.players

    def root(self) -> Any:
        return self.game.root()

    def player(self, state: Any) -> int:
        return self.game.player(state)

    def actions(self, state: Any) -> Sequence[Any]:
        return self.game.actions(state)

    def outcomes(self, state: Any) -> Sequence[tuple[Any, float]]:
        return self.game.outcomes(state)

    def child(self, state: Any, action: Any) -> Any:
        return self.game.child(state, action)

    def returns(self, state: Any) -> Sequence[float]:
        return self.game.returns(state)

    def action_text(self, action: Any) -> str:
        return self.game.action_text(action)

    def infoset(self, state: Any, player: int) -> str:
        """The bucket and the betting, "4:cr"; for a player who sees their cards, the infoset of the game."""
        if player not in self.blurred:
            return self.game.infoset(state, player)
        view = self.game.view(state, player)
        key = (view.betting.round, view.dealt, view.board)
        if key not in self._known:
            self._known[key] = int(self.buckets.at(key[0], np.array([view.dealt], np.uint8), view.board)[0])
        return f"{self._known[key]}:{view.betting.history}"

    def view(self, state: Any, player: int) -> Any:
        return self.infoset(state, player)
