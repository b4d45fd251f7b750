"""Three players to the end of a tournament: solved round by round, saved, resumed, compared with the chip model."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import parallel, store
from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.events import SILENT, Cancelled, CancelToken, Event, OnProgress, Watch
from pokerlab.lab.tournament.endgame import SEATS, WORST, Setting, checked_setting, class_weights
from pokerlab.reading import count, finite, text_of
from pokerlab.solvers.core.run import Stop, run
from pokerlab.solvers.stochastic.heads_up import solve_heads_up
from pokerlab.solvers.stochastic.iteration import Mixing, Round
from pokerlab.solvers.stochastic.three_players import ThreeHanded
from pokerlab.solvers.stochastic.three_solver import ThreeHandedSolver
from pokerlab.strategy.files.solution_file import OF_A_TOURNAMENT
from pokerlab.tree.pushes.three import three_cards

DECISIONS = (
    "button pushes",
    "small blind calls the button",
    "small blind pushes",
    "big blind calls the button",
    "big blind calls the small blind",
    "big blind calls both",
)
SECONDS_A_STATE = 0.1  # of one core, in a round of 200 iterations
USUAL_ROUNDS = 8


@dataclass(frozen=True, eq=False)
class ThreePlayers:
    """A tournament of three players after some rounds."""

    setting: Setting
    method: str
    iterations: int  # of fictitious play a round
    step: float  # damping factor
    memory: int  # earlier rounds that values are mixed with
    rounds: tuple[Round, ...]
    states: np.ndarray  # [state, 3] chips of button, small and big blind
    values: np.ndarray  # [state, 3] of the strategies, to the end
    gains: np.ndarray  # [state, 3] gain of a best response to the end
    chip_model: np.ndarray  # [state, 3]
    profile: np.ndarray  # [state, 6, 169]
    seconds: float
    interrupted: bool = False

    @property
    def epsilon_percent(self) -> float:
        """The largest gain of a best response, in percent of the entry fee."""
        return 100 * float(self.gains.max()) / self.setting.entry_fee

    @cached_property
    def errors(self) -> np.ndarray:
        """The chip model minus the computed values, in percent of the entry fee: [state, 3]."""
        return np.asarray(100 * (self.chip_model - self.values) / self.setting.entry_fee)

    def index(self, stacks: tuple[int, int, int]) -> int:
        """The number of the state with these chips; BadSetting if there is none."""
        numbers = np.flatnonzero((self.states == np.array(stacks)).all(1))
        if not len(numbers):
            raise BadSetting(
                f"{stacks[0]},{stacks[1]},{stacks[2]} is not a state: chips of button, small and big blind are "
                f"multiples of {self.setting.unit} and sum to {self.setting.chips}"
            )
        return int(numbers[0])

    def state_dict(self, state: int) -> dict[str, Any]:
        """One state, seat by seat and decision by decision."""
        weights = class_weights()
        return {
            "stacks": self.states[state],
            "values": self.values[state],
            "chip_model": self.chip_model[state],
            "errors_percent": self.errors[state],
            "gains_percent": 100 * self.gains[state] / self.setting.entry_fee,
            "played": {name: float(weights @ self.profile[state, number]) for number, name in enumerate(DECISIONS)},
        }

    def worst(self, most: int = WORST) -> list[tuple[int, int]]:
        """The states and seats with the largest errors of the chip model."""
        order = np.argsort(-np.abs(self.errors).reshape(-1), kind="stable")[:most]
        return [divmod(int(place), 3) for place in order]

    def columns(self) -> dict[str, np.ndarray]:
        """A row for each state."""
        columns: dict[str, np.ndarray] = {}
        for seat, name in enumerate(SEATS[3]):
            key = name.replace(" ", "_")
            columns |= {f"{key}_chips": self.states[:, seat], f"{key}_value": self.values[:, seat]}
            columns |= {f"{key}_chip_model": self.chip_model[:, seat]}
            columns |= {f"{key}_gain_percent": 100 * self.gains[:, seat] / self.setting.entry_fee}
        for number, name in enumerate(DECISIONS):
            columns[name.replace(" ", "_")] = self.profile[:, number] @ class_weights()
        return columns

    def as_dict(self, at: int | None = None) -> dict[str, Any]:
        """Everything except the strategies of every state, for JSON."""
        size = np.abs(self.errors)
        return self.setting.as_dict() | {
            "players": 3,
            "states": len(self.states),
            "method": self.method,
            "iterations": self.iterations,
            "step": self.step,
            "memory": self.memory,
            "rounds": len(self.rounds),
            "changes": [one.change for one in self.rounds],
            "epsilons_percent": [100 * one.epsilon / self.setting.entry_fee for one in self.rounds],
            "epsilon_percent": self.epsilon_percent,
            "chip_model_mean_error_percent": float(size.mean()),
            "chip_model_largest_error_percent": float(size.max()),
            "worst": [self.state_dict(state) | {"seat": SEATS[3][seat]} for state, seat in self.worst()],
            "at": None if at is None else self.state_dict(at),
            "interrupted": self.interrupted,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class Plan:
    """How a tournament is solved."""

    method: str = "policy"
    iterations: int = 200
    step: float | None = None  # damping factor; None: 1, or that of the saved run
    memory: int | None = None  # earlier rounds that values are mixed with; None: 0, or that of the saved run
    rounds: int = 20  # at most
    target_percent: float = 0.01  # of the entry fee; the run stops below it
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.rounds < 0:
            raise BadSetting(f"rounds must be at least 0, not {self.rounds}")
        if not 0 <= self.target_percent <= 100:
            raise BadSetting(f"a target is 0 to 100 percent of the entry fee, not {self.target_percent:g}")
        self.mixing  # noqa: B018  (rejects invalid values)

    @property
    def mixing(self) -> Mixing:
        """How values are mixed; by default not at all."""
        return Mixing(step=1.0 if self.step is None else self.step, memory=self.memory or 0)


def forecast(setting: Setting, plan: Plan) -> float:
    """Approximate seconds of a run on the available cores."""
    states = setting.state_count * SECONDS_A_STATE * (0.3 + 0.7 * plan.iterations / 200)
    return states * min(plan.rounds, USUAL_ROUNDS) / (plan.workers or parallel.core_count())


def solve_three(
    setting: Setting,
    plan: Plan,
    *,
    save: Path | None = None,
    resume: Path | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> ThreePlayers:
    """Run rounds until the target is reached, saving each; if cancelled, stop after the last whole round."""
    began = time.perf_counter()
    token = cancel or CancelToken()

    def report(event: Event) -> None:
        gap = (
            f", best responses win {100 * solver.rounds[-1].epsilon / setting.entry_fee:.3g} % more"
            if solver.rounds
            else ""
        )
        if on_progress is not None:
            on_progress(replace(event, message=f"round {len(solver.rounds) + 1}{gap}"))

    solver, spent = _opened(setting, plan, resume, Watch("endgame", report, token, "states", began))
    epsilon = plan.target_percent * setting.entry_fee / 100
    interrupted = False
    if plan.rounds and not (solver.rounds and solver.rounds[-1].epsilon < epsilon):
        stop = Stop(iterations=len(solver.rounds) + plan.rounds, epsilon=epsilon or None)
        checkpoint = None if save is None else lambda state: _save(save, setting, solver, spent + state.last.seconds)
        try:
            run(solver, stop, cancel=token, measure_every=1, checkpoint=checkpoint, checkpoint_seconds=0.0)
        except Cancelled:
            if not solver.rounds:
                raise
        interrupted = token.cancelled
    solver.watch = SILENT
    measured = solver.measure()
    return ThreePlayers(
        setting=setting,
        method=solver.method,
        iterations=solver.play_iterations,
        step=solver.mixing.step,
        memory=solver.mixing.memory,
        rounds=tuple(solver.rounds),
        states=solver.game.states * setting.unit,
        values=np.reshape(measured.values, (-1, 3)),
        gains=np.reshape(measured.gains, (-1, 3)),
        chip_model=solver.chip_model,
        profile=solver.profile,
        seconds=spent + time.perf_counter() - began,
        interrupted=interrupted,
    )


def _opened(setting: Setting, plan: Plan, resume: Path | None, watch: Watch) -> tuple[ThreeHandedSolver, float]:
    """The saved solver, or a new one; and the seconds that it has run."""
    first, second, third = setting.payouts
    game = ThreeHanded(setting.units, setting.unit_blinds, (first, second, third))
    solver = ThreeHandedSolver(
        game,
        solve_heads_up(setting.units, setting.unit_blinds, workers=plan.workers),
        three_cards(),
        method=plan.method,
        iterations=plan.iterations,
        step=plan.mixing.step,
        memory=plan.mixing.memory,
        workers=plan.workers,
        watch=watch,
    )
    if resume is None:
        return solver, 0.0
    saved = load_saved(resume)
    if saved.setting != setting:
        raise BadSetting(f"{resume} is of another tournament: {saved.setting.text()}, not {setting.text()}")
    solver.restore(saved.arrays)
    return solver, saved.seconds


# ---- files ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SavedTournament:
    """The contents of a file."""

    setting: Setting
    plan: dict[str, Any]  # method, iterations, step and memory
    arrays: dict[str, np.ndarray]
    seconds: float


def _save(path: Path, setting: Setting, solver: ThreeHandedSolver, seconds: float) -> None:
    words = {"method": solver.method, "iterations": solver.play_iterations, "seconds": seconds}
    words |= {"step": solver.mixing.step, "memory": solver.mixing.memory}
    store.save(path, solver.arrays(), kind=OF_A_TOURNAMENT, **setting.as_dict(), **words)


def load_saved(path: Path) -> SavedTournament:
    """Load a saved tournament; BadFile if the file is of another kind or inconsistent."""
    saved = store.load(path, kind=OF_A_TOURNAMENT)
    words = saved.manifest
    try:
        small, big = map(count, words["blinds"])
        payouts = tuple(map(finite, words["payouts"]))
        setting = checked_setting(count(words["chips"]), (small, big), payouts, count(words["unit"]))
        plan: dict[str, Any] = {"method": text_of(words["method"]), "iterations": count(words["iterations"])}
        plan |= {"step": finite(words.get("step", 1.0)), "memory": count(words.get("memory", 0))}  # new in files
        seconds = finite(words["seconds"])
    except (KeyError, TypeError, ValueError) as problem:
        if isinstance(problem, PokerlabError):
            raise BadFile(f"{path} is damaged: {problem}") from problem
        raise BadFile(f"{path} is damaged: it does not say which tournament it is of") from problem
    if setting.players != 3 or saved.arrays.get("values", np.empty(0)).shape != (setting.state_count, 3):
        raise BadFile(f"{path} is damaged: its values are not those of its tournament")
    return SavedTournament(setting, plan, saved.arrays, seconds)


def plan_of(saved: SavedTournament, plan: Plan) -> Plan:
    """The plan with the settings of a saved tournament, except a step and a memory that the plan names."""
    named = {name: value for name, value in (("step", plan.step), ("memory", plan.memory)) if value is not None}
    return replace(plan, **saved.plan | named)
