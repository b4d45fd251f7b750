"""An exact equilibrium over classes of hands: small linear programs, grown until nobody has a better answer.

The program over all sequences of all hands is dense and takes long. Nearly all of them are never played, and a short
run of discounted CFR knows which: the program is made over the actions that it takes, and solved exactly; a best
response of either player that wins more adds its actions, and the program is solved again. The best responses at the
end are the proof: over all actions of all hands neither player gains. (This is the double oracle of McMahan, Gordon and
Blum 2003; in sequence form Bosansky and others 2014.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.solvers.classes.scheduled import ClassSolver, ScheduledClasses
from pokerlab.solvers.program.linear_program import minimise
from pokerlab.tree.classes import EMPTY, ClassForm

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

WARM_UP = 400  # iterations
TAKEN = 0.02  # actions that the warm-up takes at least this often are in the first program
EXACT = 1e-12  # of the stakes: what best responses may gain at the end
NEAR_EXACT = 1e-9
NEAR = 2e-3  # of what lies between the best and the worst action: those that lose less are added with the best
MOST_PROGRAMS = 60


@dataclass(frozen=True, eq=False)
class _Kept:
    """The sequences and hands of a player that a program has."""

    mask: np.ndarray  # [S, hand] bool
    number: np.ndarray  # [S, hand] int64: their numbers, -1 where there is none

    @property
    def count(self) -> int:
        """How many."""
        return int(self.mask.sum())


def solve_classes(form: ClassForm) -> tuple[np.ndarray, np.ndarray]:
    """The behaviours [S, hand] of an equilibrium."""
    from pokerlab.solvers.library.dcfr import algorithm

    schedule = algorithm().schedule
    assert schedule is not None
    near = ScheduledClasses(form, schedule)
    near.advance(WARM_UP)
    start = near.behaviours()
    kept = [_taken(form, player, start[player] >= TAKEN, start[player]) for player in (0, 1)]
    for _ in range(MOST_PROGRAMS):
        sizes = [int(mask.sum()) for mask in kept]
        plans = _program(form, _Kept(kept[0], _numbers(kept[0])), _Kept(kept[1], _numbers(kept[1])))
        found = [form.behaviour(player, plans[player], otherwise=start[player]) for player in (0, 1)]
        plans = [form.plan(player, found[player]) for player in (0, 1)]
        gain = 0.0
        for player in (0, 1):
            values = form.values(player, plans[1 - player])
            best, choice = form.best_values(player, values)
            gain += float(best[EMPTY].sum() - (plans[player] * values).sum())
            kept[player] = _taken(form, player, kept[player] | _near(form, player, best), choice)
        if gain <= EXACT * form.max_abs_payoff:
            return found[0], found[1]
        if gain <= NEAR_EXACT * form.max_abs_payoff and sizes == [int(mask.sum()) for mask in kept]:
            return found[0], found[1]  # nothing is left to add: this is the precision of the program
    raise PokerlabError(f"{form.name} was not solved exactly; try an algorithm that comes near: dcfr")


def _taken(form: ClassForm, player: int, wanted: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Wanted sequences that are come to, and at nodes that are come to without one the likeliest. [S, hand] bool"""
    own = form.own[player]
    kept = np.zeros_like(wanted)
    kept[EMPTY] = True
    every = np.arange(wanted.shape[1])
    for node, parent in enumerate(own.parent.tolist()):
        part = own.of(node)
        kept[part] = wanted[part] & kept[parent]
        missing = kept[parent] & ~kept[part].any(0)
        likeliest = part.start + otherwise[part].argmax(0)
        kept[likeliest[missing], every[missing]] = True
    return kept


def _near(form: ClassForm, player: int, best: np.ndarray) -> np.ndarray:
    """Sequences that are next to the best of their node, by values of best answers. [S, hand] bool

    Nodes that the other never comes to, where all is worth the same, have none.
    """
    own = form.own[player]
    counts = np.diff(own.start)
    most, least = (np.repeat(one.reduceat(best[1:], own.start[:-1] - 1), counts, 0) for one in (np.maximum, np.minimum))
    return np.concatenate([np.ones((1, best.shape[1]), np.bool_), most - best[1:] < NEAR * (most - least)])


def _numbers(mask: np.ndarray) -> np.ndarray:
    numbers = np.full(mask.shape, -1, np.int64)
    numbers[mask] = np.arange(mask.sum())
    return numbers


