"""A round robin: every pair of agents plays the same number of hands; the winner is decided by both ACPC methods.

Larger tables are in ring.py; both methods are the same.

Every pair has its own deals, so the cells of the cross table are independent, as the intervals of the run-off require.
One method ranks by total bankroll, the other is an instant run-off: every agent's score is its mean against the
remaining agents; the worst is eliminated and the scores are recomputed, until one is left. The confidence in an
elimination comes from the bootstrap: the share of resampled tournaments in which the same agent is worst in that round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from pokerlab.agents.agent import Actor
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, OnProgress, Watch
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.hands.history import History
from pokerlab.match.run.match import DEALS_PER_BLOCK, MatchSettings, can_play_together, play_match, played_together
from pokerlab.match.run.result import MatchResult
from pokerlab.match.run.saved import SavedMatch, save_match
from pokerlab.match.statistics import WinningsUnit, finite
from pokerlab.match.table.clock import DECISION_SECONDS, Decisions
from pokerlab.notebook_display import NotebookDisplay
from pokerlab.tables import frame


@dataclass(frozen=True)
class Elimination:
    """One round: the remaining agents, their scores with half intervals, who was eliminated, how surely."""

    agents: tuple[str, ...]
    scores: tuple[float, ...]
    half_widths: tuple[float, ...]
    dropped: str
    confidence: float  # NaN if the error of a pair or a table is unknown, because it played a single deal


@dataclass(frozen=True)
class RunOff:
    """A whole run-off, in round order; `ranking` is best first."""

    rounds: tuple[Elimination, ...]
    ranking: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "ranking": list(self.ranking),
            "rounds": [
                {
                    "agents": list(round_.agents),
                    "scores": list(round_.scores),
                    "half_widths": list(map(finite, round_.half_widths)),
                    "dropped": round_.dropped,
                    "confidence": finite(round_.confidence),
                }
                for round_ in self.rounds
            ],
        }


class Scores(Protocol):
    """Results of which the scores of any remaining agents can be computed."""

    @property
    def agents(self) -> tuple[str, ...]:
        """By name."""

    @property
    def is_known(self) -> bool:
        """Whether every result has an error."""

    def can_score(self, left: Sequence[int]) -> bool:
        """Whether the remaining agents played among themselves."""

    def scores(self, left: Sequence[int], means: np.ndarray | None = None) -> np.ndarray:
        """The mean of each remaining agent against the other remaining agents."""

    def score_errors(self, left: Sequence[int]) -> np.ndarray:
        """Standard errors of those scores."""

    def resampled(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Resampled means, with normally distributed errors, for `scores`.  # [count, ...]"""


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

    @property
    def is_known(self) -> bool:
        """Whether every pair has an error."""
        return not np.isinf(self.errors).any()

    def can_score(self, left: Sequence[int]) -> bool:
        """Every pair has played."""
        return len(left) > 1

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


def bankroll_ranking(table: Scores) -> list[tuple[str, float, float]]:
    """Agents by total bankroll, best first: name, mean over all opponents, half interval."""
    everyone = list(range(len(table.agents)))
    scores, errors = table.scores(everyone), table.score_errors(everyone)
    order = np.argsort(-scores, kind="stable")
    return [(table.agents[i], float(scores[i]), float(1.96 * errors[i])) for i in order]


def instant_runoff(table: Scores, *, rng: np.random.Generator, resamples: int = 2000) -> RunOff:
    """Eliminate the worst, round after round; of tied agents the one named later.

    Agents that are too few for a table of their own are ranked by the scores of the last round.
    """
    left = list(range(len(table.agents)))
    drawn = table.resampled(resamples, rng) if table.is_known else None
    rounds, dropped_order = [], []
    while table.can_score(left):
        scores, errors = table.scores(left), table.score_errors(left)
        worst = len(left) - 1 - int(np.argmin(scores[::-1]))
        confidence = float("nan")
        if drawn is not None:
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
    last = dict(zip(rounds[-1].agents, rounds[-1].scores, strict=True))
    left.sort(key=lambda agent: -last[table.agents[agent]])
    ranking = [*left, *reversed(dropped_order)]
    return RunOff(tuple(rounds), tuple(table.agents[i] for i in ranking))


@dataclass(frozen=True, eq=False)
class Tournament(NotebookDisplay):
    """The result of a round robin, in the usual unit of the game."""

    game: str
    hands: int  # per pair; the most of any, if slow agents played fewer
    unit: WinningsUnit  # thousandths of a big blind in fixed limit, else bb/100; chips in a spot
    table: Crosstable
    ranking: tuple[tuple[str, float, float], ...]  # by bankroll, best first: agent, mean, half interval
    runoff: RunOff
    results: dict[tuple[str, str], MatchResult]

    @property
    def fewer(self) -> dict[tuple[str, str], int]:
        """The hands of pairs that played fewer than others."""
        return {pair: result.hands for pair, result in self.results.items() if result.hands < self.hands}

    @property
    def decisions(self) -> dict[str, Decisions]:
        """How long each agent took for the decisions of all its matches, if they were timed."""
        taken: dict[str, Decisions] = {}
        for pair, result in self.results.items():
            add_decisions(taken, pair, result.decisions)
        return taken

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        fewer = [{"agents": list(pair), "hands": hands} for pair, hands in self.fewer.items()]
        return {
            "game": self.game,
            "hands": self.hands,
            **({"fewer_hands": fewer} if fewer else {}),
            "agents": list(self.table.agents),
            self.unit.key: [list(map(finite, row)) for row in self.table.means],
            "half_widths": [list(map(finite, row)) for row in 1.96 * self.table.errors],
            "bankroll": [
                {"agent": agent, self.unit.key: mean, "half_width": finite(half)}
                | self.decisions.get(agent, Decisions()).as_dict()
                for agent, mean, half in self.ranking
            ],
            "runoff": self.runoff.as_dict(),
        }

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each agent and opponent: mean per hand in the tournament's unit, half interval."""
        table, fewer = self.table, self.fewer
        fewer |= {(second, first): hands for (first, second), hands in fewer.items()}
        pairs = [(i, j) for i in range(len(table.agents)) for j in range(len(table.agents)) if i != j]
        return frame(
            {
                "agent": [table.agents[i] for i, _ in pairs],
                "opponent": [table.agents[j] for _, j in pairs],
                "hands": [fewer.get((table.agents[i], table.agents[j]), self.hands) for i, j in pairs],
                self.unit.key: [finite(table.means[pair]) for pair in pairs],
                "half_width": [finite(1.96 * table.errors[pair]) for pair in pairs],
            }
        )


