"""Value iteration for stochastic games: solve every state's game, using the current values of the states that follow.

L. Shapley, "Stochastic games", 1953: for two players, zero sum and a discount below 1 the values converge to the value
of the game. In other games the measured best responses show how far the strategies are from equilibrium. The game of a
state is solved by `stage`, exactly by a linear program or by `iterations` of another algorithm; `step` and `memory`
damp oscillating values (solvers/stochastic/iteration.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pokerlab import registry
from pokerlab.settings import any_text, checked, number, whole
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Solver
from pokerlab.solvers.stochastic.iteration import MOST_REMEMBERED, StageSolver
from pokerlab.tree.resources import Resources

AUTO = "auto"  # a linear program if it fits, else CFR+


def over_states(name: str, method: str) -> Callable[..., Algorithm]:
    """The function that makes value or policy iteration with some settings."""

    @checked
    def algorithm(
        *,
        stage: Annotated[str, any_text] = AUTO,
        iterations: Annotated[int, whole(1, 10**6)] = 1000,
        step: Annotated[float, number(above=0, most=1)] = 1.0,
        memory: Annotated[int, whole(0, MOST_REMEMBERED)] = 0,
    ) -> Algorithm:
        def on_stochastic(form: Any, seed: int, resources: Resources) -> Solver:
            exact = form.players == 2 and form.is_zero_sum
            spec = stage if stage != AUTO else "lp" if exact else "cfr+"
            solver = registry.load("algorithms", spec)
            return StageSolver(form, solver, iterations, seed=seed, method=method, step=step, memory=memory)

        settings = {"stage": stage, "iterations": iterations, "step": step, "memory": memory}
        return Algorithm(name, {"stochastic": on_stochastic}, settings, unit="rounds")

    return algorithm


algorithm = over_states("value-iteration", "value")
