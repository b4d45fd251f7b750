"""Two-player zero-sum games as treeplexes with their payoffs: the sequence, normal, roles and class forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.solvers.classes.scheduled import answer_of, measure_classes
from pokerlab.solvers.measure import measure_plan
from pokerlab.solvers.roles.exact import measure_roles
from pokerlab.solvers.run import Measure
from pokerlab.tree.classes import EMPTY, ClassForm
from pokerlab.tree.form import Form
from pokerlab.tree.normal import NormalForm
from pokerlab.tree.roles import RoleForm
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from pokerlab.solvers.sequence._kernels import Treeplexes


@dataclass(frozen=True, eq=False)
class TreeplexForm:
    """Two treeplexes with their payoffs, and how plans of them are told and measured in the form they are made of."""

    form: Form
    treeplexes: Treeplexes
    nodes: int  # that a look at all payoffs visits
    answer: Callable[[np.ndarray], dict[str, np.ndarray]]  # plans [S] as the form's own arrays
    measure: Callable[[np.ndarray], Measure]  # of plans [S]
    won: Callable[[int, np.ndarray], np.ndarray] | None = None
    """By player and a plan of the other what the own sequences win, the empty one first in both; None: `treeplexes`
    have the payoffs."""


def as_treeplexes(form: Any) -> TreeplexForm:
    """A form of a two-player zero-sum game as treeplexes."""
    if isinstance(form, SequenceForm):
        return _of_sequences(form)
    if isinstance(form, NormalForm):
        return _of_strategies(form)
    if isinstance(form, ClassForm):
        return _of_classes(form)
    assert isinstance(form, RoleForm)
    return _of_roles(form)


def _of_sequences(form: SequenceForm) -> TreeplexForm:
    from pokerlab.solvers.sequence._kernels import treeplexes_of

    def answer(plan: np.ndarray) -> dict[str, np.ndarray]:
        return {"probability": form.profile(plan)}

    def measure(plan: np.ndarray) -> Measure:
        return measure_plan(form, form.plan(form.profile(plan)))

    return TreeplexForm(form, treeplexes_of(form), form.tree.nodes, answer, measure)


def _of_strategies(form: NormalForm) -> TreeplexForm:
    """One infoset each, whose actions are the reduced strategies."""
    sizes = [len(plans) for plans in form.plans]

    def behaviour(plan: np.ndarray) -> np.ndarray:
        return form.profile([plan[2 : 2 + sizes[0]], plan[2 + sizes[0] :]])

    def answer(plan: np.ndarray) -> dict[str, np.ndarray]:
        return {"probability": behaviour(plan)}

    def measure(plan: np.ndarray) -> Measure:
        return measure_plan(form.sequence, form.sequence.plan(behaviour(plan)))

    treeplexes, nodes = _dense([1, 1], sizes, form.payoffs[0]), form.payoffs[0].size
    return TreeplexForm(form.sequence, treeplexes, nodes, answer, measure)


def _of_roles(form: RoleForm) -> TreeplexForm:
    """An infoset for each hand, whose actions are not to act and to act."""
    hands = form.chance.shape
    # by (hand, whether it acts) of the first role and of the second, in chips
    payoff = form.chips * form.utilities.transpose(2, 0, 3, 1).reshape(2 * hands[0], 2 * hands[1])

    def acts(plan: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        first = 2 + 2 * hands[0]
        return np.clip(plan[3:first:2], 0, 1), np.clip(plan[first + 1 :: 2], 0, 1)

    def answer(plan: np.ndarray) -> dict[str, np.ndarray]:
        first, second = acts(plan)
        return {"acts0": first, "acts1": second}

    def measure(plan: np.ndarray) -> Measure:
        return measure_roles(form, *acts(plan))

    treeplexes = _dense(list(hands), [2 * count for count in hands], payoff)
    return TreeplexForm(form, treeplexes, form.chance.size, answer, measure)


def _of_classes(form: ClassForm) -> TreeplexForm:
    """The betting of each hand of each player, hand after hand; products of matrices say what sequences win."""
    hands = len(form.hands)
    sizes = [hands * (own.sequences - 1) for own in form.own]
    first = 2, 2 + sizes[0]

    def table(own: np.ndarray) -> np.ndarray:
        """Numbers of a player's sequences, but for the empty one.  # [S, hand]"""
        return np.concatenate([np.ones((1, hands)), own.reshape(hands, -1).T])

    def behaviours(plan: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        one, other = (form.behaviour(player, table(plan[first[player] :][: sizes[player]])) for player in (0, 1))
        return one, other

    def won(player: int, plan: np.ndarray) -> np.ndarray:
        values = form.values(player, table(plan[1:]))
        return np.append(values[EMPTY].sum(), values[1:].T)

    bases = [start - 1 + size // hands * np.arange(hands)[:, None] for start, size in zip(first, sizes, strict=True)]
    starts = [(base + own.start[:-1]).reshape(-1) for base, own in zip(bases, form.own, strict=True)]
    parents = [
        np.where(own.parent == EMPTY, player, bases[player] + own.parent).reshape(-1)
        for player, own in enumerate(form.own)
    ]
    treeplexes = made_treeplexes(
        [len(parent) for parent in parents],
        (sizes[0], sizes[1]),
        start=np.concatenate([*starts, [2 + sum(sizes)]]),
        parent=np.concatenate(parents),
        row=np.zeros(3 + sum(sizes)),
        other=np.zeros(0),
        payoff=np.zeros(0),
    )
    return TreeplexForm(
        form,
        treeplexes,
        form.fixed.nnz * form.chance.size,
        lambda plan: answer_of(behaviours(plan)),
        lambda plan: measure_classes(form, behaviours(plan)),
        won,
    )


def _dense(infosets: list[int], actions: list[int], payoff: np.ndarray) -> Treeplexes:
    """Treeplexes of depth one, each player's infosets sharing the actions.  # payoff [action, action] to the first"""
    rows, columns = payoff.shape
    start = np.concatenate(
        [
            2 + np.arange(infosets[0]) * (actions[0] // infosets[0]),
            2 + rows + np.arange(infosets[1] + 1) * (actions[1] // infosets[1]),
        ]
    )
    firsts, seconds = 2 + np.arange(rows), 2 + rows + np.arange(columns)
    return made_treeplexes(
        infosets,
        (rows, columns),
        start=start,
        parent=np.repeat([0, 1], infosets),
        row=np.concatenate(
            [[0, 0, 0], np.arange(1, rows + 1) * columns, payoff.size + np.arange(1, columns + 1) * rows]
        ),
        other=np.concatenate([np.tile(seconds, rows), np.tile(firsts, columns)]),
        payoff=np.ascontiguousarray(np.concatenate([payoff.reshape(-1), -payoff.T.reshape(-1)])),
    )


def made_treeplexes(
    infosets: list[int],
    sizes: tuple[int, int],
    *,
    start: np.ndarray,
    parent: np.ndarray,
    row: np.ndarray,
    other: np.ndarray,
    payoff: np.ndarray,
) -> Treeplexes:
    """Treeplexes of so many infosets and sequences of each player, but for the empty ones."""
    from pokerlab.solvers.sequence._kernels import Treeplexes

    return Treeplexes(
        np.array([[0, infosets[0]], [infosets[0], sum(infosets)]], np.uint64),
        np.array([[2, 2 + sizes[0]], [2 + sizes[0], 2 + sum(sizes)]], np.uint64),
        start.astype(np.uint32),
        parent.astype(np.uint32),
        row.astype(np.uint64),
        other.astype(np.uint32),
        payoff,
    )
