"""Scheduled CFR over a public tree on a graphics card: the steps of solver.py, a round at a time over all boards.

The stored numbers are those of the CPU's solver, in the same order, so that a run is resumed on either. An iteration is
recorded once and launched as a whole; nothing returns to the computer before it ends. Regrets are computed in float32
and measures in float64. Sums are in a fixed order, so that equal runs end equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.cfr.public.locks import Locks
from pokerlab.solvers.cfr.public.weights import reweighted
from pokerlab.solvers.core.schedule import PREDICTION, Schedule
from pokerlab.tree.machines import Machine
from pokerlab.tree.measure import Measure
from pokerlab.tree.public.assessor import measure_of
from pokerlab.tree.public.boards import BLOCK
from pokerlab.tree.public.card_memory import check_card_memory
from pokerlab.tree.public.cuda.records import MachineTree
from pokerlab.tree.public.cuda.walk import (
    MOST_ARENA,
    SOURCES,
    MachineAssessor,
    Walks,
    arena_for,
    macros,
)
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.profiles import equivalent_rows, is_folded

STORAGE: dict[str, Any] = {"float32": np.float32, "int16": np.int16}
LEARNING = [*SOURCES, Path(__file__).with_name("learn.cu")]
BYTES = {"float32": 8, "int16": 4}  # of a slot: regret and average
SHARED_EVERY = 16  # iterations, as on the CPU
STEP = 6  # numbers of a schedule


class CudaPublicSolver:
    """Runs a schedule over a public tree on a machine; see run.Solver."""

    nodes_touched = 0  # not counted: each step visits every hand at every node of every board

    def __init__(
        self,
        tree: PublicTree,
        schedule: Schedule,
        *,
        machine: Machine,
        storage: str = "float32",
        most_arena: float = MOST_ARENA,
    ) -> None:
        predictive = bool((schedule.table(1, 3)[:, PREDICTION] > 0).any())
        if predictive and storage == "int16":
            raise BadSetting(f"{schedule.name} predicts from the last step, which int16 does not store; use float32")
        check_card_memory(tree.slots * (BYTES[storage] + 4 * predictive), machine.free_bytes())
        self.form, self.tree, self.schedule, self.storage, self.machine = tree, tree, schedule, storage, machine
        self.iterations, self._weight = 0, 1.0
        self._locks, self._placed = Locks(), list[tuple[Any, Any, Any, int]]()
        kind = STORAGE[storage]
        self._stores = [[self._store(number, player, kind, predictive) for player in (0, 1)] for number in self._rounds]
        self._base = MachineTree(machine, tree)
        reals = (np.float32, np.float64)
        self._arena, portions = arena_for(self._base, reals, most_arena, machine.free_bytes())
        self._launch = machine.program(LEARNING, **macros(np.float32, kind) | {"LEARNS": "1"})
        shared: dict[str, Any] = {"base": self._base, "arena": self._arena, "storage": kind}
        self._walks = Walks(real=np.float32, launch=self._launch, portion=portions[np.float32], **shared)
        launch = machine.program(SOURCES, **macros(np.float64, kind))
        assessing = Walks(real=np.float64, launch=launch, portion=portions[np.float64], **shared)
        self.assessor = MachineAssessor(assessing, [[store["average"] for store in pair] for pair in self._stores])
        self._steps = machine.zeros(2 * STEP, np.float64)  # this iteration's and the next one's
        self._addresses: dict[tuple[int, int, int, bool], int] = {}
        self._followers = [self._first_rows(player) for player in (0, 1)] if is_folded(tree) else []
        self._recorded: dict[tuple[bool, bool], Callable[[], None] | None] = {}
        self._fetched: dict[tuple[int, int], np.ndarray] = {}  # averages, as they are until the next iteration

    @property
    def _rounds(self) -> range:
        return range(len(self.tree.rounds))

    def _store(self, number: int, player: int, kind: Any, predictive: bool) -> dict[str, Any]:
        """A player's numbers in a round, by the names that files have."""
        level, count = self.tree.rounds[number], self.tree.stored(number, player)
        blocks = len(level.boards) * level.hands[player].rows // BLOCK
        units = blocks * level.treeplexes[player].nodes if np.dtype(kind).kind == "i" else 1
        counts = {"regret": count, "average": count, "last": count if predictive else BLOCK}
        kinds = {"regret": kind, "average": kind}
        counts |= {"regret_scale": units, "average_scale": units}
        self._lengths = getattr(self, "_lengths", {}) | {(number, player): counts}
        return {name: self.machine.zeros(size, kinds.get(name, np.float32)) for name, size in counts.items()}

    # ---- steps -------------------------------------------------------------------------------------------------------

    def advance(self, iterations: int) -> None:
        self._fetched.clear()
        table = self.schedule.table(self.iterations + 1, iterations)
        self._weight = reweighted(table, self._weight)
        steps = self.machine.array(np.concatenate([table, table[-1:]]).reshape(-1))
        for number in range(iterations):
            self._steps[:] = steps[STEP * number : STEP * (number + 2)]
            if number == 0 and self.schedule.alternating:
                self._descend_all(0)
            whole = (self.iterations + 1) % SHARED_EVERY == 0
            self._iterate(whole=whole and bool(self._followers), last=number == iterations - 1)
            self.iterations += 1
        self.machine.wait()

    def _iterate(self, *, whole: bool, last: bool) -> None:
        """One iteration: the first of its kind is run launch by launch, the second is recorded, the others replayed."""

        def work() -> None:
            for players in ((0,), (1,)) if self.schedule.alternating else ((0, 1),):
                self._walk(players, last=last)
                self._share_regrets(players, whole=whole)
                self._keep_locks()

        if (whole, last) not in self._recorded:
            self._recorded[whole, last] = None
            work()
            return
        again = self._recorded[whole, last] or self.machine.repeatable(work)
        self._recorded[whole, last] = again
        again()

    def _descend_all(self, player: int) -> None:
        """Add a step of a player to the average strategy."""
        for number in self._rounds:
            for first, boards in self._portions(number):
                self._descend(number, player, first, boards)

    def _portions(self, number: int) -> list[tuple[int, int]]:
        """Which boards of a round are processed at once."""
        walks = self._walks
        return walks.portions if number == walks.last else [(0, len(self.tree.rounds[number].boards))]

    def _walk(self, players: tuple[int, ...], *, last: bool) -> None:
        """A step of some players, given the reach of those who play against them.

        If they take turns, the one who does not learn plays the strategy that is added to its average: player 0 after
        it has learned, so that this is its share in the next iteration. Before the first one it is added on its own.
        """
        descending = (0, 1) if len(players) == 2 else (1 - players[0],)
        upcoming = players == (1,)
        for number in self._rounds:
            for first, boards in self._portions(number):
                for player in descending:
                    averaging = not (upcoming and last)
                    self._descend(number, player, first, boards, averaging=averaging, upcoming=upcoming)
                if number == self._walks.last:
                    for player in players:
                        self._learn(number, player, first, boards)
        for player in players:
            for number in range(self._walks.last - 1, -1, -1):
                self._walks.collect(number + 1, player)
                self._learn(number, player, 0, len(self.tree.rounds[number].boards))

    def _descend(
        self, number: int, player: int, first: int, boards: int, *, averaging: bool = True, upcoming: bool = False
    ) -> None:
        arrays = self._arrays(number, player, first, upcoming=upcoming)
        self._walks.descend(number, player, arrays, boards, averaging=averaging)

    def _learn(self, number: int, player: int, first: int, boards: int) -> None:
        walks, arrays = self._walks, self._arrays(number, player, first)
        walks.value_lanes(number, player, self._arrays(number, 1 - player, first), boards)
        walks.ascend("learn", number, player, arrays, boards)

    def _arrays(self, number: int, player: int, first: int, *, upcoming: bool = False) -> int:
        """The record of a player's arrays, with this step of the schedule or the next one."""
        key = (number, player, first, upcoming)
        if key not in self._addresses:
            store, step = self._stores[number][player], self.machine.address(self._steps)
            stored = {"sums": store["regret"], "step": step + upcoming * STEP * np.dtype(np.float64).itemsize} | {
                name: store[name] for name in ("last", "average", "regret_scale", "average_scale")
            }
            self._addresses[key] = self._walks.arrays(number, player, first, stored)
        return self._addresses[key]

    # ---- suit-isomorphic hands and locks -----------------------------------------------------------------------------

    def _first_rows(self, player: int) -> list[tuple[Any, Any, int]]:
        """[round] The first equivalent row of each row, the boards that have others, and their number."""
        levels = []
        for firsts in equivalent_rows(self.tree, player):
            boards = np.flatnonzero((firsts != np.arange(firsts.shape[1])).any(axis=1)).astype(np.int32)
            levels.append((self.machine.array(firsts.astype(np.int16)), self.machine.array(boards), len(boards)))
        return levels

    def _follow(self, number: int, player: int, name: str) -> None:
        """Equivalent hands take the numbers of the first of them."""
        level, store = self.tree.rounds[number], self._stores[number][player]
        first_row, boards, count = self._followers[player][number]
        plex, blocks = level.treeplexes[player], level.hands[player].rows // BLOCK
        if not count or not plex.slots:
            return
        at = self.machine.address
        if self.storage == "int16":
            units, record = store[f"{name}_scale"], self._walks.plexes[number][player]
            places = (at(boards), at(record), at(store[name]), at(units))
            self._launch("share_units", plex.nodes, count, *places, blocks)
        self._launch("follow", blocks, len(level.boards), at(first_row), at(store[name]), plex.slots, blocks)

    def _share_regrets(self, players: tuple[int, ...], *, whole: bool) -> None:
        upper = self._walks.last if self.storage == "float32" else 0
        for player in players if self._followers else ():
            for number in range(len(self._stores) if whole else upper):
                self._follow(number, player, "regret")
                if self._lengths[number, player]["last"] > BLOCK:
                    self._follow(number, player, "last")

    def _share_averages(self) -> None:
        for player in (0, 1) if self._followers else ():
            for number in self._rounds:
                self._follow(number, player, "average")
        self._keep_locks()

    def lock(self, number: int, player: int, *, places: np.ndarray, frequencies: np.ndarray) -> None:
        """Lock a player's strategy; see PublicSolver.lock."""
        self._fetched.clear()
        self._locks.add(number, player, places, frequencies, self.storage)
        self._placed = [
            (self._stores[lock.number][lock.player], *map(self.machine.array, lock[2:]), len(lock.places))
            for lock in self._locks
        ]
        self._recorded.clear()
        self.assessor.hold(number, player, places)
        self._keep_locks()

    def _keep_locks(self) -> None:
        at = self.machine.address
        for store, places, numbers, count in self._placed:
            for name in ("regret", "average"):
                self._launch("keep", -(-count // 32), 1, at(places), at(numbers), at(store[name]), count)
            if len(store["last"]) > BLOCK:
                self._launch("keep", -(-count // 32), 1, at(places), 0, at(store["last"]), count)

    def keeps_locks(self) -> bool:
        """Whether the average respects the locks; that of a restored state may not."""
        return all(
            np.array_equal(
                self.machine.host(self._stores[lock.number][lock.player]["average"])[lock.places], lock.stored
            )
            for lock in self._locks
        )

    # ---- what is asked of solvers ------------------------------------------------------------------------------------

    def measure(self) -> Measure:
        """Value and best-response value of each player under the average strategies, in float64."""
        self._share_averages()
        return measure_of(self.tree, [self.assessor.totals(player) for player in (0, 1)])

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The average strategies, as sums that they are proportional to."""
        self._share_averages()
        return {
            self.tree.packed_name(number, player): self._host(number, player, "average")
            for number in self._rounds
            for player in (0, 1)
        }

    def _host(self, number: int, player: int, name: str) -> np.ndarray:
        if name == "average" and (number, player) in self._fetched:
            return self._fetched[number, player]
        array = self.machine.host(self._stores[number][player][name])[: self._lengths[number, player][name]]
        if name == "average":
            self._fetched[number, player] = array
        return array

    def arrays(self) -> dict[str, np.ndarray]:
        self._share_averages()
        names = self._stores[0][0]
        own = {
            f"{name}_{number}_{player}": self._host(number, player, name)
            for number in self._rounds
            for player in (0, 1)
            for name in names
        }
        return {"state": np.array([self.iterations, self._weight])} | own

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._fetched.clear()
        for number in self._rounds:
            for player in (0, 1):
                for name, own in self._stores[number][player].items():
                    values = np.asarray(arrays[f"{name}_{number}_{player}"])
                    if len(values):
                        own[: len(values)] = self.machine.array(values)
        self.iterations, self._weight = int(arrays["state"][0]), float(arrays["state"][1])
