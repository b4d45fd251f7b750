"""Two players to the end of a tournament: every stack's probability of winning, as small and as big blind.

P. B. Miltersen and T. B. Sorensen, "A near-optimal strategy for a heads-up no-limit Texas hold'em poker tournament",
2007. A state is the small blind's chips; a hand is one decision each, push or fold and call or fold, and leads to a
state with the roles exchanged. Given the values of all states the hand is a zero-sum game of 169 classes, solved by a
linear program. Policy iteration needs a handful of rounds.

Chips are counted in units that divide the blinds and the total. A player who is all-in, or can stay in for free, does
not decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from pokerlab import parallel
from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Event, Watch
from pokerlab.solvers.core.run import Stop, run
from pokerlab.solvers.preflop.classes.one_decision import solve_one_decision
from pokerlab.solvers.stochastic.iteration import ValueIteration
from pokerlab.tree.class_deals import class_table
from pokerlab.tree.measure import Measure
from pokerlab.tree.one_decision import OneDecision

MOST_UNITS = 2000
_SETTLED = 1e-11  # change of a chance to win
_MOST_ROUNDS = 500


@dataclass(frozen=True)
class Blinds:
    """What is posted, in units of chips."""

    small: int
    big: int

    def __post_init__(self) -> None:
        if not 0 < self.small <= self.big:
            raise BadSetting(f"blinds must be positive, the small one no larger, got {self.small} and {self.big}")


@dataclass(frozen=True, eq=False)
class HeadsUpSolution:
    """Strategies of every state, and their values."""

    units: int  # chips in play
    blinds: Blinds
    values: np.ndarray  # [units + 1]: the small blind's probability of winning the tournament, by its chips
    push: np.ndarray  # [units + 1, 169]
    call: np.ndarray  # [units + 1, 169]: of the big blind, by the small blind's chips
    rounds: int
    change: float  # of any value, in the last round
    epsilon: float  # the largest gain of a best response to the end, from any state

    @cached_property
    def big_values(self) -> np.ndarray:
        """The big blind's probability of winning, by its own chips: [units + 1]."""
        return np.asarray(1 - self.values[::-1])


class HandOfTwo(NamedTuple):
    """A hand: the small blind's chips after each terminal, and who decides."""

    chips: np.ndarray  # [5]: after a fold, a steal, and a showdown won, tied and lost
    first_decides: bool
    second_decides: bool

    def payoffs(self, values: np.ndarray) -> np.ndarray:
        """Values [chips] after the hand: [3, 2, 2] by showdown, pushed, called."""
        return np.asarray(values[self.chips[_TERMINALS]])


_TERMINALS = np.array([[[0, 0], [1, showdown]] for showdown in (2, 3, 4)])  # [3, 2, 2]


def hand_of_two(stack: int, units: int, blinds: Blinds) -> HandOfTwo:
    """The hand in which the small blind has `stack` of all units."""
    other = units - stack
    posted, owed, at_risk = min(blinds.small, stack), min(blinds.big, other), min(stack, other)
    chips = np.array([stack - posted, stack + owed, stack + at_risk, stack, stack - at_risk])
    return HandOfTwo(chips, stack > posted and owed > posted, other > owed and stack > owed)


@cache
def _cards() -> OneDecision:
    """Two hands before the flop: their probability and which one wins; payoffs are filled in by state."""
    table = class_table(5)
    return OneDecision(table.chance, table.win, table.tie, np.zeros((3, 2, 2)))


