"""The runs behind the paper: the game, the method, the length, and the outcome.

A run is one solver from start to end. Runs are independent and share the cores, one thread each. Long ones save
checkpoints in the store and resume from them, so a full rerun can be interrupted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import parallel, store
from pokerlab.errors import BadFile
from pokerlab.events import Event, Watch
from pokerlab.papers._goykhman.exact import (
    AMOUNTS,
    FLOP,
    VON_NEUMANN,
    Admissibility,
    Exact,
    Thresholds,
    WrongGenes,
    exact_of,
    form_of,
)
from pokerlab.reading import finite
from pokerlab.solvers.core.run import Run, Stop, restore, run
from pokerlab.solvers.evolve.genetic import SECTION_3, SECTION_6, GeneticSettings, GeneticSolver
from pokerlab.solvers.preflop.classes.sampled import SampledRegret

GENETIC, REGRET = "GA", "CFR"
METHODS = (GENETIC, REGRET)


@dataclass(frozen=True)
class Plan:
    """One run to make. The cost is an estimate in seconds, for the progress bar and to start long runs first."""

    game: str
    amounts: tuple[int, int]
    method: str
    seed: int
    iterations: int
    settings: GeneticSettings | None = None  # of the genetic algorithm
    label: str = ""
    keep: bool = False

    @property
    def games(self) -> int:
        """Games played (or deals visited)."""
        return self.iterations * (self.settings.games if self.settings else 1)

    @property
    def cost(self) -> float:
        """Seconds, roughly, on one core."""
        if self.settings and self.settings.exact:
            return self.iterations * self.settings.population * 8e-6
        return self.games / (80e6 if self.game == VON_NEUMANN else 15e6)


@dataclass(frozen=True, eq=False)
class Outcome:
    """The outcome of a run."""

    plan: Plan
    first: np.ndarray  # [hand] Player's strategy
    second: np.ndarray  # [hand] Dealer's
    seconds: float  # of CPU
    curve: np.ndarray  # [measure, 3]: games, seconds, exploitability in chips per hand
    history: np.ndarray  # [generation, 2]: mean fitness of the selected, for the genetic algorithm

    @property
    def exact(self) -> Exact:
        """The exact solution of its game."""
        return exact_of(self.plan.game, self.plan.amounts)

    @property
    def value(self) -> float:
        """What Player wins, in chips per hand."""
        return self.exact.game.value(self.first, self.second)

    @property
    def drift(self) -> float:
        """What an equilibrium Player wins in a generation of the genetic algorithm, as a share of the bankroll."""
        settings = self.plan.settings
        assert settings is not None
        return self.exact.solution.value * settings.rounds / settings.bankroll

    @property
    def exploitability(self) -> float:
        """Of the final strategies, in chips per hand."""
        return float(self.curve[-1, 2])

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds of von Neumann poker."""
        return self.exact.thresholds(self.first, self.second)

    @property
    def admissibility(self) -> Admissibility:
        """How close Dealer is to the admissible equilibrium."""
        return self.exact.admissibility(self.second)

    @property
    def wrong_genes(self) -> WrongGenes:
        """Hands decided to the wrong side."""
        return self.exact.wrong_genes(self.first, self.second)


def select(outcomes: Sequence[Outcome], game: str, amounts: tuple[int, int], method: str) -> list[Outcome]:
    """The outcomes of a game and a method, one per seed."""
    return [one for one in outcomes if (one.plan.game, one.plan.amounts, one.plan.method) == (game, amounts, method)]


def cases(outcomes: Sequence[Outcome], game: str) -> Iterator[tuple[Exact, dict[str, list[Outcome]]]]:
    """For each ante and bet of a game: the exact solution, and the outcomes of each method."""
    for amounts in AMOUNTS:
        yield exact_of(game, amounts), {method: select(outcomes, game, amounts, method) for method in METHODS}


@dataclass(frozen=True)
class RunScale:
    """The size of the runs."""

    numbers: GeneticSettings
    numbers_generations: int
    numbers_rounds: int  # of sampled regret matching
    flop: GeneticSettings
    flop_generations: int
    flop_rounds: tuple[int, int, int]  # by AMOUNTS
    keep: bool
    exact_generations: int = 400  # of the variants with expected scores
    exact_iterations: int = 2000  # of the CFR family over whole arrays


SMALL = RunScale(
    numbers=replace(SECTION_3, population=1000, rounds=1000, workers=1),
    numbers_generations=150,
    numbers_rounds=50_000_000,
    flop=replace(SECTION_6, population=500, rounds=1000, workers=1),
    flop_generations=150,
    flop_rounds=(15_000_000, 15_000_000, 5_000_000),
    keep=False,
)
QUICK = replace(
    SMALL,
    numbers=replace(SMALL.numbers, population=40, rounds=40),
    numbers_generations=6,
    numbers_rounds=20_000,
    flop=replace(SMALL.flop, population=40, rounds=40),
    flop_generations=6,
    flop_rounds=(10_000, 10_000, 10_000),
    exact_generations=3,
    exact_iterations=20,
)
FULL = RunScale(
    numbers=replace(SECTION_3, workers=1),
    numbers_generations=1000,
    numbers_rounds=10**10,
    flop=replace(SECTION_6, workers=1),
    flop_generations=1000,
    flop_rounds=(2 * 10**9, 2 * 10**9, 10**8),
    keep=True,
)


