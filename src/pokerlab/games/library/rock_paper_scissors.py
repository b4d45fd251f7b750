"""Rock-paper-scissors: two players, three gestures, each beats one other."""

from __future__ import annotations

from pokerlab.games.strategic import StrategicGame, bimatrix

GESTURES = ("rock", "paper", "scissors")


def game() -> StrategicGame:
    """Each gesture beats the one before it in the circle."""
    table = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    return bimatrix("rock-paper-scissors", rows=GESTURES, row_payoffs=table, title="Rock-paper-scissors")
