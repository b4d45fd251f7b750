"""Push or fold and games before the flop: linear programs a second, against plain calls of HiGHS."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bench import Row, interleaved
from pokerlab.registry import load
from pokerlab.solvers.preflop.classes.chart import chart
from pokerlab.solvers.preflop.classes.exact import solve_classes
from pokerlab.tree.classes import ClassForm, class_form

_STACKS = [step / 10 for step in range(20, 201, 15)]  # every 1.5 big blinds: 13 programs a call
_CHART = 191  # programs of the chart to 20 big blinds
QUICK = {"_STACKS": [5.0]}


def measure() -> Iterator[Row]:
    """Charts with the game made anew for every stack, as the command does; and limit hold'em before the flop."""
    times = interleaved({"ours": _ours, "plain": _plain})
    ours, plain = (len(_STACKS) / times[name] for name in ("ours", "plain"))
    yield Row("chart, linear programs", ours, plain, "SciPy's HiGHS, a plain program a stack", "/s", 2.0)
    yield Row("chart to 20 big blinds, every tenth", _CHART / ours, unit="s")
    for name in ("preflop-limit", "preflop-nolimit(stack=800)"):
        form = class_form(load("games", name))
        times = interleaved(
            {"ours": lambda form=form: solve_classes(form), "plain": lambda form=form: _whole(form)}, repeats=1
        )
        yield Row(f"{name}, exact", times["ours"], times["plain"], "SciPy's HiGHS, all sequences", "s", 2.0)


def _form(stack: float) -> ClassForm:
    return class_form(load("games", "push-fold", stack=stack))


def _ours() -> object:
    return chart({stack: _form(stack) for stack in _STACKS})


def _plain() -> None:
    """What one writes first: player 0's plan, and what each answer of each hand of player 1 leaves."""
    from scipy.optimize import linprog

    for stack in _STACKS:
        game = _form(stack).one_decision
        utilities = game.utilities
        hands, answers = game.chance.shape
        gains = utilities[1] - utilities[0]
        matrix = np.block([[-gains[0].T, np.eye(answers)], [-gains[1].T, np.eye(answers)]])
        limits = np.concatenate([utilities[0, 0].sum(0), utilities[0, 1].sum(0)])
        cost = np.concatenate([np.zeros(hands), -np.ones(answers)])
        bounds = [(0, 1)] * hands + [(None, None)] * answers
        assert linprog(cost, A_ub=matrix, b_ub=limits, bounds=bounds, method="highs").status == 0


def _whole(form: ClassForm) -> None:
    """The sequence form over all sequences of all hands, as one program."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack, identity, kron, lil_matrix

    hands = len(form.hands)
    rows = []
    for own in form.own:
        made = lil_matrix((1 + len(own.nodes), own.sequences))
        made[0, 0] = 1
        for node, parent in enumerate(own.parent.tolist()):
            made[1 + node, parent] -= 1
            made[1 + node, own.of(node)] = 1
        rows.append(csr_matrix(kron(made, identity(hands))))
    mine, theirs = rows
    paid = csr_matrix(kron(form.fixed, form.chance) + kron(form.contested, form.net_win)) / form.max_abs_payoff
    start = np.zeros(mine.shape[0])
    start[:hands] = 1
    cost = np.concatenate([np.zeros(mine.shape[1]), -np.ones(hands), np.zeros(theirs.shape[0] - hands)])
    found = linprog(
        cost,
        A_ub=csr_matrix(hstack([-paid.T, theirs.T])),
        b_ub=np.zeros(theirs.shape[1]),
        A_eq=csr_matrix(hstack([mine, csr_matrix((mine.shape[0], theirs.shape[0]))])),
        b_eq=start,
        bounds=[(0, None)] * mine.shape[1] + [(None, None)] * theirs.shape[0],
        method="highs-ipm",
    )
    assert found.status == 0
