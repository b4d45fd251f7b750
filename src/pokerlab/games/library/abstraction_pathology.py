"""The abstraction-pathology matrix: a finer view of the opponent can make the strategy found worse in the real game.

Rows A and B, columns a to d. Leaving out columns or rows makes an abstraction of the game. Solved with columns a and
b alone, then with a, b and c, the row player's guarantee in the full game falls (M. Schmid's thesis; K. Waugh and
others 2009 on larger games).
"""

from __future__ import annotations

from pokerlab.errors import BadSetting
from pokerlab.games.strategic import StrategicGame, bimatrix

TABLE = {"A": {"a": 7, "b": 2, "c": 8, "d": 0}, "B": {"a": 7, "b": 10, "c": 5, "d": 6}}


def game(*, rows: str = "AB", columns: str = "abcd") -> StrategicGame:
    """The payoffs of the rows and columns that are kept, named by their letters."""
    for what, wanted, known in (("rows", str(rows), "AB"), ("columns", str(columns), "abcd")):
        if not wanted or len(set(wanted)) != len(wanted) or not set(wanted) <= set(known):
            raise BadSetting(f"{what} must be different letters of {known!r}, at least one; got {wanted[:60]!r}")
    settings = ", ".join(
        f"{what}={kept}" for what, kept, full in (("rows", rows, "AB"), ("columns", columns, "abcd")) if kept != full
    )
    return bimatrix(
        "abstraction-pathology" + (f"({settings})" if settings else ""),
        rows=rows,
        columns=columns,
        row_payoffs=[[TABLE[row][column] for column in columns] for row in rows],
        title="The abstraction-pathology matrix",
    )
