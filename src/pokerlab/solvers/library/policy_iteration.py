"""Policy iteration for stochastic games: solve every state's game, then evaluate these strategies to the end.

A. Hoffman and R. Karp, "On nonterminating stochastic games", 1966. It needs far fewer rounds than value iteration
(value_iteration.py), with the same settings, but is not guaranteed to converge where value iteration is.
"""

from __future__ import annotations

from typing import Annotated

from pokerlab.settings import any_text, checked, number, whole
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.library.value_iteration import AUTO, over_states
from pokerlab.solvers.stochastic.mixing import MOST_REMEMBERED


@checked
def algorithm(
    *,
    stage: Annotated[str, any_text] = AUTO,
    iterations: Annotated[int, whole(1, 10**6)] = 1000,
    step: Annotated[float, number(above=0, most=1)] = 1.0,
    memory: Annotated[int, whole(0, MOST_REMEMBERED)] = 0,
) -> Algorithm:
    """Policy iteration."""
    settings = {"stage": stage, "iterations": iterations, "step": step, "memory": memory}
    return over_states("policy-iteration", "policy", settings)
