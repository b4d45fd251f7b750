"""Policy iteration for stochastic games: solve every state's game, then evaluate these strategies to the end.

A. Hoffman and R. Karp, "On nonterminating stochastic games", 1966. It needs far fewer rounds than value iteration
(value_iteration.py), with the same settings, but is not guaranteed to converge where value iteration is.
"""

from __future__ import annotations

from pokerlab.solvers.library.value_iteration import over_states

algorithm = over_states("policy-iteration", "policy")
