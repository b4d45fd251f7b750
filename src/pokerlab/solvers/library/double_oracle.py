"""Double oracle: solve a restricted game, and add best responses of the full game until none improves on it.

McMahan, Gordon and Blum, "Planning in the presence of cost functions controlled by an adversary", 2003: over
strategies. Bošanský, Kiekintveld, Lisý and Pěchouček, "An exact double-oracle algorithm for zero-sum extensive-form
games with imperfect information", 2014: over sequences, which takes far fewer rounds. See solvers/convex/oracles.py. It
ends with an equilibrium, exact up to rounding, however much of the game was left out.
"""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.settings import checked, one_of
from pokerlab.solvers.convex.oracles import SequenceOracle, StrategyOracle
from pokerlab.solvers.core.algorithm import Algorithm, engine_of


@checked
def algorithm(*, over: Annotated[str, one_of("sequences", "strategies")] = "sequences") -> Algorithm:
    """Double oracle: over sequences, on the sequence form; over strategies, on every form but the bucketed one."""

    shared: dict[str, Any] = {"settings": {"over": over}, "two_player_zero_sum": True, "unit": "rounds"}
    if over == "sequences":
        return Algorithm("double-oracle", {"sequence": engine_of(SequenceOracle)}, **shared)
    return Algorithm("double-oracle", {}, general=engine_of(StrategyOracle), **shared)
