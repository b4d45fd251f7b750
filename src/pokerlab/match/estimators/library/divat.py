"""DIVAT: chance corrected by what sensible players would have won from there on.

Zinkevich, Bowling, Bard, Kan and Billings, "Optimal unbiased estimators for evaluating agent performance", 2006, after
Billings and Kan, "A tool for the direct assessment of poker decisions", 2006. In a small game the values are exact for
any agent that plays all seats; in a large one they are equity after a round of bets by hand strength (bet_values.py).
"""

from __future__ import annotations

from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.estimators.advantage import AdvantageEstimator, equity_values
from pokerlab.match.estimators.bet_values import BetValues
from pokerlab.match.estimators.tree_values import is_small, tree_values
from pokerlab.match.estimators.values import ValueFunction
from pokerlab.match.estimators.walk import Correction
from pokerlab.settings import Text, checked


@checked
def estimator(*, baseline: Text = "formula") -> AdvantageEstimator:
    """`baseline` is the agent whose values are used in small games."""

    def values(game: PokerGame) -> ValueFunction:
        if is_small(game):
            return tree_values(game, baseline)
        if baseline != "formula":
            raise BadSetting(f"{game.name} is too large for the values of {baseline}: leave out baseline")
        equity_values(game)  # refuses what this does
        return BetValues(game)

    correct = Correction(chance=True, actions=False)
    return AdvantageEstimator("divat", values, correct, imaginary=False, fit=False)
