"""The runs of `paper abstractions`: make, train and measure buckets, several at a time; and their scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any

import numpy as np

from pokerlab import parallel
from pokerlab.abstraction.buckets import LOSSLESS, Buckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import IMPERFECT, PERFECT, Plan, make
from pokerlab.events import Watch
from pokerlab.match.draw import thin
from pokerlab.papers._bucketed_runs import advance_to, poker_game, start_solver
from pokerlab.registry import load
from pokerlab.solvers.bucketed.playing import Gain, Side, head_to_head
from pokerlab.solvers.bucketed.warm_up import WarmUp
from pokerlab.tree.bucketed.betting import betting_form
from pokerlab.tree.bucketed.form import bucketed_form
from pokerlab.tree.bucketed.inside import inside_game
from pokerlab.tree.bucketed.real_game import measurer
from pokerlab.tree.public.form import public_form
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.resources import Resources

METHODS = ("strength", "nested", "histogram", "emd", "ochs", "potential", "recall", "values")
SQUARED = "squared strength"  # strength by E[HS²] instead of E[HS]
AT_THE_END = {"potential": "emd"}  # methods that look ahead, and their substitute in the last round
DECIDED = ("strength", SQUARED, "potential")  # compared with each other by more seeds
PLAIN, LINEAR = "pure", "pure(schedule='linear-cfr')"  # the latter gets nearer to equilibrium in as many iterations
THINNED: Mapping[str, Mapping[str, Any]] = {"purified": {"purify": True}, "threshold 0.15": {"threshold": 0.15}}
THINNED_METHODS = ("strength", "emd")
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


@dataclass(frozen=True)
class Outcome:
    """The result of a cell."""

    buckets: Buckets
    infosets: int
    real: tuple[float, ...]  # exploitability in the real game at each mark
    inside: tuple[float, ...] = ()  # in the abstraction
    thinned: Mapping[str, float] = field(default_factory=dict)  # in the real game, by how the last strategy is thinned


def written(method: str, count: int) -> str:
    """A method with its count; nested percentiles use the inner count that divides it, nearest to half its root.

    >>> written("emd", 10), written("nested", 10), written("nested", 50), written("nested", 3)
    ('emd:10', 'nested:5x2', 'nested:10x5', 'nested:3x1')
    >>> written("squared strength", 10)
    'strength:10(squared=true)'
    """
    if method == SQUARED:
        return f"strength:{count}(squared=true)"
    if method != "nested":
        return f"{method}:{count}"
    inner = max(size for size in range(1, count + 1) if count % size == 0 and (size == 1 or 2 * size**2 <= count))
    return f"nested:{count // inner}x{inner}"


def round_methods(method: str, count: int, rounds: int) -> tuple[str, ...]:
    """The method of each round: the first is lossless, the last may have a substitute."""
    last = AT_THE_END.get(method, method)
    return (LOSSLESS, *(written(method, count),) * (rounds - 2), written(last, count))


def outcomes(cells: Sequence[Cell], watch: Watch, *, game: str = "rhode-island") -> dict[Cell, Outcome]:
    """Make buckets, train and measure: the outcomes of cells, several at a time."""
    measured = {}
    with watch.interruptible() as watch:
        _outcome((game, Cell("values", 2, 0, (1,))), watch)  # compiles, and computes values, before the threads start
        results = parallel.spread(_outcome, [(game, cell) for cell in cells], watch=watch)
        for done, (cell, outcome) in enumerate(zip(cells, results, strict=True), start=1):
            measured[cell] = outcome
            watch.at(f"{cell.method}, {cell.count} buckets", done, len(cells))
    return measured


@lru_cache(maxsize=1)
def _tree(game: str) -> PublicTree:
    """The real game, in which strategies are measured."""
    return public_form(poker_game(game))


def _outcome(task: tuple[str, Cell], watch: Watch) -> Outcome:
    """Make the buckets of a cell, train and measure."""
    game, cell = task
    opened = poker_game(game)
    cards = CardRounds.of(opened, ordered=True)  # the win rates of earlier rounds need the order of the board
    plan = Plan(cards, round_methods(cell.method, cell.count, 3), cell.recall, cell.seed)
    buckets = make(plan, values=WarmUp(opened))
    form = bucketed_form(opened, buckets)
    measure = measurer(form, tree=_tree(game))
    abstract = inside_game(form) if cell.inside else None
    assert measure is not None
    solver = load("algorithms", cell.algorithm).start(form, seed=cell.seed, resources=Resources(1))
    real, inside = [], []
    for mark in cell.marks:
        advance_to(solver, mark, watch, at_once=AT_ONCE)
        average = solver.strategy_arrays()["average"]
        real.append(measure(average).exploitability)
        if abstract is not None:
            inside.append(sum(abstract.best(average, player) for player in (0, 1)) / 2)
    thinned = {}
    for name, how in THINNED.items() if cell.method in THINNED_METHODS else ():
        numbers = np.array(average, np.float32)
        thin(form, numbers, **how)
        thinned[name] = measure(numbers).exploitability
    return Outcome(buckets, form.infosets, tuple(real), tuple(inside), thinned)


def refines(fine: Buckets, coarse: Buckets) -> bool:
    """Whether each bucket of one abstraction is contained in one bucket of the other."""
    for one, other in zip(fine.rounds, coarse.rounds, strict=True):
        assert one.table is not None
        assert other.table is not None
        pairs = np.unique(np.stack([one.table.astype(np.int64), other.table.astype(np.int64)]), axis=1)
        if pairs.shape[1] > one.count:
            return False
    return True


@dataclass(frozen=True)
class HoldemMatches:
    """The matches in hold'em, and the training time."""

    methods: tuple[str, ...]
    count: int
    iterations: int
    hands: int
    game: str = "holdem-limit"


