"""The results of freeze-outs and of match play: the unit of observation is a group of contests with the same cards.

Hands of one contest depend on each other, since stacks are carried over; contests of different groups are independent.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.prizes.icm import place_chances
from pokerlab.match.run.contest import ContestRules
from pokerlab.match.run.contest_block import ContestBlockResult
from pokerlab.match.run.result import units_of
from pokerlab.match.statistics import Moments, Summary, Units, finite
from pokerlab.match.table.clock import Decisions
from pokerlab.notebook_display import NotebookDisplay
from pokerlab.tables import frame


@dataclass(frozen=True)
class WinShare:
    """How often an agent finished first, with Wilson's interval, which never leaves 0 to 1."""

    share: float
    low: float
    high: float

    @staticmethod
    def of(summary: Summary) -> WinShare:
        """From the mean over groups; groups vary less or more than single contests, so the count is an effective one.

        A share of exactly 0 or 1 has no measured error, and the count is that of the groups.
        """
        share, error, z = summary.mean, summary.standard_error, 1.96
        spread = share * (1 - share)
        count = spread / error**2 if spread > 0 and error > 0 else summary.count
        centre = (share + z**2 / (2 * count)) / (1 + z**2 / count) if count else 0.5
        half = z * (spread / count + z**2 / (4 * count**2)) ** 0.5 / (1 + z**2 / count) if count else 0.5
        return WinShare(share, max(centre - half, 0.0), min(centre + half, 1.0))


