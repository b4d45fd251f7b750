"""The runs of `paper abstractions`: make, train and measure buckets, several at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np

from pokerlab import parallel
from pokerlab.abstraction.buckets import LOSSLESS, Buckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import IMPERFECT, Plan, make
from pokerlab.events import Watch
from pokerlab.games.poker.engine import PokerGame
from pokerlab.papers._bucketed_runs import advance_to, poker_game, start_solver
from pokerlab.registry import load
from pokerlab.solvers.bucketed.playing import Gain, Side, head_to_head
from pokerlab.solvers.bucketed.warm_up import WarmUp
from pokerlab.tree.bucketed.form import bucketed_form
from pokerlab.tree.bucketed.real_game import measurer
from pokerlab.tree.bucketed.whole import whole
from pokerlab.tree.public.form import public_form
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.resources import Resources

METHODS = ("strength", "nested", "histogram", "emd", "ochs", "potential", "recall", "values")
AT_THE_END = {"potential": "emd"}  # methods that look ahead, and their substitute in the last round
PLAIN, LINEAR = "pure", "pure(schedule='linear-cfr')"  # the latter gets nearer to equilibrium in as many iterations
AT_ONCE = 200_000  # iterations between checks of the cancel token


@dataclass(frozen=True)
class Cell:
    """One abstraction, and its training."""

    method: str
    count: int  # buckets per later round; with perfect recall, classes per bucket of the previous round
    seed: int
    marks: tuple[int, ...]  # iterations at which it is measured
    recall: str = IMPERFECT
    algorithm: str = LINEAR
    inside: bool = False  # whether exploitability inside the abstraction is measured too

    @property
    def methods(self) -> tuple[str, ...]:
        """The method of each round."""
        return round_methods(self.method, self.count, 3)


@dataclass(frozen=True)
class Outcome:
    """The result of a cell."""

    buckets: Buckets
    infosets: int
    real: tuple[float, ...]  # exploitability in the real game at each mark
    inside: tuple[float, ...] = ()  # in the abstraction


def written(method: str, count: int) -> str:
    """A method with its count; nested percentiles use the inner count that divides it, nearest to half its root.

    >>> written("emd", 10), written("nested", 10), written("nested", 50), written("nested", 3)
    ('emd:10', 'nested:5x2', 'nested:10x5', 'nested:3x1')
    """
    if method != "nested":
        return f"{method}:{count}"
    inner = max(size for size in range(1, count + 1) if count % size == 0 and (size == 1 or 2 * size**2 <= count))
    return f"nested:{count // inner}x{inner}"


def round_methods(method: str, count: int, rounds: int) -> tuple[str, ...]:
    """The method of each round: the first is lossless, the last may have a substitute."""
    last = AT_THE_END.get(method, method)
    return (LOSSLESS, *(written(method, count),) * (rounds - 2), written(last, count))


@dataclass(frozen=True, eq=False)
class Bench:
    """The game on which abstractions are measured."""

    game: PokerGame
    watch: Watch

    @cached_property
    def cards(self) -> CardRounds:
        """With the order of the board, which earlier rounds' win rates need."""
        return CardRounds.of(self.game, ordered=True)

    @cached_property
    def tree(self) -> PublicTree:
        """The game without abstraction."""
        return public_form(self.game)

    def outcome(self, cell: Cell) -> Outcome:
        """Make buckets, train, measure."""
        plan = Plan(self.cards, cell.methods, cell.recall, cell.seed)
        buckets = make(plan, values=WarmUp(self.game))
        form = bucketed_form(self.game, buckets)
        measure = measurer(form, tree=self.tree)
        abstract = whole(form) if cell.inside else None
        assert measure is not None
        solver = load("algorithms", cell.algorithm).start(form, seed=cell.seed, resources=Resources(1))
        real, inside = [], []
        for mark in cell.marks:
            advance_to(solver, mark, self.watch, at_once=AT_ONCE)
            average = solver.strategy_arrays()["average"]
            real.append(measure(average).exploitability)
            if abstract is not None:
                inside.append(sum(abstract.best(average, player) for player in (0, 1)) / 2)
        return Outcome(buckets, form.infosets, tuple(real), tuple(inside))


def outcomes(cells: Sequence[Cell], watch: Watch, *, game: str = "rhode-island") -> dict[Cell, Outcome]:
    """The outcomes of cells, several at a time."""
    found: dict[Cell, Outcome] = {}
    with watch.interruptible() as watch:
        bench = Bench(poker_game(game), watch)
        bench.outcome(Cell("values", 2, 0, (1,)))  # compiles, and computes values, before the threads start
        results = parallel.run(bench.outcome, cells, cancel=watch.cancel)
        for done, (cell, outcome) in enumerate(zip(cells, results, strict=True), start=1):
            found[cell] = outcome
            watch.at(f"{cell.method}, {cell.count} buckets", done, len(cells))
    return found


def equal_count(infosets: int, decisions: Sequence[int], first: int) -> int:
    """The number of buckets per later round that comes nearest to this many infosets in all.

    >>> equal_count(21944, (8, 56, 392), 13)
    49
    """
    return max(1, round((infosets - first * decisions[0]) / sum(decisions[1:])))


def refines(fine: Buckets, coarse: Buckets) -> bool:
    """Whether each bucket of one abstraction is contained in one bucket of the other."""
    for one, other in zip(fine.rounds, coarse.rounds, strict=True):
        assert one.table is not None
        assert other.table is not None
        pairs = np.unique(np.stack([one.table.astype(np.int64), other.table.astype(np.int64)]), axis=1)
        if pairs.shape[1] > one.count:
            return False
    return True


# ---- hold'em -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Meeting:
    """The matches in hold'em, and the training time."""

    methods: tuple[str, ...]
    count: int
    iterations: int
    hands: int
    game: str = "holdem-limit"


def meetings(plan: Meeting, seed: int, watch: Watch) -> dict[tuple[str, str], Gain]:
    """What each method wins against each other at equal numbers of buckets and iterations."""
    game = poker_game(plan.game)
    cards, sides = CardRounds.of(game), {}
    for place, method in enumerate(plan.methods):
        watch.at(f"hold'em: {method}", place / (len(plan.methods) + 1))
        sides[method] = _train(game, cards, method, plan, seed)
    watch.at("hold'em: matches", len(plan.methods) / (len(plan.methods) + 1))
    return {
        (one, other): head_to_head(sides[one], sides[other], hands=plan.hands, seed=seed)
        for one, other in permutations(plan.methods, 2)
    }


def _train(game: PokerGame, cards: CardRounds, method: str, plan: Meeting, seed: int) -> Side:
    threads = parallel.core_count()
    methods = round_methods(method, plan.count, cards.rounds)
    form = bucketed_form(game, make(Plan(cards, methods, IMPERFECT, seed), threads=threads))
    solver = start_solver(LINEAR, form, seed=seed, threads=threads)
    solver.advance(plan.iterations)
    return Side(form, solver.strategy_arrays()["average"])
