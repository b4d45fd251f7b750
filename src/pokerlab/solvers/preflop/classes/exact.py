"""An exact equilibrium over classes of hands: small linear programs, grown until no best response gains.

A game of one decision each is one small program (one_decision.py). Elsewhere the program over all sequences of all
hands is dense and slow to solve. Nearly all of them are never played, and a short run of discounted CFR shows which:
the program starts from the actions that it takes and is solved exactly; a best response of either player that wins more
adds its actions, and the program is solved again. The last best responses prove the result: over all actions of all
hands neither player gains. (This is the double oracle of McMahan, Gordon and
Blum 2003; in sequence form Bosansky and others 2014.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.solvers.convex.program.linear_program import minimise
from pokerlab.solvers.core.plan_solver import ProfileSolver
from pokerlab.solvers.preflop.classes.one_decision import solve_one_decision
from pokerlab.tree.class_betting import EMPTY
from pokerlab.tree.classes import ClassForm

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

WARM_UP = 400  # iterations
TAKEN = 0.02  # actions that the warm-up takes at least this often are in the first program
EXACT = 1e-12  # of the largest payoff: what best responses may gain at the end
NEAR_EXACT = 1e-9
NEAR = 2e-3  # of the gap between best and worst action: actions that lose less are added with the best
MOST_PROGRAMS = 60


class _Included:
    """The sequences and hands of a player that a program contains."""

    def __init__(self, mask: np.ndarray) -> None:
        self.mask = mask  # [S, hand] bool
        self.count = int(mask.sum())
        self.number = np.full(mask.shape, -1, np.int64)  # [S, hand]: their numbers, -1 where there is none
        self.number[mask] = np.arange(self.count)


def solve_classes(form: ClassForm) -> tuple[np.ndarray, np.ndarray]:
    """The behaviours [S, hand] of an equilibrium."""
    if form.decides_once:
        solution = solve_one_decision(form.one_decision)
        return form.behaviours_of((solution.first, solution.second))
    start = _start(form)
    included = [_taken(form, player, start[player] >= TAKEN, start[player]) for player in (0, 1)]
    for _ in range(MOST_PROGRAMS):
        sizes = [int(mask.sum()) for mask in included]
        plans = _program(form, *map(_Included, included))
        behaviours = [own.behaviour(plan, other) for own, plan, other in zip(form.own, plans, start, strict=True)]
        plans = [own.plan(behaviour) for own, behaviour in zip(form.own, behaviours, strict=True)]
        gain = 0.0
        for player in (0, 1):
            values = form.values(player, plans[1 - player])
            best, choice = form.own[player].best_values(values)
            gain += float(best[EMPTY].sum() - (plans[player] * values).sum())
            included[player] = _taken(form, player, included[player] | _near(form, player, best), choice)
        complete = sizes == [int(mask.sum()) for mask in included]  # then this is the precision of the program
        if gain <= (NEAR_EXACT if complete else EXACT) * form.max_abs_payoff:
            return behaviours[0], behaviours[1]
    raise PokerlabError(f"{form.name} could not be solved exactly; try an iterative algorithm such as dcfr")


def _start(form: ClassForm) -> tuple[np.ndarray, np.ndarray]:
    """The behaviours [S, hand] after a short run of discounted CFR."""
    from pokerlab.solvers.library.dcfr import algorithm

    solver = algorithm().start(form)
    solver.advance(WARM_UP)
    return form.behaviours(solver.result())


def _taken(form: ClassForm, player: int, wanted: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Wanted sequences that are reached, and the likeliest one at reached nodes without any. [S, hand] bool"""
    own = form.own[player]
    included = np.zeros_like(wanted)
    included[EMPTY] = True
    every = np.arange(wanted.shape[1])
    for node, parent in enumerate(own.parent.tolist()):
        part = own.of(node)
        included[part] = wanted[part] & included[parent]
        missing = included[parent] & ~included[part].any(0)
        likeliest = part.start + otherwise[part].argmax(0)
        included[likeliest[missing], every[missing]] = True
    return included


def _near(form: ClassForm, player: int, best: np.ndarray) -> np.ndarray:
    """Sequences close to the best of their node; none at nodes that are never reached. [S, hand] bool"""
    own = form.own[player]
    if not own.nodes:
        return np.ones(best.shape, np.bool_)
    counts = np.diff(own.start)
    most, least = (np.repeat(one.reduceat(best[1:], own.start[:-1] - 1), counts, 0) for one in (np.maximum, np.minimum))
    return np.concatenate([np.ones((1, best.shape[1]), np.bool_), most - best[1:] < NEAR * (most - least)])


