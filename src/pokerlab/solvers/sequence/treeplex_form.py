"""Two-player zero-sum games as treeplexes with their payoffs: the sequence, normal, roles and class forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.solvers.classes.scheduled import answer_of, measure_classes
from pokerlab.solvers.roles.exact import measure_roles
from pokerlab.tree.classes import EMPTY, ClassForm
from pokerlab.tree.form import Form
from pokerlab.tree.measure import Measure
from pokerlab.tree.roles import RoleForm
from pokerlab.tree.treeplex import Treeplexes as Trees

if TYPE_CHECKING:
    from pokerlab.tree._kernels.treeplex import TreeplexArrays


@dataclass(frozen=True, eq=False)
class TreeplexForm:
    """Two treeplexes with their payoffs, and how plans of them are told and measured in the form they are made of."""

    form: Form
    treeplexes: TreeplexArrays
    nodes: int  # that a look at all payoffs visits
    answer: Callable[[np.ndarray], dict[str, np.ndarray]]  # plans [S] as the form's own arrays
    measure: Callable[[np.ndarray], Measure]  # of plans [S]
    won: Callable[[int, np.ndarray], np.ndarray] | None = None
    """By player and a plan of the other what the own sequences win, the empty one first in both; None: `treeplexes`
    have the payoffs."""


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


def _dense(infosets: list[int], actions: list[int], payoff: np.ndarray) -> TreeplexArrays:
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
) -> TreeplexArrays:
    """Treeplexes of so many infosets and sequences of each player, but for the empty ones."""
    from pokerlab.tree._kernels.treeplex import TreeplexArrays

    return TreeplexArrays(
        np.array([[0, infosets[0]], [infosets[0], sum(infosets)]], np.uint64),
        np.array([[2, 2 + sizes[0]], [2 + sizes[0], 2 + sum(sizes)]], np.uint64),
        start.astype(np.uint32),
        parent.astype(np.uint32),
        row.astype(np.uint64),
        other.astype(np.uint32),
        payoff,
    )


class Bridge(Form):
    """A form of classes or roles on the operations of forms, until it has them itself."""

    def __init__(self, form: Any) -> None:
        self.base = form
        self.laid = _of_classes(form) if form.kind == "classes" else _of_roles(form)
        trees: Any = self.laid.treeplexes
        self.trees = Trees(trees.start, trees.parent, trees.infosets, trees.own, trees.row, trees.other, trees.payoff)

    kind = property(lambda self: self.base.kind)
    name = property(lambda self: self.base.name)
    players = property(lambda self: 2)
    max_abs_payoff = property(lambda self: self.base.max_abs_payoff)
    pot = property(lambda self: self.base.pot)
    is_zero_sum = property(lambda self: True)
    size = property(lambda self: self.base.size)
    solution_form = property(lambda self: self.base)
    treeplexes = property(lambda self: self.trees)

    @property
    def nodes_per_pass(self) -> int:
        return self.laid.nodes

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        from pokerlab.tree._kernels.treeplex import gather

        if self.laid.won is None:
            gather(np.uint64(player), False, self.trees.arrays, plan, out)
            return
        won = self.laid.won(player, np.append(1.0, plan[self.trees.sequences_of(1 - player)]))
        out[player], out[self.trees.sequences_of(player)] = won[0], won[1:]

    def largest_payoff_sum(self, player: int) -> float:
        form = self.base
        if self.laid.won is None:
            lengths = np.diff(self.trees.row).astype(np.int64)
            paid = np.bincount(np.repeat(np.arange(len(lengths)), lengths), np.abs(self.trees.payoff), len(lengths))
            return max(float(paid[player]), float(paid[self.trees.sequences_of(player)].max(initial=0.0)))
        sums = np.asarray((abs(form.fixed) + abs(form.won)).sum(1 - player)).reshape(-1)
        return max(float(sums[0]), float(form.chance.sum(1 - player).max()) * float(sums[1:].max(initial=0.0)))

    def pack(self, profile: np.ndarray) -> dict[str, np.ndarray]:
        return self.laid.answer(self.trees.plan(profile))

    def measure(self, profile: np.ndarray) -> Measure:
        return self.laid.measure(self.trees.plan(profile))
