"""Cases: decisions of the past with their features, their solution and its outcome; and the reuse of similar ones.

`CaseBase` retrieves the nearest neighbours of a decision by weighted distance among the cases of the same round that
face a bet, or none, as it does. `reuse` turns retrieved cases into a triple by one of three policies (Rubin and Watson,
"Similarity-based retrieval and solution re-use policies in the game of Texas hold'em", 2010): `probabilistic` acts as
often as the cases did, `majority` does what most did, and `best-outcome` what won most on average.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from pokerlab.agents.parts.examples import FEATURES, KINDS, Example, features, group, pot_fraction, unit
from pokerlab.agents.parts.triple import Triple

PROBABILISTIC, MAJORITY, BEST_OUTCOME = POLICIES = "probabilistic", "majority", "best-outcome"
# how much a feature counts in a distance, by its order in FEATURES
WEIGHTS = np.array([5, 2, 1, 3, 3, 2, 2, 0.5, 0.5, 1, 1, 0.5], np.float32)
_CHUNK = 256  # cases that are added at a time


class Outcomes(NamedTuple):
    """Similar cases, summed by action."""

    counts: np.ndarray  # [3] weight of the cases that folded, called, raised
    gains: np.ndarray  # [3] their summed gains, in big blinds
    fraction: float  # mean size of their raises, as a fraction of the pot; 0 without raises


class CaseBase:
    """A growing set of cases."""

    def __init__(self) -> None:
        self._groups: dict[int, _Group] = {}

    def __len__(self) -> int:
        return sum(cases.count for cases in self._groups.values())

    def add(self, example: Example, described: np.ndarray) -> None:
        """Add a decision; `described` are its features."""
        gain = example.gain / unit(example.view.game)
        action = KINDS.index(example.action.kind)
        size = pot_fraction(example.view, example.action)
        self._groups.setdefault(group(example.view), _Group()).add(described, (action, gain, size))

    def nearest(self, number: int, described: np.ndarray, neighbours: int) -> tuple[np.ndarray, np.ndarray]:
        """The distances and solutions (action, gain, size) of the nearest cases of a group; fewer if there are few."""
        cases = self._groups.get(number)
        if cases is None:
            return np.zeros(0, np.float32), np.zeros((0, 3), np.float32)
        distance = np.abs(cases.features[: cases.count] - described) @ WEIGHTS
        chosen = np.argsort(distance, kind="stable")[:neighbours]
        return distance[chosen], cases.solutions[chosen]

    def arrays(self) -> dict[str, np.ndarray]:
        """The cases as named arrays, for a file."""
        found = {}
        for number, cases in sorted(self._groups.items()):
            found[f"features-{number}"] = cases.features[: cases.count]
            found[f"solutions-{number}"] = cases.solutions[: cases.count]
        return found

    @staticmethod
    def of(arrays: Mapping[str, np.ndarray]) -> CaseBase:
        """The cases of a file."""
        cases = CaseBase()
        for name, array in arrays.items():
            kind, _, number = name.partition("-")
            if kind == "features":
                cases._groups[int(number)] = _Group(array, arrays[f"solutions-{number}"])
        return cases

    @staticmethod
    def learned(decisions: Iterable[Example]) -> CaseBase:
        """The cases of some decisions; hands whose strength is sampled are read with random numbers of a fixed seed."""
        cases, rng = CaseBase(), np.random.default_rng(0)
        for example in decisions:
            cases.add(example, features(example.view, rng))
        return cases


class _Group:
    """The cases that are compared with each other, in arrays with room for more."""

    def __init__(self, described: np.ndarray | None = None, solutions: np.ndarray | None = None) -> None:
        self.features = np.zeros((0, len(FEATURES)), np.float32) if described is None else described  # [case, feature]
        self.solutions = np.zeros((0, 3), np.float32) if solutions is None else solutions  # [case] action, gain, size
        self.count = len(self.features)

    def add(self, described: np.ndarray, solution: tuple[float, float, float]) -> None:
        if self.count == len(self.features):
            more = max(_CHUNK, len(self.features))
            self.features = np.concatenate([self.features, np.zeros((more, len(FEATURES)), np.float32)])
            self.solutions = np.concatenate([self.solutions, np.zeros((more, 3), np.float32)])
        self.features[self.count], self.solutions[self.count] = described, solution
        self.count += 1


def summed(distance: np.ndarray, solutions: np.ndarray, *, similarity: float = 0.1) -> Outcomes:
    """Cases summed by action; one at this distance counts half as much as an identical one."""
    weight = similarity / (similarity + distance)
    actions = solutions[:, 0].astype(np.int64)
    counts = np.bincount(actions, weight, 3)
    raises = weight * (actions == KINDS.index("r"))
    fraction = float(raises @ solutions[:, 2] / raises.sum()) if raises.any() else 0.0
    return Outcomes(counts, np.bincount(actions, weight * solutions[:, 1], 3), fraction)


def reuse(similar: Outcomes, policy: str) -> Triple:
    """The triple that a policy makes of similar cases; it always calls if there are none."""
    if not similar.counts.any():
        return Triple(0.0, 1.0, 0.0)
    shares = similar.counts / similar.counts.sum()
    if policy != PROBABILISTIC:
        mean = np.divide(similar.gains, similar.counts, out=np.full(3, -np.inf), where=similar.counts > 0)
        shares = np.eye(3)[int(np.argmax(similar.counts if policy == MAJORITY else mean))]
    fold, call, raise_ = shares.tolist()
    return Triple(fold, call, raise_)