def _program(form: ClassForm, mine: _Included, theirs: _Included) -> list[np.ndarray]:
    """An equilibrium of the game of the included sequences: the plans [S, hand] of both players.

    Variables are player 0's plan x and a value w of each node and hand of player 1, the root's first. Each sequence of
    player 1, who minimises, gives one row: w of its node is at most what the terminal nodes after it pay plus w of the
    nodes after it. Rows of player 1 are divided by the chance of their hand, so that coefficients are about 1.
    """
    from scipy.sparse import bmat, csr_matrix

    unit = form.max_abs_payoff or 1.0
    plan_rows, starts = _plan_rows(form, 0, mine)
    value_rows = _plan_rows(form, 1, theirs)[0].T.tocsr()  # plus the value of its own node, less those after it
    paid = _payments(form, mine, theirs) / unit
    blocks: Any = [[plan_rows, None], [-paid, value_rows]]
    rows: Any = csr_matrix(bmat(blocks))
    node_values = value_rows.shape[1]
    chances = form.hand_chances
    cost = np.concatenate([np.zeros(mine.count), -chances, np.zeros(node_values - len(chances))])
    none = np.full(theirs.count, -np.inf)
    optimum = minimise(
        cost,
        rows,
        row_bounds=(np.concatenate([starts, none]), np.concatenate([starts, np.zeros(theirs.count)])),
        column_bounds=(
            np.concatenate([np.zeros(mine.count), np.full(node_values, -np.inf)]),
            np.full(len(cost), np.inf),
        ),
        tolerance=1e-10,
    )
    plans = [np.zeros(mine.mask.shape), np.zeros(theirs.mask.shape)]
    plans[0][mine.mask] = np.maximum(optimum.point[: mine.count], 0)
    plans[1][theirs.mask] = np.maximum(-optimum.prices[len(starts) :], 0)
    return plans


def _plan_rows(form: ClassForm, player: int, included: _Included) -> tuple[csr_matrix, np.ndarray]:
    """The constraints of a plan: empty sequences are 1, and those of a node sum to the sequence before it."""
    from scipy.sparse import csr_matrix

    own, hands = form.own[player], len(form.hands)
    row, column, sign = [np.arange(hands)], [included.number[EMPTY]], [np.ones(hands)]
    count = hands
    for node, parent in enumerate(own.parent.tolist()):
        held = np.flatnonzero(included.mask[parent])
        row_number = np.full(hands, -1)
        row_number[held] = count + np.arange(len(held))
        row.append(row_number[held])
        column.append(included.number[parent, held])
        sign.append(np.full(len(held), -1.0))
        for sequence in range(*own.of(node).indices(own.sequences)):
            taking = np.flatnonzero(included.mask[sequence])
            row.append(row_number[taking])
            column.append(included.number[sequence, taking])
            sign.append(np.ones(len(taking)))
        count += len(held)
    entries = (np.concatenate(sign), (np.concatenate(row), np.concatenate(column)))
    return csr_matrix(entries, (count, included.count)), np.concatenate([np.ones(hands), np.zeros(count - hands)])


def _payments(form: ClassForm, mine: _Included, theirs: _Included) -> csr_matrix:
    """[included sequence of 1, of 0] what terminal nodes pay player 0, divided by the chance of player 1's hand."""
    from scipy.sparse import csr_matrix

    chances = form.hand_chances
    row, column, paid = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    terminals = (abs(form.fixed) + abs(form.contested)).tocoo()
    for first, second in zip(terminals.row.tolist(), terminals.col.tolist(), strict=True):
        held, opposing = np.flatnonzero(mine.mask[first]), np.flatnonzero(theirs.mask[second])
        pairs = np.ix_(held, opposing)
        block = form.fixed[first, second] * form.chance[pairs] + form.contested[first, second] * form.net_win[pairs]
        column.append(np.repeat(mine.number[first, held], len(opposing)))
        row.append(np.tile(theirs.number[second, opposing], len(held)))
        paid.append((block / chances[opposing]).reshape(-1))
    entries = (np.concatenate(paid), (np.concatenate(row), np.concatenate(column)))
    return csr_matrix(entries, (theirs.count, mine.count))


class ProgrammedClasses(ProfileSolver):
    """The linear programs as a solver: the first iteration solves the game, before it play is uniform."""

    game: ClassForm
    counted, counts_name = ("iterations",), "iterations"

    def __init__(self, form: ClassForm) -> None:
        super().__init__(form)
        self.output = form.own[0].uniform(len(form.hands)), form.own[1].uniform(len(form.hands))  # [S, hand] each

    @property
    def finished(self) -> bool:
        return self.iterations > 0

    def advance(self, iterations: int) -> None:
        if not self.finished and iterations > 0:
            self.output = solve_classes(self.game)
            self.iterations = 1

    @property
    def nodes_touched(self) -> int:
        """One evaluation of the payoffs of each player."""
        return self.iterations * 2 * self.game.nodes_per_pass

    def result(self) -> np.ndarray:
        return self.game.profile_of(self.output)

    def own_arrays(self) -> dict[str, np.ndarray]:
        return {"output0": self.output[0], "output1": self.output[1]}
