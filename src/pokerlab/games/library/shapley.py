"""Shapley's game: fictitious play cycles for ever, ever more slowly, and its averages do not converge.

Shapley, "Some topics in two-person games", 1964. The row player wins where both choose the same, the column player
where the column is the next one; the only equilibrium is uniform.
"""

from __future__ import annotations

from pokerlab.games.strategic import StrategicGame, bimatrix


def game() -> StrategicGame:
    """Three actions each; the loser and, at the other profiles, both get nothing."""
    return bimatrix(
        "shapley",
        rows="abc",
        row_payoffs=[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        column_payoffs=[[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        title="Shapley's game",
    )
