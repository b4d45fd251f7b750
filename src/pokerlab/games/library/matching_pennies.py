"""Matching pennies: the row player wins when the two coins show the same side."""

from __future__ import annotations

from pokerlab.games.strategic import StrategicGame, bimatrix

SIDES = ("heads", "tails")


def game() -> StrategicGame:
    """One for the winner, minus one for the loser."""
    return bimatrix("matching-pennies", rows=SIDES, row_payoffs=[[1, -1], [-1, 1]], title="Matching pennies")