@dataclass(frozen=True, eq=False)
class ContestResult(NotebookDisplay):
    """The result of freeze-outs or of sessions of match play, by agent in the order given."""

    game: str
    agents: tuple[str, ...]
    rules: ContestRules
    contests: int
    groups: int  # observations
    hands: Summary  # per contest
    units: Units
    winnings: tuple[Summary, ...]  # chips per hand
    buy_ins: tuple[Summary, ...]  # per session of match play
    place_counts: np.ndarray  # [agent, place] freeze-outs; shared places count in parts
    places: tuple[Summary, ...]  # of a freeze-out; empty in match play
    wins: tuple[WinShare, ...]
    prizes: tuple[Summary, ...]  # share of the prizes
    covariance: np.ndarray | None  # [agent, agent] of the mean prizes, or of the mean winnings; None for one group
    capped: int  # freeze-outs decided by chips
    faults: tuple[tuple[str, str, int], ...]  # agent, reason, count
    remarks: tuple[tuple[str, str, int], ...]
    seconds: float
    decisions: tuple[Decisions, ...] = ()  # by agent, of the hands that were played now

    @property
    def is_freezeout(self) -> bool:
        """Whether these are freeze-outs."""
        return self.rules.kind == "freezeout"

    @property
    def chip_shares(self) -> np.ndarray:
        """Each agent's share of the chips at the start: its probability to win between equals.  # [agent]"""
        return np.array(self.rules.stacks) / sum(self.rules.stacks)

    @property
    def model_prizes(self) -> np.ndarray:
        """The share of the prizes that the independent chip model expects at the start.  # [agent]"""
        paid = np.zeros(len(self.agents))
        paid[: len(self.rules.payouts)] = self.rules.payouts
        return np.asarray(place_chances(self.rules.stacks) @ paid)

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "game": self.game,
            "contest": self.rules.as_dict(),
            "contests": self.contests,
            "groups": self.groups,
            "hands_per_contest": _interval(self.hands),
            "capped": self.capped,
            "seconds": round(self.seconds, 3),
            "agents": [self._agent(place) for place in range(len(self.agents))],
            "faults": [{"agent": agent, "reason": reason, "count": count} for agent, reason, count in self.faults],
            "remarks": [{"agent": agent, "remark": text, "count": count} for agent, text, count in self.remarks],
        }

    def _agent(self, place: int) -> dict[str, Any]:
        entry: dict[str, Any] = {"agent": self.agents[place], "stack": self.rules.stacks[place]}
        entry |= self.decisions[place].as_dict() if self.decisions else {}
        if not self.is_freezeout:
            entry |= self.units.as_dict(self.winnings[place])
            return entry | {"buy_ins": _interval(self.buy_ins[place])}
        wins = self.wins[place]
        return entry | {
            "wins": {"mean": wins.share, "low": wins.low, "high": wins.high},
            "chip_share": float(self.chip_shares[place]),
            "place": _interval(self.places[place]),
            "prize": _interval(self.prizes[place]),
            "model_prize": float(self.model_prizes[place]),
            "places": [float(count) for count in self.place_counts[place]],
        }

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each agent."""
        rows = []
        for place in range(len(self.agents)):
            row: dict[str, Any] = {}
            for key, value in self._agent(place).items():
                parts = value.items() if isinstance(value, dict) else ()
                row |= {f"{key}_{name}": number for name, number in parts} if parts else {key: value}
            rows.append(row)
        return frame({name: [row[name] for row in rows] for name in rows[0]})


def _interval(summary: Summary) -> dict[str, float | None]:
    return {"mean": finite(summary.mean), "low": finite(summary.low), "high": finite(summary.high)}


class ContestTally:
    """Accumulates the blocks of contests, in order."""

    def __init__(self, rules: ContestRules) -> None:
        self._rules, self._players = rules, len(rules.stacks)
        players = self._players
        self._paid = np.zeros(players)
        self._paid[: len(rules.payouts)] = rules.payouts
        self._places = np.zeros((players, players))
        # hands; then by agent: place, first, prize, winnings per hand, buy-ins
        self._moments = Moments.none(1 + 5 * players)
        self._scores: list[np.ndarray] = []  # [agent] of each group: prizes, or winnings
        self.contests = self.hands = self._capped = 0
        self._decisions = [Decisions()] * players
        self._faults: Counter[tuple[int, str]] = Counter()
        self._remarks: Counter[tuple[int, str]] = Counter()

    def add(self, result: ContestBlockResult) -> None:
        """Add a block."""
        rows = []
        for group in result.records:
            cells = []
            for one in group:
                places = one.places @ np.arange(1, self._players + 1)
                by_agent = places, one.places[:, 0], one.places @ self._paid, one.won / max(one.hands, 1), one.buy_ins
                cells.append(np.concatenate([[one.hands], *by_agent]))
                self._places += one.places
                self._capped += one.is_capped
                self.contests += 1
                self.hands += one.hands
            rows.append(np.mean(cells, axis=0))
            self._scores.append(self._part(rows[-1], 2 if self._rules.kind == "freezeout" else 3))
        self._moments = self._moments.add(np.array(rows))
        self._faults.update(result.faults)
        self._remarks.update(result.remarks)
        for agent, decisions in enumerate(result.decisions):
            self._decisions[agent] = self._decisions[agent].and_also(decisions)

    def _part(self, row: np.ndarray, number: int) -> np.ndarray:
        first = 1 + number * self._players
        return row[first : first + self._players]

    def result(self, names: tuple[str, ...], game: PokerGame, *, seconds: float) -> ContestResult:
        """The result of all contests."""
        groups = self._moments.count

        def summaries(number: int) -> tuple[Summary, ...]:
            first = 1 + number * self._players
            return tuple(self._moments.summary(first + agent) for agent in range(self._players))

        is_freezeout = self._rules.kind == "freezeout"
        covariance = np.cov(np.array(self._scores).T) / groups if groups > 1 else None
        return ContestResult(
            game=game.name,
            agents=names,
            rules=self._rules,
            contests=self.contests,
            groups=groups,
            hands=self._moments.summary(0),
            units=units_of(game),
            winnings=summaries(3),
            buy_ins=() if is_freezeout else summaries(4),
            place_counts=self._places,
            places=summaries(0) if is_freezeout else (),
            wins=tuple(map(WinShare.of, summaries(1))) if is_freezeout else (),
            prizes=summaries(2) if is_freezeout else (),
            covariance=covariance,
            capped=self._capped,
            faults=tuple((names[agent], reason, count) for (agent, reason), count in self._faults.most_common()),
            remarks=tuple((names[agent], text, count) for (agent, text), count in self._remarks.most_common()),
            seconds=seconds,
            decisions=tuple(self._decisions) if any(one.made for one in self._decisions) else (),
        )