def pairings(
    game: str | PokerGame,
    agents: list[str] | list[str | Actor],
    *,
    hands: int,
    seed: int = 0,
    duplicate: bool | None = True,
    block: int = DEALS_PER_BLOCK,
    keep_memory: bool = False,
    decision_seconds: float = DECISION_SECONDS,
    fewer: Mapping[str, int] = MappingProxyType({}),
) -> dict[tuple[str, str], MatchSettings]:
    """The matches of a round robin, by the names of the two agents; `fewer` are the hands of slow agents' matches."""
    if len(agents) < 2:
        raise BadSetting(f"a tournament needs at least two agents; {len(agents)} is named")
    most = hands_by_place(agents, hands, fewer)
    matches = {}
    names: dict[int, str] = {}
    for first, second in combinations(range(len(agents)), 2):
        own = int(np.random.SeedSequence(seed, spawn_key=(first, second)).generate_state(1, np.uint32)[0])
        settings = MatchSettings.of(
            game,
            [agents[first], agents[second]],
            hands=min(most[first], most[second]),
            seed=own,
            duplicate=duplicate,
            block=block,
            keep_memory=keep_memory,
            decision_seconds=decision_seconds,
        )
        for place, name in ((first, settings.names[0]), (second, settings.names[1].removesuffix("-2"))):
            names.setdefault(place, name)
        matches[first, second] = settings
    unique = unique_names([names[place] for place in range(len(agents))])
    return {(unique[first], unique[second]): settings for (first, second), settings in matches.items()}


def hands_by_place(agents: Sequence[str | Actor], hands: int, fewer: Mapping[str, int]) -> list[int]:
    """The most hands that each agent plays at a table: `hands`, or what `fewer` says for the text that names it."""
    texts = [agent if isinstance(agent, str) else getattr(agent, "name", "") for agent in agents]
    if unknown := sorted(set(fewer) - set(texts)):
        raise BadSetting(
            f"fewer hands for {unknown[0]!r}, which does not play: the agents are {', '.join(texts)[:200]}"
        )
    return [min(hands, fewer.get(text, hands)) for text in texts]


def unique_names(names: Sequence[str]) -> list[str]:
    """Names, with their number among all if the same agent is named twice."""
    return [name if names.count(name) == 1 else f"{name}-{place}" for place, name in enumerate(names, start=1)]


def add_decisions(taken: dict[str, Decisions], agents: Sequence[str], decisions: Sequence[Decisions]) -> None:
    """Add the times of a match to those by name; a match that was not timed has none."""
    for agent, one in zip(agents, decisions, strict=False):
        taken[agent] = taken.get(agent, Decisions()).and_also(one)


def play_tournament(
    matches: dict[tuple[str, str], MatchSettings],
    *,
    seed: int = 0,
    workers: int = 1,
    backend: str = "processes",
    history: History | None = None,
    resume: bool = False,
    watch: Watch = SILENT,
) -> Tournament:
    """Play every match of a round robin and rank the agents."""
    results: dict[tuple[str, str], MatchResult] = {}
    total = sum(settings.deals * settings.passes for settings in matches.values())
    before = 0

    def saved_match(settings: MatchSettings) -> SavedMatch | None:
        return None if history is None else save_match(history, settings.as_dict(), resume=resume)

    with watch.interruptible() as watch:
        running: dict[str, Any] = {"workers": workers, "backend": backend}
        together: list[tuple[MatchSettings, SavedMatch | None]] = []
        if can_play_together(list(matches.values()), backend):
            together = [(settings, saved_match(settings)) for settings in matches.values()]
        blocks = played_together(together, cancel=watch.cancel, **running) if together else None
        for number, (pair, settings) in enumerate(matches.items()):
            saved = together[number][1] if together else saved_match(settings)
            own = replace(watch, stage=" v ".join(pair), on_progress=shifted(watch.on_progress, before, total))
            results[pair] = play_match(settings, saved=saved, blocks=blocks, watch=own, **running)
            before += results[pair].hands
    summaries = {pair: result.units.usual.of(result.summaries[0]) for pair, result in results.items()}
    table = Crosstable.of({pair: (won.mean, won.standard_error) for pair, won in summaries.items()})
    runoff = instant_runoff(table, rng=np.random.default_rng(seed))
    first = next(iter(results.values()))
    ranking = tuple(bankroll_ranking(table))
    hands = max(result.hands for result in results.values())
    return Tournament(first.game, hands, first.units.usual, table, ranking, runoff, results)


def shifted(on_progress: OnProgress | None, before: int, total: int) -> OnProgress | None:
    """A match's progress events, rescaled to the whole tournament."""
    if on_progress is None:
        return None
    report = on_progress
    return lambda event: report(replace(event, done=before + event.done, total=total))
