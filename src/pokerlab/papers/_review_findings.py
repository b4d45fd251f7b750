"""What the tournaments say about claims of the review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol

import numpy as np

from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.tournament import RunOff
from pokerlab.papers._review_learning import Curve
from pokerlab.papers.result import Finding, decided

ALONE = 1.96  # standard errors of each win of a circle that was chosen before it was played
ROUNDING = 1e-9  # relative: always folding loses exactly its exploitability


class Standings(Protocol):
    """What findings need of an event."""

    @property
    def agents(self) -> tuple[str, ...]: ...
    @property
    def means(self) -> np.ndarray: ...
    @property
    def errors(self) -> np.ndarray: ...
    @property
    def ranking(self) -> tuple[tuple[str, float, float], ...]: ...
    @property
    def runoff(self) -> RunOff: ...
    @property
    def exploitability(self) -> dict[str, tuple[float, float]]: ...
    @property
    def name(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def again(self) -> Cycle | None: ...


@dataclass(frozen=True)
class Cycle:
    """Three agents, each of which beats the next and the last the first."""

    agents: tuple[int, int, int]
    least: float  # the smallest of the three wins
    errors: float  # the least significant of the three, in standard errors


def cycles_of(means: np.ndarray, errors: np.ndarray) -> list[Cycle]:
    """Every circle of three in a cross table, the most significant first.

    >>> won = np.array([[0, 1, -2], [-1, 0, 3], [2, -3, 0]])
    >>> cycles_of(won, np.full((3, 3), 0.5))
    [Cycle(agents=(0, 1, 2), least=1.0, errors=2.0)]
    """
    found = []
    for three in permutations(range(len(means)), 3):
        if three[0] != min(three):
            continue  # each circle once
        edges = [(three[0], three[1]), (three[1], three[2]), (three[2], three[0])]
        won = [float(means[edge]) for edge in edges]
        if min(won) > 0:
            sure = min(float(means[edge] / max(errors[edge], 1e-300)) for edge in edges)
            found.append(Cycle((three[0], three[1], three[2]), min(won), min(sure, 1e6)))
    return sorted(found, key=lambda cycle: -cycle.errors)


def played_again(game: PokerGame, names: Sequence[str], circle: Cycle, *, hands: int, seed: int) -> Cycle:
    """The same three agents in fresh hands: a test of this one circle, however it was chosen."""
    first, second, third = circle.agents
    won, sure = [], []
    for number, (one, other) in enumerate(((first, second), (second, third), (third, first))):
        own = int(np.random.SeedSequence(seed, spawn_key=(1, number)).generate_state(1, np.uint32)[0])
        settings = MatchSettings.of(game, [names[one], names[other]], hands=hands, seed=own, duplicate=True)
        result = play_match(settings)
        winnings = result.units.usual.of(result.summaries[0])
        won.append(winnings.mean)
        sure.append(winnings.mean / max(winnings.standard_error, 1e-300))
    return Cycle(circle.agents, min(won), min(sure))


def threshold(agents: int) -> float:
    """Standard errors that all pairs of a cross table together exceed by chance in 5 % of tournaments (Bonferroni)."""
    from scipy import stats

    return float(stats.norm.isf(0.025 / max(agents * (agents - 1) // 2, 1)))


def findings_of(standings: Sequence[Standings]) -> list[Finding]:
    """Circles, and how the two rankings and exploitability go together."""
    findings = []
    for one in standings:
        if one.players == 2:
            findings.append(_intransitive(one))
            findings += _robust(one)
        findings.append(_rankings(one))
    return findings


def _intransitive(one: Standings) -> Finding:
    cycles, needed = cycles_of(one.means, one.errors), threshold(len(one.agents))
    claim = f"{one.name}: winning is not transitive: three agents beat each other in a circle"
    if not cycles:
        return Finding(claim, None, f"no circle in the cross table of {len(one.agents)} agents", "none found")
    best = cycles[0]
    names = " beats ".join(one.agents[agent] for agent in (*best.agents, best.agents[0]))
    sure = f"the weakest win is {best.errors:.1f} standard errors; {needed:.1f} are needed with this number of pairs"
    if one.again is None:
        return Finding(claim, True if best.errors > needed else None, f"{names}; {sure}")
    fresh = f"in fresh hands, which test this circle alone, it is {one.again.errors:.1f}, and {ALONE} are needed"
    return Finding(
        claim, True if max(best.errors / needed, one.again.errors / ALONE) > 1 else None, f"{names}; {sure}; {fresh}"
    )


def _rankings(one: Standings) -> Finding:
    by_bankroll = [agent for agent, *_ in one.ranking]
    same = by_bankroll[0] == one.runoff.ranking[0]
    winners = f"{by_bankroll[0]} wins by bankroll, {one.runoff.ranking[0]} by run-off"
    moved = sum(first != second for first, second in zip(by_bankroll, one.runoff.ranking, strict=True))
    claim = f"{one.name}: bankroll and run-off have different winners"
    return Finding(claim, not same, f"{winners}; {moved} of {len(by_bankroll)} places differ")


def _robust(one: Standings) -> list[Finding]:
    """Whether those who lose significantly to somebody are more exploitable than what they lose, as they must be."""
    needed, worst = threshold(len(one.agents)), []
    checked, holds, fails = 0, True, False
    for row, agent in enumerate(one.agents):
        if agent not in one.exploitability:
            continue
        others = [other for other in range(len(one.agents)) if other != row]
        loser = min(others, key=lambda other: float(one.means[row, other]))
        lost, error = -float(one.means[row, loser]), float(one.errors[row, loser])
        value, half = one.exploitability[agent]
        checked += 1
        reach = value + needed * error + ROUNDING * abs(value)
        holds &= lost <= reach + half
        fails |= half == 0 and lost > reach  # a lower bound cannot be contradicted
        worst.append((lost / value if value > 0 else 0.0, agent))
    if not checked:
        return []
    share, agent = max(worst)
    claim = f"{one.name}: nobody loses more to another agent than its exploitability"
    evidence = (
        f"{checked} agents; {agent} comes nearest: it lost {100 * share:.0f} % of it to one opponent, before errors"
    )
    return [Finding(claim, decided(holds, fails), evidence)]


def learning_findings(curves: Sequence[Curve]) -> list[Finding]:
    """Whether agents that adapt win more in the second half of a session."""
    findings = []
    for curve in curves:
        gain = curve.gain
        claim = f"{curve.agent} learns: it wins more from {curve.opponent} in the second half of a session"
        evidence = f"{gain} {curve.unit} more, over {gain.count} sessions of {curve.hands[-1]:,.0f} hands"
        findings.append(Finding(claim, decided(gain.low > 0, gain.high < 0), evidence))
    return findings
