"""Who wins a round robin: by total bankroll, and by instant run-off.

In the run-off every agent's score is its mean against the remaining agents; the worst is eliminated and the scores are
recomputed, until one is left. The confidence in an elimination comes from the bootstrap: the share of resampled
tournaments in which the same agent is worst in that round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.errors import BadSetting


@dataclass(frozen=True)
class Elimination:
    """One round: the remaining agents, their scores with half intervals, who was eliminated, how surely."""

    agents: tuple[str, ...]
    scores: tuple[float, ...]
    half_widths: tuple[float, ...]
    dropped: str
    confidence: float


@dataclass(frozen=True)
class RunOff:
    """A whole run-off, in round order; `ranking` is best first."""

    rounds: tuple[Elimination, ...]
    ranking: tuple[str, ...]


@dataclass(frozen=True)
class Crosstable:
    """Row agent's winnings against column agent, in one unit, with standard errors; the diagonal is empty."""

    agents: tuple[str, ...]
    means: np.ndarray  # [agent, agent], antisymmetric for two-player matches
    errors: np.ndarray  # [agent, agent] standard errors

    @staticmethod
    def of(results: Mapping[tuple[str, str], tuple[float, float]]) -> Crosstable:
        """From (mean, standard error) of the first agent of each pair."""
        agents = tuple(dict.fromkeys(name for pair in results for name in pair))
        place = {name: i for i, name in enumerate(agents)}
        means = np.full((len(agents), len(agents)), np.nan)
        errors = np.full_like(means, np.nan)
        for (first, second), (mean, error) in results.items():
            i, j = place[first], place[second]
            means[i, j], means[j, i] = mean, -mean
            errors[i, j] = errors[j, i] = error
        missing = [(a, b) for a in agents for b in agents if a < b and np.isnan(means[place[a], place[b]])]
        if len(agents) < 2 or missing:
            raise BadSetting(
                f"a cross table needs a match of every pair; missing: {missing[:3] or 'two agents at least'}"
            )
        return Crosstable(agents, means, errors)

    def scores(self, left: Sequence[int], means: np.ndarray | None = None) -> np.ndarray:
        """The mean of each remaining agent against the other remaining agents."""
        block = (self.means if means is None else means)[..., left, :][..., :, left]
        return np.asarray(np.nansum(block, axis=-1) / (len(left) - 1))

    def score_errors(self, left: Sequence[int]) -> np.ndarray:
        """Standard errors of those scores."""
        block = self.errors[np.ix_(left, left)]
        return np.asarray(np.sqrt(np.nansum(block**2, axis=1)) / (len(left) - 1))

    def resampled(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Resampled tables [count, agent, agent], with normally distributed means."""
        size = len(self.agents)
        noise = np.triu(rng.standard_normal((count, size, size)), 1)
        noise = noise - np.swapaxes(noise, 1, 2)
        return np.asarray(np.nan_to_num(self.means) + noise * np.nan_to_num(self.errors))


def bankroll_ranking(table: Crosstable) -> list[tuple[str, float, float]]:
    """Agents by total bankroll, best first: name, mean over all opponents, half interval."""
    everyone = list(range(len(table.agents)))
    scores, errors = table.scores(everyone), table.score_errors(everyone)
    order = np.argsort(-scores, kind="stable")
    return [(table.agents[i], float(scores[i]), float(1.96 * errors[i])) for i in order]


def instant_runoff(table: Crosstable, *, rng: np.random.Generator, resamples: int = 2000) -> RunOff:
    """Eliminate the worst, round after round; of tied agents the one named later."""
    left = list(range(len(table.agents)))
    drawn = table.resampled(resamples, rng)
    rounds, dropped_order = [], []
    while len(left) > 1:
        scores, errors = table.scores(left), table.score_errors(left)
        worst = len(left) - 1 - int(np.argmin(scores[::-1]))
        again = table.scores(left, drawn)  # [resample, remaining agent]
        confidence = float(np.mean(np.argmin(again, axis=1) == worst))
        rounds.append(
            Elimination(
                tuple(table.agents[i] for i in left),
                tuple(float(score) for score in scores),
                tuple(float(1.96 * error) for error in errors),
                table.agents[left[worst]],
                confidence,
            )
        )
        dropped_order.append(left.pop(worst))
    ranking = [left[0], *reversed(dropped_order)]
    return RunOff(tuple(rounds), tuple(table.agents[i] for i in ranking))
