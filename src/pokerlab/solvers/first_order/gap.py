"""The excessive gap technique of Nesterov on treeplexes.

Each player's best response is smoothed by mu times a prox function. As long as the smoothed values of both best
responses sum to at most zero, which is the *excessive gap condition*, the true gap is at most the sum of mu times the
diameters of the prox functions; each step takes a part of one mu and keeps the condition.

Nesterov, "Excessive gap technique in nonsmooth convex minimization", 2005; Hoda, Gilpin, Peña and Sandholm, "Smoothing
techniques for computing Nash equilibria of sequential games", 2010. Aggressive reduction of mu and balancing are as
in Kroer, Farina and Sandholm, "Solving large sequential games with the excessive gap technique", 2018; they balance mu
itself, we its part of the bound. Restarts centre the prox functions anew at the point reached, as in Gilpin, Peña
and Sandholm, "First-order algorithm with O(ln(1/epsilon)) convergence for epsilon-equilibrium in two-person zero-sum
games", 2012, who restart another smoothing method.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.solvers.first_order.first_order import FirstOrder
from pokerlab.solvers.first_order.ground import Ground
from pokerlab.solvers.first_order.prox import ROUNDING, coordinates, norm_of, prox_of, room_for
from pokerlab.solvers.run import Measure

if TYPE_CHECKING:
    from pokerlab.solvers.first_order._kernels.gap import Gap

MOST_HALVINGS = 40  # of the first smoothing
FIRST_SHARE = 0.5  # of an aggressive step
BEGINNING = 3  # gradients that a first point takes


@dataclass(frozen=True)
class GapSettings:
    """The prox function, and which of the speed-ups are used."""

    prox: str
    aggressive: bool
    balancing: bool
    restarts: bool


class ExcessiveGap(FirstOrder):
    """The state is `gap`: both players' plans, their gradients and how much is smoothed."""

    def __init__(self, ground: Ground, settings: GapSettings) -> None:
        from pokerlab.solvers.first_order._kernels.gap import GapRules, Progress

        self._ground, self._settings = ground, settings
        self.prox = prox_of(ground.treeplexes, settings.prox)
        self.norm = norm_of(ground.treeplexes)
        self.gap, self._tried = (_gap_for(ground.sequences) for _ in range(2))
        self._room, self._against = room_for(ground.sequences), np.zeros(ground.sequences)
        slack = ROUNDING * self.norm
        self._rules = GapRules(settings.aggressive, settings.balancing, settings.restarts, slack, 1e-2 * slack)
        self._progress = Progress(np.zeros(2, np.int64), np.array([FIRST_SHARE, math.inf]))
        self._start()

    @property
    def excess(self) -> float:
        """The sum of the smoothed values of both best responses: the condition is that it is not above zero."""
        return float(self.gap.answers.worth.sum())

    @property
    def bound(self) -> float:
        """What the condition promises of the gap (NashConv), as long as the centre is uniform: no restarts."""
        return float(self.gap.smoothing @ self.prox.diameter)

    def _start(self) -> None:
        """The first point, from the centre, with the smoothing of the proof; halved while the condition holds."""
        one, other = (float(diameter) or 1.0 for diameter in self.prox.diameter)
        ratio = math.sqrt(other / one)
        smoothing = self.norm * np.array([2.0 * ratio, 1.0 / ratio])
        centre = self._ground.plan(self._ground.behaviour(np.zeros(self._ground.sequences)))
        if self._settings.aggressive:
            self._fit(centre, smoothing)
        else:
            self._begin(centre, smoothing)

    def _begin(self, centre: np.ndarray, smoothing: np.ndarray) -> bool:
        """The first point for some smoothing; whether the condition holds there."""
        from pokerlab.solvers.first_order._kernels.gap import begin_gap

        self.gap.plan[:] = centre
        self.gap.smoothing[:] = smoothing
        self._progress.counts[1] += BEGINNING
        return bool(begin_gap(self._ground.treeplexes, self.prox, self.gap, self._room) <= self._rules.slack)

    def _fit(self, centre: np.ndarray, smoothing: np.ndarray) -> None:
        """The first point for the least smoothing, by powers of two, with which the condition holds."""
        while not self._begin(centre, smoothing):
            smoothing = 2.0 * smoothing
        for _ in range(MOST_HALVINGS):
            if not self._begin(centre, 0.5 * smoothing):
                break
            smoothing = 0.5 * smoothing
        self._begin(centre, smoothing)

    def _restart(self) -> None:
        """Centre the prox functions where the plans are now."""
        start = np.asarray(self._ground.treeplexes.start)
        behaviour, self.prox.centre[2:] = coordinates(self.prox, start, self._ground.behaviour(self.gap.plan))
        self._fit(self._ground.plan(behaviour), self.gap.smoothing.copy())
        self._progress.numbers[0] = FIRST_SHARE

    def advance(self, iterations: int) -> None:
        """Do this many more steps."""
        from pokerlab.solvers.first_order._kernels.gap import advance_gap

        end = self.iterations + iterations
        while self.iterations < end:
            due = advance_gap(
                end - self.iterations,
                self._rules,
                self._ground.treeplexes,
                self.prox,
                self.gap,
                self._tried,
                self._against,
                self._progress,
                self._room,
            )
            if due:
                self._restart()

    def answer(self) -> dict[str, np.ndarray]:
        """The plans as they stand, in the form's own arrays."""
        return self._ground.answer(self.gap.plan)

    def measure(self) -> Measure:
        """Exploitability of the plans."""
        return self._ground.measure(self.gap.plan)

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        numbers = self._progress.numbers
        mark = numbers[1] if math.isfinite(numbers[1]) else -1.0  # files hold numbers alone
        return {
            "plan": self.gap.plan.copy(),
            "gradient": self.gap.gradient.copy(),
            "centre": self.prox.centre.copy(),
            "numbers": np.array([*self.gap.smoothing, numbers[0], mark]),
            "counts": self._progress.counts.copy(),
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave; ValueError where its smoothing or its step is none."""
        from pokerlab.solvers.first_order._kernels.gap import answer

        *smoothing, share, mark = (float(number) for number in arrays["numbers"])
        if min(smoothing) <= 0 or not 0 < share <= 1:
            raise ValueError(f"smoothing of {smoothing} and a step of {share}, which must be above zero")
        self.gap.plan[:], self.gap.gradient[:] = arrays["plan"], arrays["gradient"]
        self.prox.centre[:] = arrays["centre"]
        self.gap.smoothing[:] = smoothing
        self._progress.numbers[:] = share, mark if mark >= 0 else math.inf
        self._progress.counts[:] = arrays["counts"]
        answer(self._ground.treeplexes, self.prox, self.gap, self._room)


def _gap_for(sequences: int) -> Gap:
    from pokerlab.solvers.first_order._kernels.gap import Answers, Gap

    answers = Answers(np.zeros(sequences), np.ones(sequences), np.zeros(2))
    return Gap(np.ones(sequences), np.zeros(sequences), np.ones(2), answers)
