"""Battle of the sexes: two players want to be together but prefer different events.

The payoffs are those in the text of M. Schmid's thesis: together at the football 10 and -6, together at the opera -8
and 10, each alone at their favourite event -20; the profile that it leaves arbitrary (each at the other's favourite) is
0 for both, as in its table.
"""

from __future__ import annotations

from pokerlab.games.strategic import StrategicGame, bimatrix

PLACES = ("opera", "football")


def game() -> StrategicGame:
    """The row player prefers football, the column player opera."""
    return bimatrix(
        "battle-of-the-sexes",
        rows=PLACES,
        row_payoffs=[[-8, 0], [-20, 10]],
        column_payoffs=[[10, 0], [-20, -6]],
        title="Battle of the sexes",
    )
