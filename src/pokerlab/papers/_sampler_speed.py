"""Pure CFR beside the other samplers: how fast each iterates, and how exploitable it is after the same seconds.

All run on the same bucketed engine, one thread each. In Leduc and in a small Rhode Island hold'em nothing is abstracted
and exploitability is exact; in hold'em with buckets, strategies of the same seconds play against each other inside the
abstraction. Measurements fall on fixed iterations (powers of two), so they do not depend on the machine; the seconds,
which are of CPU, do.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.events import Watch
from pokerlab.figure import Figure, Line, Panel
from pokerlab.games.poker.engine import PokerGame
from pokerlab.papers._bucketed_runs import poker_game, start_solver
from pokerlab.papers.result import Finding, Interval, Row, Table, decided, interval
from pokerlab.solvers.bucketed.playing import Gain, Side, head_to_head
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form

PURE = "Pure CFR"
SAMPLERS = {
    PURE: "pure",
    "external": "external",
    "outcome": "outcome",
    "chance": "chance",
    "public chance": "public-chance",
}


@dataclass(frozen=True)
class SpeedScale:
    """The games that are measured exactly, the seconds of each run, and how many seeds there are."""

    games: tuple[str, ...]
    seconds: float
    seeds: int
    hands: int  # of the matches in hold'em
    first: int = 64  # iterations before the first measurement


@dataclass(frozen=True)
class Run:
    """One sampler with one seed: exploitability, in chips, by iterations and by seconds of CPU."""

    iterations: np.ndarray  # [point]
    seconds: np.ndarray  # [point]
    exploitability: np.ndarray  # [point]

    def after(self, seconds: float) -> float:
        """The exploitability after some seconds, interpolated in logarithms."""
        return float(np.exp(np.interp(np.log(seconds), np.log(self.seconds), np.log(self.exploitability))))

    def at(self, iterations: float) -> float:
        """The exploitability after some iterations."""
        return float(np.exp(np.interp(np.log(iterations), np.log(self.iterations), np.log(self.exploitability))))


Runs = Mapping[str, Sequence[Run]]  # by sampler, one for each seed


def lossless_form(name: str) -> BucketedForm:
    """A small game with a bucket for each hand."""
    game = poker_game(name)
    cards = CardRounds.of(game)
    return bucketed_form(game, make(Plan(cards, ("lossless",) * cards.rounds, PERFECT, 0)))


def compare(form: BucketedForm, scale: SpeedScale, *, seed: int, watch: Watch) -> dict[str, list[Run]]:
    """Every sampler with every seed."""
    runs: dict[str, list[Run]] = {name: [] for name in SAMPLERS}
    count = len(SAMPLERS) * scale.seeds
    for number in range(count):
        name = list(SAMPLERS)[number % len(SAMPLERS)]  # in turns, so that other load affects all equally
        watch.at(f"{name} in {form.game.name}", number, count)
        solver = start_solver(SAMPLERS[name], form, seed=seed + number // len(SAMPLERS), threads=1)
        runs[name].append(_run(solver, scale))
    return runs


def _run(solver: Any, scale: SpeedScale) -> Run:
    points, spent, mark = [], 0.0, scale.first
    while spent < scale.seconds:
        spent += advance(solver, mark)
        points.append((mark, spent, max(solver.measure().exploitability, 1e-12)))
        mark *= 2
    return Run(*np.array(points).T)


def advance(solver: Any, mark: int) -> float:
    """Train up to a number of iterations; returns the seconds of CPU, of all threads."""
    began = time.process_time()
    solver.advance(mark - solver.iterations)
    return max(time.process_time() - began, 1e-6)


def speed_table(game: str, runs: Runs) -> Table:
    """Iterations and exploitability by seconds."""
    seconds, iterations = common(runs)
    rows = []
    for name, own in runs.items():
        ours: dict[str, float | str] = {
            "iterations a second": float(np.median([run.iterations[-1] / run.seconds[-1] for run in own])),
            f"after {seconds:.2g} s": str(interval([run.after(seconds) for run in own])),
            f"after {iterations:,} iterations": str(interval([run.at(iterations) for run in own])),
        }
        rows.append(Row(name, ours=ours))
    note = "exploitability in chips, exact; intervals are over seeds, seconds are of CPU"
    return Table(f"Samplers in {game}", rows, note, digits=0)


def common(runs: Runs) -> tuple[float, int]:
    """The seconds, and the iterations, that all runs have come to."""
    every = [run for own in runs.values() for run in own]
    return min(float(run.seconds[-1]) for run in every), int(min(run.iterations[-1] for run in every))


def shares(runs: Runs) -> dict[str, Interval]:
    """The logarithm of Pure CFR's exploitability over each other's after the same seconds, over seeds."""
    seconds, _ = common(runs)
    own = np.log([run.after(seconds) for run in runs[PURE]])
    return {
        name: interval(own - np.log([run.after(seconds) for run in others]))
        for name, others in runs.items()
        if name != PURE
    }


def speed_finding(game: str, runs: Runs) -> Finding:
    """Whether Pure CFR is nearer to equilibrium than all others after the same seconds."""
    logs = shares(runs)
    words = ", ".join(
        f"{np.exp(one.mean):.2f} ({np.exp(one.low):.2f} to {np.exp(one.high):.2f}) of {name}'s"
        for name, one in logs.items()
    )
    rates = {name: np.median([run.iterations[-1] / run.seconds[-1] for run in own]) for name, own in runs.items()}
    faster = ", ".join(f"{rates[PURE] / rates[name]:.2g} times those of {name}" for name in logs)
    verdict = decided(all(one.high < 0 for one in logs.values()), any(one.low > 0 for one in logs.values()))
    unclear = [one for one in logs.values() if one.low <= 0 <= one.high]
    seeds = max((one.count * (one.half_width / max(abs(one.mean), 1e-9)) ** 2 for one in unclear), default=0.0)
    return Finding(
        f"Pure CFR runs a lot faster than other modifications (4): {game}",
        verdict,
        f"exploitability after {common(runs)[0]:.2g} s {words}; iterations a second {faster}",
        words="" if verdict is not None else f"undecided: it would take about {seeds:,.0f} seeds",
    )


# ---- hold'em with buckets ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rivals:
    """What Pure CFR wins from each other sampler in the same abstraction after the same seconds, in chips a hand."""

    gains: Mapping[str, Gain]
    iterations: Mapping[str, int]
    seconds: Mapping[str, float]


def rivals(form: BucketedForm, scale: SpeedScale, *, seed: int, watch: Watch) -> Rivals:
    """Train each sampler for about as many seconds, and let the results play."""
    averages, iterations, seconds = {}, {}, {}
    for number, (name, algorithm) in enumerate(SAMPLERS.items()):
        watch.at(f"{name} in {form.game.name}", number, len(SAMPLERS) + 1)
        solver = start_solver(algorithm, form, seed=seed, threads=1)
        mark = scale.first
        spent = advance(solver, mark)
        while spent < scale.seconds:  # the last step is cut to the seconds that are left
            more = min(mark, int((scale.seconds - spent) / spent * mark) + 1)
            spent += advance(solver, mark + more)
            mark += more
        averages[name] = Side(form, np.array(solver.strategy_arrays()["average"]))
        iterations[name], seconds[name] = mark, spent
    gains = {
        name: head_to_head(averages[PURE], side, hands=scale.hands, seed=seed)
        for name, side in averages.items()
        if name != PURE
    }
    return Rivals(gains, iterations, seconds)


def rivals_table(game: PokerGame, result: Rivals) -> Table:
    """The matches inside the abstraction."""
    unit = 1000 / max(*game.rules.blinds, *game.rules.antes)
    rows = []
    for name in SAMPLERS:
        ours: dict[str, float] = {
            "iterations": result.iterations[name],
            "seconds": result.seconds[name],
        }
        note = ""
        if name in result.gains:
            gain = result.gains[name]
            ours["Pure CFR wins, mbb"] = gain.mean * unit
            note = f"± {gain.half * unit:.1f}"
        rows.append(Row(name, ours=ours, note=note))
    return Table(f"Samplers in {game.name} with buckets, after the same seconds of CPU", rows, digits=1)


def rivals_finding(game: PokerGame, result: Rivals) -> Finding:
    """Whether Pure CFR wins from all other samplers after the same seconds."""
    unit = 1000 / max(*game.rules.blinds, *game.rules.antes)
    ends = [gain.interval for gain in result.gains.values()]
    words = ", ".join(
        f"{gain.mean * unit:+.0f} ± {gain.half * unit:.0f} mbb from {name}" for name, gain in result.gains.items()
    )
    return Finding(
        f"Pure CFR runs a lot faster than other modifications (4): {game.name} with buckets",
        decided(all(low > 0 for low, _ in ends), any(high < 0 for _, high in ends)),
        f"after {result.seconds[PURE]:.2g} s of CPU it wins {words}",
    )


def speed_figure(curves: Mapping[str, Runs]) -> Figure:
    """Exploitability by seconds, first seed."""
    panels = []
    for game, runs in curves.items():
        lines = [Line(own[0].seconds, own[0].exploitability, name) for name, own in runs.items()]
        panels.append(Panel(tuple(lines), game, "seconds of CPU", "exploitability, chips", x_log=True, y_log=True))
    return Figure("samplers", "Pure CFR beside other samplers", tuple(panels), columns=2)
