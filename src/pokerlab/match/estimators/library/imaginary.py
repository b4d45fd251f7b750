"""Imaginary observations: the payoff averaged over the hands that a known player could have held.

Bowling, Johanson, Burch and Szafron, "Strategy evaluation in extensive games with importance sampling", 2008.
"""

from __future__ import annotations

from pokerlab.match.estimators.advantage import AdvantageEstimator, payoffs_alone
from pokerlab.match.estimators.walk import Correction
from pokerlab.settings import checked


@checked
def estimator() -> AdvantageEstimator:
    """No corrections, any number of players."""
    return AdvantageEstimator(
        "imaginary", payoffs_alone, Correction(chance=False, actions=False), imaginary=True, fit=False
    )
