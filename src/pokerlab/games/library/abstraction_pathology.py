"""The abstraction-pathology matrix: a finer abstraction of the opponent can give a worse strategy in the full game.

Rows A and B, columns a to d. Omitting columns or rows gives an abstraction of the game. Solved with columns a and b
alone, then with a, b and c, the row player's guarantee in the full game falls (M. Schmid's thesis; K. Waugh and others
2009 on larger games).
"""

from __future__ import annotations

from typing import Annotated

from pokerlab.games.strategic import StrategicGame, bimatrix
from pokerlab.settings import declared, letters

TABLE = {"A": {"a": 7, "b": 2, "c": 8, "d": 0}, "B": {"a": 7, "b": 10, "c": 5, "d": 6}}


@declared("abstraction-pathology")
def game(
    name: str, *, rows: Annotated[str, letters("AB")] = "AB", columns: Annotated[str, letters("abcd")] = "abcd"
) -> StrategicGame:
    """The payoffs of the selected rows and columns, named by their letters."""
    return bimatrix(
        name,
        rows=rows,
        columns=columns,
        row_payoffs=[[TABLE[row][column] for column in columns] for row in rows],
        title="The abstraction-pathology matrix",
    )
