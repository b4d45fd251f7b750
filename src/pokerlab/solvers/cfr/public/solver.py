"""Scheduled CFR over a public tree: every hand of both players at every node of every board, each step.

A step walks the rounds: down, a player's reach of every deal; in the last round, values of all terminal nodes at once;
up, values and regrets (_kernels/rounds.py). Regret and average strategy are stored as float32, or as int16 with a scale
at half the memory; measures are computed in float64.

Where a board represents several, suit-isomorphic hands must play the same (tree/public/profiles.py). Rounding would
separate them, among tied actions by any amount, so they copy the numbers of the first of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.cfr.public._kernels import rounds
from pokerlab.solvers.cfr.public._kernels.restricted import ModelConstraint
from pokerlab.solvers.cfr.public.locks import Locks
from pokerlab.solvers.cfr.public.weights import reweighted
from pokerlab.solvers.core.schedule import PREDICTION, Schedule
from pokerlab.tree.measure import Measure
from pokerlab.tree.public._kernels.memory import Moves, Portions, Store
from pokerlab.tree.public.assessor import Assessor
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.profiles import Followers, is_folded
from pokerlab.tree.public.walk import Tiles, Walk, Workspace, empty_store
from pokerlab.tree.resources import Resources

STORAGE: dict[str, Any] = {"float32": np.float32, "int16": np.int16}
ONE, OTHER, BOTH = 1, 2, 3  # who updates
SHARED_EVERY = 16  # iterations: equivalent hands share regrets in all rounds; before the last, which is large, always


class PublicSolver(Walk):
    """Runs a schedule over a public tree; see run.Solver."""

    nodes_touched = 0  # not counted: each step visits every hand at every node of every board

    def __init__(self, tree: PublicTree, schedule: Schedule, *, threads: int = 1, storage: str = "float32") -> None:
        Resources(threads, storage).check("public")
        predictive = bool((schedule.table(1, 3)[:, PREDICTION] > 0).any())
        if predictive and storage == "int16":
            raise BadSetting(f"{schedule.name} predicts from the last step, which int16 does not store; use float32")
        self.form, self.schedule, self.storage = tree, schedule, storage
        self.iterations = 0
        self.stores: list[tuple[Store, ...]] = [
            tuple(empty_store(level, player, dtype=STORAGE[storage], predictive=predictive) for player in (0, 1))
            for level in tree.rounds
        ]
        self.walked = self.stores  # what a walk plays, and what it adds to if its player updates
        self._weight = 1.0  # the stored sums of the average are those of the schedule, times this
        self._moves = Moves(np.zeros(1, np.int64), np.zeros((1, 6)))  # of the next walk
        self._assessor: Assessor | None = None
        self._locks = Locks()
        super().__init__(tree, dtype=np.float32, threads=threads)
        self._waste = [np.zeros_like(root) for root in self.roots]

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The average strategies, as sums that they are proportional to."""
        self._share_averages()
        return {
            self.tree.packed_name(number, player): sums
            for number, pair in enumerate(self.average)
            for player, sums in enumerate(pair)
        }

    @property
    def average(self) -> list[list[np.ndarray]]:
        """[round][player] The sum of the strategies over steps, proportional to the average strategy."""
        return [[store.average for store in pair] for pair in self.stores]

    def advance(self, iterations: int) -> None:
        fused = not self.last_round and not self._locks  # whether one call of a kernel runs many steps
        at_once = max(iterations, 1) if fused else 1
        for _ in range(0, iterations, at_once):
            table = self._table(at_once)
            if self.schedule.alternating:
                moves, steps = np.tile([ONE, OTHER], at_once), np.repeat(table, 2, axis=0)
            else:
                moves, steps = np.full(at_once, BOTH), table
            portion = len(moves) if fused else 1
            for first in range(0, len(moves), portion):
                self.prepare(moves[first : first + portion], steps[first : first + portion])
                self.walk(self.roots, self._waste)
                self._share_regrets()
                self._keep_locks()
            self.iterations += at_once

    def prepare(self, moves: np.ndarray, steps: np.ndarray) -> None:
        """Set who updates in the next walk, and the steps of the schedule.  # [step] ONE, OTHER or BOTH, [step, 6]"""
        self._moves = Moves(moves, steps)
        self.carried = {ONE: (0,), OTHER: (1,), BOTH: (0, 1)}[int(moves[0])]

    @cached_property
    def _followers(self) -> list[Followers]:
        """Of each player, if boards represent others."""
        return [Followers(self.tree, player) for player in (0, 1)] if is_folded(self.tree) else []

    def _share_regrets(self) -> None:
        """Let equivalent hands of the players who have updated play the same in the next walk."""
        whole = (self.iterations + 1) % SHARED_EVERY == 0
        upper = self.last_round if self.storage == "float32" else 0  # integers need a common unit first
        for player in self.carried if self._followers else ():
            for number in range(len(self.stores) if whole else upper):
                store, followers = self.stores[number][player], self._followers[player]
                followers.share_numbers(number, store.regret, units=store.regret_scale)
                if len(store.last) == len(store.regret):
                    followers.share_numbers(number, store.last)

    def _share_averages(self) -> None:
        """Let the average strategies of equivalent hands be the same; the first of them never reads those of others."""
        if not self._followers:
            return
        for player, followers in enumerate(self._followers):
            for number, pair in enumerate(self.stores):
                followers.share_numbers(number, pair[player].average, units=pair[player].average_scale)
        self._keep_locks()

    def lock(self, number: int, player: int, *, places: np.ndarray, frequencies: np.ndarray) -> None:
        """Lock a player's strategy: the stored numbers at these offsets of a round keep these proportions.

        Measures then refer to the game with the lock: a best response respects it too. If two locks overlap,
        the later one holds.
        """
        self._locks.add(number, player, places, frequencies, self.storage)
        self.assessor.hold(number, player, places)
        self._keep_locks()

    def _keep_locks(self) -> None:
        for number, player, places, frequencies in self._locks:
            store = self.stores[number][player]
            store.regret[places] = frequencies
            store.average[places] = frequencies
            if len(store.last) == len(store.regret):
                store.last[places] = 0

    def keeps_locks(self) -> bool:
        """Whether the average respects the locks; that of a restored state may not."""
        return all(
            np.array_equal(self.stores[number][player].average[places], frequencies)
            for number, player, places, frequencies in self._locks
        )

    def _table(self, iterations: int) -> np.ndarray:
        """The numbers of the next steps [step, 6]."""
        table = self.schedule.table(self.iterations + 1, iterations)
        self._weight = reweighted(table, self._weight)
        return table

    def measure(self) -> Measure:
        """Value and best-response value of each player under the average strategies, in float64."""
        self._share_averages()
        return self.assessor.measure(self.average)

    @property
    def assessor(self) -> Assessor:
        """The evaluator of strategies over this tree."""
        if self._assessor is None:
            self._assessor = Assessor(self.tree, threads=self.threads)
        return self._assessor

    def arrays(self) -> dict[str, np.ndarray]:
        self._share_averages()
        stores = [(f"{number}_{player}", pair[player]) for number, pair in enumerate(self.stores) for player in (0, 1)]
        own = {f"{name}_{place}": array for place, store in stores for name, array in store._asdict().items()}
        return {"state": np.array([self.iterations, self._weight])} | own

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        for name, array in self.arrays().items():
            array[:] = arrays[name]
        self.iterations, self._weight = int(arrays["state"][0]), float(arrays["state"][1])

    def deals(self, number: int, space: Workspace) -> Tiles:
        return [side.tiles.deals for side in space.sides[number]]

    def action_value(self, number: int, space: Workspace) -> Tiles:
        return [side.tiles.action_value for side in space.sides[number]]

    def hold(self, number: int, space: Workspace) -> ModelConstraint | None:
        """The player who is held to a model in a round, in restricted games."""
        return None

    def boards(self, number: int, portions: Portions, from_above: Tiles, to_above: Tiles, space: Workspace) -> None:
        rounds.advance_portions(
            portions,
            self._moves,
            space.levels[number],
            space.sides[number],
            self.walked[number],
            tuple(from_above),
            tuple(to_above),
            space.scratch[number],
            self.hold(number, space),
        )
