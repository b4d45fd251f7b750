"""Three players to the end: solved round by round, kept after each, resumed; and compared with the chip model."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import parallel, store
from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.events import Cancelled, CancelToken, Event, OnProgress, Watch
from pokerlab.lab.endgame import SEATS, WORST, Setting, checked_setting, class_weights
from pokerlab.reading import count, finite, text_of
from pokerlab.solvers.tournament.heads_up import solve_heads_up
from pokerlab.solvers.tournament.holdem_cards import three_cards
from pokerlab.solvers.tournament.mixing import Mixing
from pokerlab.solvers.tournament.stochastic import Round, ThreeHandedSolver
from pokerlab.solvers.tournament.three_handed import ThreeHanded

KIND = "tournament solution"
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
    step: float  # the part of the way that values move in a round
    memory: int  # rounds before that values are mixed with
    rounds: tuple[Round, ...]
    states: np.ndarray  # [state, 3] chips of button, small and big blind
    values: np.ndarray  # [state, 3] of the strategies, to the end
    gains: np.ndarray  # [state, 3] what a best response to the end wins more
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
        """The chip model less the computed values, in percent of the entry fee: [state, 3]."""
        return np.asarray(100 * (self.chip_model - self.values) / self.setting.entry_fee)

    def index(self, stacks: tuple[int, int, int]) -> int:
        """The number of the state with these chips; BadSetting where there is none."""
        found = np.flatnonzero((self.states == np.array(stacks)).all(1))
        if not len(found):
            raise BadSetting(
                f"{stacks[0]},{stacks[1]},{stacks[2]} is no state: chips of button, small and big blind are multiples "
                f"of {self.setting.unit} and sum to {self.setting.chips}"
            )
        return int(found[0])

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
        """The states and seats where the chip model is most wrong."""
        order = np.argsort(-np.abs(self.errors).reshape(-1), kind="stable")[:most]
        return [divmod(int(place), 3) for place in order]

    def columns(self) -> dict[str, np.ndarray]:
        """A row for each state."""
        found: dict[str, np.ndarray] = {}
        for seat, name in enumerate(SEATS[3]):
            key = name.replace(" ", "_")
            found |= {f"{key}_chips": self.states[:, seat], f"{key}_value": self.values[:, seat]}
            found |= {f"{key}_chip_model": self.chip_model[:, seat]}
            found |= {f"{key}_gain_percent": 100 * self.gains[:, seat] / self.setting.entry_fee}
        for number, name in enumerate(DECISIONS):
            found[name.replace(" ", "_")] = self.profile[:, number] @ class_weights()
        return found

    def as_dict(self, at: int | None = None) -> dict[str, Any]:
        """All but the strategies of every state, for JSON."""
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
    step: float | None = None  # the part of the way that values move; None: all of it, or as a kept run did
    memory: int | None = None  # rounds before that values are mixed with; None: none, or as a kept run did
    rounds: int = 20  # at most
    target_percent: float = 0.01  # of the entry fee; the run ends below it
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.rounds < 0:
            raise BadSetting(f"there are 0 rounds or more, not {self.rounds}")
        if not 0 <= self.target_percent <= 100:
            raise BadSetting(f"a target is 0 to 100 percent of the entry fee, not {self.target_percent:g}")
        Mixing(step=self.usual_step, memory=self.memory or 0)  # refuses what cannot be

    @property
    def usual_step(self) -> float:
        """The step, or all of the way where none is said."""
        return 1.0 if self.step is None else self.step


def forecast(setting: Setting, plan: Plan) -> float:
    """About how many seconds a run takes on the cores that it may use."""
    states = setting.state_count * SECONDS_A_STATE * (0.3 + 0.7 * plan.iterations / 200)
    return states * min(plan.rounds, USUAL_ROUNDS) / (plan.workers or parallel.core_count())


def solve_three(
    setting: Setting,
    plan: Plan,
    *,
    keep: Path | None = None,
    resume: Path | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> ThreePlayers:
    """Rounds until the target is reached, each saved; cancelled or interrupted, it ends with the last whole round."""
    began = time.perf_counter()
    solver, spent = _opened(setting, plan, resume)
    interrupted = False

    def report(event: Event) -> None:
        if on_progress is not None:
            on_progress(replace(event, message=f"round {len(solver.rounds) + 1}{_distance(solver, setting)}"))

    try:
        with Watch("endgame", report, cancel, "states", began).interruptible() as watch:
            if not solver.assessed:
                solver.assess(workers=plan.workers, watch=watch)
            for _ in range(plan.rounds):
                if solver.rounds and 100 * solver.rounds[-1].epsilon / setting.entry_fee < plan.target_percent:
                    break
                solver.advance(workers=plan.workers, watch=watch)
                if keep is not None:
                    _save(keep, setting, solver, spent + time.perf_counter() - began)
    except (KeyboardInterrupt, Cancelled):
        if not solver.rounds:
            raise
        interrupted = True
        solver.assess(workers=plan.workers)
    return _result(setting, solver, spent + time.perf_counter() - began, interrupted=interrupted)


def _distance(solver: ThreeHandedSolver, setting: Setting) -> str:
    if not solver.rounds:
        return ""
    return f", best responses win {100 * solver.rounds[-1].epsilon / setting.entry_fee:.3g} % more"


def _opened(setting: Setting, plan: Plan, resume: Path | None) -> tuple[ThreeHandedSolver, float]:
    """The solver as it was kept, or new; and the seconds that it has behind it."""
    solver = _solver(setting, plan)
    if resume is None:
        solver.assessed = True  # nothing is known, and nothing is asked before the first round
        return solver, 0.0
    kept = load_kept(resume)
    if kept.setting != setting:
        raise BadSetting(f"{resume} is of another tournament: {_words(kept.setting)}, not {_words(setting)}")
    solver.restore(kept.arrays)
    return solver, kept.seconds


def _words(setting: Setting) -> str:
    prizes = ",".join(f"{prize:g}" for prize in setting.payouts)
    return f"{setting.chips} chips in units of {setting.unit}, blinds {setting.blinds[0]},{setting.blinds[1]}, {prizes}"


def _solver(setting: Setting, plan: Plan) -> ThreeHandedSolver:
    from pokerlab.cards.multiway import ORDERS

    first, second, third = setting.payouts
    game = ThreeHanded(setting.units, setting.unit_blinds, (first, second, third), ORDERS)
    heads_up = solve_heads_up(setting.units, setting.unit_blinds, workers=plan.workers)
    return ThreeHandedSolver(
        game,
        heads_up,
        three_cards(),
        method=plan.method,
        iterations=plan.iterations,
        step=plan.usual_step,
        memory=plan.memory or 0,
    )


def _result(setting: Setting, solver: ThreeHandedSolver, seconds: float, *, interrupted: bool) -> ThreePlayers:
    measured = solver.measure()
    return ThreePlayers(
        setting=setting,
        method=solver.method,
        iterations=solver.iterations,
        step=solver.mixing.step,
        memory=solver.mixing.memory,
        rounds=tuple(solver.rounds),
        states=solver.game.states * setting.unit,
        values=measured.values,
        gains=measured.gains,
        chip_model=solver.chip_model,
        profile=solver.profile,
        seconds=seconds,
        interrupted=interrupted,
    )


# ---- files ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class KeptTournament:
    """What a file says."""

    setting: Setting
    method: str
    iterations: int
    step: float
    memory: int
    arrays: dict[str, np.ndarray]
    seconds: float


def _save(path: Path, setting: Setting, solver: ThreeHandedSolver, seconds: float) -> None:
    words = {"method": solver.method, "iterations": solver.iterations, "seconds": seconds}
    words |= {"step": solver.mixing.step, "memory": solver.mixing.memory}
    store.save(path, solver.arrays(), kind=KIND, **setting.as_dict(), **words)


def load_kept(path: Path) -> KeptTournament:
    """A kept tournament; BadFile where a file is none, or contradicts itself."""
    kept = store.load(path, kind=KIND)
    words = kept.manifest
    try:
        small, big = map(count, words["blinds"])
        payouts = tuple(map(finite, words["payouts"]))
        setting = checked_setting(count(words["chips"]), (small, big), payouts, count(words["unit"]))
        method, iterations = text_of(words["method"]), count(words["iterations"])
        step, memory = finite(words.get("step", 1.0)), count(words.get("memory", 0))  # earlier versions say neither
        seconds = finite(words["seconds"])
    except (KeyError, TypeError, ValueError) as problem:
        if isinstance(problem, PokerlabError):
            raise BadFile(f"{path} is damaged: {problem}") from problem
        raise BadFile(f"{path} is damaged: it does not say which tournament it is of") from problem
    if setting.players != 3 or kept.arrays.get("values", np.empty(0)).shape != (setting.state_count, 3):
        raise BadFile(f"{path} is damaged: its values are not those of its tournament")
    return KeptTournament(setting, method, iterations, step, memory, kept.arrays, seconds)


def plan_of(kept: KeptTournament, plan: Plan) -> Plan:
    """The same way of solving that a kept tournament was solved in, but for a step and a memory that the plan names."""
    step = kept.step if plan.step is None else plan.step
    memory = kept.memory if plan.memory is None else plan.memory
    return replace(plan, method=kept.method, iterations=kept.iterations, step=step, memory=memory)
