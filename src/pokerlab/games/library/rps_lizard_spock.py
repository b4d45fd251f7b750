"""Rock-paper-scissors-lizard-Spock: five gestures, each beats two others."""

from __future__ import annotations

from pokerlab.games.strategic import StrategicGame, bimatrix

BEATS = {
    "rock": ("scissors", "lizard"),
    "paper": ("rock", "spock"),
    "scissors": ("paper", "lizard"),
    "lizard": ("paper", "spock"),
    "spock": ("rock", "scissors"),
}


def game() -> StrategicGame:
    """The winner takes one from the loser."""
    table = [[(b in BEATS[a]) - (a in BEATS[b]) for b in BEATS] for a in BEATS]
    return bimatrix(
        "rps-lizard-spock",
        rows=tuple(BEATS),
        row_payoffs=table,
        title="Rock-paper-scissors-lizard-Spock",
    )
