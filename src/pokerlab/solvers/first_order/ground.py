"""Forms as two treeplexes: what first-order methods run on, and how their plans are told and measured there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.solvers.measure import measure_plan
from pokerlab.solvers.roles.exact import measure_roles
from pokerlab.solvers.run import Measure
from pokerlab.tree.form import Form
from pokerlab.tree.normal import NormalForm
from pokerlab.tree.roles import RoleForm
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from pokerlab.solvers.sequence._kernels import Treeplexes

Told = Callable[[np.ndarray], dict[str, np.ndarray]]


@dataclass(frozen=True, eq=False)
class Ground:
    """Two treeplexes with their payoffs, and the form that they are made of."""

    form: Form
    treeplexes: Treeplexes
    nodes: int  # that a gradient evaluation visits
    answer: Told  # plans [S] as the form's own arrays
    measure: Callable[[np.ndarray], Measure]  # of plans [S]

    @property
    def sequences(self) -> int:
        """Of both players, the empty ones too."""
        return len(self.treeplexes.row) - 1

    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        """What plans do at each infoset, uniform where they never come.  # [S] -> [S - 2]"""
        start = np.asarray(self.treeplexes.start)
        counts = np.diff(start).astype(np.int64)
        sums = np.repeat(np.add.reduceat(plan, start[:-1]) if len(counts) else np.zeros(0), counts)
        uniform = np.repeat(1.0 / counts, counts)
        return np.asarray(np.where(sums > 0, plan[2:] / np.where(sums > 0, sums, 1.0), uniform))

    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        """The plans of a behaviour.  # [S - 2] -> [S]"""
        from pokerlab.tree._kernels.forms import realise

        plan = np.concatenate([np.ones(2), behaviour])
        realise(self.treeplexes.start, self.treeplexes.parent, plan)
        return plan


def ground_of(form: Any) -> Ground:
    """A form of a two-player zero-sum game as treeplexes."""
    if isinstance(form, SequenceForm):
        return _of_sequences(form)
    if isinstance(form, NormalForm):
        return _of_strategies(form)
    assert isinstance(form, RoleForm)
    return _of_roles(form)


def _of_sequences(form: SequenceForm) -> Ground:
    from pokerlab.solvers.sequence._kernels import treeplexes_of

    def answer(plan: np.ndarray) -> dict[str, np.ndarray]:
        return {"probability": form.profile(plan)}

    def measure(plan: np.ndarray) -> Measure:
        return measure_plan(form, form.plan(form.profile(plan)))

    return Ground(form, treeplexes_of(form), form.tree.nodes, answer, measure)


def _of_strategies(form: NormalForm) -> Ground:
    """One infoset each, whose actions are the reduced strategies."""
    sizes = [len(plans) for plans in form.plans]
    treeplexes = _dense([1, 1], sizes, form.payoffs[0])

    def behaviour(plan: np.ndarray) -> np.ndarray:
        return form.profile([plan[2 : 2 + sizes[0]], plan[2 + sizes[0] :]])

    def measure(plan: np.ndarray) -> Measure:
        return measure_plan(form.sequence, form.sequence.plan(behaviour(plan)))

    return Ground(
        form.sequence, treeplexes, form.payoffs[0].size, lambda plan: {"probability": behaviour(plan)}, measure
    )


def _of_roles(form: RoleForm) -> Ground:
    """An infoset for each hand, whose actions are not to act and to act."""
    hands = form.chance.shape
    # by (hand, whether it acts) of the first role and of the second
    payoff = form.utilities.transpose(2, 0, 3, 1).reshape(2 * hands[0], 2 * hands[1])
    treeplexes = _dense(list(hands), [2 * count for count in hands], payoff)

    def acts(plan: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        first = 2 + 2 * hands[0]
        return np.clip(plan[3:first:2], 0, 1), np.clip(plan[first + 1 :: 2], 0, 1)

    def answer(plan: np.ndarray) -> dict[str, np.ndarray]:
        first, second = acts(plan)
        return {"acts0": first, "acts1": second}

    return Ground(form, treeplexes, form.chance.size, answer, lambda plan: measure_roles(form, *acts(plan)))


def _dense(infosets: list[int], actions: list[int], payoff: np.ndarray) -> Treeplexes:
    """Treeplexes of depth one, each player's infosets sharing the actions.  # payoff [action, action] to the first"""
    from pokerlab.solvers.sequence._kernels import Treeplexes

    rows, columns = payoff.shape
    start = np.concatenate(
        [
            2 + np.arange(infosets[0]) * (actions[0] // infosets[0]),
            2 + rows + np.arange(infosets[1] + 1) * (actions[1] // infosets[1]),
        ]
    )
    firsts, seconds = 2 + np.arange(rows), 2 + rows + np.arange(columns)
    return Treeplexes(
        np.array([[0, infosets[0]], [infosets[0], sum(infosets)]], np.uint64),
        np.array([[2, 2 + rows], [2 + rows, 2 + rows + columns]], np.uint64),
        start.astype(np.uint32),
        np.repeat([0, 1], infosets).astype(np.uint32),
        np.concatenate(
            [[0, 0, 0], np.arange(1, rows + 1) * columns, payoff.size + np.arange(1, columns + 1) * rows]
        ).astype(np.uint64),
        np.concatenate([np.tile(seconds, rows), np.tile(firsts, columns)]).astype(np.uint32),
        np.ascontiguousarray(np.concatenate([payoff.reshape(-1), -payoff.T.reshape(-1)])),
    )