def plans_of(scale: RunScale, seeds: Sequence[int]) -> list[Plan]:
    """Every run of the paper at a scale: both games, both methods, all antes and bets, all seeds."""
    plans = []
    for seed in seeds:
        for amounts, flop_rounds in zip(AMOUNTS, scale.flop_rounds, strict=True):
            for game, method, iterations, settings in (
                (VON_NEUMANN, GENETIC, scale.numbers_generations, scale.numbers),
                (VON_NEUMANN, REGRET, scale.numbers_rounds, None),
                (FLOP, GENETIC, scale.flop_generations, scale.flop),
                (FLOP, REGRET, flop_rounds, None),
            ):
                plans.append(Plan(game, amounts, method, seed, iterations, settings, keep=scale.keep))
    return plans


def make(plans: Sequence[Plan], watch: Watch) -> list[Outcome]:
    """Make all runs, long ones first, on all cores; outcomes are in the order of the plans."""
    order = sorted(range(len(plans)), key=lambda place: -plans[place].cost)
    total = sum(plan.cost for plan in plans)
    done = dict.fromkeys(range(len(plans)), 0.0)

    def note(plan: Plan, share: float) -> None:
        done[plans.index(plan)] = share * plan.cost
        ante, bet = plan.amounts
        message = f"{plan.label or plan.method}, {plan.game}, ante {ante}, bet {bet}"
        watch.at(message, sum(done.values()), total)

    outcomes = {}
    with watch.interruptible() as watch:
        parts = replace(watch, on_progress=lambda event: note(event.payload, event.share or 0.0))
        made = parallel.spread(_make_one, [plans[place] for place in order], watch=parts)
        for place, outcome in zip(order, made, strict=True):
            outcomes[place] = outcome
            note(plans[place], 1.0)
    return [outcomes[place] for place in range(len(plans))]


def _make_one(plan: Plan, watch: Watch) -> Outcome:
    form = form_of(plan.game, plan.amounts)
    solver: Any = SampledRegret(form, seed=plan.seed)
    if plan.settings:
        solver = GeneticSolver(form, plan.settings, seed=plan.seed)
    path = _path(plan) if plan.keep else None
    curve, before = _restored(path, solver)
    began = time.thread_time()  # a run stays in its thread; other load on the machine does not count

    def spent() -> float:
        return before + time.thread_time() - began

    def report(event: Event) -> None:
        watch.at(
            "", event.done, plan.iterations, payload=plan
        )  # raises Cancelled: the run resumes from its last checkpoint
        if event.payload.fresh and event.payload.measure is not None:
            curve.append((solver.nodes_touched, spent(), event.payload.measure.exploitability))

    def keep(_: Run) -> None:
        assert path is not None
        arrays = solver.arrays() | {"curve": np.array(curve).reshape(-1, 3)}
        store.keep(path, arrays, kind="kept run", seconds=spent(), plan=repr(plan))

    if solver.iterations < plan.iterations:
        stop, saving = Stop(iterations=plan.iterations), keep if path else None
        run(solver, stop, on_progress=report, cancel=watch.cancel, checkpoint=saving)
    first, second = solver.acts
    history = np.array(solver.history).reshape(-1, 2) if plan.settings else np.zeros((0, 2))
    watch.at("", 1.0, payload=plan)
    return Outcome(plan, first, second, spent(), np.array(curve).reshape(-1, 3), history)


def _path(plan: Plan) -> Path:
    ante, bet = plan.amounts
    size = f"{plan.settings.population}x{plan.settings.rounds}" if plan.settings else f"{plan.iterations:.0e}"
    name = f"{plan.game}-{ante}-{bet}-{plan.method}-{size}-seed{plan.seed}".replace(" ", "-")
    return store.home() / "papers" / "goykhman" / f"{name}.safetensors"


def _restored(path: Path | None, solver: Any) -> tuple[list[tuple[float, float, float]], float]:
    """Resume a saved run, if there is one: its curve so far and its seconds."""
    if path is None:
        return [], 0.0
    try:
        saved = store.load(path, kind="kept run")
        restore(solver, saved.arrays)
        curve = [(float(row[0]), float(row[1]), float(row[2])) for row in saved.arrays["curve"]]
        return curve, finite(saved.manifest["seconds"])
    except (BadFile, KeyError, IndexError, TypeError, ValueError):  # damaged: the next checkpoint replaces it
        return [], 0.0
