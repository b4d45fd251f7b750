"""Double oracle: solve a restricted game, and add best responses of the full game until none improves on it.

McMahan, Gordon and Blum, "Planning in the presence of cost functions controlled by an adversary", 2003: over
strategies. Bošanský, Kiekintveld, Lisý and Pěchouček, "An exact double-oracle algorithm for zero-sum extensive-form
games with imperfect information", 2014: over sequences, which takes far fewer rounds. See solvers/convex/oracles/. It
ends with an equilibrium, exact up to rounding, however much of the game was left out.
"""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.settings import checked, one_of
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Solver
from pokerlab.tree.resources import Resources


@checked
def algorithm(*, over: Annotated[str, one_of("sequences", "strategies")] = "sequences") -> Algorithm:
    """Double oracle: over sequences, on the sequence form; over strategies, on every form but the bucketed one."""

    def on_sequences(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.convex.oracles.sequences import SequenceOracle

        return SequenceOracle(form)

    def on_strategies(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.convex.oracles.strategies import StrategyOracle

        return StrategyOracle(form)

    by_sequence = over == "sequences"
    return Algorithm(
        "double-oracle",
        {"sequence": on_sequences} if by_sequence else {},
        {"over": over},
        general=None if by_sequence else on_strategies,
        two_player_zero_sum=True,
        unit="rounds",
    )
