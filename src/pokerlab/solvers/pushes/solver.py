"""Fictitious play and regret matching for all-in or fold with any number of players.

Every seat decides once in a hand, so a strategy is the chance of a push at every decision for every class, and a best
response is found decision by decision. With three and more players neither algorithm is known to reach an
equilibrium; what is reached is measured: epsilon is what the best response of each seat would win more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.cards.preflop import preflop_table
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.solvers.pushes.chances import PRIOR
from pokerlab.solvers.pushes.evaluator import Assessment, Evaluator
from pokerlab.tree.pushes import PushForm

ALGORITHMS = ("fictitious-play", "cfr")
_RENEWAL_GROWTH = 1.15  # rare ends are looked at again when there have been this many times more iterations
_QUICK_LEAST, _QUICK_EFFORT = 1e-2, 0.05
_FIRST_MEASURE, _MEASURE_GROWTH = 6, 1.5


@dataclass(frozen=True, eq=False)
class PushSolution:
    """Strategies, and what they are worth."""

    form: PushForm
    pushes: np.ndarray  # [node, 169]: chance of going all-in
    assessment: Assessment
    algorithm: str
    iterations: int


def solve_pushes(
    form: PushForm,
    *,
    algorithm: str = "fictitious-play",
    target: float,
    most_iterations: int = 5000,
    workers: int | None = None,
    seed: int = 0,
    watch: Watch = SILENT,
) -> PushSolution:
    """Run until epsilon, in units of what ends are worth, is at most `target`, or for so many iterations."""
    if algorithm not in ALGORITHMS:
        raise BadSetting(f"all-in or fold is solved by {' or '.join(ALGORITHMS)}, not {algorithm!r}")
    evaluator = Evaluator(form, workers=workers, seed=seed)
    states = fictitious_play(evaluator) if algorithm == "fictitious-play" else regret_matching(evaluator)
    measure_at = _FIRST_MEASURE
    done = 0
    for done, pushes in enumerate(states, start=1):
        if done < measure_at and done < most_iterations:
            watch.check()
            continue
        found = evaluator.assess(pushes)
        measure_at = int(done * _MEASURE_GROWTH)
        watch.at(f"{done:,} iterations", min(1.0, target / max(found.epsilon, 1e-300)), payload=found)
        if found.epsilon <= target or done >= most_iterations:
            return PushSolution(form, pushes, found, algorithm, done)
    raise AssertionError("the iterations do not end")


def fictitious_play(evaluator: Evaluator) -> Iterator[np.ndarray]:
    """Everybody's mean of best responses to everybody's means, later ones counting more."""
    pushes = _first(evaluator.form)
    schedule = _Renewals()
    for iteration in range(1, 10**9):
        found = schedule.assess(evaluator, pushes, iteration)
        best = found.actions[:, 1] > found.actions[:, 0]
        pushes = pushes + 2 / (iteration + 2) * (best - pushes)
        yield pushes


def regret_matching(evaluator: Evaluator) -> Iterator[np.ndarray]:
    """Regret matching plus, all seats at once, with means in which later strategies count more."""
    current = _first(evaluator.form)
    regrets = np.zeros((evaluator.form.nodes, 2, CLASS_COUNT))
    mean = np.zeros_like(current)
    schedule = _Renewals()
    for iteration in range(1, 10**9):
        found = schedule.assess(evaluator, current, iteration)
        value = found.actions[:, 0] + current * (found.actions[:, 1] - found.actions[:, 0])
        weights = found.holds[:, None, :]
        regrets = np.maximum(regrets + weights * (found.actions - value[:, None, :]), 0)
        sums = regrets.sum(1)
        current = np.where(sums > 0, regrets[:, 1] / np.maximum(sums, 1e-300), current)
        mean = mean + 2 / (iteration + 1) * (current - mean)
        yield mean


class _Renewals:
    """When rare ends are looked at again: after every iteration at first, then ever less often."""

    def __init__(self) -> None:
        self._next = 1

    def assess(self, evaluator: Evaluator, pushes: np.ndarray, iteration: int) -> Assessment:
        renew = iteration >= self._next
        if renew:
            self._next = max(iteration + 1, int(iteration * _RENEWAL_GROWTH))
        return evaluator.assess(pushes, renew=renew, least=_QUICK_LEAST, effort=_QUICK_EFFORT)


def _first(form: PushForm) -> np.ndarray:
    """The best hands against any two cards: a quarter of all to open, half as many for each all-in before."""
    win, tie = preflop_table().against_random()
    order = np.argsort(-(win + tie / 2), kind="stable")
    better = np.empty(CLASS_COUNT)  # the part of hands at least as good as a class
    better[order] = np.cumsum(PRIOR[order])
    before = np.array([len(form.pushed_before(node)) for node in range(form.nodes)])
    return (better[None, :] <= 0.25 / 2.0 ** before[:, None]).astype(np.float64)
