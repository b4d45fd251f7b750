"""Mirror prox of Nemirovski on treeplexes: each step looks ahead before it moves, and the look-aheads are averaged.

Nemirovski, "Prox-method with rate of convergence O(1/t) for variational inequalities with Lipschitz continuous monotone
operators and smooth convex-concave saddle point problems", 2004, which also says how long a step may be: as long as the
condition of its proof holds (`aggressive`). Averages that weigh later steps more keep the rate: Gao, Kroer and
Goldfarb, "Increasing iterate averaging for solving saddle-point problems", 2021.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pokerlab.solvers.first_order.first_order import FirstOrder
from pokerlab.solvers.first_order.ground import Ground
from pokerlab.solvers.first_order.prox import ROUNDING, norm_of, prox_of, room_for
from pokerlab.solvers.run import Measure

LONGEST = 2.0**-10  # of the norm: one over the length that an aggressive first step tries
LEAST = 2.0**-40  # of the norm: one over the longest step ever


@dataclass(frozen=True)
class MirrorSettings:
    """The prox function, the length of steps, and their weight in the average."""

    prox: str
    aggressive: bool
    power: float


class MirrorProx(FirstOrder):
    """The state is `mirror`: where both players stand, and the average."""

    def __init__(self, ground: Ground, settings: MirrorSettings) -> None:
        from pokerlab.solvers.first_order._kernels.mirror import Mirror, MirrorProgress, MirrorRules

        self._ground = ground
        self.prox = prox_of(ground.treeplexes, settings.prox)
        norm = norm_of(ground.treeplexes)
        uniform = ground.plan(ground.behaviour(np.zeros(ground.sequences)))
        self.mirror = Mirror(self.prox.centre.copy(), uniform, uniform.copy())
        self._room, self._between = room_for(ground.sequences), np.ones(ground.sequences)
        self._rules = MirrorRules(settings.aggressive, float(settings.power), ROUNDING * norm, LEAST * norm)
        first = norm * (LONGEST if settings.aggressive else 1.0)
        self._progress = MirrorProgress(np.zeros(2, np.int64), np.array([first, 0.0]))

    def advance(self, iterations: int) -> None:
        """Do this many more steps."""
        from pokerlab.solvers.first_order._kernels.mirror import advance_mirror

        ground = self._ground.treeplexes, self.prox
        advance_mirror(iterations, self._rules, *ground, self.mirror, self._between, self._progress, self._room)

    def answer(self) -> dict[str, np.ndarray]:
        """The average plans, in the form's own arrays."""
        return self._ground.answer(self.mirror.average)

    def measure(self) -> Measure:
        """Exploitability of the average plans."""
        return self._ground.measure(self.mirror.average)

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return {
            "point": self.mirror.point.copy(),
            "plan": self.mirror.plan.copy(),
            "average": self.mirror.average.copy(),
            "numbers": self._progress.numbers.copy(),
            "counts": self._progress.counts.copy(),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave; ValueError where its step is none."""
        if not (arrays["numbers"][0] > 0 and arrays["numbers"][1] >= 0):
            raise ValueError(f"a step and weights of {arrays['numbers']}, which must be above zero")
        self.mirror.point[:], self.mirror.plan[:] = arrays["point"], arrays["plan"]
        self.mirror.average[:] = arrays["average"]
        self._progress.numbers[:], self._progress.counts[:] = arrays["numbers"], arrays["counts"]
