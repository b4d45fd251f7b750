"""The CFR family and fictitious play over classes of hands: every hand of every decision at every step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

from pokerlab.solvers.schedule import Schedule
from pokerlab.tree.classes import EMPTY, ClassForm
from pokerlab.tree.measure import Measure

NAMES = ("player0", "player1")  # of the behaviours in an answer


def measure_classes(form: ClassForm, behaviours: tuple[np.ndarray, np.ndarray]) -> Measure:
    """Value and best responses of two behaviours [S, hand], in chips."""
    plans = [form.plan(player, behaviour) for player, behaviour in enumerate(behaviours)]
    values = form.values(0, plans[1]), form.values(1, plans[0])
    value = float((plans[0] * values[0]).sum())
    best = [float(form.best_response(player, values[player])[0].sum()) for player in (0, 1)]
    return Measure((value, -value), (best[0], best[1]), zero_sum=True)


def answer_of(behaviours: tuple[np.ndarray, np.ndarray]) -> dict[str, np.ndarray]:
    """Behaviours as a solver answers them: without the empty sequence, flat."""
    return {name: behaviour[1:].reshape(-1) for name, behaviour in zip(NAMES, behaviours, strict=True)}


class ClassSolver(ABC):
    """What the solvers over classes share: behaviours measured and answered."""

    form: ClassForm
    iterations: int

    @abstractmethod
    def behaviours(self) -> tuple[np.ndarray, np.ndarray]:
        """The strategies found: [S, hand] of each player."""

    def answer(self) -> dict[str, np.ndarray]:
        """How often each action is taken with each hand."""
        return answer_of(self.behaviours())

    @property
    def nodes_touched(self) -> int:
        """Ends of the betting times pairs of hands."""
        return self.iterations * 2 * self.form.fixed.nnz * self.form.chance.size

    def measure(self) -> Measure:
        """Value and best responses of what was found."""
        return measure_classes(self.form, self.behaviours())


class ScheduledClasses(ClassSolver):
    """Regret matching with every hand at every decision, weighted by a schedule."""

    def __init__(self, form: ClassForm, schedule: Schedule) -> None:
        self.form, self.schedule = form, schedule
        self.iterations = 0
        shapes = [(own.sequences, len(form.hands)) for own in form.own]
        self.regrets = [np.zeros(shape) for shape in shapes]  # [S, hand]
        self.sums = [np.zeros(shape) for shape in shapes]
        self.playing = [form.uniform(player) for player in (0, 1)]  # what the next step plays

    def advance(self, iterations: int) -> None:
        """More steps of the schedule; players update in turn where it says so."""
        form = self.form
        for _ in range(iterations):
            self.iterations += 1
            step = self.schedule.step(self.iterations)
            before = list(self.playing)
            plans = [form.plan(player, before[player]) for player in (0, 1)]
            for player in (0, 1):
                gains = form.with_later(player, form.values(player, self._met(player, plans)), before[player])
                now = gains - self._means(player, gains, before[player])
                now[EMPTY] = 0.0
                regret = self.regrets[player]
                regret *= np.where(regret > 0, step.keep_positive, step.keep_negative)
                regret += now
                if step.floor:
                    np.maximum(regret, 0, out=regret)
                self.playing[player] = form.behaviour(player, np.maximum(regret + step.prediction * now, 0))
                self.sums[player] = self.sums[player] * step.keep_average + step.average_weight * plans[player]

    def _met(self, player: int, plans: list[np.ndarray]) -> np.ndarray:
        """The plan that a player meets in a step, before which the plans were these.  # [S of the other, hand]"""
        in_turn = player == 1 and self.schedule.alternating
        return self.form.plan(0, self.playing[0]) if in_turn else plans[1 - player]

    def _means(self, player: int, gains: np.ndarray, behaviour: np.ndarray) -> np.ndarray:
        """What each node wins by a behaviour, at each of its sequences. [S, hand]"""
        own = self.form.own[player]
        means = np.add.reduceat((gains * behaviour)[1:], own.start[:-1] - 1, axis=0)
        return np.concatenate([gains[:1], np.repeat(means, np.diff(own.start), axis=0)])

    def behaviours(self) -> tuple[np.ndarray, np.ndarray]:
        """The average strategies."""
        return self.form.behaviour(0, self.sums[0]), self.form.behaviour(1, self.sums[1])

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        named: dict[str, np.ndarray] = {"iterations": np.array([self.iterations])}
        for player in (0, 1):
            named[f"regret{player}"], named[f"sum{player}"] = self.regrets[player], self.sums[player]
            named[f"playing{player}"] = self.playing[player]
        return named

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        self.iterations = int(arrays["iterations"][0])
        for player in (0, 1):
            self.regrets[player] = np.array(arrays[f"regret{player}"])
            self.sums[player] = np.array(arrays[f"sum{player}"])
            self.playing[player] = np.array(arrays[f"playing{player}"])


class FictitiousClasses(ClassSolver):
    """Best responses to the other's average plan, averaged in; the first beliefs are uniform."""

    def __init__(self, form: ClassForm, *, alternating: bool) -> None:
        self.form, self.alternating = form, alternating
        self.iterations = 0
        self.plans = [form.plan(player, form.uniform(player)) for player in (0, 1)]  # [S, hand]

    def advance(self, iterations: int) -> None:
        """More answers of both players; in turn, the second meets what the first has just averaged in."""
        form = self.form
        for _ in range(iterations):
            self.iterations += 1
            before = list(self.plans)
            for player in (0, 1):
                met = self.plans[1 - player] if self.alternating else before[1 - player]
                _, choice = form.best_response(player, form.values(player, met))
                best = form.plan(player, choice)
                self.plans[player] = self.plans[player] + (best - self.plans[player]) / (self.iterations + 1)

    def behaviours(self) -> tuple[np.ndarray, np.ndarray]:
        """The average strategies."""
        return self.form.behaviour(0, self.plans[0]), self.form.behaviour(1, self.plans[1])

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return {"iterations": np.array([self.iterations]), "plan0": self.plans[0], "plan1": self.plans[1]}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        self.iterations = int(arrays["iterations"][0])
        self.plans = [np.array(arrays[f"plan{player}"]) for player in (0, 1)]
