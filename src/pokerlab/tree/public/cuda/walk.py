"""Walks over a public tree on a machine: a round at a time over all of its boards, the last round in a few portions.

What a walk needs for a moment (reach, values) is in one stretch of memory, the arena, which solver and assessor
share. Portions of the last round are as large as the arena allows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import TooLarge
from pokerlab.tree.forecast import bytes_text
from pokerlab.tree.machines import Machine
from pokerlab.tree.public.boards import BLOCK
from pokerlab.tree.public.cuda.records import ARRAYS, MachineTree, record
from pokerlab.tree.public.cuda.showdowns import hand_lists

SOURCES = [Path(__file__).with_name(name) for name in ("portable.h", "walk.cu", "showdowns.cu")]
CARD_NAMES = {"float32": "float", "float64": "double", "int16": "short"}
MOST_ARENA, SHARE_OF_FREE, LARGEST_SHARE = 16e9, 0.5, 0.95  # bytes, and of the memory that is left
MOST_BOARDS = 60_000  # of a launch
WIDE = 4  # hands of a lane, of as many blocks
VECTOR_BYTES = 16  # of the numbers of the sequences that a team values together
CHAIN = 48  # threads of a team for each of these sequences


def vector(real: Any) -> int:
    """How many sequences a team values together."""
    return VECTOR_BYTES // int(np.dtype(real).itemsize)


def team(real: Any) -> int:
    """The threads of a team."""
    return CHAIN * vector(real)


def macros(real: Any, storage: Any) -> dict[str, str]:
    """The types that programs are compiled for."""
    stored = np.dtype(storage)
    return {
        "REAL": CARD_NAMES[np.dtype(real).name],
        "STORED": CARD_NAMES[stored.name],
        "WHOLE": str(int(stored.kind == "i")),
        "WIDE": str(WIDE),
        "VECTOR": str(vector(real)),
        "TEAM": str(team(real)),
        "LEARNS": "0",
        "LEARNS_BUCKETS": "0",
    }


class Arena:
    """A stretch of memory that is given out from its beginning, in arrays of whole cache lines."""

    def __init__(self, machine: Machine, size: int) -> None:
        self.bytes = size
        self._address = machine.address(self._place(machine, size))
        self._used = 0

    def _place(self, machine: Machine, size: int) -> Any:
        self._memory = machine.zeros(size + 256, np.uint8)
        return self._memory

    def give_back(self) -> None:
        """Free the memory, before another arena is made."""
        self._memory = None

    def begin(self) -> None:
        """Give out everything again."""
        self._used = 0

    def take(self, count: int, real: Any) -> int:
        """The address of an array."""
        start = -self._address % 256 + self._used
        self._used += -(-count * np.dtype(real).itemsize // 256) * 256
        assert self._used <= self.bytes
        return self._address + start


@dataclass(frozen=True)
class Space:
    """The addresses of what a round reads and writes during a walk; of the last round, for a portion's boards."""

    reach: tuple[int, int]
    ahead: int
    totals: int
    scratch: int
    best_scratch: int
    deal_value: int
    best_deal_value: int
    root_value: tuple[int, int]  # of each player, for all boards
    best_root_value: int


