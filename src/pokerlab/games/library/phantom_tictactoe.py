"""Phantom tic-tac-toe: players never see the other's marks; a move on a taken cell fails and the player tries again.

With `abrupt` a failed move costs the turn instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pokerlab.games.game import TERMINAL
from pokerlab.games.library._tictactoe import EMPTY, MARKS, TicTacToe
from pokerlab.settings import Flag


class State(NamedTuple):
    """The true board, each player's attempts in order, and the player to act."""

    board: str
    tries: tuple[tuple[int, ...], tuple[int, ...]]
    to_act: int


@dataclass(frozen=True)
class PhantomTicTacToe(TicTacToe):
    """A player knows only which of their own attempts succeeded."""

    label = "phantom-tictactoe"
    abrupt: Flag = False  # whether a failed attempt costs the turn

    def root(self) -> State:
        return State(self.empty, ((), ()), 0)

    def player(self, state: State) -> int:
        return TERMINAL if self.is_over(state.board) else state.to_act

    def actions(self, state: State) -> list[str]:
        tried = state.tries[state.to_act]
        return [name for cell, name in enumerate(self.cells) if cell not in tried]

    def child(self, state: State, action: str) -> State:
        cell, player = self.cells.index(action), state.to_act
        failed = state.board[cell] != EMPTY
        own = (*state.tries[player], cell)
        tries = (own, state.tries[1]) if player == 0 else (state.tries[0], own)
        next_player = player if failed and not self.abrupt else 1 - player
        return State(self.marked(state.board, cell, player), tries, next_player)

    def infoset(self, state: State, player: int) -> str:
        tries = (self.cells[cell] + ("" if state.board[cell] == MARKS[player] else "!") for cell in state.tries[player])
        return " ".join(tries) or "start"

    view = infoset


game = PhantomTicTacToe
