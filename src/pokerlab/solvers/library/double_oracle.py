"""Double oracle: solve a restricted game, and let best responses of the whole game enlarge it until none is better.

McMahan, Gordon and Blum, "Planning in the presence of cost functions controlled by an adversary", 2003: strategies.
Bošanský, Kiekintveld, Lisý and Pěchouček, "An exact double-oracle algorithm for zero-sum extensive-form games with
imperfect information", 2014: sequences, which takes far fewer rounds. See solvers/restricted/. It ends with an
equilibrium, exact but for rounding, however much of the game was left out.
"""

from __future__ import annotations

from typing import Annotated

from pokerlab.settings import checked, one_of
from pokerlab.solvers.algorithm import Algorithm, Resources
from pokerlab.solvers.run import Solver
from pokerlab.tree.sequence import SequenceForm


@checked
def algorithm(*, over: Annotated[str, one_of("sequences", "strategies")] = "sequences") -> Algorithm:
    """Double oracle."""

    def start(form: SequenceForm, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.restricted.sequences import SequenceOracle
        from pokerlab.solvers.restricted.strategies import StrategyOracle

        return SequenceOracle(form) if over == "sequences" else StrategyOracle(form)

    return Algorithm("double-oracle", {"sequence": start}, {"over": over}, two_player_zero_sum=True, unit="rounds")
