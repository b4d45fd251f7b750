"""MIVAT: chance corrected by a value function that is learned; nothing needs to be known about the players.

White and Bowling, "Learning a value analysis tool for agent evaluation", 2009.
"""

from __future__ import annotations

from pokerlab.match.estimators.advantage import EQUITY, AdvantageEstimator, values_named
from pokerlab.match.estimators.walk import Correction
from pokerlab.settings import Text, checked


@checked
def estimator(*, values: Text = EQUITY) -> AdvantageEstimator:
    """Linear least squares on equities; `values` as for aivat."""
    return AdvantageEstimator("mivat", values_named(values), Correction(chance=True, actions=False), imaginary=False)