class Walks:
    """The launches of walks in one type: records, workspaces, and each round's programs."""

    def __init__(
        self,
        base: MachineTree,
        arena: Arena,
        *,
        real: Any,
        storage: Any,
        launch: Callable[..., None],
        portion: int,
        without: tuple[str, ...] = (),
    ) -> None:
        self.base, self.real, self.storage, self.launch = base, np.dtype(real), np.dtype(storage), launch
        self.machine, self.tree = base.machine, base.tree
        self.plexes, self.levels = base.in_type(self.real)
        self.last = len(self.tree.rounds) - 1
        arena.begin()
        self.spaces = [self._space(arena, number, portion, without) for number in range(self.last + 1)]
        boards = len(self.tree.rounds[self.last].boards)
        self.portions = [(first, min(portion, boards - first)) for first in range(0, boards, portion)]
        self.roots = [self._root(player) for player in (0, 1)]
        longest = max(max(pair) for pair in base.rows_above[0:1])
        self.result = [self.machine.zeros(longest, self.real) for _ in range(2)]
        self._zero = base.put(np.zeros(1, np.int32))

    def _root(self, player: int) -> Any:
        weights = np.zeros(self.base.rows_above[0][player], self.real)
        live = self.tree.weights[player][self.tree.weights[player] > 0]
        weights[: len(live)] = live
        return self.base.put(weights)

    def _space(self, arena: Arena, number: int, portion: int, without: tuple[str, ...]) -> Space:
        counts = space_counts(self.base, number, portion, without)
        pairs = {name: arena.take(count, self.real) for name, count in counts.items()}
        return Space(
            reach=(pairs["reach 0"], pairs["reach 0" if without else "reach 1"]),
            ahead=pairs["ahead"],
            totals=pairs["totals"],
            scratch=pairs["scratch"],
            best_scratch=pairs["best scratch"],
            deal_value=pairs["deal value"],
            best_deal_value=pairs["best deal value"],
            root_value=(pairs["root value 0"], pairs["root value 1"]),
            best_root_value=pairs["best root value"],
        )

    def arrays(self, number: int, player: int, first: int, stored: Mapping[str, Any]) -> int:
        """The address of the record of what a program reads and writes for a player, on boards from `first` on."""
        space, other = self.spaces[number], self.tree.rounds[number - 1].treeplexes[player] if number else None
        if other is None:
            above: dict[str, Any] = {"above": self.roots[player], "above_sequences": 1, "above_deal": self._zero}
        else:
            reach = self.spaces[number - 1].reach[player]
            deal = self.base.put(other.deal_sequence.astype(np.int32))
            above = {"above": reach, "above_sequences": other.roots + other.slots, "above_deal": deal}
        values = above | {
            "first": first,
            "reach": space.reach[player],
            "opposing": space.reach[1 - player],
            "ahead": space.ahead,
            "totals": space.totals,
            "deal_value": space.deal_value,
            "scratch": space.scratch,
            "root_value": space.root_value[player],
            "best_scratch": space.best_scratch,
            "best_root_value": space.best_root_value,
            "best_deal_value": space.best_deal_value,
        }
        kept = record(self.machine, ARRAYS, values | dict(stored))
        self.base.kept.append(kept)
        return self.machine.address(kept)

    def _at(self, thing: Any) -> int:
        return self.machine.address(thing)

    def wide(self, number: int, player: int) -> int:
        """The number of warps for the hands of a player on a board."""
        return -(-self.tree.rounds[number].hands[player].rows // (BLOCK * WIDE))

    def descend(self, number: int, player: int, arrays: int, boards: int, *, averaging: bool = False) -> None:
        """A player's reach on some boards, and the share of a step in the average strategy."""
        plex, seat = self._at(self.plexes[number][player]), self._at(self.base.seats[number][player])
        level = self._at(self.levels[number])
        self.launch("arrive", self.base.roots[number], boards, plex, seat, level, arrays)
        for first, nodes, _, _ in self.base.steps[number][player]:
            warps = self.wide(number, player) * nodes
            self.launch("descend", warps, boards, plex, seat, arrays, int(averaging), first, nodes)

    def ascend(self, name: str, number: int, player: int, arrays: int, boards: int, *, best: bool = False) -> None:
        """The values of a player's infosets on some boards, deepest first, by a program of this name, and of roots."""
        plex, seat = self._at(self.plexes[number][player]), self._at(self.base.seats[number][player])
        for first, nodes, first_slot, slots in reversed(self.base.steps[number][player]):
            self._gain(number, player, arrays, boards, (first_slot, slots), which=(0, 1) if best else (0,))
            self.launch(name, self.wide(number, player) * nodes, boards, plex, seat, arrays, first, nodes)
        roots = self.tree.rounds[number].treeplexes[player].slots, self.base.roots[number]
        self._gain(number, player, arrays, boards, roots, which=(0, 1) if best else (0,))

    def ascend_best(self, name: str, number: int, player: int, arrays: int, boards: int, how: int = 0) -> None:
        """The same for a best response alone, or by a program that takes a record of how, across boards."""
        plex, seat = self._at(self.plexes[number][player]), self._at(self.base.seats[number][player])
        for first, nodes, first_slot, slots in reversed(self.base.steps[number][player]):
            self._gain(number, player, arrays, boards, (first_slot, slots), which=(1,))
            if how:
                self.across(name, number, player, arrays, boards, how, (first, nodes))
            else:
                self.launch(name, self.wide(number, player) * nodes, boards, plex, seat, arrays, first, nodes)
        roots = self.tree.rounds[number].treeplexes[player].slots, self.base.roots[number]
        self._gain(number, player, arrays, boards, roots, which=(1,))

    def across(
        self, name: str, number: int, player: int, arrays: int, boards: int, how: int, infosets: tuple[int, int]
    ) -> None:
        """A program that takes the infosets of a depth (first, how many) one after another, each over all boards."""
        first, nodes = infosets
        plex, seat = self._at(self.plexes[number][player]), self._at(self.base.seats[number][player])
        warps = self.wide(number, player) * boards
        for start in range(0, nodes, MOST_BOARDS):
            count = min(MOST_BOARDS, nodes - start)
            self.launch(name, warps, count, plex, seat, arrays, how, first + start, boards)

    def _gain(
        self, number: int, player: int, arrays: int, boards: int, sequences: tuple[int, int], *, which: tuple[int, ...]
    ) -> None:
        """The values of some sequences: 0 of the strategy, 1 of a best response."""
        plexes, (first, count) = self.plexes[number], sequences
        places = (plexes[player], plexes[1 - player], self.base.seats[number][player], self.levels[number])
        warps = self.wide(number, player) * count
        for of_best in which:
            self.launch("gain", warps, boards, *map(self._at, places), arrays, first, count << 1 | of_best)

    def value_lanes(self, number: int, player: int, arrays: int, boards: int) -> None:
        """What hands of a player win against each sequence of the opponent, whose arrays these are."""
        other = 1 - player
        plex, lanes = self.plexes[number][other], len(self.base.lanes[number][other][0])
        self.sum_lanes(number, player, plex, lanes, arrays, boards)

    def sum_lanes(self, number: int, player: int, plex: Any, lanes: int, arrays: int, boards: int) -> None:
        """The same against the lanes of a record of the opponent's betting."""
        seats, level = self.base.seats[number], self.levels[number]
        lists = hand_lists(self.base, self.launch, level, number, 1 - player)
        shared = self.real.itemsize * (vector(self.real) * lists.vectors + team(self.real))
        places = map(self._at, (plex, seats[1 - player], seats[player], level))
        teams = -(-lanes // vector(self.real))
        self.launch("sum_lanes", teams, boards, *places, arrays, lists.address, shared=shared, team=team(self.real))

    def collect(self, number: int, player: int, *, best: bool = False) -> None:
        """The values of a round's roots as those of the deals of the round before; of the first one, the result."""
        space, roots = self.spaces[number], self.base.roots[number]
        if number:
            above = self.spaces[number - 1]
            to = above.best_deal_value if best else above.deal_value
            boards = len(self.tree.rounds[number - 1].boards)
        else:
            to, boards = self._at(self.result[int(best)]), 1
        warps = self.base.rows_above[number][player] // BLOCK * roots
        values = space.best_root_value if best else space.root_value[player]
        places = (self._at(self.levels[number]), self._at(self.base.seats[number][player]))
        self.launch("collect", warps, boards, *places, values, to, roots)


def space_counts(base: MachineTree, number: int, portion: int, without: tuple[str, ...] = ()) -> dict[str, int]:
    """How many numbers each workspace of a round has."""
    level, tokens = base.tree.rounds[number], base.tree.tokens
    boards = len(level.boards)
    at_once = min(portion, boards) if number == len(base.tree.rounds) - 1 else boards
    rows = [hands.rows for hands in level.hands]
    sequences = [plex.roots + plex.slots for plex in level.treeplexes]
    own = [at_once * rows[k] * sequences[k] for k in (0, 1)]
    lanes = base.lanes[number]
    ahead = max(at_once * rows[k] * lanes[1 - k][1] for k in (0, 1))
    totals = max(at_once * (len(lanes[k][0]) - lanes[k][2]) * (tokens + 1) for k in (0, 1))
    roots = [boards * base.roots[number] * rows[k] for k in (0, 1)]
    deals = boards * base.deals(number) * max(rows)
    slots = max(at_once * rows[k] * level.treeplexes[k].slots for k in (0, 1))
    counts = {"reach 0": own[0], "reach 1": own[1], "ahead": ahead, "totals": totals, "scratch": slots}
    counts |= {"best scratch": slots, "deal value": deals, "best deal value": deals}
    counts |= {"root value 0": roots[0], "root value 1": roots[1], "best root value": max(roots)}
    if not without:
        return counts
    counts |= {"reach 0": max(own), "reach 1": 0}  # one at a time
    return {name: 0 if name.startswith(without) else count for name, count in counts.items()}


def space_bytes(base: MachineTree, real: Any, portion: int, *, without: tuple[str, ...] = ()) -> int:
    """The bytes of all workspaces, with this many boards of the last round at once."""
    counts = [
        count
        for number in range(len(base.tree.rounds))
        for count in space_counts(base, number, portion, without).values()
    ]
    return sum(-(-count * np.dtype(real).itemsize // 256) * 256 for count in counts)


def largest_portion(base: MachineTree, real: Any, limit: float) -> int:
    """The most boards of the last round, in equal portions, whose workspaces fit; one board if none does."""
    boards = len(base.tree.rounds[-1].boards)
    parts = -(-boards // MOST_BOARDS)
    while parts < boards and space_bytes(base, real, -(-boards // parts)) > limit:
        parts = min(boards, parts + max(1, parts // 8))
    return -(-boards // parts)


def arena_for(base: MachineTree, reals: tuple[Any, ...], most: float, free: float) -> tuple[Arena, dict[Any, int]]:
    """An arena, and the portions of the last round in each type; TooLarge if not even one board of it fits."""
    portions = {real: largest_portion(base, real, min(most, SHARE_OF_FREE * free)) for real in reals}
    needed = max(space_bytes(base, real, portions[real]) for real in reals)
    if needed > LARGEST_SHARE * free:
        raise TooLarge(
            f"the card has {bytes_text(free)} left for what is computed on the way, and {bytes_text(needed)} are needed"
        )
    return Arena(base.machine, needed), portions


class MachineAssessor:
    """Values of average strategies and of best responses to them, in float64."""

    def __init__(self, walks: Walks, sums: list[list[Any]]) -> None:
        self.walks = walks
        self.held: dict[tuple[int, int], Any] = {}
        self._sums = sums
        self._addresses: dict[tuple[int, int, int, bool], int] = {}

    def hold(self, number: int, player: int, places: np.ndarray) -> None:
        """From now on a best response follows the given strategy at these offsets of a round."""
        machine, key = self.walks.machine, (number, player)
        held = np.zeros(self.walks.tree.stored(number, player), np.float32)
        if key in self.held:
            held = machine.host(self.held[key])
        held[places] = 1
        self.held[key] = machine.array(held)
        self._addresses.clear()

    def _arrays(self, number: int, player: int, first: int, *, responding: bool) -> int:
        key = (number, player, first, responding)
        if key not in self._addresses:
            stored = {"sums": self._sums[number][player]}
            if responding and (number, player) in self.held:
                stored["held"] = self.held[number, player]
            self._addresses[key] = self.walks.arrays(number, player, first, stored)
        return self._addresses[key]

    def hands(self, player: int) -> tuple[np.ndarray, np.ndarray]:
        """[hand of the player's range] The value of the strategies and of a best response, each times the weight of
        opposing hands."""
        walks, other = self.walks, 1 - player
        for number in range(walks.last):
            boards = len(walks.tree.rounds[number].boards)
            walks.descend(number, other, self._arrays(number, other, 0, responding=False), boards)
        for first, boards in walks.portions:
            walks.descend(walks.last, other, self._arrays(walks.last, other, first, responding=False), boards)
            self._respond(walks.last, player, first, boards)
        for number in range(walks.last - 1, -1, -1):
            for best in (False, True):
                walks.collect(number + 1, player, best=best)
            self._respond(number, player, 0, len(walks.tree.rounds[number].boards))
        for best in (False, True):
            walks.collect(0, player, best=best)
        count = int((walks.tree.weights[player] > 0).sum())
        value, best_value = (walks.machine.host(result)[:count] for result in walks.result)
        return value, best_value

    def _respond(self, number: int, player: int, first: int, boards: int) -> None:
        walks, other = self.walks, 1 - player
        walks.value_lanes(number, player, self._arrays(number, other, first, responding=False), boards)
        walks.ascend("respond", number, player, self._arrays(number, player, first, responding=True), boards, best=True)

    def totals(self, player: int) -> tuple[float, float]:
        """(value of the strategies, value of a best response) to a player."""
        tree = self.walks.tree
        weights = tree.weights[player][tree.weights[player] > 0]
        value, best = self.hands(player)
        return float(weights @ value) / tree.pairs, float(weights @ best) / tree.pairs
