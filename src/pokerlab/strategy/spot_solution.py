"""A solved spot: query it, walk it, keep it in a file, go on from there.

    solution = solve_spot("river.toml", target_percent=0.3)
    solution.at("bet 75", "call", "Td").strategy("AhKh")

A file holds the spot, how it was solved and measured, and the solver's whole state, so that resuming it gives the
very result of one long run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import registry, store
from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.spot_file import read_file, settings_of, spot_from
from pokerlab.games.poker.betting_tree import Deal, Node, Showdown
from pokerlab.games.spot.spot import Spot
from pokerlab.reading import count, finite, text_of
from pokerlab.solvers.public.assessor import Assessor
from pokerlab.solvers.public.solver import PublicSolver, check_storage
from pokerlab.solvers.run import (
    Curve,
    Measure,
    Progress,
    Run,
    Stop,
    curve_from,
    joined,
    measure_from,
    restore,
    run,
)
from pokerlab.strategy.spot_lock import Lock, lock_from, lock_settings, locked_hands, place_locks
from pokerlab.strategy.spot_view import SpotView
from pokerlab.tree.public.forecast import forecast
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.poker import public_tree
from pokerlab.tree.public.spot import spot_tree

KIND = "spot solution"
DEFAULT_ALGORITHM = "dcfr(gamma=4)"
DEFAULT_TARGET_PERCENT = 0.3
MEASURE_EVERY = 10
CHECKPOINT_SECONDS = 120.0


@dataclass(frozen=True, eq=False, repr=False)
class SpotSolution:
    """What a run found, and its measured distance from equilibrium."""

    spot: Spot
    solver: PublicSolver
    sums: list[list[np.ndarray]]  # [round][player]: strategies are in proportion to these
    measure: Measure
    algorithm: str
    iterations: int
    seconds: float
    stopped: str
    locks: tuple[Lock, ...] = ()
    curve: Curve = field(default_factory=list)
    _cache: dict[Any, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return (
            f"<SpotSolution: EV {self.values[0]:.3f} / {self.values[1]:.3f}, "
            f"exploitability {self.exploitability_percent:.3g} % of the pot, {self.iterations} iterations>"
        )

    @property
    def tree(self) -> PublicTree:
        """The spot in public form."""
        return self.solver.tree

    @property
    def values(self) -> tuple[float, float]:
        """EV of both players in chips of the pot; without rake they add up to it."""
        one, other = self.measure.values
        return self.spot.value_in_pot(one), self.spot.value_in_pot(other)

    @property
    def exploitability_percent(self) -> float:
        """What best responses gain on average over players, in percent of the pot."""
        return max(100 * self.measure.exploitability / self.spot.pot, 0.0)  # below zero by rounding only

    @property
    def root(self) -> SpotView:
        """The place where the spot starts; cards that must come at once are still to come."""
        weights = self.tree.weights
        nothing = (0.0, 0.0)
        return SpotView(
            self,
            self.tree.betting,
            self.spot.board,
            (),
            0,
            0,
            np.arange(52),
            (weights[0], weights[1]),
            nothing,
            nothing,
        )

    def at(self, *moves: str) -> SpotView:
        """The place after some moves: actions ("bet 75", "call") and cards ("Td")."""
        return self.root.at(*moves)

    # ---- values ----------------------------------------------------------------------------------------------------

    def sequence_values(self, view: SpotView, player: int) -> np.ndarray:
        """[hand, sequence] A player's values on the board of a view, times the opponent's reach of its round."""
        root = self.tree.places[view.node].root
        return self._on_board(self.solver.assessor, self.sums, view, player, root)

    def showdown_values(self, view: SpotView, player: int) -> np.ndarray:
        """[hand] The part of the pot that each hand wins without further betting, times the opponent's reach."""
        if "showdown" not in self._cache:
            node: Node = Showdown((1.0, 1.0), (0.0, 0.0))
            for _ in self.tree.rounds[1:]:
                node = Deal(node)
            assessor = Assessor(self.tree.with_betting(node), threads=self.solver.threads)
            empty = [[np.zeros(32, np.float32) for _ in (0, 1)] for _ in self.tree.rounds]
            self._cache["showdown"] = assessor, empty
        assessor, sums = self._cache["showdown"]
        return self._on_board(assessor, sums, view, player, 0, reach=view.reach[1 - player])[:, 0]

    def _on_board(
        self,
        assessor: Assessor,
        sums: list[list[np.ndarray]],
        view: SpotView,
        player: int,
        root: int,
        reach: np.ndarray | None = None,
    ) -> np.ndarray:
        reach = self._reach_of_round(view, 1 - player) if reach is None else reach
        key = (id(assessor), view.number, view.place, root, player, reach.tobytes())
        if key not in self._cache:
            if len(self._cache) > 64:
                self._cache.pop(next(name for name in self._cache if name != "showdown"))
            self._cache[key] = assessor.sequences(
                sums, player, number=view.number, board=view.place, root=root, reach=reach
            )
        return np.asarray(self._cache[key])

    def _reach_of_round(self, view: SpotView, player: int) -> np.ndarray:
        """[hand] A player's reach when the street of a view began."""
        before = self.root
        start = max((n + 1 for n, move in enumerate(view.moves) if move[0] in "23456789TJQKA"), default=0)
        return before.at(*view.moves[:start]).reach[player]

    # ---- best responses --------------------------------------------------------------------------------------------

    def best_response(self, player: int) -> SpotSolution:
        """The same spot with a player who exploits the other as much as can be: a best response to the other's play."""
        choice = [np.zeros(len(pair[player]), np.float32) for pair in self.sums]
        self.solver.assessor.hands(self.sums, player, choice)
        sums = [
            [choice[number] if seat == player else np.asarray(pair[seat], np.float32) for seat in (0, 1)]
            for number, pair in enumerate(self.sums)
        ]
        measure = self.solver.assessor.measure(sums)
        return replace(self, sums=sums, measure=measure, stopped="best response", _cache={})

    # ---- files -----------------------------------------------------------------------------------------------------

    def save(self, path: Path | str) -> Path:
        """Write the solution to one file."""
        return store.save(
            path,
            self.solver.arrays(),
            kind=KIND,
            spot=settings_of(self.spot),
            locks=[lock_settings(lock) for lock in self.locks],
            algorithm=self.algorithm,
            storage=self.solver.storage,
            iterations=self.iterations,
            seconds=self.seconds,
            values=list(self.measure.values),
            best_responses=list(self.measure.best_responses),
            exploitability_percent=self.exploitability_percent,
            stopped=self.stopped,
            curve=[list(point) for point in self.curve],
        )

    def summary(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        return {
            "board": settings_of(self.spot)["board"],
            "pot": self.spot.pot,
            "stack": self.spot.stack,
            "ev": list(self.values),
            "exploitability_percent": self.exploitability_percent,
            "exploitability": self.measure.exploitability,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "stopped": self.stopped,
            "algorithm": self.algorithm,
            "storage": self.solver.storage,
            "infosets": self.tree.infosets,
            "root": self.root.summary(),
        }


def open_spot(spot: Spot | Mapping[str, Any] | Path | str) -> tuple[Spot, tuple[Lock, ...]]:
    """A spot and its locks from a file's name, a table of settings, or a spot itself."""
    if isinstance(spot, Spot):
        return spot, ()
    settings = dict(spot) if isinstance(spot, Mapping) else read_file(spot)
    locks = settings.pop("lock", [])
    if not isinstance(locks, Sequence) or isinstance(locks, str):
        raise BadSetting("lock is a list of tables, written [[lock]]")
    return spot_from(settings), tuple(lock_from(item) for item in locks)


def solve_spot(
    spot: Spot | Mapping[str, Any] | Path | str,
    *,
    target_percent: float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    algorithm: str = DEFAULT_ALGORITHM,
    threads: int = 1,
    storage: str = "float32",
    locks: Sequence[Lock] = (),
    on_progress: Callable[[Progress], None] | None = None,
    measure_every: int = MEASURE_EVERY,
    save: Path | str | None = None,
) -> SpotSolution:
    """Solve a spot until an exploitability in percent of the pot (default 0.3), iterations or seconds."""
    opened, own = open_spot(spot)
    symmetric, alike = locked_hands((*own, *locks))
    check_storage(storage)
    forecast(opened, storage=storage, symmetric=symmetric, alike=alike).check()
    solver = solver_for(opened, (*own, *locks), algorithm=algorithm, threads=threads, storage=storage)
    stop = stopping(opened, target_percent=target_percent, iterations=iterations, seconds=seconds)
    return _run(opened, solver, algorithm, stop, (*own, *locks), None, on_progress, measure_every, save)


def resume_spot(
    path: Path | str,
    *,
    target_percent: float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
    measure_every: int = MEASURE_EVERY,
    save: Path | str | None = None,
) -> SpotSolution:
    """Go on from a saved solution; iterations count from the start of the first run, seconds from now."""
    earlier = load_spot(path, threads=threads)
    stop = stopping(earlier.spot, target_percent=target_percent, iterations=iterations, seconds=seconds)
    return resumed(earlier, stop, on_progress=on_progress, measure_every=measure_every, save=save or path)


def resumed(
    earlier: SpotSolution,
    stop: Stop,
    *,
    on_progress: Callable[[Progress], None] | None = None,
    measure_every: int = MEASURE_EVERY,
    save: Path | str | None = None,
) -> SpotSolution:
    """A solution solved further, by its own solver; at its target already, it is measured and no more."""
    if stop.target is not None and earlier.measure.exploitability <= stop.target:
        stop = replace(stop, iterations=earlier.iterations)
    return _run(
        earlier.spot,
        earlier.solver,
        earlier.algorithm,
        stop,
        earlier.locks,
        earlier,
        on_progress,
        measure_every,
        save,
    )


def load_spot(path: Path | str, *, threads: int = 1) -> SpotSolution:
    """The solution in a file; BadFile says what is wrong with a missing, damaged or foreign one."""
    kept = store.load(path, kind=KIND)
    words = kept.manifest
    try:
        spot = spot_from(words["spot"])
        locks = tuple(lock_from(item) for item in words["locks"])
        algorithm, storage = text_of(words["algorithm"]), text_of(words["storage"])
        measure = measure_from(words, 2)
        numbers = count(words["iterations"]), finite(words["seconds"]), text_of(words["stopped"])
        curve = curve_from(words)
    except (KeyError, TypeError, ValueError) as problem:
        raise BadFile(f"{path} is damaged: its manifest does not say how the spot was solved") from problem
    _check_size(spot, storage, locks, kept)
    solver = solver_for(spot, locks, algorithm=algorithm, threads=threads, storage=storage)
    restore(solver, kept.arrays)
    return SpotSolution(spot, solver, solver.average, measure, algorithm, *numbers, locks, curve)


def _check_size(spot: Spot, storage: str, locks: tuple[Lock, ...], kept: store.Kept) -> None:
    """Before anything is laid out: TooLarge where the spot does not fit, BadFile where the file is of another."""
    check_storage(storage)
    symmetric, alike = locked_hands(locks)
    size = forecast(spot, storage=storage, symmetric=symmetric, alike=alike)
    size.check()
    stored = sum(array.size for name, array in kept.arrays.items() if re.fullmatch(r"regret_\d_\d", name))
    if stored != size.slots:
        raise BadFile(f"{kept.path} is damaged: it holds {stored:,} numbers of regret, and its spot has {size.slots:,}")


def fresh_solver(solution: SpotSolution) -> PublicSolver:
    """The solver of a solution as it was before its first iteration."""
    return solver_for(
        solution.spot,
        solution.locks,
        algorithm=solution.algorithm,
        threads=solution.solver.threads,
        storage=solution.solver.storage,
    )


def stopping(spot: Spot, *, target_percent: float | None, iterations: int | None, seconds: float | None) -> Stop:
    """When to stop; at the default target when nothing is said."""
    if target_percent is None and iterations is None and seconds is None:
        target_percent = DEFAULT_TARGET_PERCENT
    target = None if target_percent is None else target_percent * spot.pot / 100
    return Stop(iterations=iterations, seconds=seconds, target=target)


def solver_for(spot: Spot, locks: tuple[Lock, ...], *, algorithm: str, threads: int, storage: str) -> PublicSolver:
    """A solver of a spot at its start, its locks in place."""
    method = registry.load("algorithms", algorithm)
    if method.schedule is None:
        raise BadSetting(f"{algorithm} has no schedule, and spots are solved by the CFR family: dcfr, cfr+, pcfr+ ...")
    symmetric, alike = locked_hands(locks)
    solver = PublicSolver(
        spot_tree(spot, symmetric=symmetric, alike=alike), method.schedule, threads=threads, storage=storage
    )
    place_locks(solver, locks)
    return solver


def _run(
    spot: Spot,
    solver: PublicSolver,
    algorithm: str,
    stop: Stop,
    locks: tuple[Lock, ...],
    earlier: SpotSolution | None,
    on_progress: Callable[[Progress], None] | None,
    measure_every: int,
    save: Path | str | None,
) -> SpotSolution:
    spent = earlier.seconds if earlier else 0.0
    curve = earlier.curve if earlier else []

    def solution(state: Run) -> SpotSolution:
        assert state.last.measure is not None
        return SpotSolution(
            spot,
            solver,
            solver.average,
            state.last.measure,
            algorithm,
            solver.iterations,
            spent + state.last.seconds,
            state.stopped,
            locks,
            joined(curve, spent, state.curve),
        )

    def checkpoint(state: Run) -> None:
        assert save is not None
        solution(state).save(save)

    compile_for(solver)
    done = run(
        solver,
        stop,
        on_progress=on_progress,
        measure_every=measure_every,
        checkpoint=None if save is None else checkpoint,
        checkpoint_seconds=CHECKPOINT_SECONDS,
    )
    return solution(done)


def compile_for(solver: PublicSolver) -> None:
    """Run a solver's schedule for a moment on a tiny game, so that its kernels are compiled before a clock starts."""
    tiny = public_tree(registry.load("games", "leduc" if solver.last_round else "kuhn"))
    other = PublicSolver(tiny, solver.schedule, storage=solver.storage)
    other.advance(1)
    other.measure()
