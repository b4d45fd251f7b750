"""The excessive gap technique of Nesterov on treeplexes; library/egt.py names the papers.

Each player's best response is smoothed by mu times a prox function. As long as the smoothed values of both best
responses sum to at most zero, which is the *excessive gap condition*, the true gap is at most the sum of mu times the
diameters of the prox functions; each step reduces one mu and maintains the condition.

Aggressive reduction of mu and balancing are as in Kroer, Farina and Sandholm, 2018; they balance mu itself, we balance
its share of the bound. Restarts recentre the prox functions at the current point, as in Gilpin, Peña and Sandholm,
"First-order algorithm with O(ln(1/epsilon)) convergence for epsilon-equilibrium in two-person zero-sum games", 2012,
who restart another smoothing method.

Sampling is that of Gilpin and Sandholm, "Speeding up gradient-based algorithms for sequential games", 2010: gradients
come from a sparser payoff matrix, a random sample of the leaves. They solve the sampled game; we draw a sample GROWTH
times as large, and recentre, when the gap in the real game has stopped falling, until all leaves are in it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pokerlab.solvers.core.plan_solver import FirstOrder
from pokerlab.tree.form import Form
from pokerlab.tree.smoothing import ENTROPY, ROUNDING

MOST_HALVINGS = 40  # of the initial smoothing
FIRST_SHARE = 0.5  # of an aggressive step
RESTART = 0.25  # restart when the gap falls to this fraction of that at the last centre
GROWTH = 8.0  # of a sample
STALLED = 0.9  # draw a larger sample when the gap in the real game has not fallen to this fraction since the last check
LOOK = 0.7  # compute the gap when the bound falls to this fraction of that at the last check


@dataclass(frozen=True)
class GapSettings:
    """Which of the speed-ups are used."""

    aggressive: bool
    balancing: bool
    restarts: bool
    sample: float = 1.0  # the share of leaves in the first sample


@dataclass(eq=False)
class Gap:
    """A point: both players' plans, the amount of smoothing, and the smoothed best responses to the plans."""

    plan: np.ndarray  # [n]
    point: np.ndarray  # [n]: the responses in coordinates
    response: np.ndarray  # [n]: the responses as plans
    smoothing: np.ndarray  # [2]: mu of each player
    value: np.ndarray  # [2]: of each response

    @property
    def excess(self) -> float:
        """The sum of the smoothed values of both responses; the condition is that it is at most zero."""
        return float(self.value.sum())


