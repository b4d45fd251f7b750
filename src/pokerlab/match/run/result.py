"""The result of a match: means with intervals, by agent and by position, tests, faults, and the payoff curve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.text import seat_name
from pokerlab.games.spot.spot import SEATS
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.match.categories import category_names
from pokerlab.match.run.block import BlockResult
from pokerlab.match.statistics import Moments, Summary, Units, finite, variance_ratio
from pokerlab.match.table.clock import Decisions
from pokerlab.notebook_display import NotebookDisplay
from pokerlab.tables import frame

MOST_POINTS = 2000  # of a curve


@dataclass(frozen=True, eq=False)
class MatchCurve:
    """Each agent's winnings after a number of hands; points are `stride` deals apart, and the last is the end."""

    hands: np.ndarray  # [point] hands played
    totals: np.ndarray  # [point, agent] chips


@dataclass(frozen=True)
class CategoryWinnings:
    """An agent's hands of one category as dealt, in a draw game."""

    category: str
    won: float  # the share of them that won chips
    winnings: Summary  # chips per hand; the unit of observation is the hand

    def as_dict(self, units: Units) -> dict[str, Any]:
        """As plain values, for JSON."""
        counted = {"category": self.category, "hands": self.winnings.count, "won": self.won}
        return counted | {"winnings": units.as_dict(self.winnings)}


@dataclass(frozen=True)
class Standing:
    """A match while it is played: the payload of its events, in the usual unit of the game."""

    hands: int
    agents: tuple[str, ...]
    means: tuple[float, ...]  # by agent
    half_widths: tuple[float, ...]  # of their 95 % intervals
    unit: str

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "hands": self.hands,
            "agents": list(self.agents),
            "means": list(map(finite, self.means)),
            "half_widths": list(map(finite, self.half_widths)),
            "unit": self.unit,
        }


