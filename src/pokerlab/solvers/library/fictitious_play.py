"""Fictitious play in extensive form: compute a best response to the others' average, and average it in.

Brown, "Iterative solution of games by fictitious play", 1951; Heinrich, Lanctot and Silver, "Fictitious self-play in
extensive-form games", 2015: averages of realization plans are averages of mixed strategies, so the game need never be
written in normal form. It converges in two-player zero-sum games; in others the measured best responses show how close
it is. Players respond in turn (`alternating`) or simultaneously.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.settings import Flag, checked
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Profiled, Solver
from pokerlab.tree.measure import Measure
from pokerlab.tree.resources import Resources
from pokerlab.tree.sequence import SequenceForm


@checked
def algorithm(*, alternating: Flag = True) -> Algorithm:
    """Extensive-form fictitious play."""

    def on_sequences(form: Any, seed: int, resources: Resources) -> Solver:
        return FictitiousPlay(form, alternating=alternating)

    def on_any(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.cfr.fictitious import GeneralFictitiousPlay

        return GeneralFictitiousPlay(form, alternating=alternating)

    def on_pushes(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.preflop.pushes import FictitiousPushes

        return FictitiousPushes(form, seed=seed)

    engines = {"sequence": on_sequences} | ({} if alternating else {"pushes": on_pushes})
    return Algorithm("fictitious-play", engines, {"alternating": alternating}, general=on_any)


class FictitiousPlay(Profiled):
    """The state is the average plan; the initial beliefs are uniform."""

    def __init__(self, form: SequenceForm, *, alternating: bool) -> None:
        self.form = form
        self.alternating = alternating
        self.iterations = 0
        self.average = form.plan(form.tree.uniform())  # [S]
        self._plan, self._choice, self._value = np.ones((3, form.sequences))
        self._treeplexes = form.treeplexes.arrays

    @property
    def nodes_touched(self) -> int:
        """Each best response visits every history."""
        return self.iterations * self.form.players * self.form.tree.nodes

    def advance(self, iterations: int) -> None:
        """Run this many more iterations."""
        from pokerlab.solvers.cfr._kernels.sequence import play_fictitiously

        room = self._value, self._choice, self._plan
        play_fictitiously(self.iterations, iterations, self.alternating, self._treeplexes, *room, self.average)
        self.iterations += iterations

    def profile(self) -> np.ndarray:
        """The average strategy.  # [A]"""
        return self.form.behaviour(self.average)

    def measure(self) -> Measure:
        """Exploitability of the average strategy."""
        return self.form.measure(self.profile())

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return {"average": self.average.copy(), "counts": np.array([self.iterations])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`."""
        self.average[:] = arrays["average"]
        self.iterations = int(arrays["counts"][0])
