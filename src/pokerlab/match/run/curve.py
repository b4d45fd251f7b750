"""The course of a match: cumulative payoffs at equally spaced deals, with a bounded number of points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MOST_POINTS = 2000


@dataclass(frozen=True, eq=False)
class MatchCurve:
    """Each agent's winnings after a number of hands; points are `stride` deals apart, and the last is the end."""

    hands: np.ndarray  # [point] hands played
    totals: np.ndarray  # [point, agent] chips


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
