"""The board that the hidden forms of tic-tac-toe share: its cells, its lines, and who has won."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pokerlab.errors import BadSetting

EMPTY, MARKS = ".", "XO"


@dataclass(frozen=True)
class Board:
    """A grid of cells numbered row by row; a line of some length wins."""

    rows: int
    columns: int
    line: int

    @staticmethod
    def of(rows: int, columns: int, line: int) -> Board:
        """A board, or a sentence about what is wrong with it."""
        if not all(isinstance(value, int) for value in (rows, columns, line)):
            raise BadSetting(f"rows, columns and line must be whole numbers, not {rows}, {columns} and {line}")
        if not (1 <= rows <= 10 and 1 <= columns <= 10 and 2 <= line <= max(rows, columns)):
            raise BadSetting(
                f"the board must be from 1 by 2 to 10 by 10 with a line of 2 or more that fits; "
                f"got {rows} by {columns} with a line of {line}"
            )
        return Board(rows, columns, line)

    @property
    def settings(self) -> str:
        """The settings in brackets, none for the usual board."""
        usual = (self.rows, self.columns, self.line) == (3, 3, 3)
        return "" if usual else f"(rows={self.rows}, columns={self.columns}, line={self.line})"

    @property
    def empty(self) -> str:
        """The board before the first move: one letter a cell."""
        return EMPTY * (self.rows * self.columns)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What cells are called: a1 in the top left corner, letters for columns."""
        return tuple(f"{chr(97 + cell % self.columns)}{cell // self.columns + 1}" for cell in range(len(self.empty)))

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Every row, column and diagonal run that wins."""
        found = []
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last_row, last_column = row + down * (self.line - 1), column + right * (self.line - 1)
                    if last_row < self.rows and 0 <= last_column < self.columns:
                        run = ((row + down * i) * self.columns + column + right * i for i in range(self.line))
                        found.append(tuple(run))
        return tuple(found)

    def winner(self, board: str) -> int | None:
        """The player with a line, if any."""
        for line in self.lines:
            mark = board[line[0]]
            if mark != EMPTY and all(board[cell] == mark for cell in line):
                return MARKS.index(mark)
        return None

    def returns(self, board: str) -> tuple[float, float]:
        """One for the winner, minus one for the loser, nothing for a draw."""
        winner = self.winner(board)
        return (0.0, 0.0) if winner is None else ((1.0, -1.0), (-1.0, 1.0))[winner]

    def marked(self, board: str, cell: int, player: int) -> str:
        """The board after a mark; the board itself if the cell is taken."""
        return board if board[cell] != EMPTY else board[:cell] + MARKS[player] + board[cell + 1 :]
