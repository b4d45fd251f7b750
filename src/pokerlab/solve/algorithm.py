"""What an algorithm is: a name with settings, what it asks of a game, and a solver for a tree.

Each file solve/NAME.py defines `algorithm(**settings) -> Algorithm`. An algorithm is a value; the solver that it makes
for a tree is what runs (see solver.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pokerlab.solve.schedule import Schedule
from pokerlab.solve.solver import Solver


@dataclass(frozen=True)
class Algorithm:
    """A way to solve a game. `solver(tree, seed=...)` checks that the game suits it and starts it there."""

    name: str
    make: Callable[[Any, int], Solver]  # (tree, seed)
    settings: Mapping[str, Any] = field(default_factory=dict)
    schedule: Schedule | None = None  # of the CFR family: what the other engines run too
    two_player_zero_sum: bool = False  # needs it
    perfect_recall: bool = True  # needs it
    random: bool = False  # whether the seed matters

    def solver(self, tree: Any, *, seed: int = 0) -> Solver:
        """A solver of this tree at its start."""
        return self.make(tree, seed)
