"""The board shared by the hidden forms of tic-tac-toe: its cells, its lines, and the winner."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from pokerlab.errors import BadSetting
from pokerlab.settings import Settings, whole

EMPTY, MARKS = ".", "XO"


@dataclass(frozen=True)
class TicTacToe(Settings):
    """A grid of cells numbered row by row; a line of a given length wins."""

    players = 2
    rows: Annotated[int, whole(1, 10)] = 3
    columns: Annotated[int, whole(1, 10)] = 3
    line: Annotated[int, whole(2, 10)] = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.line > max(self.rows, self.columns):
            raise BadSetting(f"a line of {self.line} does not fit on a board of {self.rows} by {self.columns}")

    @property
    def empty(self) -> str:
        """The board before the first move: one character per cell."""
        return EMPTY * (self.rows * self.columns)

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The names of cells: a1 in the top left corner, letters for columns."""
        return tuple(f"{chr(97 + cell % self.columns)}{cell // self.columns + 1}" for cell in range(len(self.empty)))

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Every winning row, column and diagonal run."""
        lines = []
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last_row, last_column = row + down * (self.line - 1), column + right * (self.line - 1)
                    if last_row < self.rows and 0 <= last_column < self.columns:
                        run = ((row + down * i) * self.columns + column + right * i for i in range(self.line))
                        lines.append(tuple(run))
        return tuple(lines)

    def winner(self, board: str) -> int | None:
        """The player with a line, if any."""
        for line in self.lines:
            mark = board[line[0]]
            if mark != EMPTY and all(board[cell] == mark for cell in line):
                return MARKS.index(mark)
        return None

    def outcomes(self, state: Any) -> list[tuple[str, float]]:
        raise AssertionError("tic-tac-toe has no chance")

    def returns(self, state: Any) -> tuple[float, float]:
        """One for the winner, minus one for the loser, nothing for a draw."""
        winner = self.winner(state.board)
        return (0.0, 0.0) if winner is None else ((1.0, -1.0), (-1.0, 1.0))[winner]

    def is_over(self, board: str) -> bool:
        """Whether the board is full or somebody has a line."""
        return EMPTY not in board or self.winner(board) is not None

    def marked(self, board: str, cell: int, player: int) -> str:
        """The board after a mark; the board itself if the cell is taken."""
        return board if board[cell] != EMPTY else board[:cell] + MARKS[player] + board[cell + 1 :]