@dataclass(frozen=True, eq=False)
class MatchResult(NotebookDisplay):
    """Summaries are in chips per hand, one for each agent in the order given; see Units for other units."""

    game: str
    agents: tuple[str, ...]
    hands: int
    deals: int
    units: Units
    summaries: tuple[Summary, ...]  # by agent; the unit of observation is the deal
    adjusted: tuple[Summary, ...] | None  # the same by an estimator that takes luck out
    positions: tuple[tuple[Summary | None, ...], ...]  # [agent][seat], of single hands; None if there were none
    seat_names: tuple[str, ...]
    luck: tuple[float, ...]  # by agent: p-value of "does not win in the long run"
    variance_test: (
        tuple[float, float] | None
    )  # two agents: ratio of variances, first to second in the last seat; p-value
    hand_deviation: tuple[float, ...]  # by agent: standard deviation of single hands
    faults: tuple[tuple[str, str, int], ...]  # agent, reason, count
    remarks: tuple[tuple[str, str, int], ...]  # agent, message about its play, count
    curve: MatchCurve
    seconds: float
    categories: tuple[tuple[CategoryWinnings, ...], ...] = ()  # [agent], the strongest first; empty without a draw
    estimator: str = ""  # of `adjusted`
    covariance: np.ndarray | None = None  # [agent, agent] of the means, for a table of three or more
    decisions: tuple[Decisions, ...] = ()  # by agent, of the hands that were played now; empty if compiled

    def times_as_many(self, agent: int) -> float:
        """How many times as many hands would be as informative without the estimator; NaN if that is unknown."""
        if self.adjusted is None or not self.summaries[agent].deviation > 0:
            return float("nan")
        left = self.adjusted[agent].deviation
        return (self.summaries[agent].deviation / left) ** 2 if left > 0 else float("inf")

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        record: dict[str, Any] = {
            "game": self.game,
            "hands": self.hands,
            "deals": self.deals,
            "seconds": round(self.seconds, 3),
            "seats": list(self.seat_names),
            "agents": [],
            "variance_test": None,
            "faults": [{"agent": agent, "reason": reason, "count": count} for agent, reason, count in self.faults],
            "remarks": [{"agent": agent, "remark": text, "count": count} for agent, text, count in self.remarks],
        }
        if self.adjusted is not None:
            record["estimator"] = self.estimator
        if self.variance_test is not None:
            record["variance_test"] = {"ratio": finite(self.variance_test[0]), "p": finite(self.variance_test[1])}
        for i, agent in enumerate(self.agents):
            entry: dict[str, Any] = {"agent": agent, "p_not_winning": finite(self.luck[i])}
            entry |= self.units.as_dict(self.summaries[i])
            entry["hand_deviation"] = finite(self.hand_deviation[i])
            entry |= self.decisions[i].as_dict() if self.decisions else {}
            if self.adjusted is not None:
                entry["adjusted"] = self.units.as_dict(self.adjusted[i])
                entry["times_as_many_hands"] = finite(self.times_as_many(i))
            entry["positions"] = [summary and self.units.as_dict(summary) for summary in self.positions[i]]
            if self.categories:
                entry["categories"] = [one.as_dict(self.units) for one in self.categories[i]]
            record["agents"].append(entry)
        return record

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each agent: winnings per hand with their interval, in every unit of the game."""
        rows = []
        for i, agent in enumerate(self.agents):
            row: dict[str, Any] = {"agent": agent, "hands": self.hands, "deals": self.deals}
            for unit, record in self.units.as_dict(self.summaries[i]).items():
                row |= {f"{unit}_{name}": number for name, number in record.items()}
            if self.adjusted is not None:
                adjusted = self.units.as_dict(self.adjusted[i])[self.units.usual.key]
                row |= {f"adjusted_{self.units.usual.key}_{name}": number for name, number in adjusted.items()}
            rows.append(row | {"p_not_winning": finite(self.luck[i]), "hand_deviation": finite(self.hand_deviation[i])})
        return frame({name: [row[name] for row in rows] for name in rows[0]})

    def course(self) -> Any:
        """A DataFrame of the course of the match: cumulative chips of each agent by number of hands."""
        points, agents = len(self.curve.hands), len(self.agents)
        return frame(
            {
                "hands": np.repeat(self.curve.hands, agents),
                "agent": list(self.agents) * points,
                "chips": self.curve.totals.reshape(-1),
            }
        )


def units_of(game: PokerGame) -> Units:
    """The units of a game: big blind (the ante if there are no blinds) and small bet; for a spot, its pot."""
    if isinstance(game, SpotGame):
        return Units(1.0, 1.0, pot=game.spot.pot)
    rules = game.rules
    big = max(rules.blinds) or max(rules.antes) or 1
    fixed = rules.limit == "fixed"
    small = min(blind for blind in rules.blinds if blind) if game.dealing.draws and any(rules.blinds) else 0
    return Units(float(big), float(rules.rounds[0].bet if fixed else big), fixed_limit=fixed, small_blind=float(small))


def position_names(game: PokerGame) -> tuple[str, ...]:
    """What to call each seat: by its blind, the button, or else its number; in a spot by position."""
    if isinstance(game, SpotGame):
        return tuple(seat.replace("_", " ") for seat in SEATS)
    names = []
    for seat in range(game.players):
        number, _, words = seat_name(game, seat).rstrip(")").partition(" (")
        names.append(words or number)
    return tuple(names)


class CurveRecorder:
    """Adds payoffs block by block; when there are too many points, drops every other one."""

    def __init__(self, agents: int) -> None:
        self._stride = 1
        self._deals = 0
        self._hands = 0
        self._sum = np.zeros(agents)
        self._kept: list[tuple[int, int, np.ndarray]] = [(0, 0, np.zeros(agents))]  # deals, hands, totals

    def add(self, totals: np.ndarray, *, hands_per_deal: int) -> None:
        """Add the chips won in further deals [deal, agent], summed over the passes of a deal."""
        while len(self._kept) + len(totals) / self._stride > MOST_POINTS:
            self._stride *= 2
            self._kept = [point for point in self._kept if point[0] % self._stride == 0]
        running = self._sum + np.cumsum(totals, axis=0)
        first = self._stride - self._deals % self._stride - 1  # the next deal at a stride boundary
        for i in range(first, len(totals), self._stride):
            self._kept.append((self._deals + i + 1, self._hands + (i + 1) * hands_per_deal, running[i].copy()))
        self._deals += len(totals)
        self._hands += len(totals) * hands_per_deal
        self._sum = running[-1].copy() if len(totals) else self._sum

    def curve(self) -> MatchCurve:
        """The recorded curve, including the end."""
        points = list(self._kept)
        if points[-1][0] != self._deals:
            points.append((self._deals, self._hands, self._sum))
        return MatchCurve(np.array([hands for _, hands, _ in points]), np.array([totals for *_, totals in points]))


def _over_passes(payoffs: np.ndarray) -> np.ndarray:
    """Summed over the passes of each deal.  # [pass, deal, agent] -> [deal, agent]"""
    return np.asarray(sum(payoffs[1:], payoffs[0]))


