"""The prisoner's dilemma: confessing is a dominant strategy, but worse for both.

Payoffs are minus the years in prison. M. Schmid's thesis prints the years themselves and, for two confessions, 6 in the
text and 8 in the table; the dilemma requires the sign and holds with either number, and we use 6.
"""

from __future__ import annotations

from typing import Annotated

from pokerlab.games.strategic import StrategicGame, bimatrix
from pokerlab.settings import declared, number

CHOICES = ("confess", "quiet")
Years = Annotated[float, number(0, 1e9)]


@declared("prisoners-dilemma")
def game(name: str, *, both_confess: Years = 6, both_quiet: Years = 2, betrayed: Years = 10) -> StrategicGame:
    """Years in prison if both confess, if both stay quiet, and for the quiet one if only the other confesses."""
    years = [[both_confess, 0.0], [betrayed, both_quiet]]
    return bimatrix(
        name,
        rows=CHOICES,
        row_payoffs=[[0.0 - years[i][j] for j in range(2)] for i in range(2)],
        column_payoffs=[[0.0 - years[j][i] for j in range(2)] for i in range(2)],
        title="The prisoner's dilemma",
    )
