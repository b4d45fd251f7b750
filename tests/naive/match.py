"""Plain twins of matches: of the kernels, and of the statistics, over everything at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from pokerlab.match.statistics import Summary
from pokerlab.tree.history.layout import HistoryTree

_WORD = 2**64


def uniform(place: int) -> float:
    """splitmix64 at a place of its stream, as a number in [0, 1)."""
    word = place * 0x9E3779B97F4A7C15 % _WORD
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % _WORD
    return ((word ^ (word >> 31)) >> 11) / 2**53


def drawn(chances: Sequence[float], point: float) -> int:
    """The first choice at which the chances add up to more than the point."""
    total = 0.0
    for choice, chance in enumerate(chances):
        total += chance
        if total > point:
            return choice
    return len(chances) - 1


def play_hand(tree: HistoryTree, profiles: Sequence[np.ndarray], *, moved: int, dealt: int, chosen: int) -> list[float]:
    """One hand on a tree: payoffs by agent; agent a sits in seat a + moved."""
    node = 0
    while tree.child_count[node]:
        first, count = int(tree.first_child[node]), int(tree.child_count[node])
        if tree.actor[node] < 0:
            chances, point = tree.probability[first : first + count], uniform(dealt)
            dealt += 1
        else:
            agent = (int(tree.actor[node]) - moved) % tree.players
            slot = int(tree.start[tree.label[node]])
            chances, point = profiles[agent][slot : slot + count], uniform(chosen)
            chosen += 1
        node = first + drawn(chances.tolist(), point)
    won = tree.returns[tree.label[node]]
    return [float(won[(agent + moved) % tree.players]) for agent in range(tree.players)]


def watch_hand(
    tree: HistoryTree, profiles: Sequence[np.ndarray], *, moved: int, dealt: int, chosen: int
) -> tuple[list[int], int]:
    """One hand on a tree for two: the slots that agent 0 took, and the node at its end."""
    node, taken = 0, []
    while tree.child_count[node]:
        first, count = int(tree.first_child[node]), int(tree.child_count[node])
        if tree.actor[node] < 0:
            move = drawn(tree.probability[first : first + count].tolist(), uniform(dealt))
            dealt += 1
        else:
            agent = (int(tree.actor[node]) - moved) % 2
            slot = int(tree.start[tree.label[node]])
            move = drawn(profiles[agent][slot : slot + count].tolist(), uniform(chosen))
            chosen += 1
            taken += [slot + move] if agent == 0 else []
        node = first + move
    return taken, node


def summarise(observations: np.ndarray, *, confidence: float = 0.95) -> Summary:
    """Mean and Student interval of independent observations."""
    values = np.asarray(observations, np.float64)
    mean = float(values.mean())
    if values.size == 1:
        return Summary(mean, float("inf"), 1, float("nan"), float("-inf"), float("inf"), confidence)
    deviation = float(values.std(ddof=1))
    error = deviation / float(np.sqrt(values.size))
    reach = float(stats.t.ppf(0.5 + confidence / 2, values.size - 1)) * error
    return Summary(mean, error, int(values.size), deviation, mean - reach, mean + reach, confidence)


def beats_probability(observations: np.ndarray) -> float:
    """One-tailed t-test: the p-value of "this player does not win in the long run"."""
    values = np.asarray(observations, np.float64)
    if np.all(values == values[0]):
        return 0.0 if values[0] > 0 else 1.0
    return float(stats.ttest_1samp(values, 0.0, alternative="greater").pvalue)


def variance_ratio_test(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """F-test of equal variances: the ratio of the variances and the two-sided p-value."""
    above, below = float(np.var(first, ddof=1)), float(np.var(second, ddof=1))
    if below == 0:
        return (float("nan"), 1.0) if above == 0 else (float("inf"), 0.0)
    ratio = above / below
    tail = stats.f.sf(ratio, len(first) - 1, len(second) - 1)
    return ratio, float(2 * min(tail, 1 - tail))
