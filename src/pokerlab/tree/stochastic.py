"""The stochastic form: the sequence form of every state's game, and where each of its terminals leads.

A profile concatenates the behaviour strategies of all states: strategies are stationary. The value of a state is the
value of its game, with the values of the next states added to its terminals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.errors import BadGame
from pokerlab.games.game import Game
from pokerlab.games.stochastic import StochasticGame
from pokerlab.tree.form import Form, FormKind, FormSize, Pace, Problem
from pokerlab.tree.history.layout import build
from pokerlab.tree.measure import BestResponse, Measure
from pokerlab.tree.sequence import SequenceForm, leaves_of, sequence_form

SETTLED = 1e-13  # of the largest value: convergence tolerance of best-response sweeps
MOST_SWEEPS = 100_000


@dataclass(frozen=True, eq=False)
class Stage:
    """The game of one state."""

    form: SequenceForm  # with the payoffs of this state only
    sequences: np.ndarray  # [T, P] the last sequence of each player at each terminal
    chance: np.ndarray  # [T] chance factor of a terminal's probability
    following: np.ndarray  # [T, state] probability of the next state, times the discount

    def with_values(self, values: np.ndarray) -> SequenceForm:
        """The game with values [state, P] of the next states added to its payoffs."""
        tree = self.form.tree
        return sequence_form(replace(tree, returns=tree.returns + self.following @ values))

    def terminal_chances(self, profile: np.ndarray) -> np.ndarray:
        """The probability of each terminal under a profile of this stage.  # [T]"""
        return np.asarray(self.chance * self.form.plan(profile)[self.sequences].prod(1))


@dataclass(frozen=True, eq=False)
class StochasticForm(Form):
    """All states."""

    name: str
    players: int
    states: tuple[str, ...]
    stages: tuple[Stage, ...]

    kind = "stochastic"

    @cached_property
    def is_zero_sum(self) -> bool:
        return all(stage.form.is_zero_sum for stage in self.stages)

    @cached_property
    def max_abs_payoff(self) -> float:
        return max(stage.form.max_abs_payoff for stage in self.stages) or 1.0

    @property
    def pot(self) -> float:
        return self.max_abs_payoff

    @property
    def size(self) -> FormSize:
        sizes = [stage.form.size for stage in self.stages]
        infosets = sum(size.infosets or 0 for size in sizes)
        return FormSize(sum(size.nodes for size in sizes), infosets, sum(size.bytes for size in sizes))

    def small(self) -> StochasticForm:
        """The first state alone, after which play ends."""
        first = self.stages[0]
        alone = replace(first, following=np.zeros((len(first.chance), 1)))
        return replace(self, states=self.states[:1], stages=(alone,))

    @cached_property
    def slots(self) -> tuple[slice, ...]:
        """The part of a profile that each state has."""
        ends = np.cumsum([0, *(stage.form.tree.slots for stage in self.stages)]).tolist()
        return tuple(slice(low, high) for low, high in pairwise(ends))

    def uniform(self) -> np.ndarray:
        return np.concatenate([stage.form.uniform() for stage in self.stages])

    def infoset_sums(self, numbers: np.ndarray) -> np.ndarray:
        pairs = zip(self.stages, self.slots, strict=True)
        return np.concatenate([stage.form.infoset_sums(numbers[part]) for stage, part in pairs])

    def evaluate(self, profile: np.ndarray) -> np.ndarray:
        """The long-run values of a profile: [state, P]; BadGame if play may never end."""
        count = len(self.states)
        system, constant = np.eye(count), np.zeros((count, self.players))
        for state, (stage, part) in enumerate(zip(self.stages, self.slots, strict=True)):
            chances = stage.terminal_chances(profile[part])
            system[state] -= chances @ stage.following
            constant[state] = chances @ stage.form.tree.returns
        try:
            values = np.linalg.solve(system, constant)
        except np.linalg.LinAlgError:
            values = np.full(constant.shape, np.inf)
        tolerance = 1e-6 * max(1, np.abs(values).max())
        if not np.isfinite(values).all() or np.abs(system @ values - constant).max() > tolerance:
            raise BadGame(f"play of {self.name} may never end: choose a discount below 1")
        return np.asarray(values)

    def backed_up(self, profile: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The values of a profile for one stage, followed by these values: [state, P]."""
        rows = []
        for stage, part in zip(self.stages, self.slots, strict=True):
            returns = stage.form.tree.returns + stage.following @ values
            rows.append(stage.terminal_chances(profile[part]) @ returns)
        return np.array(rows)

    def respond(self, profile: np.ndarray, player: int) -> tuple[np.ndarray, np.ndarray]:
        """The value of a stationary best response from each state, [state], and the profile with it.  # [A]"""
        values = np.zeros((len(self.states), self.players))
        values[:, player] = self.evaluate(profile)[:, player]
        played = profile.copy()
        for _ in range(MOST_SWEEPS):
            before = values.copy()
            for state, (stage, part) in enumerate(zip(self.stages, self.slots, strict=True)):
                response = stage.with_values(before).best_response(profile[part], player)
                values[state, player], played[part] = response.value, response.profile
            if np.abs(values - before).max() <= SETTLED * max(1.0, np.abs(values).max()):
                break
        return values[:, player], played

    def measure(self, profile: np.ndarray) -> Measure:
        """Values from the first state, and best responses in the whole game."""
        values = self.evaluate(profile)[0]
        best = [max(float(self.respond(profile, player)[0][0]), values[player]) for player in range(self.players)]
        return Measure(tuple(values.tolist()), tuple(best), zero_sum=self.is_zero_sum)

    def best_response(self, profile: np.ndarray, player: int) -> BestResponse:
        values, played = self.respond(self.check(profile), self.check_player(player))
        return BestResponse(float(values[0]), played)


class _Terminals:
    """A stage whose payoffs are the numbers of its terminals, to identify them in a tree."""

    def __init__(self, stage: Game) -> None:
        self.stage = stage
        self.states: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stage, name)

    def returns(self, state: Any) -> tuple[float, ...]:
        """Its number, for every player."""
        self.states.append(state)
        return (float(len(self.states) - 1),) * self.stage.players


def _stage(game: StochasticGame, state: str) -> Stage:
    numbered: Any = _Terminals(game.game_of(state))
    tree = build(numbered)
    numbers = {name: number for number, name in enumerate(game.states)}
    terminals = [numbered.states[int(number)] for number in tree.returns[:, 0]]
    following = np.zeros((len(terminals), len(numbers)))
    for row, terminal in enumerate(terminals):
        for name, chance in game.next_states(state, terminal).items():
            following[row, numbers[name]] = chance
    returns = np.array([numbered.stage.returns(terminal) for terminal in terminals], float)
    form = sequence_form(replace(tree, game=game.name, returns=returns.reshape(-1, game.players)))
    return Stage(form, *leaves_of(form.tree), following)


def why_not(problem: Problem) -> str:
    """Why a problem has no stochastic form; "" if it has one."""
    if isinstance(problem, StochasticGame):
        return ""
    return f"{getattr(problem, 'name', 'a spot')} has no stochastic form: that is for games with states"


def _build(problem: Problem, **_: Any) -> StochasticForm:
    assert isinstance(problem, StochasticGame)
    states = tuple(problem.states)
    return StochasticForm(problem.name, problem.players, states, tuple(_stage(problem, state) for state in states))


def _forecast(problem: Problem) -> FormSize:
    return _build(problem).size


FORM = FormKind(
    why_not, _forecast, _build, default_algorithm="policy-iteration", pace=Pace(measure_every=1), has_plans=False
)