def _program(form: ClassForm, mine: _Kept, theirs: _Kept) -> list[np.ndarray]:
    """An equilibrium of the game of the kept sequences: the plans [S, hand] of both players.

    Variables are player 0's plan x and a worth w of each node and hand of player 1, the root's first. A sequence of
    player 1, which leaves player 0 the least, says: w of its node is at most what ends behind it pay, and w of the
    nodes behind it. Rows of player 1 are divided by the chance of their hand, so that numbers are about 1.
    """
    from scipy.sparse import bmat, csr_matrix

    unit = form.max_abs_payoff or 1.0
    plan_rows, starts = _plan_rows(form, 0, mine)
    worth_rows = _worth_rows(form, theirs)
    paid = _payments(form, mine, theirs) / unit
    blocks: Any = [[plan_rows, None], [-paid, worth_rows]]
    rows: Any = csr_matrix(bmat(blocks))
    worths = worth_rows.shape[1]
    chances = form.hand_chances
    cost = np.concatenate([np.zeros(mine.count), -chances, np.zeros(worths - len(chances))])
    none = np.full(theirs.count, -np.inf)
    optimum = minimise(
        cost,
        rows,
        row_bounds=(np.concatenate([starts, none]), np.concatenate([starts, np.zeros(theirs.count)])),
        column_bounds=(
            np.concatenate([np.zeros(mine.count), np.full(worths, -np.inf)]),
            np.full(len(cost), np.inf),
        ),
        tolerance=1e-10,
    )
    plans = [np.zeros(mine.mask.shape), np.zeros(theirs.mask.shape)]
    plans[0][mine.mask] = np.maximum(optimum.point[: mine.count], 0)
    plans[1][theirs.mask] = np.maximum(-optimum.prices[len(starts) :], 0)
    return plans


def _plan_rows(form: ClassForm, player: int, kept: _Kept) -> tuple[csr_matrix, np.ndarray]:
    """What makes a plan of kept sequences: empty ones are 1, and a node's sum to the sequence before it."""
    from scipy.sparse import csr_matrix

    own, hands = form.own[player], len(form.hands)
    row, column, sign = [np.arange(hands)], [kept.number[EMPTY]], [np.ones(hands)]
    count = hands
    for node, parent in enumerate(own.parent.tolist()):
        held = np.flatnonzero(kept.mask[parent])
        place = np.full(hands, -1)
        place[held] = count + np.arange(len(held))
        row.append(place[held])
        column.append(kept.number[parent, held])
        sign.append(np.full(len(held), -1.0))
        for sequence in range(*own.of(node).indices(own.sequences)):
            taking = np.flatnonzero(kept.mask[sequence])
            row.append(place[taking])
            column.append(kept.number[sequence, taking])
            sign.append(np.ones(len(taking)))
        count += len(held)
    entries = (np.concatenate(sign), (np.concatenate(row), np.concatenate(column)))
    return csr_matrix(entries, (count, kept.count)), np.concatenate([np.ones(hands), np.zeros(count - hands)])


def _worth_rows(form: ClassForm, kept: _Kept) -> csr_matrix:
    """[kept sequence, worth] of player 1: plus its own node's, less those of the nodes behind it."""
    rows, _ = _plan_rows(form, 1, kept)
    return rows.T.tocsr()


def _payments(form: ClassForm, mine: _Kept, theirs: _Kept) -> csr_matrix:
    """[kept sequence of 1, kept sequence of 0] what ends pay player 0, by the chance of player 1's hand."""
    from scipy.sparse import csr_matrix

    chances = form.hand_chances
    row, column, paid = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    ends = (abs(form.fixed) + abs(form.won)).tocoo()
    for first, second in zip(ends.row.tolist(), ends.col.tolist(), strict=True):
        held, met = np.flatnonzero(mine.mask[first]), np.flatnonzero(theirs.mask[second])
        pairs = np.ix_(held, met)
        block = form.fixed[first, second] * form.chance[pairs] + form.won[first, second] * form.edge[pairs]
        column.append(np.repeat(mine.number[first, held], len(met)))
        row.append(np.tile(theirs.number[second, met], len(held)))
        paid.append((block / chances[met]).reshape(-1))
    entries = (np.concatenate(paid), (np.concatenate(row), np.concatenate(column)))
    return csr_matrix(entries, (theirs.count, mine.count))


class ProgrammedClasses(ClassSolver):
    """The linear programs as a solver: the first iteration solves the game, and before it play is uniform."""

    def __init__(self, form: ClassForm) -> None:
        self.form = form
        self.iterations = 0
        self.output = form.uniform(0), form.uniform(1)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.iterations > 0

    def advance(self, iterations: int) -> None:
        """Solve, if that is not done."""
        if not self.finished and iterations > 0:
            self.output = solve_classes(self.form)
            self.iterations = 1

    def behaviours(self) -> tuple[np.ndarray, np.ndarray]:
        """The strategies found."""
        return self.output

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        return {"iterations": np.array([self.iterations]), "output0": self.output[0], "output1": self.output[1]}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        self.iterations = int(arrays["iterations"][0])
        self.output = np.array(arrays["output0"]), np.array(arrays["output1"])
