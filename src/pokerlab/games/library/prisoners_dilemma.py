"""The prisoner's dilemma: confessing is better whatever the other does, and worse for both.

Payoffs are minus the years in prison. M. Schmid's thesis prints the years themselves and, for two confessions, 6 in
the text and 8 in the table; the dilemma needs the sign and holds with either, and we take 6.
"""

from __future__ import annotations

from typing import Annotated

from pokerlab.games.strategic import StrategicGame, bimatrix
from pokerlab.settings import declared, number

CHOICES = ("confess", "quiet")
Years = Annotated[float, number(0, 1e9)]


@declared("prisoners-dilemma")
def game(name: str, *, both_confess: Years = 6, both_quiet: Years = 2, betrayed: Years = 10) -> StrategicGame:
    """Years in prison when both confess, when both are quiet, and of the quiet one when only the other confesses."""
    years = [[both_confess, 0.0], [betrayed, both_quiet]]
    return bimatrix(
        name,
        rows=CHOICES,
        columns=CHOICES,
        row_payoffs=[[0.0 - years[i][j] for j in range(2)] for i in range(2)],
        column_payoffs=[[0.0 - years[j][i] for j in range(2)] for i in range(2)],
        title="The prisoner's dilemma",
    )