class ExcessiveGap(FirstOrder):
    """The state is `gap`, the centre of the prox functions and the length of the last step."""

    def __init__(self, game: Form, prox: str, settings: GapSettings, *, seed: int = 0) -> None:
        super().__init__(game, prox)
        self._settings, self._seed, self.sample = settings, seed, settings.sample
        self._draw()
        self.gap, self._tried = (
            Gap(self.smoothed.vector(), self.smoothed.vector(), self.smoothed.vector(), np.ones(2), np.zeros(2))
            for _ in range(2)
        )
        self._ahead, self._point = self.smoothed.vector(), self.smoothed.vector()  # buffers for a step
        self._share = FIRST_SHARE  # of the last step
        self._mark = self._look = math.inf  # the gap at the last centre, the bound at the last check
        uniform = self.smoothed.uniform()
        self.centre = self.smoothed.point(uniform)
        self._start(self.smoothed.plan(uniform))

    def _draw(self) -> None:
        """Draw the sample of leaves that gradients come from."""
        if self._settings.sample < 1.0:
            form = self.game if self.sample >= 1.0 else self.game.sampled(self.sample, self._seed + 1)
            self.smoothed = form.smoothed(self.smoothed.prox)

    def result(self) -> np.ndarray:
        return self.smoothed.profile(self.gap.plan)

    @property
    def bound(self) -> float:
        """The bound that the condition gives on the gap (NashConv); valid while the centre is uniform (no restarts)."""
        return float(self.gap.smoothing @ self.smoothed.diameter)

    def _start(self, uniform: np.ndarray) -> None:
        """The first point, from the centre, with the smoothing from the proof, halved while the condition holds."""
        one, other = (float(diameter) or 1.0 for diameter in self.smoothed.diameter)
        ratio = math.sqrt(other / one)
        smoothing = self.smoothed.norm * np.array([2.0 * ratio, 1.0 / ratio])
        if self._settings.aggressive:
            self._fit(uniform, smoothing)
        else:
            self._begin(uniform, smoothing)

    def _fit(self, centre: np.ndarray, smoothing: np.ndarray) -> None:
        """The first point for the smallest smoothing, by powers of two, for which the condition holds."""
        while not self._begin(centre, smoothing):
            smoothing = 2.0 * smoothing
        for _ in range(MOST_HALVINGS):
            if not self._begin(centre, 0.5 * smoothing):
                break
            smoothing = 0.5 * smoothing
        self._begin(centre, smoothing)

    def _begin(self, centre: np.ndarray, smoothing: np.ndarray) -> bool:
        """The first point for some smoothing, and whether the condition holds there.

        The second player plays a smoothed best response to the first's centre, and the first takes a prox step
        from the centre against that.
        """
        gap = self.gap
        gap.plan[:], gap.smoothing[:] = centre, smoothing
        for player in (1, 0):
            mu = float(smoothing[player])
            self.respond(player, mu, plan=gap.plan, prior=self.centre, point=self._point, out=gap.plan)
        self._respond(gap)
        return self._holds(gap)

    def _holds(self, gap: Gap) -> bool:
        """The excessive gap condition, up to rounding of the terms: payoffs and smoothing costs."""
        return gap.excess <= ROUNDING * (self.smoothed.norm + float(gap.smoothing @ self.smoothed.diameter))

    def _respond(self, gap: Gap) -> None:
        """The smoothed best responses to a point."""
        for player in (0, 1):
            mu = float(gap.smoothing[player])
            gap.value[player] = self.respond(
                player, mu, plan=gap.plan, prior=self.centre, point=gap.point, out=gap.response
            )

    def step(self) -> None:
        """Shrink one player's smoothing."""
        player = self._next_player()
        if player is None:
            return
        settings, safe = self._settings, self._safe_share()
        share = max(self._share, safe) if settings.aggressive else 2.0 / (self.iterations + 2.0)
        while True:
            self._shrink(player, share)
            if self._holds(self._tried) or share <= safe or not settings.aggressive:
                break
            share = max(0.5 * share, safe)
        self.gap, self._tried, self._share = self._tried, self.gap, share
        if self.sample < 1.0:
            self._grow_if_due()
        elif settings.restarts:
            self._restart_if_due()

    def _safe_share(self) -> float:
        """The longest step that provably maintains the condition: share^2 / (1 - share) = mu mu / norm^2."""
        square = float((self.gap.smoothing / self.smoothed.norm).prod())  # tiny payoffs leave the parts above zero
        return 2.0 / (1.0 + math.sqrt(1.0 + 4.0 / square))

    def _next_player(self) -> int | None:
        """The player whose smoothing shrinks next; None if neither can shrink further."""
        parts, least = self.gap.smoothing * self.smoothed.diameter, 1e-2 * ROUNDING * self.smoothed.norm
        player = int(np.argmax(parts)) if self._settings.balancing else (self.iterations - 1) % 2
        return next((each for each in (player, 1 - player) if parts[each] > least), None)

    def _shrink(self, player: int, share: float) -> None:
        """The trial point after a step that leaves 1 - share of a player's smoothing."""
        from pokerlab.tree._kernels.prox import blend

        gap, tried, ahead, rival = self.gap, self._tried, self._ahead, 1 - player
        mine = self.smoothed.own[player]
        left, rival_smoothing = (1.0 - share) * float(gap.smoothing[player]), float(gap.smoothing[rival])
        blend(share, gap.plan[mine], gap.response[mine], ahead[mine])
        self.respond(rival, rival_smoothing, plan=ahead, prior=self.centre, point=self._point, out=ahead)
        self.respond(player, left / share, plan=ahead, prior=gap.point, point=self._point, out=ahead)
        blend(share, gap.plan, ahead, tried.plan)
        tried.smoothing[player], tried.smoothing[rival] = left, rival_smoothing
        self._respond(tried)

    def _restart_if_due(self) -> None:
        """Recentre the prox functions at the current plans once the gap is RESTART times that at the last centre."""
        if self.bound > LOOK * self._look:
            return
        self._look, left = self.bound, self.measure().nash_conv
        self.passes += 2
        if not ROUNDING * self.smoothed.norm < left <= RESTART * self._mark:
            return
        self._recentre()
        self._mark = left

    def _grow_if_due(self) -> None:
        """Draw a larger sample once the gap in the real game stops falling with the bound."""
        if self.bound > LOOK * self._look:
            return
        self._look, left = self.bound, self.measure().nash_conv
        self.passes += 2
        stalls, self._mark = left > STALLED * self._mark, left
        if stalls:
            self.sample = min(1.0, GROWTH * self.sample)
            self._draw()
            self._recentre()
            self._mark = math.inf

    def _recentre(self) -> None:
        """Centre the prox functions at the current plans."""
        behaviour = self.smoothed.behaviour(self.gap.plan)
        if self.smoothed.prox == ENTROPY:
            behaviour = self.smoothed.raised(behaviour)
        self.centre = self.smoothed.point(behaviour)
        self._fit(self.smoothed.plan(behaviour), self.gap.smoothing.copy())
        self._share, self._look = FIRST_SHARE, self.bound

    def own_arrays(self) -> dict[str, np.ndarray]:
        return {"plan": self.gap.plan, "centre": self.centre}

    def arrays(self) -> dict[str, np.ndarray]:
        marks = [mark if math.isfinite(mark) else -1.0 for mark in (self._mark, self._look)]  # files hold numbers alone
        return super().arrays() | {"numbers": np.array([*self.gap.smoothing, self._share, *marks, self.sample])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; ValueError if its smoothing or step size is invalid."""
        *smoothing, share, mark, look, sample = (float(number) for number in arrays["numbers"])
        if min(smoothing) <= 0 or not 0 < share <= 1 or not 0 < sample <= 1:
            raise ValueError(f"smoothing of {smoothing}, a step of {share} and a sample of {sample} must be above zero")
        self.sample = sample
        self._draw()
        self.gap.smoothing[:], self._share = smoothing, share
        self._mark, self._look = (number if number >= 0 else math.inf for number in (mark, look))
        super().restore(arrays)
        passes = self.passes
        self._respond(self.gap)
        self.passes = passes
