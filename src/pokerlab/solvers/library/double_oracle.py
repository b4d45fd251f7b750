"""Double oracle: solve a restricted game, and let best responses of the whole game enlarge it until none is better.

McMahan, Gordon and Blum, "Planning in the presence of cost functions controlled by an adversary", 2003: strategies.
Bošanský, Kiekintveld, Lisý and Pěchouček, "An exact double-oracle algorithm for zero-sum extensive-form games with
imperfect information", 2014: sequences, which takes far fewer rounds. See solvers/restricted/. It ends with an
equilibrium, exact but for rounding, however much of the game was left out.
"""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.settings import checked, one_of
from pokerlab.solvers.algorithm import Algorithm, Engine, Resources
from pokerlab.solvers.run import Solver


@checked
def algorithm(*, over: Annotated[str, one_of("sequences", "strategies")] = "sequences") -> Algorithm:
    """Double oracle: over sequences, on the sequence form; over strategies, on every form but the bucketed one."""

    def on_sequences(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.restricted.sequences import SequenceOracle

        return SequenceOracle(form)

    def on_strategies(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.restricted.fields import field_of
        from pokerlab.solvers.restricted.strategies import StrategyOracle

        return StrategyOracle(field_of(form, resources))

    engines: dict[str, Engine] = {"sequence": on_sequences}
    if over == "strategies":
        engines = dict.fromkeys(("sequence", "public", "roles", "classes", "normal"), on_strategies)
    return Algorithm("double-oracle", engines, {"over": over}, two_player_zero_sum=True, unit="rounds")
