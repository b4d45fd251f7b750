"""Latent tic-tac-toe: a move is revealed to the opponent only after the opponent's next move.

After M. Lanctot and others 2009. A move on a taken cell is lost. A line wins immediately, revealed or not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from pokerlab.errors import TooLarge
from pokerlab.games.game import TERMINAL
from pokerlab.games.library._tictactoe import TicTacToe
from pokerlab.games.sizes import Size

MOST_CELLS = 9  # largest board that is counted
QUICK_CELLS = 6  # largest board that is counted quickly


class State(NamedTuple):
    """The true board, and all moves of both players in order."""

    board: str
    moves: tuple[int, ...]


@dataclass(frozen=True)
class LatentTicTacToe(TicTacToe):
    """A player knows all moves except the opponent's last."""

    label = "latent-tictactoe"

    def root(self) -> State:
        return State(self.empty, ())

    def player(self, state: State) -> int:
        return TERMINAL if self.is_over(state.board) else len(state.moves) % 2

    def actions(self, state: State) -> list[str]:
        taken = set(self._known(state, len(state.moves) % 2))
        return [name for cell, name in enumerate(self.cells) if cell not in taken]

    def _known(self, state: State, player: int) -> tuple[int, ...]:
        """The moves known to a player."""
        hidden = len(state.moves) > 0 and len(state.moves) % 2 == player
        return state.moves[:-1] if hidden else state.moves

    def child(self, state: State, action: str) -> State:
        cell = self.cells.index(action)
        return State(self.marked(state.board, cell, len(state.moves) % 2), (*state.moves, cell))

    def infoset(self, state: State, player: int) -> str:
        return " ".join(self.cells[move] for move in self._known(state, player)) or "start"

    view = infoset

    def size(self, *, effort: float = 1.0) -> Size | None:
        """Forward over histories, merging those with the same board and the same known and pending moves.

        The player to act knows all moves except the last, so its infosets are the histories one move shorter.
        """
        cells = len(self.empty)
        if cells > MOST_CELLS:
            return None
        if cells > QUICK_CELLS and effort < 1:
            raise TooLarge(f"counting {self.name} takes longer than a few seconds")
        states = terminals = 0
        infosets, pairs = [1, 0], [cells, 0]  # of each player, including the first move
        # by board, known moves and last move
        layer: dict[tuple[str, frozenset[int], int], int] = {(self.empty, frozenset(), -1): 1}
        mover = 0
        while layer:
            after: Counter[tuple[str, frozenset[int], int]] = Counter()
            for (marks, known, last), ways in layer.items():
                states += ways
                seen = known | {last} if last >= 0 else known
                continues = False
                for cell in range(cells):
                    if cell in known:
                        continue
                    marked = self.marked(marks, cell, mover)
                    if self.is_over(marked):
                        terminals += ways
                    else:
                        continues = True
                        after[marked, seen, cell] += ways
                if continues:
                    infosets[1 - mover] += ways
                    pairs[1 - mover] += ways * (cells - len(seen))
            layer, mover = dict(after), 1 - mover
        by_player = ((infosets[0], pairs[0] + 1), (infosets[1], pairs[1] + 1))
        return Size.counted(self.name, by_player, states=states, terminals=terminals)


game = LatentTicTacToe