def meetings(plan: HoldemMatches, seed: int, watch: Watch) -> dict[tuple[str, str], Gain]:
    """What each method wins against each other at equal numbers of buckets and iterations."""
    game, threads = poker_game(plan.game), parallel.core_count()
    cards, sides = CardRounds.of(game), {}
    for place, method in enumerate(plan.methods):
        watch.at(f"hold'em: {method}", place / (len(plan.methods) + 1))
        methods = round_methods(method, plan.count, cards.rounds)
        form = bucketed_form(game, make(Plan(cards, methods, IMPERFECT, seed), threads=threads))
        solver = start_solver(LINEAR, form, seed=seed, threads=threads)
        solver.advance(plan.iterations)
        sides[method] = Side(form, solver.strategy_arrays()["average"])
    watch.at("hold'em: matches", len(plan.methods) / (len(plan.methods) + 1))
    return {
        (one, other): head_to_head(sides[one], sides[other], hands=plan.hands, seed=seed)
        for one, other in permutations(plan.methods, 2)
    }


Key = tuple[str, int, str]  # method, count, recall
AT_HOLDEM = ("strength", "nested", "emd", "ochs", "potential")


@dataclass(frozen=True)
class Scale:
    """The scale of the experiment."""

    methods: tuple[str, ...]
    counts: tuple[int, ...]  # buckets per round
    seeds: int
    an_infoset: int  # iterations per infoset
    least: int  # minimum number of iterations
    remembering: tuple[str, ...]  # methods compared by recall
    classes: tuple[int, ...]  # per bucket of the previous round, with perfect recall
    marks: tuple[int, ...]  # iterations at which curves are measured
    curves: tuple[tuple[str, int, str], ...]  # method, count and recall of each
    holdem: HoldemMatches | None = None
    game: str = "rhode-island"
    deciding: int = 0  # seeds of the methods of small differences, if more than those of others
    curve_seeds: int = 0  # of curves, likewise

    @cached_property
    def decisions(self) -> tuple[int, ...]:
        """Betting decisions in each round."""
        return betting_form(poker_game(self.game)).decisions

    @cached_property
    def first(self) -> int:
        """Hands of the first round, each its own bucket."""
        return CardRounds.of(poker_game(self.game)).hands(0)

    def infosets(self, count: int, recall: str) -> int:
        """Infosets with `count` buckets per round; with perfect recall, per bucket of the previous round."""
        first, *later = self.decisions
        if recall == IMPERFECT:
            return self.first * first + count * sum(later)
        return sum(self.first * count**street * nodes for street, nodes in enumerate(self.decisions))

    def without(self, method: str, classes: int) -> Key:
        """Imperfect recall with as many infosets, nearly, as perfect recall has with this many classes per bucket."""
        first, *later = self.decisions
        count = max(1, round((self.infosets(classes, PERFECT) - self.first * first) / sum(later)))
        return (method, count, IMPERFECT)

    def iterations(self, key: Key) -> int:
        """The number of training iterations of an abstraction."""
        _, count, recall = key
        return max(self.least, self.an_infoset * self.infosets(count, recall))

    def grid(self) -> list[Key]:
        """Every method with every number of buckets."""
        methods = (*self.methods, SQUARED) if "strength" in self.methods else self.methods
        return [(method, count, IMPERFECT) for method in methods for count in self.counts]

    def seeds_of(self, key: Key) -> int:
        """How many seeds an abstraction is trained with: more where differences are small."""
        method, count, recall = key
        decides = method in DECIDED and count in self.counts and recall == IMPERFECT
        return max(self.seeds, self.deciding if decides else 0)

    def recalls(self) -> list[tuple[Key, Key]]:
        """Abstractions with perfect recall, each with the one of imperfect recall at as many infosets."""
        return [
            ((method, classes, PERFECT), self.without(method, classes))
            for method in self.remembering
            for classes in self.classes
        ]

    def cell(self, key: Key, seed: int) -> Cell:
        """An abstraction that is trained and then measured."""
        method, count, recall = key
        return Cell(method, count, seed, (self.iterations(key),), recall)


USUAL = Scale(
    methods=METHODS,
    counts=(3, 5, 10, 20, 100),
    seeds=3,
    an_infoset=30,
    least=300_000,
    remembering=("strength", "ochs", "values"),
    classes=(1, 2),
    marks=(20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000),
    curves=(("emd", 10, IMPERFECT), ("emd", 2, PERFECT)),
    deciding=13,
    curve_seeds=6,
)
FULL = Scale(
    methods=METHODS,
    counts=(3, 5, 10, 20, 50, 100),
    seeds=5,
    an_infoset=500,
    least=10_000_000,
    remembering=METHODS[:2] + METHODS[3:5] + METHODS[7:],
    classes=(1, 2, 3, 4),
    marks=(*USUAL.marks, 10_000_000, 20_000_000, 50_000_000),
    curves=(*USUAL.curves, ("strength", 10, IMPERFECT), ("strength", 2, PERFECT)),
    holdem=HoldemMatches(AT_HOLDEM, 50, 200_000_000, 2_000_000),
    deciding=13,
    curve_seeds=6,
)
QUICK = Scale(
    methods=("strength", "emd", "values"),
    counts=(3, 6),
    seeds=2,
    an_infoset=1,
    least=5_000,
    remembering=("strength",),
    classes=(2,),
    marks=(1_000, 5_000),
    curves=(("strength", 3, IMPERFECT), ("strength", 1, PERFECT)),
    game="rhode-island(ranks=5)",
)
