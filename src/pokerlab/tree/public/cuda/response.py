"""The exact best response to strategies over buckets, one class of first deals after another.

For each class of suit-isomorphic first deals (1,755 flops), all that follows is walked on a machine: the opponent's
reach of every sequence for every hand, downwards; the values of a best response, upwards. The values of the deals are
added up over the classes; the first round, with the best response before the deal, is walked at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.tree.machines import Machine
from pokerlab.tree.public.boards import Board, Cards, enumerate_boards, preserved_symmetries
from pokerlab.tree.public.cuda.records import MachineTree, record, used_roots
from pokerlab.tree.public.cuda.walk import SOURCES, Arena, Walks, macros, space_bytes
from pokerlab.tree.public.layout import Outline, PublicRound, PublicTree, build

RESPONDING = [*SOURCES, Path(__file__).with_name("response.cu")]
UNUSED = ("scratch", "deal value", "root value")  # workspaces of a strategy's own values
REAL = np.float32
SHARE = 0.9  # of the memory that is left, for workspaces
SMALLEST_ARENA = 2**20


class DealClass(NamedTuple):
    """A class of suit-isomorphic first deals."""

    cards: tuple[int, ...]
    images: int  # how many deals it represents


@dataclass(frozen=True)
class StrengthRule:
    """Buckets of the last round by the share of opponents' hands that a hand beats, ties one half."""

    starts: np.ndarray  # [bucket] float32: the least share of each
    opposing: int  # hands that an opponent may hold


@dataclass(frozen=True, eq=False)
class TabledRound:
    """A round's strategies: of each player, the probability of each action in each bucket."""

    probability: tuple[np.ndarray, np.ndarray]  # [slot, bucket] float32 of each player


@dataclass(frozen=True, eq=False)
class ClassBoards:
    """The boards of a class, and the bucket of each hand on them."""

    deal: DealClass
    rounds: tuple[PublicRound, ...]
    buckets: tuple[np.ndarray | StrengthRule, ...]  # [round] of [board, row] uint16, the same for both players


def deal_classes(outline: Outline) -> list[DealClass]:
    """The classes of first deals."""
    cards = Cards(outline.hands, outline.weights, outline.deck.size, outline.board, outline.deals[:1])
    boards: list[Board] = enumerate_boards(cards, preserved_symmetries(outline.symmetries, cards))[1]
    return [DealClass(board.cards, len(board.images)) for board in boards]


def class_tree(outline: Outline, deal: DealClass) -> PublicTree:
    """The tree of one class of first deals."""
    return build(replace(outline, only=deal.cards))


class BegunClass(NamedTuple):
    """A class whose programs have been launched."""

    values: list[Any]  # [player] of [deal, hand], on the machine
    tree: MachineTree  # whose records are read until then


