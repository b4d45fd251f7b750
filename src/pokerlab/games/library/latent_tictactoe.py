"""Latent tic-tac-toe: a move is shown to the opponent only after the opponent's next move.

After M. Lanctot and others 2009. A move on a taken cell is lost. A line wins as soon as it stands, shown or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pokerlab.games.game import TERMINAL
from pokerlab.games.library._tictactoe import EMPTY, Board


class State(NamedTuple):
    """The true board, and all moves made, of both players in turn."""

    board: str
    moves: tuple[int, ...]


@dataclass(frozen=True)
class LatentTicTacToe:
    """A player knows all moves but the opponent's last."""

    board: Board

    @property
    def name(self) -> str:
        return f"latent-tictactoe{self.board.settings}"

    @property
    def players(self) -> int:
        return 2

    def root(self) -> State:
        return State(self.board.empty, ())

    def player(self, state: State) -> int:
        over = EMPTY not in state.board or self.board.winner(state.board) is not None
        return TERMINAL if over else len(state.moves) % 2

    def actions(self, state: State) -> list[str]:
        taken = set(self._known(state, len(state.moves) % 2))
        return [name for cell, name in enumerate(self.board.names) if cell not in taken]

    def _known(self, state: State, player: int) -> tuple[int, ...]:
        """The moves that a player knows of."""
        hidden = len(state.moves) > 0 and len(state.moves) % 2 == player
        return state.moves[:-1] if hidden else state.moves

    def outcomes(self, state: State) -> list[tuple[str, float]]:
        raise AssertionError("tic-tac-toe has no chance")

    def child(self, state: State, action: str) -> State:
        cell = self.board.names.index(action)
        return State(self.board.marked(state.board, cell, len(state.moves) % 2), (*state.moves, cell))

    def returns(self, state: State) -> tuple[float, float]:
        return self.board.returns(state.board)

    def infoset(self, state: State, player: int) -> str:
        return " ".join(self.board.names[move] for move in self._known(state, player)) or "start"

    def view(self, state: State, player: int) -> str:
        return self.infoset(state, player)


def game(*, rows: int = 3, columns: int = 3, line: int = 3) -> LatentTicTacToe:
    """The size of the board and the length of a winning line."""
    return LatentTicTacToe(Board.of(rows, columns, line))