class Tally:
    """Accumulates the blocks of a match, in order."""

    def __init__(self, players: int, passes: int) -> None:
        self._players = players
        self._passes = passes
        self._deals = Moments.none(players)
        self._pairs = list(combinations(range(players), 2)) if players > 2 else []
        self._sums = Moments.none(len(self._pairs))  # of the winnings of two agents together
        self._adjusted: Moments | None = None
        self._hands = Moments.none(players)
        self._moved = [Moments.none(players) for _ in range(players)]  # of hands, by rotation of the seats
        self._faults: Counter[tuple[int, str]] = Counter()
        self._remarks: Counter[tuple[int, str]] = Counter()
        self._curve = CurveRecorder(players)
        self._decisions = [Decisions()] * players
        self._categories: dict[tuple[int, int], Moments] = {}  # by agent and category: of winnings, and of won or not

    @property
    def hands(self) -> int:
        """Hands added so far."""
        return self._hands.count

    def add(self, result: BlockResult, *, first: int) -> None:
        """Add a block whose first deal has this number."""
        payoffs = result.payoffs  # [pass, deal, agent]
        deals = _over_passes(payoffs) / self._passes
        self._deals = self._deals.add(deals)
        if self._pairs:
            self._sums = self._sums.add(np.stack([deals[:, i] + deals[:, j] for i, j in self._pairs], axis=1))
        self._hands = self._hands.add(payoffs.reshape(-1, self._players))
        if result.adjusted is not None:
            self._adjusted = (self._adjusted or Moments.none(self._players)).add(
                _over_passes(result.adjusted) / self._passes
            )
        self._faults.update(result.faults)
        self._remarks.update(result.remarks)
        self._curve.add(_over_passes(payoffs), hands_per_deal=self._passes)
        self._add_seats(payoffs, first)
        for agent, decisions in enumerate(result.decisions):
            self._decisions[agent] = self._decisions[agent].and_also(decisions)
        if result.categories is not None:
            self._add_categories(payoffs, result.categories)

    def _add_categories(self, payoffs: np.ndarray, categories: np.ndarray) -> None:
        """Add hands by agent and category of the hand dealt.  # [pass, deal, agent] both"""
        for agent in range(self._players):
            won, own = payoffs[..., agent].reshape(-1), categories[..., agent].reshape(-1)
            for category in np.unique(own).tolist():
                some = won[own == category]
                before = self._categories.get((agent, category), Moments.none(2))
                self._categories[agent, category] = before.add(np.stack([some, some > 0], axis=1))

    def _category_winnings(self, agent: int, names: Sequence[str]) -> tuple[CategoryWinnings, ...]:
        return tuple(
            CategoryWinnings(name, float(moments.mean[1]), moments.summary(0))
            for number, name in enumerate(names)
            if (moments := self._categories.get((agent, number))) is not None
        )

    def _add_seats(self, payoffs: np.ndarray, first: int) -> None:
        """Add hands by rotation of the seats: in deal d of pass p agent a sits in seat a + (d + p)."""
        for moved in range(self._players):
            rows = [
                payoffs[passed, (moved - passed - first) % self._players :: self._players]
                for passed in range(self._passes)
            ]
            self._moved[moved] = self._moved[moved].add(np.concatenate(rows))

    def _position(self, agent: int, seat: int) -> Summary | None:
        hands = self._moved[(seat - agent) % self._players]
        return hands.summary(agent) if hands.count else None

    def _covariance(self) -> np.ndarray | None:
        """Of the means of the agents, from the variances of sums of two.  # [agent, agent]"""
        if not self._pairs or self._deals.count < 2:
            return None
        covariance = np.diag([self._deals.variance(agent) for agent in range(self._players)])
        for place, (i, j) in enumerate(self._pairs):
            covariance[i, j] = (self._sums.variance(place) - covariance[i, i] - covariance[j, j]) / 2
            covariance[j, i] = covariance[i, j]
        return np.asarray(covariance / self._deals.count)

    def standing(self, names: tuple[str, ...], game: PokerGame) -> Standing:
        """The winnings so far."""
        unit = units_of(game).usual
        won = [unit.of(self._deals.summary(agent)) for agent in range(self._players)]
        means, halves = (tuple(getattr(one, name) for one in won) for name in ("mean", "half_width"))
        return Standing(self.hands, names, means, halves, unit.rate)

    def result(self, names: tuple[str, ...], game: PokerGame, *, seconds: float, estimator: str = "") -> MatchResult:
        """The result of the match."""
        everyone = range(self._players)
        test = None
        if self._players == 2 and min(hands.count for hands in self._moved) > 1:
            test = variance_ratio((self._moved[1], 0), (self._moved[0], 1))
        return MatchResult(
            game=game.name,
            agents=names,
            hands=self.hands,
            deals=self._deals.count,
            units=units_of(game),
            summaries=tuple(self._deals.summary(agent) for agent in everyone),
            adjusted=None if self._adjusted is None else tuple(self._adjusted.summary(agent) for agent in everyone),
            positions=tuple(tuple(self._position(agent, seat) for seat in everyone) for agent in everyone),
            seat_names=position_names(game),
            luck=tuple(self._deals.wins_by_luck(agent) for agent in everyone),
            variance_test=test,
            hand_deviation=tuple(self._hands.variance(agent) ** 0.5 for agent in everyone),
            faults=tuple((names[agent], reason, count) for (agent, reason), count in self._faults.most_common()),
            remarks=tuple((names[agent], text, count) for (agent, text), count in self._remarks.most_common()),
            curve=self._curve.curve(),
            seconds=seconds,
            categories=tuple(self._category_winnings(agent, category_names(game)) for agent in everyone)
            if self._categories
            else (),
            estimator=estimator,
            covariance=self._covariance(),
            decisions=tuple(self._decisions) if any(one.made for one in self._decisions) else (),
        )
