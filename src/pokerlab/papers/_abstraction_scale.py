"""The scale of the experiments with card abstractions: which abstractions, how long, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import IMPERFECT, PERFECT
from pokerlab.papers._abstraction_runs import METHODS, PLAIN, Cell, Meeting, equal_count
from pokerlab.papers._bucketed_runs import poker_game
from pokerlab.tree.bucketed.betting import betting_form

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
    holdem: Meeting | None = None
    game: str = "rhode-island"

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
        """Imperfect recall with as many infosets as perfect recall has with this many classes per bucket."""
        infosets = self.infosets(classes, PERFECT)
        return (method, equal_count(infosets, self.decisions, self.first), IMPERFECT)

    def iterations(self, key: Key) -> int:
        """The number of training iterations of an abstraction."""
        _, count, recall = key
        return max(self.least, self.an_infoset * self.infosets(count, recall))

    def grid(self) -> list[Key]:
        """Every method with every number of buckets."""
        return [(method, count, IMPERFECT) for method in self.methods for count in self.counts]

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

    def curve_cell(self, key: Key, seed: int, *, first: bool) -> Cell:
        """One that is measured during training; with perfect recall, the first seed also inside the abstraction."""
        method, count, recall = key
        return Cell(method, count, seed, self.marks, recall, PLAIN, inside=recall == PERFECT and first)


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
    holdem=Meeting(AT_HOLDEM, 50, 200_000_000, 2_000_000),
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
    game="rhode-island(ranks=6)",
)
