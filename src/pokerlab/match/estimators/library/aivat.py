"""AIVAT: known players' other hands and actions, and all of chance, corrected by a value function.

Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: a new variance reduction technique for agent evaluation in
imperfect information games", 2018. At least one player must state its action probabilities. Where the paper's value
function is fixed, ours is weighed by least squares on earlier hands, as in MIVAT; and where both players are known, the
paper averages over both hands at once, and we average over each given the other's, and take the mean of both.
"""

from __future__ import annotations

from pokerlab.match.estimators.advantage import AUTO, AdvantageEstimator, values_named
from pokerlab.match.estimators.walk import Correction
from pokerlab.settings import Flag, Text, checked


@checked
def estimator(
    *, values: Text = AUTO, chance: Flag = True, actions: Flag = True, imaginary: Flag = True, fit: Flag = True
) -> AdvantageEstimator:
    """All of AIVAT, or parts of it. `values`: "solved" (exact values of a solution, the default in small games),
    "equity" (the default in others), or the name of an agent whose exact values in a small game are used."""
    return AdvantageEstimator("aivat", values_named(values), Correction(chance, actions), imaginary, fit)
