"""Fictitious play and regret matching+ for push or fold, all seats at once; three players have three.py.

Every seat decides once in a hand, so a strategy is the chance of a push at every decision for every class, and a best
response is computed decision by decision. With three and more players neither algorithm is guaranteed to reach an
equilibrium; the measured gains of best responses say how far the result is from one.

All-ins of three and more seats are re-evaluated less and less often, and roughly. At the iterations of the form's pace,
where runs are measured, they take the precise values of the measurement. Those of four and more are sampled, with fixed
random numbers, and from the first measurement on at these iterations alone: best responses to a few random deals would
be noise, and the average of noise is a mixture.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.errors import BadFile
from pokerlab.solvers.core.algorithm import Engine
from pokerlab.solvers.core.plan_solver import ProfileSolver
from pokerlab.solvers.core.run import Solver, next_growing
from pokerlab.solvers.preflop.opening import opening
from pokerlab.tree.pushes.evaluator import Assessment, Evaluator
from pokerlab.tree.pushes.form import FIRST_MEASURE, MEASURE_GROWTH, PushForm

_REFRESH_GROWTH = 1.3  # rare terminals are evaluated again after this many times more iterations
_QUICK_LEAST, _QUICK_EFFORT = 1e-2, 0.05
_EARLY_LEAST = 0.2  # ranges of early iterations are wide


class PushSolver(ProfileSolver):
    """A strategy of all seats, improved by assessing it."""

    game: PushForm
    counted = ("iterations", "_next_refresh")

    def __init__(self, form: PushForm, *, seed: int = 0) -> None:
        super().__init__(form)
        self.current = opening(form)  # [node, 169] the strategy that is assessed
        self._evaluator = Evaluator(form, workers=form.workers, seed=seed)
        self._terminals = self._evaluator.no_values()
        self._next_refresh = 1
        self._rare = np.array([len(terminal.contenders) > 2 for terminal in form.terminals])

    @property
    @abstractmethod
    def pushes(self) -> np.ndarray:
        """The current solution: [node, 169]."""

    @abstractmethod
    def _update(self, assessment: Assessment, iteration: int) -> None:
        """Change the strategy, given an assessment of `current`."""

    @property
    def nodes_touched(self) -> int:
        """Every iteration visits all decisions and terminals."""
        return self.iterations * (self.game.nodes + len(self.game.terminals))

    def advance(self, iterations: int) -> None:
        for iteration in range(self.iterations + 1, self.iterations + iterations + 1):
            if iteration >= self._next_refresh:
                self._next_refresh = max(iteration + 1, int(iteration * _REFRESH_GROWTH))
                self._refresh()
            self._update(self._evaluator.assess(self.current, self._terminals, refresh=False), iteration)
            self.iterations = iteration
            if next_growing(iteration - 1, FIRST_MEASURE, MEASURE_GROWTH) == iteration:
                precise = self.game.assess(self.result()).terminals
                assert precise is not None
                self._set_rare(precise.by_class[self._rare], precise.mean[self._rare])

    def _refresh(self) -> None:
        """Evaluate all-ins of three and more seats roughly; sampled ones only until they are measured."""
        least = max(_QUICK_LEAST, min(_EARLY_LEAST, 2 / (self.iterations + 1)))
        effort = _QUICK_EFFORT * self.game.effort if self.iterations < FIRST_MEASURE else None
        self._evaluator.refresh(self.current, self._terminals, least=least, effort=effort)

    def _set_rare(self, by_class: np.ndarray, mean: np.ndarray) -> None:
        self._terminals.by_class[self._rare], self._terminals.mean[self._rare] = by_class, mean

    def result(self) -> np.ndarray:
        return self.game.profile_of(self.pushes)

    def own_arrays(self) -> dict[str, np.ndarray]:
        return {"current": self.current}

    def arrays(self) -> dict[str, np.ndarray]:
        rare = {"rare_values": self._terminals.by_class[self._rare], "rare_means": self._terminals.mean[self._rare]}
        state = super().arrays() | rare
        return state | {"counts": np.append(state["counts"], self._terminals.samples)}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        if ((arrays["current"] < 0) | (arrays["current"] > 1)).any():
            raise BadFile("this state is damaged: its strategies are not probabilities")
        *counts, self._terminals.samples = map(int, arrays["counts"])
        super().restore({**arrays, "counts": np.array(counts)})
        self._set_rare(arrays["rare_values"], arrays["rare_means"])


class FictitiousPushes(PushSolver):
    """Each player's average of best responses to all players' averages, with later ones weighing more."""

    @property
    def pushes(self) -> np.ndarray:
        return self.current

    def _update(self, assessment: Assessment, iteration: int) -> None:
        best = assessment.actions[:, 1] > assessment.actions[:, 0]
        self.current = self.current + 2 / (iteration + 2) * (best - self.current)


class RegretMatchingPushes(PushSolver):
    """Regret matching+, all seats at once, with an average in which later strategies weigh more."""

    def __init__(self, form: PushForm, *, seed: int = 0) -> None:
        super().__init__(form, seed=seed)
        self.regrets = np.zeros((form.nodes, 2, CLASS_COUNT))
        self.average = np.zeros_like(self.current)

    @property
    def pushes(self) -> np.ndarray:
        return self.average

    def _update(self, assessment: Assessment, iteration: int) -> None:
        actions, current = assessment.actions, self.current
        value = actions[:, 0] + current * (actions[:, 1] - actions[:, 0])
        weights = assessment.holds[:, None, :]
        self.regrets = np.maximum(self.regrets + weights * (actions - value[:, None, :]), 0)
        sums = self.regrets.sum(1)
        self.current = np.where(sums > 0, self.regrets[:, 1] / np.maximum(sums, 1e-300), current)
        self.average = self.average + 2 / (iteration + 1) * (self.current - self.average)

    def own_arrays(self) -> dict[str, np.ndarray]:
        return super().own_arrays() | {"regrets": self.regrets, "average": self.average}


def on_pushes(any_number: Callable[..., PushSolver], of_three: Callable[[PushForm], Solver]) -> Engine:
    """The engine of the pushes form: for three players, dealt jointly, and for any other number."""
    return lambda form, seed, resources: of_three(form) if form.players == 3 else any_number(form, seed=seed)
