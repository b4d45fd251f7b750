"""Double oracle over sequences: players may take the actions that some best response has taken.

Bošanský, Kiekintveld, Lisý and Pěchouček, 2014 (see library/double_oracle.py); McAleer, Lanier, Wang, Baldi and Fox,
"XDO: a double oracle algorithm for extensive-form games", 2021. As in the latter, every infoset has an action from the
first round on, that of the best response to uniform play, so a restricted game is the game with fewer actions; as in
the former, it is solved by its sequence-form program, and a response adds only the sequences that it reaches.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.solvers.convex.oracles.responses import ROUNDING, OracleSolver
from pokerlab.solvers.library.lp import solve_sequence_form
from pokerlab.tree.sequence import SequenceForm


class SequenceOracle(OracleSolver):
    """`allowed` [S] says which sequences the restricted game has; none before the first round."""

    def __init__(self, form: SequenceForm) -> None:
        super().__init__(form)
        self.sequence_form = form
        self.allowed = np.zeros(form.sequences, np.uint8)

    def step(self) -> None:
        """Add the sequences of best responses and solve the enlarged game; finished when they add nothing."""
        allowed = self.allowed.copy()
        for player, response in enumerate(self.responses()):
            own = self.trees.sequences_of(player)
            if self.iterations == 0:
                allowed[own] = response.choice[1:] > 0
            elif response.gain > ROUNDING * self.max_abs_payoff:
                allowed[own] |= (response.plan[1:] > 0).astype(np.uint8)
        if self.iterations > 0 and np.array_equal(allowed, self.allowed):
            self.finished = True
            return
        self.allowed = allowed
        self.plan = solve_sequence_form(self.sequence_form, allowed=allowed > 0)
        self.passes += 1

    def own_arrays(self) -> dict[str, np.ndarray]:
        return super().own_arrays() | {"allowed": self.allowed}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; ValueError if an infoset has no action."""
        allowed = arrays["allowed"]
        starts = self.sequence_form.start[:-1].astype(np.int64)
        if int(arrays["counts"][0]) and len(starts) and not np.add.reduceat(allowed > 0, starts).all():
            raise ValueError("an infoset without an action")
        super().restore(arrays)
