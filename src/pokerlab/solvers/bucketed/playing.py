"""Bucketed strategies against each other, compiled: a million hands in seconds, if the betting is the same.

Training progress of a bucketed solver: the share of infosets visited, its regret, and its gain over time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.bucketed.betting_units import tables_of
from pokerlab.solvers.bucketed.draw_hands import DrawContestant, play_draw_hands
from pokerlab.solvers.cfr.sampled.sampler import seed_word
from pokerlab.tree.bucketed.exchange import ExchangeForm
from pokerlab.tree.bucketed.form import BucketedForm

NORMAL_95 = 1.959963984540054  # of a mean of many hands
HANDS = 100_000  # of a measured gain
AT_A_TIME = 1024  # buckets per batch


@dataclass(frozen=True)
class Gain:
    """What a strategy wins from another per hand, averaged over seats, in the game's chips."""

    mean: float
    half: float  # half-width of the 95 % interval
    hands: int  # deals, each played from every seat

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.mean - self.half, self.mean + self.half


@dataclass(frozen=True, eq=False)
class Side:
    """A form with numbers that the strategy is proportional to, in the layout of the form."""

    form: BucketedForm
    numbers: np.ndarray  # [number]


def head_to_head(one: Side, other: Side, *, hands: int, seed: int) -> Gain:
    """What `one` wins from `other`, which must play the same game: each deal is played with `one` at every seat."""
    if one.form.game.rules != other.form.game.rules:
        raise BadSetting(f"{one.form.name} and {other.form.name} are different games: let them play a match instead")
    if hands < 2:
        raise BadSetting(f"an interval needs at least 2 hands, got {hands}")
    if one.form.has_draws:
        pair = [DrawContestant(cast(ExchangeForm, side.form), side.numbers) for side in (one, other)]
        return gain_of(play_draw_hands(*pair, hands=hands, seed=seed).won.mean(axis=1))
    from pokerlab.solvers.bucketed._kernels.play import StrategyWeights, play_deals
    from pokerlab.tree.bucketed._kernels.deals import make_deals, number_deals

    tables, unit = tables_of(one.form)
    sums, state, forms = np.zeros(3), seed_word(seed), (one.form, other.form)
    played = tuple(
        StrategyWeights(side.numbers, side.form.base[:-1], np.array(betting.rows, np.int64), betting.arrays.slot)
        for side, betting in ((one, one.form.betting), (other, other.form.betting))
    )
    dealt, facing = buffers = tuple(form.deal_buffers() for form in forms)
    while sums[0] < hands:  # to deal is no part of the kernel, which is compiled for each kind of numbers
        batch = min(len(dealt.cards), hands - int(sums[0]))
        make_deals(batch, one.form.deals, dealt, state)
        facing.cards[:] = dealt.cards
        number_deals(batch, other.form.deals, facing)
        play_deals(batch, tables, played, buffers, state, sums)
    count, total, squares = sums
    spread = max(squares / count - (total / count) ** 2, 0.0) * count / (count - 1)
    return Gain(float(total / count * unit), float(NORMAL_95 * (spread / count) ** 0.5 * unit), int(count))


def gain_of(won: np.ndarray) -> Gain:
    """The mean of what was won, deal by deal, and its interval."""
    half = NORMAL_95 * float(won.std(ddof=1)) / len(won) ** 0.5
    return Gain(float(won.mean()), half, len(won))


@dataclass(frozen=True)
class TrainingSnapshot:
    """The state of a solver, and what it wins against its previous snapshot."""

    touched: float  # share of infosets visited by the average
    regret: float | None  # the largest positive regret of an infoset, in chips per iteration, summed over infosets
    gain: float | None = None  # chips per hand
    half: float | None = None  # half-width of its 95 % interval
    inside: float | None = None  # exploitability inside the abstraction, if the algorithm runs on plans

    def as_dict(self) -> dict[str, Any]:
        """The values for JSON."""
        numbers = {"touched": self.touched, "regret": self.regret, "gain": self.gain, "interval": self.half}
        return numbers | ({} if self.inside is None else {"exploitability_inside": self.inside})


class Watch:
    """Looks at a solver from time to time; if it `compares`, it stores a copy of the averages as the next opponent."""

    def __init__(self, solver: Any, *, compares: bool = True) -> None:
        self.solver, self.compares = solver, compares
        small = solver.form.small()  # so that nothing is compiled while the clock runs
        side = Side(small, np.zeros(small.numbers, solver.strategy_arrays()["average"].dtype))
        head_to_head(side, side, hands=2, seed=0)
        self.before: np.ndarray | None = None
        self.looks = 0

    def look(self) -> TrainingSnapshot:
        """The progress so far, and the gain over the last snapshot."""
        solver = self.solver
        average = solver.strategy_arrays()["average"]
        touched = visited_infosets(solver.form, average) / int(solver.form.infosets)
        gain = half = None
        if self.before is not None:
            sides = Side(solver.form, average), Side(solver.form, self.before)
            won = head_to_head(*sides, hands=HANDS, seed=self.looks)
            gain, half = won.mean, won.half
        self.looks += 1
        if self.before is not None:
            np.copyto(self.before, average)  # in place: these may be gigabytes
        elif self.compares:
            self.before = np.array(average)
        inside = solver.form.measure_inside(average).exploitability if solver.form.runs_on_plans else None
        return TrainingSnapshot(touched, _regret(solver), gain, half, inside)


def _regret(solver: Any) -> float | None:
    """A bound on the remaining gain in chips per iteration: the sum of the largest regrets; None if not stored."""
    arrays = solver.arrays()
    if "unit" not in arrays:
        return None
    total = sum(float(np.maximum(part, 0).sum(dtype=np.float64)) for part in _largest(solver.form, arrays["regret"]))
    return total * float(arrays["unit"][0]) / max(int(solver.iterations), 1)


def visited_infosets(form: Any, average: np.ndarray) -> int:
    """The number of infosets visited in training: those with a positive count."""
    return sum(int(np.count_nonzero(part > 0)) for part in _largest(form, average))


def touched_infosets(form: Any, average: np.ndarray, regret: np.ndarray) -> int:
    """The number of infosets visited, or at which a player tried the actions: those with a count or positive regret."""
    parts = zip(_largest(form, average), _largest(form, regret), strict=True)
    return sum(int(np.count_nonzero((counts > 0) | (regrets > 0))) for counts, regrets in parts)


def _largest(form: Any, numbers: np.ndarray) -> Iterator[np.ndarray]:
    """The largest number of each infoset, or zero where there is padding and that is larger.  # [bucket, slot]"""
    for round, count in enumerate(form.buckets.counts):
        first = form.betting.slots(round).first
        level = numbers[form.base[round] : form.base[round + 1]].reshape(count, -1)
        if not len(first):
            continue
        for start in range(0, count, AT_A_TIME):
            yield np.maximum.reduceat(level[start : start + AT_A_TIME], first, axis=1)
