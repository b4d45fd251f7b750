"""The walks of a sample of boards on a card: reach, best responses and regrets over buckets.

A batch keeps its memory from one sample to the next, and what it launches is recorded once: between two steps of the
schedule a card waits only until the hands of the next sample are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pokerlab.tree.bucketed.cuda.sampled_boards import BoardSample
from pokerlab.tree.machines import Machine
from pokerlab.tree.public.cuda.records import record
from pokerlab.tree.public.cuda.walk import Walks

BUCKETS = ("of", "probability", "count", "regret", "average", "step")
WEIGHTS = 5  # numbers of a step, as learn.cu reads them


class Learned(NamedTuple):
    """A player's numbers in a round, on the machine.  # [slot, bucket] float32"""

    regret: Any
    average: Any
    probability: Any


class Numbers(NamedTuple):
    """What is learned in every round by each player, and by their opponents in the trunk."""

    counts: tuple[int, ...]  # of the buckets of each round
    learned: list[list[Learned]]
    rivals: list[list[Learned]]  # [round of the trunk][player]


class Batch:
    """The walks of one sample of boards after another, all of one shape.

    What a walk launches is the same for all of them, and is recorded in the second.
    """

    def __init__(self, walks: Walks, sample: BoardSample, numbers: Numbers, *, responding: bool) -> None:
        self.walks, self.base, self.launch = walks, walks.base, walks.launch
        self.machine: Machine = walks.machine
        self.boards, self.counts = [len(level.boards) for level in sample.tree.rounds], numbers.counts
        self._of = [self.base.put(of) for of in sample.buckets]
        self._weights = [self.base.put(np.zeros(WEIGHTS)) for _ in self.boards]
        self._own, self._silent = self._records(numbers.learned, averages=True), self._records(numbers.learned)
        self._others = self._records(numbers.rivals)
        below = range(len(numbers.rivals), len(self.boards))
        self._choices = {number: self._choice(number) for number in below} if responding else {}
        self._responding = responding
        self._addresses: dict[tuple[int, int], int] = {}
        self._runs, self._again = 0, self._walk

    def take(self, sample: BoardSample) -> None:
        """Put another sample in place of the last one."""
        self.base.take_hands(sample.tree)
        for array, of in zip(self._of, sample.buckets, strict=True):
            self.machine.put_numbers(self.machine.address(array), of)

    def run(self, weights: list[np.ndarray]) -> None:
        """One step of the schedule, which weighs this in each round: each player in turn, against the opponent's newest
        strategy."""
        for array, values in zip(self._weights, weights, strict=True):
            self.machine.put_numbers(self.machine.address(array), values)
        if self._runs == 1:
            self._again = self.machine.repeatable(self._walk)
        self._again()
        self._runs += 1

    def _walk(self) -> None:
        for lists in {id(one): one for one in self.base.lists.values()}.values():
            lists.fill()
        for player in (0, 1):
            self._match(self._own, player, discounting=True)
            self._match(self._others, player, discounting=True)
        for player in (0, 1):
            if self._responding:
                self._descend(self._own, player)
                self._respond(1 - player)
                self._match(self._others, 1 - player, discounting=False)
                self._descend(self._others, 1 - player, self._choices)
                self._learn(player)
            else:
                self._descend(self._own, 1 - player)
                self._learn(player)
                self._match(self._silent, player, discounting=False)

    def _records(self, learned: list[list[Learned]], *, averages: bool = False) -> list[list[Any]]:
        return [[self._record(number, own, averages) for own in pair] for number, pair in enumerate(learned)]

    def _record(self, number: int, learned: Learned, averages: bool) -> Any:
        values = {"of": self._of[number], "count": self.counts[number]}
        values |= {"step": self._weights[number], "probability": learned.probability, "regret": learned.regret}
        if averages:
            values["average"] = learned.average
        self.base.kept.append(record(self.machine, BUCKETS, values))
        return self.base.kept[-1]

    def _choice(self, number: int) -> Any:
        """Memory for the actions that hands of either player choose in a round."""
        level, boards = self.base.tree.rounds[number], self.boards[number]
        count = max(boards * level.treeplexes[player].nodes * level.hands[player].rows for player in (0, 1))
        return self.machine.zeros(count, np.uint8)

    def _arrays(self, number: int, player: int) -> int:
        key = number, player
        if key not in self._addresses:
            self._addresses[key] = self.walks.arrays(number, player, 0, {})
        return self._addresses[key]

    def _match(self, records: list[list[Any]], player: int, *, discounting: bool) -> None:
        for number, pair in enumerate(records):
            nodes = self.base.tree.rounds[number].treeplexes[player].nodes
            plex, count = self.walks.plexes[number][player], self.counts[number]
            places = (self.machine.address(plex), self.machine.address(pair[player]), int(discounting))
            self.launch("match_buckets", -(-count // 32), nodes, *places)

    def _descend(self, records: list[list[Any]], player: int, choices: Mapping[int, Any] | None = None) -> None:
        """A player's reach in every round: by buckets, or where hands have chosen an action by that."""
        at, walks, base = self.machine.address, self.walks, self.base
        for number, boards in enumerate(self.boards):
            plex, seat = at(walks.plexes[number][player]), at(base.seats[number][player])
            arrays = self._arrays(number, player)
            self.launch("arrive", base.roots[number], boards, plex, seat, at(walks.levels[number]), arrays)
            chosen = (choices or {}).get(number)
            name = "descend_by_bucket" if chosen is None else "descend_by_choice"
            how = at(records[number][player] if chosen is None else chosen)
            for start, nodes, _, _ in base.steps[number][player]:
                walks.across(name, number, player, arrays, boards, how, (start, nodes))

    def _learn(self, player: int) -> None:
        """A player's regrets in every round, against the reach of the opponent."""
        for number in range(self.walks.last, -1, -1):
            self._ascend("learn_buckets", number, player, self._silent[number][player])

    def _respond(self, player: int) -> None:
        """A best response below the trunk, whose actions are noted, and regrets in it."""
        for number in range(self.walks.last, -1, -1):
            if number in self._choices:
                self._ascend("choose_by_hand", number, player, self._choices[number])
            else:
                self._ascend("learn_buckets", number, player, self._others[number][player])

    def _ascend(self, name: str, number: int, player: int, how: Any) -> None:
        walks, boards = self.walks, self.boards[number]
        if number < walks.last:
            walks.collect(number + 1, player, best=True)
        walks.value_lanes(number, player, self._arrays(number, 1 - player), boards)
        walks.ascend_best(name, number, player, self._arrays(number, player), boards, self.machine.address(how))
