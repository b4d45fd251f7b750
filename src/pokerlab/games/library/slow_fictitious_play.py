"""A game on which fictitious play needs exponentially many rounds before it plays an equilibrium action at all.

Brandt, Fischer and Harrenstein, "On the rate of convergence of fictitious play", 2010: symmetric, zero-sum and
solvable by iterated strict dominance. From (a, a) both
play b until its lead of 1 is made up by c, which gains 2^-bits a round.
"""

from __future__ import annotations

from typing import Annotated

from pokerlab.games.strategic import StrategicGame, bimatrix
from pokerlab.settings import declared, whole


@declared("slow-fictitious-play")
def game(name: str, *, bits: Annotated[int, whole(1, 30)] = 10) -> StrategicGame:
    """Three actions; (c, c) is the only equilibrium."""
    little = 2.0**-bits
    return bimatrix(
        name,
        rows="abc",
        row_payoffs=[[0, -1, -little], [1, 0, -little], [little, little, 0]],
        title="A game on which fictitious play is slow",
    )
