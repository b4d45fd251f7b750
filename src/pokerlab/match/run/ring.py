"""A tournament at tables: every combination of agents plays, in several orders around the table.

It is of hands at tables of three or more, or of freeze-outs or sessions of match play at tables of any size.

A table plays one match for each order of its agents (seatings.py), each with its own deals; in a duplicate match every
deal is played by all rotations. Winnings at one table depend on each other, since they sum to zero, so a table keeps
their covariance for the bootstrap of the run-off. Both rankings are those of tournament.py. An agent's bankroll is its
mean over the seats that it had, and in a round of the run-off only tables count at which nobody has been eliminated.
The last agents, too few for a table of their own, are ranked by their last one.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from pokerlab.agents.agent import Actor
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.hands.history import History
from pokerlab.match.run.contest import ContestRules
from pokerlab.match.run.contest_result import ContestResult
from pokerlab.match.run.contests import MOST_CONTESTS, ContestSettings, play_contests
from pokerlab.match.run.match import MOST_HANDS, MatchSettings, check_whole, play_match
from pokerlab.match.run.result import MatchResult
from pokerlab.match.run.saved import save_match
from pokerlab.match.run.seatings import Table, orders, table_count, tables
from pokerlab.match.run.tournament import (
    RunOff,
    add_decisions,
    bankroll_ranking,
    hands_by_place,
    instant_runoff,
    shifted,
    unique_names,
)
from pokerlab.match.statistics import WinningsUnit, finite
from pokerlab.match.table.clock import DECISION_SECONDS, Decisions
from pokerlab.notebook_display import NotebookDisplay
from pokerlab.tables import frame

MOST_TABLES = 100
LEAST_DEALS = 2  # per order; the error of a single one is unknown


class Sitting(NamedTuple):
    """What one order of a table won: by position in the order."""

    means: np.ndarray  # [position]
    covariance: np.ndarray  # [position, position] of the means; infinite if unknown


@dataclass(frozen=True, eq=False)
class RingScores:
    """The winnings of every agent at every table, with their covariance."""

    agents: tuple[str, ...]
    seats: np.ndarray  # [table, agent] how many seats of a table an agent had
    means: np.ndarray  # [table, agent] of a seat; 0 where it had none
    covariances: np.ndarray  # [table, agent, agent] of those means

    @staticmethod
    def of(agents: Sequence[str], sittings: Mapping[Table, Mapping[tuple[int, ...], Sitting]]) -> RingScores:
        """From the sittings of every table by order; the orders of a table count the same."""
        count = len(agents)
        seats, means = np.zeros((len(sittings), count)), np.zeros((len(sittings), count))
        covariances = np.zeros((len(sittings), count, count))
        for row, (table, by_order) in enumerate(sittings.items()):
            seats[row] = np.bincount(table, minlength=count)
            share = np.divide(1, seats[row], out=np.zeros(count), where=seats[row] > 0) / len(by_order)
            for order, sitting in by_order.items():
                held = np.zeros((count, len(table)))  # [agent, position] its share of the agent's mean
                for position, player in enumerate(order):
                    held[table[player], position] = share[table[player]]
                means[row] += held @ sitting.means
                is_known = np.isfinite(sitting.covariance).all()
                covariances[row] += held @ sitting.covariance @ held.T if is_known else np.inf
        return RingScores(tuple(agents), seats, means, covariances)

    @property
    def is_known(self) -> bool:
        """Whether every table has errors."""
        return bool(np.isfinite(self.covariances).all())

    def _weights(self, left: Sequence[int]) -> np.ndarray:
        """The share of each table in the score of each remaining agent.  # [table, remaining agent]"""
        others = np.delete(np.arange(len(self.agents)), left)
        counted = self.seats[:, left] * (self.seats[:, others].sum(axis=1) == 0)[:, None]
        return np.asarray(counted / np.maximum(counted.sum(axis=0), 1))

    def can_score(self, left: Sequence[int]) -> bool:
        """Whether each of these agents has a table at which nobody else sits."""
        return len(left) > 1 and bool((self._weights(left).sum(axis=0) > 0).all())

    def scores(self, left: Sequence[int], means: np.ndarray | None = None) -> np.ndarray:
        """The mean of each remaining agent at tables of remaining agents."""
        own = (self.means if means is None else means)[..., left]
        return np.asarray((own * self._weights(left)).sum(axis=-2))

    def score_errors(self, left: Sequence[int]) -> np.ndarray:
        """Standard errors of those scores."""
        variances = np.einsum("taa->ta", self.covariances)[:, left]
        weights = self._weights(left)
        return np.asarray(np.sqrt(np.where(weights > 0, variances * weights**2, 0).sum(axis=0)))

    def resampled(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Resampled means [count, table, agent], normally distributed with the covariance of each table."""
        values, vectors = np.linalg.eigh(self.covariances)
        factor = vectors * np.sqrt(np.maximum(values, 0))[:, None, :]  # [table, agent, component]
        noise = rng.standard_normal((count, *self.means.shape))
        return np.asarray(self.means + np.einsum("tab,ctb->cta", factor, noise))

    def cross(self) -> tuple[np.ndarray, np.ndarray]:
        """What the row's agent wins at tables where the column's agent sits, and standard errors.  # [agent, agent]"""
        present = self.seats > 0
        weights = self.seats[:, :, None] * present[:, None, :]  # [table, agent, other]
        weights = weights / np.maximum(weights.sum(axis=0), 1)
        variances = np.einsum("taa->ta", self.covariances)
        means = (weights * self.means[:, :, None]).sum(axis=0)
        errors = np.sqrt(np.where(weights > 0, variances[:, :, None] * weights**2, 0).sum(axis=0))
        apart = (weights.sum(axis=0) == 0) | np.eye(len(self.agents), dtype=bool)
        return np.where(apart, np.nan, means), np.where(apart, np.nan, errors)


Settings = MatchSettings | ContestSettings
SettingsOf = Callable[[list[str | Actor], int], Settings]  # from the agents in the order of their seats, and a seed


@dataclass(frozen=True)
class RingPlan:
    """Everything that a ring tournament depends on."""

    game: PokerGame
    agents: tuple[str, ...]  # unique names
    matches: Mapping[Table, Mapping[tuple[int, ...], Settings]]  # by table and order
    all_tables: int  # how many there are, of which `matches` may be a sample
    seed: int


def plan_ring(
    game: PokerGame,
    agents: Sequence[str | Actor],
    *,
    hands: int,
    seed: int = 0,
    duplicate: bool | None = None,
    most_tables: int = MOST_TABLES,
    fewer: Mapping[str, int] = MappingProxyType({}),
    **rules: Any,
) -> RingPlan:
    """A tournament of hands; `hands` is the number per table, rounded up to whole deals in every order.

    `fewer` are the hands of tables with slow agents; `rules` are further settings of matches: block, keep_memory,
    decision_seconds.
    """
    check_whole("hands", hands, most=MOST_HANDS)
    hands_by_place(agents, hands, fewer)
    around = len(orders(game.players))

    def settings_of(seated: list[str | Actor], own_seed: int) -> MatchSettings:
        here = {text: count for text, count in fewer.items() if text in seated}
        most = min(hands_by_place(seated, hands, here))
        settings = MatchSettings.of(game, seated, hands=most, seed=own_seed, duplicate=duplicate, **rules)
        deals = max(-(-most // (around * settings.passes)), LEAST_DEALS)
        return replace(settings, hands=deals * settings.passes)

    return _planned(game, agents, settings_of, seed=seed, most_tables=most_tables)


def plan_contests(
    game: PokerGame,
    agents: Sequence[str | Actor],
    rules: ContestRules,
    *,
    repeat: int,
    seed: int = 0,
    duplicate: bool | None = None,
    most_tables: int = MOST_TABLES,
    decision_seconds: float = DECISION_SECONDS,
) -> RingPlan:
    """A tournament of freeze-outs or sessions; `repeat` is the number per table, rounded up in every order."""
    check_whole("repeat", repeat, most=MOST_CONTESTS)
    if len(set(rules.stacks)) > 1:
        raise BadSetting("in a tournament everybody starts with the same stack: name one number")
    around = len(orders(game.players))

    def settings_of(seated: list[str | Actor], own_seed: int) -> ContestSettings:
        own: dict[str, Any] = {"duplicate": duplicate, "decision_seconds": decision_seconds}
        settings = ContestSettings.of(game, seated, rules, repeat=repeat, seed=own_seed, **own)
        groups = max(-(-repeat // (around * settings.passes)), LEAST_DEALS)
        return replace(settings, repeat=groups * settings.passes)

    return _planned(game, agents, settings_of, seed=seed, most_tables=most_tables)


def _planned(
    game: PokerGame, agents: Sequence[str | Actor], settings_of: SettingsOf, *, seed: int, most_tables: int
) -> RingPlan:
    """Every table in every order."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    matches: dict[Table, dict[tuple[int, ...], Settings]] = {}
    for table in tables(len(agents), game.players, most=most_tables, rng=rng):
        for number, order in enumerate(orders(game.players)):
            seated = _apart([agents[table[player]] for player in order])
            matches.setdefault(table, {})[order] = settings_of(seated, _seed(seed, table, number))
    names = unique_names([open_agent(agent).name for agent in agents])
    return RingPlan(game, tuple(names), matches, table_count(len(agents), game.players), seed)


def _seed(seed: int, table: Table, order: int) -> int:
    """The seed of one order of a table."""
    return int(np.random.SeedSequence(seed, spawn_key=(*table, order)).generate_state(1, np.uint32)[0])


def _apart(agents: Sequence[str | Actor]) -> list[str | Actor]:
    """The same agents, with a copy for every further seat of an object."""
    seated: list[str | Actor] = []
    for agent in agents:
        again = not isinstance(agent, str) and any(agent is other for other in seated)
        seated.append(copy.deepcopy(agent) if again else agent)
    return seated


@dataclass(frozen=True, eq=False)
class RingTournament(NotebookDisplay):
    """The result of a tournament at tables of three or more, in the usual unit of the game."""

    game: str
    players: int  # at a table
    hands: int  # per table
    contests: int  # per table; 0 in a tournament of hands
    kind: str  # of the contests; "" in a tournament of hands
    unit: WinningsUnit
    tables: tuple[Table, ...]
    all_tables: int
    orders: int  # per table
    rotations: int  # per deal
    scores: RingScores
    ranking: tuple[tuple[str, float, float], ...]  # by bankroll, best first: agent, mean, half interval
    runoff: RunOff
    faults: tuple[tuple[str, str, int], ...]  # agent, reason, count
    seconds: float
    decisions: Mapping[str, Decisions]  # by agent, of the hands that were played now

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        means, errors = self.scores.cross()
        return {
            "game": self.game,
            "players": self.players,
            "hands": self.hands,
            **({"contests": self.contests, "kind": self.kind} if self.kind else {}),
            "all_tables": self.all_tables,
            "orders": self.orders,
            "rotations": self.rotations,
            "agents": list(self.scores.agents),
            self.unit.key: [list(map(finite, row)) for row in means],
            "half_widths": [list(map(finite, row)) for row in 1.96 * errors],
            "tables": [self._table(row) for row in range(len(self.tables))],
            "bankroll": [
                {"agent": agent, self.unit.key: mean, "half_width": finite(half)}
                | self.decisions.get(agent, Decisions()).as_dict()
                for agent, mean, half in self.ranking
            ],
            "runoff": self.runoff.as_dict(),
            "faults": [{"agent": agent, "reason": reason, "count": count} for agent, reason, count in self.faults],
        }

    def _table(self, row: int) -> dict[str, Any]:
        agents = list(dict.fromkeys(self.tables[row]))
        errors = np.sqrt(np.diag(self.scores.covariances[row])[agents])
        return {
            "seats": [self.scores.agents[agent] for agent in self.tables[row]],
            "agents": [self.scores.agents[agent] for agent in agents],
            self.unit.key: [finite(mean) for mean in self.scores.means[row, agents]],
            "half_widths": [finite(1.96 * error) for error in errors],
        }

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each table and agent: mean per hand in the tournament's unit, half interval."""
        rows = [
            (row, agent, self.seats(row), self.scores.means[row, agent], self.scores.covariances[row, agent, agent])
            for row, table in enumerate(self.tables)
            for agent in dict.fromkeys(table)
        ]
        return frame(
            {
                "table": [row for row, *_ in rows],
                "agent": [self.scores.agents[agent] for _, agent, *_ in rows],
                "seats": [seats for _, _, seats, *_ in rows],
                self.unit.key: [finite(mean) for *_, mean, _ in rows],
                "half_width": [finite(1.96 * variance**0.5) for *_, variance in rows],
            }
        )

    def seats(self, row: int) -> str:
        """Who sits at a table."""
        return ", ".join(self.scores.agents[agent] for agent in self.tables[row])


def play_ring(
    plan: RingPlan,
    *,
    workers: int = 1,
    backend: str = "processes",
    history: History | None = None,
    resume: bool = False,
    watch: Watch = SILENT,
) -> RingTournament:
    """Play every table in every order, and rank the agents."""
    every = [settings for by_order in plan.matches.values() for settings in by_order.values()]
    total, before, hands = sum(map(_work, every)), 0, 0
    sittings: dict[Table, dict[tuple[int, ...], Sitting]] = {}
    faults: Counter[tuple[str, str]] = Counter()
    seconds, decisions = 0.0, dict[str, Decisions]()
    for table, by_order in plan.matches.items():
        for order, settings in by_order.items():
            stage = ", ".join(plan.agents[agent] for agent in table)
            own = replace(watch, stage=stage, on_progress=shifted(watch.on_progress, before, total))
            running: dict[str, Any] = {"workers": workers, "backend": backend, "watch": own}
            result = _play(settings, history=history, resume=resume, **running)
            sittings.setdefault(table, {})[order] = sitting_of(result)
            position = {name: place for place, name in enumerate(settings.names)}
            for name, reason, count in result.faults:
                faults[plan.agents[table[order[position[name]]]], reason] += count
            add_decisions(decisions, [plan.agents[table[player]] for player in order], result.decisions)
            before += _work(settings)
            hands += _hands(result)
            seconds += result.seconds
    scores = RingScores.of(plan.agents, sittings)
    first = every[0]
    is_of_hands = isinstance(result, MatchResult)
    return RingTournament(
        game=plan.game.name,
        players=plan.game.players,
        hands=hands // len(plan.matches),
        contests=0 if is_of_hands else before // len(plan.matches),
        kind="" if isinstance(result, MatchResult) else result.rules.kind,
        unit=unit_of(result),
        tables=tuple(plan.matches),
        all_tables=plan.all_tables,
        orders=len(next(iter(plan.matches.values()))),
        rotations=first.passes,
        scores=scores,
        ranking=tuple(bankroll_ranking(scores)),
        runoff=instant_runoff(scores, rng=np.random.default_rng(plan.seed)),
        faults=tuple((agent, reason, count) for (agent, reason), count in faults.most_common()),
        seconds=seconds,
        decisions=decisions,
    )


def _play(settings: Settings, *, history: History | None, resume: bool, **running: Any) -> MatchResult | ContestResult:
    if isinstance(settings, ContestSettings):
        return play_contests(settings, history=history, resume=resume, **running)
    saved = save_match(history, settings.as_dict(), resume=resume) if history is not None else None
    return play_match(settings, saved=saved, **running)


def _work(settings: Settings) -> int:
    """How many steps of progress a match reports: hands, or contests."""
    units = settings.groups if isinstance(settings, ContestSettings) else settings.deals
    return units * settings.passes


def _hands(result: MatchResult | ContestResult) -> int:
    return result.hands if isinstance(result, MatchResult) else round(result.hands.mean * result.contests)


def unit_of(result: MatchResult | ContestResult) -> WinningsUnit:
    """The unit of a tournament: that of the game, or of freeze-outs the prizes above an even share."""
    if isinstance(result, ContestResult) and result.is_freezeout:
        return WinningsUnit("% of the prizes", "prize_percent", 100.0, 1, per="freeze-out above an even share")
    return result.units.usual


def sitting_of(result: MatchResult | ContestResult) -> Sitting:
    """The winnings of one order of a table, in the unit of the tournament."""
    factor = unit_of(result).factor
    if isinstance(result, MatchResult):
        means = np.array([summary.mean for summary in result.summaries])
    elif result.is_freezeout:
        means = np.array([summary.mean for summary in result.prizes]) - sum(result.rules.payouts) / len(result.agents)
    else:
        means = np.array([summary.mean for summary in result.winnings])
    covariance = result.covariance if result.covariance is not None else np.full((len(means),) * 2, np.inf)
    return Sitting(means * factor, covariance * factor**2)
