"""Latent tic-tac-toe: a move is shown to the opponent only after the opponent's next move.

After M. Lanctot and others 2009. A move on a taken cell is lost. A line wins as soon as it stands, shown or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pokerlab.games.game import TERMINAL
from pokerlab.games.library._tictactoe import TicTacToe


class State(NamedTuple):
    """The true board, and all moves made, of both players in turn."""

    board: str
    moves: tuple[int, ...]


@dataclass(frozen=True)
class LatentTicTacToe(TicTacToe):
    """A player knows all moves but the opponent's last."""

    label = "latent-tictactoe"

    def root(self) -> State:
        return State(self.empty, ())

    def player(self, state: State) -> int:
        return TERMINAL if self.is_over(state.board) else len(state.moves) % 2

    def actions(self, state: State) -> list[str]:
        taken = set(self._known(state, len(state.moves) % 2))
        return [name for cell, name in enumerate(self.cells) if cell not in taken]

    def _known(self, state: State, player: int) -> tuple[int, ...]:
        """The moves that a player knows of."""
        hidden = len(state.moves) > 0 and len(state.moves) % 2 == player
        return state.moves[:-1] if hidden else state.moves

    def outcomes(self, state: State) -> list[tuple[str, float]]:
        raise AssertionError("tic-tac-toe has no chance")

    def child(self, state: State, action: str) -> State:
        cell = self.cells.index(action)
        return State(self.marked(state.board, cell, len(state.moves) % 2), (*state.moves, cell))

    def returns(self, state: State) -> tuple[float, float]:
        return self.paid(state.board)

    def infoset(self, state: State, player: int) -> str:
        return " ".join(self.cells[move] for move in self._known(state, player)) or "start"

    def view(self, state: State, player: int) -> str:
        return self.infoset(state, player)


game = LatentTicTacToe