class ClassResponder:
    """Walks the classes on a machine; adds up the values of each player's hands at the first deal."""

    def __init__(self, machine: Machine, tree: PublicTree, strategies: list[TabledRound]) -> None:
        self.machine, self.tree = machine, tree
        self._launch = machine.program(RESPONDING, **macros(REAL, np.float32))
        self._tables = [
            [machine.array(np.ascontiguousarray(table, np.float32)) for table in level.probability]
            for level in strategies
        ]
        self._counts = [[table.shape[1] for table in level.probability] for level in strategies]
        self._arena = Arena(machine, SMALLEST_ARENA)
        self._pattern: MachineTree | None = None
        self._limit = SHARE * machine.free_bytes()
        self.deals = used_roots(tree.rounds[1].treeplexes)

    def values(self, boards: ClassBoards) -> list[np.ndarray]:
        """Of each player, the value of a best response for each hand at each first deal, from this class alone.

        [player] of [deal, hand] float64: times the weight of opposing hands and the probability of the deal.
        """
        return self.fetched(self.begin(boards))

    def each(self, classes: Iterable[ClassBoards]) -> Iterator[tuple[ClassBoards, list[np.ndarray]]]:
        """Classes with their values; while the machine walks one, the next is prepared."""
        waiting: tuple[ClassBoards, BegunClass] | None = None
        for boards in classes:
            begun = self.begin(boards)
            if waiting is not None:
                yield waiting[0], self.fetched(waiting[1])
            waiting = boards, begun
        if waiting is not None:
            yield waiting[0], self.fetched(waiting[1])

    def fetched(self, begun: BegunClass) -> list[np.ndarray]:
        """The values of a class that was begun."""
        return [self.machine.host(own).reshape(self.deals, -1).astype(np.float64) for own in begun.values]

    def begin(self, boards: ClassBoards) -> BegunClass:
        """Launch all that a class needs, without waiting for it."""
        base = self._base(boards)
        walks = self._walks(base)
        buckets = self._buckets(walks, boards)
        return BegunClass([self._of_player(walks, buckets, player) for player in (0, 1)], base)

    def _base(self, boards: ClassBoards) -> MachineTree:
        """The tree of a class on the machine; the first one gives the others its records of the betting."""
        plexes = [level.treeplexes for level in self.tree.rounds]
        rounds = tuple(replace(level, treeplexes=pair) for level, pair in zip(boards.rounds, plexes, strict=True))
        base = MachineTree(self.machine, replace(self.tree, rounds=rounds), like=self._pattern)
        self._pattern = self._pattern or base
        return base

    def _walks(self, base: MachineTree) -> Walks:
        boards = len(base.tree.rounds[-1].boards)
        parts = 1
        while space_bytes(base, REAL, -(-boards // parts), without=UNUSED) > self._limit and parts < boards:
            parts += 1
        portion = -(-boards // parts)
        needed = space_bytes(base, REAL, portion, without=UNUSED)
        if needed > self._arena.bytes:
            self._arena.give_back()
            self._arena = Arena(self.machine, needed)
        shared: dict[str, Any] = {"real": REAL, "storage": np.float32, "launch": self._launch}
        return Walks(base, self._arena, portion=portion, without=UNUSED, **shared)

    def _buckets(self, walks: Walks, boards: ClassBoards) -> list[list[Any]]:
        """[round][player] records of the strategies' buckets."""
        records = []
        for number, given in enumerate(boards.buckets):
            of = self._classified(walks, number, given) if isinstance(given, StrengthRule) else walks.base.put(given)
            fields = ("of", "probability", "count")
            tables = zip(self._tables[number], self._counts[number], strict=True)
            records.append(
                [
                    record(self.machine, fields, {"of": of, "probability": table, "count": count})
                    for table, count in tables
                ]
            )
        walks.base.kept.extend(kept for pair in records for kept in pair)
        return records

    def _classified(self, walks: Walks, number: int, rule: StrengthRule) -> Any:
        """The bucket of each row by strength, from one showdown against every hand.  # [board, row] uint16"""
        base, machine, seat = walks.base, self.machine, walks.base.seats[number][0]
        level, at = base.tree.rounds[number], machine.address
        rows, space = level.hands[0].rows, walks.spaces[number]
        bucket = machine.zeros(len(level.boards) * rows, np.uint16)
        starts = base.put(rule.starts.astype(np.float32))
        plex = base.lone_lane()
        base.kept.append(bucket)
        for first, boards in walks.portions:
            arrays = walks.arrays(number, 0, first, {})
            self._launch("be_everywhere", rows // 32, boards, at(seat), space.reach[0], first, 1)
            walks.sum_lanes(number, 1, plex, 1, arrays, boards)  # both players hold the same hands
            classes = (at(seat), space.ahead, at(starts), len(rule.starts), rule.opposing, at(bucket), first)
            self._launch("classify", rows // 32, boards, *classes)
        return bucket

    def _of_player(self, walks: Walks, buckets: list[list[Any]], player: int) -> Any:
        other, last = 1 - player, walks.last
        for number in range(last):
            self._descend(walks, buckets, number, other, 0, len(walks.tree.rounds[number].boards))
        for first, boards in walks.portions:
            self._descend(walks, buckets, last, other, first, boards)
            self._respond(walks, last, player, first, boards)
        for number in range(last - 1, 0, -1):
            walks.collect(number + 1, player, best=True)
            self._respond(walks, number, player, 0, len(walks.tree.rounds[number].boards))
        walks.collect(1, player, best=True)
        deals, rows = walks.base.deals(0), walks.tree.rounds[0].hands[player].rows
        return self.machine.copied(walks.spaces[0].best_deal_value, deals * rows, REAL)

    def _descend(
        self, walks: Walks, buckets: list[list[Any]], number: int, player: int, first: int, boards: int
    ) -> None:
        at, base = self.machine.address, walks.base
        plex, seat = at(walks.plexes[number][player]), at(base.seats[number][player])
        arrays = walks.arrays(number, player, first, {})
        self._launch("arrive", base.roots[number], boards, plex, seat, at(walks.levels[number]), arrays)
        how = at(buckets[number][player])
        for start, nodes, _, _ in base.steps[number][player]:
            walks.across("descend_by_bucket", number, player, arrays, boards, how, (start, nodes))

    def _respond(self, walks: Walks, number: int, player: int, first: int, boards: int) -> None:
        walks.value_lanes(number, player, walks.arrays(number, 1 - player, first, {}), boards)
        walks.ascend_best("choose", number, player, walks.arrays(number, player, first, {}), boards)

    def finish(self, boards: ClassBoards, values: list[np.ndarray]) -> tuple[float, float]:
        """What a best response wins in each seat, given the sums of all classes' values.

        Boards are those of any class: the first round has none.
        """
        base = self._base(boards)
        walks = self._walks(base)
        buckets = self._buckets(walks, boards)
        won = []
        for player in (0, 1):
            self._descend(walks, buckets, 0, 1 - player, 0, 1)
            self.machine.put_numbers(walks.spaces[0].best_deal_value, values[player].astype(REAL))
            self._respond(walks, 0, player, 0, 1)
            walks.collect(0, player, best=True)
            weights = self.tree.weights[player]
            weights = weights[weights > 0]
            hands = self.machine.host(walks.result[1])[: len(weights)]
            won.append(float(weights @ hands) / self.tree.pairs)
        return won[0], won[1]