class HeadsUpSolver(ValueIteration):
    """The small blind's probability of winning, by its chips, and both players' strategies."""

    measures_rounds = False

    def __init__(self, units: int, blinds: Blinds, *, method: str = "policy", workers: int | None = None) -> None:
        if not 2 <= units <= MOST_UNITS:
            raise BadSetting(f"a tournament has 2 to {MOST_UNITS:,} units of chips, not {units:,}")
        super().__init__(np.arange(units + 1) / units, method=method)
        self.units, self.blinds = units, blinds
        self._workers = workers
        self._hands = [hand_of_two(stack, units, blinds) for stack in range(units + 1)]
        self._chips_after = np.array([hand.chips for hand in self._hands])  # [units + 1, 5]: the small blind's
        self._chips_after[0], self._chips_after[units] = 0, units
        self.push, self.call = np.ones((2, units + 1, CLASS_COUNT))

    @property
    def finished(self) -> bool:
        return self.change <= _SETTLED

    def solve_states(self) -> None:
        def solve(stack: int) -> tuple[np.ndarray, np.ndarray]:
            hand = self._hands[stack]  # after it, the small blind is the big blind of the next
            return _solve_hand(replace(_cards(), payoffs=hand.payoffs(1 - self.values[::-1])), hand)

        stacks = range(1, self.units)
        strategies = parallel.run(solve, stacks, workers=self._workers)
        for stack, (push, call) in zip(stacks, strategies, strict=True):
            self.push[stack], self.call[stack] = push, call

    def _terminal_chances(self) -> np.ndarray:
        """The probability that each hand ends folded, stolen, won, tied and lost: [units + 1, 5]."""
        cards = _cards()
        chance, push, call = cards.chance, self.push, self.call
        pushed = push @ chance  # [state, j]
        showdown = pushed * call
        won = np.einsum("si,ij,sj->s", push, chance * cards.win, call, optimize=True)
        tied = np.einsum("si,ij,sj->s", push, chance * cards.tie, call, optimize=True)
        folded = 1 - pushed.sum(1)
        stolen = pushed.sum(1) - showdown.sum(1)
        return np.stack([folded, stolen, won, tied, showdown.sum(1) - won - tied], axis=1)

    def backed_up(self) -> np.ndarray:
        values = (self._terminal_chances() * (1 - self.values[self.units - self._chips_after])).sum(1)
        values[0], values[self.units] = 0.0, 1.0
        return np.asarray(values)

    def evaluated(self) -> np.ndarray:
        """Long-run values: v(s) = sum of chances times 1 - v(units - s')."""
        units, chances = self.units, self._terminal_chances()
        system = np.eye(units + 1)
        constant = np.zeros(units + 1)
        for stack in range(1, units):
            np.add.at(system[stack], units - self._chips_after[stack], chances[stack])
            constant[stack] = chances[stack].sum()
        constant[units] = 1.0
        return np.asarray(np.linalg.solve(system, constant))

    def measure(self) -> Measure:
        """Either blind's probability of winning by its chips, and that of a best response to the end."""
        cards, units, values = _cards(), self.units, self.evaluated()
        as_small, as_big = values.copy(), 1 - values[::-1]
        own = (*as_small.tolist(), *as_big.tolist())
        change = np.inf
        while change > _SETTLED:
            small, big = as_small.copy(), as_big.copy()
            for stack in range(1, units):
                hand = self._hands[stack]
                small[stack] = _best(cards, 0, self.call[stack], hand.first_decides, hand.payoffs(as_big))
                after = hand.payoffs(as_small[::-1])  # by the small blind's chips
                big[units - stack] = _best(cards, 1, self.push[stack], hand.second_decides, after)
            change = float(max(np.abs(small - as_small).max(), np.abs(big - as_big).max()))
            as_small, as_big = small, big
        return Measure(own, (*as_small.tolist(), *as_big.tolist()), zero_sum=False)

    def strategy_arrays(self) -> dict[str, np.ndarray]:
        return {"push": self.push, "call": self.call}

    def restore_strategies(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.push, self.call = (np.array(arrays[name], float) for name in ("push", "call"))


def solve_heads_up(
    units: int,
    blinds: Blinds,
    *,
    method: str = "policy",
    workers: int | None = None,
    watch: Watch = SILENT,
    most_rounds: int = _MOST_ROUNDS,
) -> HeadsUpSolution:
    """Play of every state to the end, by policy or by value iteration."""
    solver = HeadsUpSolver(units, blinds, method=method, workers=workers)

    def report(event: Event) -> None:
        watch.at(f"round {solver.iterations}, values moved by {solver.change:.1e}", event.done, event.done + 1)

    done = run(solver, Stop(iterations=most_rounds), measure_every=most_rounds, on_progress=report)
    assert done.last.measure is not None
    rounds, epsilon = solver.iterations, done.last.measure.epsilon
    return HeadsUpSolution(units, blinds, solver.values, solver.push, solver.call, rounds, solver.change, epsilon)


def _solve_hand(game: OneDecision, hand: HandOfTwo) -> tuple[np.ndarray, np.ndarray]:
    always = np.ones(CLASS_COUNT)
    if not hand.first_decides:
        return always, always
    if not hand.second_decides:
        passive, active = game.counterfactual(0, always)
        return (active > passive).astype(float), always
    solution = solve_one_decision(game)
    return solution.first, solution.second


def _best(cards: OneDecision, role: int, other: np.ndarray, decides: bool, payoffs: np.ndarray) -> float:
    """The value of a best response to the other role's strategy, for these payoffs."""
    game = replace(cards, payoffs=payoffs if role == 0 else -payoffs)
    passive, active = game.counterfactual(role, other)
    return float((np.maximum(passive, active) if decides else active).sum())
