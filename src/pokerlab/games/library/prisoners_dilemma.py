"""The prisoner's dilemma: confessing is better whatever the other does, and worse for both.

Payoffs are minus the years in prison. M. Schmid's thesis prints the years themselves and, for two confessions, 6 in
the text and 8 in the table; the dilemma needs the sign and holds with either, and we take 6.
"""

from __future__ import annotations

from pokerlab.errors import BadSetting
from pokerlab.games.strategic import StrategicGame, bimatrix

CHOICES = ("confess", "quiet")


def game(*, both_confess: float = 6, both_quiet: float = 2, betrayed: float = 10) -> StrategicGame:
    """Years in prison when both confess, when both are quiet, and of the quiet one when only the other confesses."""
    for value in (both_confess, both_quiet, betrayed):
        if not (isinstance(value, (int, float)) and 0 <= value < 1e9):
            raise BadSetting(f"years in prison are a number from 0 up, not {str(value)[:60]!r}")
    years = [[both_confess, 0.0], [betrayed, both_quiet]]
    defaults = (both_confess, both_quiet, betrayed) == (6, 2, 10)
    settings = "" if defaults else f"(both_confess={both_confess}, both_quiet={both_quiet}, betrayed={betrayed})"
    return bimatrix(
        f"prisoners-dilemma{settings}",
        rows=CHOICES,
        columns=CHOICES,
        row_payoffs=[[0.0 - years[i][j] for j in range(2)] for i in range(2)],
        column_payoffs=[[0.0 - years[j][i] for j in range(2)] for i in range(2)],
        title="The prisoner's dilemma",
    )
