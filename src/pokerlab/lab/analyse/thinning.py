"""Thin out a solution: the same value with fewer actions; see solvers/analysis/thinning.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pokerlab.errors import BadSetting
from pokerlab.lab.analyse.responding import histories_of
from pokerlab.solvers.analysis.thinning import ThinnedState, thin
from pokerlab.solvers.core.curve import CurvePoint
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.forms.sequence import SEQUENCE, named
from pokerlab.tree.measure import Measure

THINNED = "thinned"  # the `stopped` reason of the result


@dataclass(frozen=True)
class ThinnedSolution:
    """A thinned solution, and what changed."""

    solution: Solution
    before: Measure
    states: tuple[ThinnedState, ...]
    names: Sequence[str]  # of infosets, by number

    @property
    def changed(self) -> list[ThinnedState]:
        """The states that use fewer actions than before, those with most before first."""
        changed = [state for state in self.states if state.used < state.used_before]
        return sorted(changed, key=lambda state: (-state.used_before, state.used, state.player))

    @property
    def used(self) -> tuple[int, int]:
        """The number of actions used in all states, before and after."""
        return sum(state.used_before for state in self.states), sum(state.used for state in self.states)

    def as_dict(self, rows: int) -> dict[str, Any]:
        """The changes, for JSON."""
        before, after = self.used
        return self.solution.summary() | {
            "exploitability_before": self.before.exploitability,
            "values_before": list(self.before.values),
            "states": len(self.states),
            "used_before": before,
            "used": after,
            "changed": len(self.changed),
            "thinned": [self.cards_known(state) for state in self.changed[:rows]],
        }

    def cards_known(self, state: ThinnedState) -> dict[str, Any]:
        """A state as plain values."""
        return vars(state) | {"infosets": [self.names[infoset] for infoset in state.infosets]}


def thin_solution(solution: Solution) -> ThinnedSolution:
    """Thin out a solution of any form whose game fits in memory, keeping its value."""
    if solution.spot is not None:
        raise BadSetting("actions are thinned out in games, history by history, and this is the solution of a spot")
    form, profile = histories_of(solution)
    thinned_profile, states = thin(form, profile)
    now = form.measure(thinned_profile)
    point = CurvePoint(solution.iterations, solution.seconds, now.exploitability, solution.nodes_touched, now.values)
    thinned = replace(
        solution,
        strategy=named(form, thinned_profile),
        form=SEQUENCE,
        measure=now,
        stopped=THINNED,
        state={},
        curve=[point],
        built=form,
    )
    return ThinnedSolution(thinned, form.measure(profile), states, form.tree.infoset_names)
