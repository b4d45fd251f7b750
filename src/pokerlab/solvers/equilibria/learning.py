"""Learners that play a one-shot game against each other again and again, and what their joint play comes to.

`regret-matching` has no external regret in the end (Hart and Mas-Colell 2000), `internal` no internal regret: it plays
the stationary distribution of a chain that moves from a strategy to another in proportion to the regret for it, as does
`exponential`, in which the rates are exponential weights of these regrets (Stoltz and Lugosi, "Internal regret in
on-line portfolio selection", 2005). `fictitious-play` plays a best response to the others' averages, which has neither
guarantee; players need not use the same rule. Expected play is recorded, so that nothing is random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.solvers.library.regret_matching import matched


@dataclass(frozen=True, eq=False)
class JointPlay:
    """The course of a run, at some of its iterations: all but `mixes` averaged over the iterations so far."""

    iterations: np.ndarray  # [point]
    joint: list[np.ndarray]  # by point: the share of each profile
    averages: list[np.ndarray]  # by player: [point, strategy]
    mixes: list[np.ndarray]  # by player: [point, strategy], of that iteration


class Learner:
    """Scores its strategies by what it sees, and mixes."""

    def __init__(self, count: int, spread: float) -> None:
        self.count, self.spread, self.steps = count, spread, 0

    def mix(self) -> np.ndarray:
        """The probability of each strategy in this iteration."""
        raise NotImplementedError

    def learn(self, mix: np.ndarray, values: np.ndarray) -> None:
        """Learn what each strategy would have won."""
        raise NotImplementedError


class RegretMatching(Learner):
    """In proportion to positive regret."""

    def __init__(self, count: int, spread: float) -> None:
        super().__init__(count, spread)
        self.regret = np.zeros(count)

    def mix(self) -> np.ndarray:
        return matched(self.regret)

    def learn(self, mix: np.ndarray, values: np.ndarray) -> None:
        self.regret += values - mix @ values


class InternalRegret(Learner):
    """The stationary distribution of the positive regrets of each strategy for each other."""

    def __init__(self, count: int, spread: float) -> None:
        super().__init__(count, spread)
        self.regret = np.zeros((count, count))  # [played, instead]

    def rates(self) -> np.ndarray:
        """How fast the chain moves from each strategy to each other."""
        return np.maximum(self.regret, 0.0)

    def mix(self) -> np.ndarray:
        return stationary(self.rates())

    def learn(self, mix: np.ndarray, values: np.ndarray) -> None:
        self.regret += mix[:, None] * (values[None, :] - values[:, None])
        self.steps += 1


class ExponentialInternalRegret(InternalRegret):
    """The same with exponential weights; the learning rate falls with the root of the iterations."""

    def rates(self) -> np.ndarray:
        pairs = max(2, self.count * (self.count - 1))
        rate = np.sqrt(8 * np.log(pairs) / (self.steps + 1)) / self.spread
        weights = np.exp(rate * (self.regret - self.regret.max()))
        np.fill_diagonal(weights, 0.0)
        return np.asarray(weights)


class FictitiousPlay(Learner):
    """The best response to what the others played so far, each on their own average."""

    def __init__(self, count: int, spread: float) -> None:
        super().__init__(count, spread)
        self.values = np.zeros(count)

    def mix(self) -> np.ndarray:
        pure = np.zeros(self.count)
        pure[int(np.argmax(self.values))] = 1.0
        return pure

    def learn(self, mix: np.ndarray, values: np.ndarray) -> None:
        self.values += values


LEARNERS: dict[str, Callable[[int, float], Learner]] = {
    "regret-matching": RegretMatching,
    "internal": InternalRegret,
    "exponential": ExponentialInternalRegret,
    "fictitious-play": FictitiousPlay,
}


def stationary(rates: np.ndarray) -> np.ndarray:
    """A distribution that a chain with these rates of moving keeps; uniform over what no rate leaves.

    >>> stationary(np.array([[0.0, 1.0], [3.0, 0.0]])).round(9).tolist()
    [0.75, 0.25]
    """
    count = len(rates)
    largest = float(rates.sum(axis=1).max(initial=0.0))
    if largest <= 0:
        return np.full(count, 1 / count)
    step = rates / largest
    np.fill_diagonal(step, 0.0)
    chain = step + np.diag(1 - step.sum(axis=1))
    system = np.vstack([chain.T - np.eye(count), np.ones((1, count))])
    found = np.linalg.lstsq(system, np.r_[np.zeros(count), 1.0], rcond=None)[0]
    mix = np.maximum(found, 0.0)
    return np.asarray(mix / mix.sum())


def play_jointly(
    table: np.ndarray,
    rules: Sequence[str],
    *,
    iterations: int,
    points: Sequence[int],
    lead: float = 0.0,
    watch: Watch = SILENT,
) -> JointPlay:
    """Let a learner of a rule for each player play; `lead` is added to what the first strategies would have won at 0.

    Without a lead a symmetric game starts, and stays, where everybody plays everything equally often.
    """
    unknown = [rule for rule in rules if rule not in LEARNERS]
    if unknown:
        raise BadSetting(f"learners are {', '.join(LEARNERS)}, not {unknown[0][:40]!r}")
    shape, spread = table.shape[1:], float(np.ptp(table)) or 1.0
    learners = [LEARNERS[rule](count, spread) for rule, count in zip(rules, shape, strict=True)]
    for learner in learners[:1]:
        first = np.zeros(learner.count)
        first[0] = lead
        learner.learn(np.full(learner.count, 1 / learner.count), first)
    joint, sums = np.zeros(shape), [np.zeros(count) for count in shape]
    wanted, saved = set(points), JointPlay(np.array(sorted(set(points))), [], [], [])
    averages: list[list[np.ndarray]] = [[] for _ in shape]
    current: list[list[np.ndarray]] = [[] for _ in shape]
    for iteration in range(1, iterations + 1):
        mixes = [learner.mix() for learner in learners]
        for player, learner in enumerate(learners):
            learner.learn(mixes[player], values_against(table[player], player, mixes))
            sums[player] += mixes[player]
        joint += _product(mixes)
        if iteration in wanted:
            watch.at(f"{iteration:,} iterations", iteration, iterations)
            saved.joint.append(joint / iteration)
            for player, mix in enumerate(mixes):
                averages[player].append(sums[player] / iteration)
                current[player].append(mix)
    by_player = ([np.array(own) for own in part] for part in (averages, current))
    return JointPlay(saved.iterations, saved.joint, *by_player)


def values_against(payoffs: np.ndarray, player: int, mixes: Sequence[np.ndarray]) -> np.ndarray:
    """The value of each strategy of a player against the others' mixes."""
    for seat in range(payoffs.ndim - 1, -1, -1):
        if seat != player:
            payoffs = np.tensordot(payoffs, mixes[seat], axes=(seat, 0))
    return payoffs


def _product(mixes: Sequence[np.ndarray]) -> np.ndarray:
    joint = mixes[0]
    for mix in mixes[1:]:
        joint = joint[..., None] * mix
    return joint
