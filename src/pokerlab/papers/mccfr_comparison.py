"""Monte-Carlo CFR against CFR, by nodes touched, in four games (figure 7.1 of Schmid; Lanctot and others 2009).

M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, "Monte Carlo sampling for regret minimization in extensive games",
2009, compare vanilla CFR, CFR with pruning, external and outcome sampling in Goofspiel, one-card poker, Princess and
Monster and latent tic-tac-toe; M. Schmid's thesis prints their picture as figure 7.1. We rerun it, with chance
sampling besides, in games of the same kind: scaled down by default, and with `full` one-card poker at its size (500
cards) and the others with up to two million histories. The exploitability here is exact, at every point of every curve.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab import registry
from pokerlab.figure import Figure, Line, Panel
from pokerlab.formats.opening import open_game
from pokerlab.games.sizes import size_of
from pokerlab.papers.result import QUICK_NOTE, Finding, OnProgress, PaperResult, Row, Table
from pokerlab.solvers.run import Solver
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

SMALL = {
    "Goofspiel": "goofspiel(cards=5)",
    "one-card poker": "one-card(cards=50)",
    "Princess and Monster": "princess-and-monster(steps=7)",
    "latent tic-tac-toe": "latent-tictactoe(rows=2, columns=3, line=3)",
}
FULL = {
    "Goofspiel": "goofspiel(cards=6)",
    "one-card poker": "one-card(cards=500)",
    "Princess and Monster": "princess-and-monster(steps=11)",
    "latent tic-tac-toe": "latent-tictactoe(rows=1, columns=7, line=3)",
}
QUICK = {"Goofspiel": "goofspiel(cards=3)", "one-card poker": "one-card(cards=6)"}
# the games at the sizes of the paper, and the histories it gives, in millions, where we could check its rules
PAPER_GAMES: dict[str, tuple[str, float | None]] = {
    "Goofspiel": ("goofspiel(cards=7, play_last=true)", 98.3),
    "one-card poker": ("one-card(cards=500)", None),
    "Princess and Monster": ("princess-and-monster(steps=13)", None),
}
ALGORITHMS = {
    "CFR": "cfr(alternating=false)",
    "CFR, pruned": "cfr(alternating=false, pruning=true)",
    "external sampling": "external",
    "outcome sampling": "outcome",
    "chance sampling": "chance",  # last: two of the games have no chance
}
SAMPLED = ("chance sampling", "external sampling", "outcome sampling")
SEEDS = 5
QUICK_BUDGET, SMALL_BUDGET, FULL_BUDGET = 2e5, 5e6, 1e9  # nodes touched
POINTS = 24


@dataclass(frozen=True)
class Curve:
    """One algorithm in one game: exploitability by nodes touched, of every seed."""

    algorithm: str
    nodes: np.ndarray  # [point]
    exploitability: np.ndarray  # [seed, point]

    def interval(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The mean over seeds and its 95 % interval, all in logarithms and back.  # [point] each"""
        logs = np.log(np.maximum(self.exploitability, 1e-16))
        mean = logs.mean(axis=0)
        if len(logs) < 2:
            return np.exp(mean), np.exp(mean), np.exp(mean)
        from scipy.stats import t

        half = t.ppf(0.975, len(logs) - 1) * logs.std(axis=0, ddof=1) / np.sqrt(len(logs))
        return np.exp(mean), np.exp(mean - half), np.exp(mean + half)


def paper(
    *, full: bool = False, quick: bool = False, seed: int = 0, on_progress: OnProgress | None = None
) -> PaperResult:
    """Rerun the comparison."""
    began = time.perf_counter()
    games, budget = (QUICK, QUICK_BUDGET) if quick else (FULL, FULL_BUDGET) if full else (SMALL, SMALL_BUDGET)
    curves: dict[str, list[Curve]] = {}
    for number, (title, name) in enumerate(games.items()):
        if on_progress:
            on_progress(f"laying out {title}", number / len(games))
        form = sequence_form(build(open_game(name)))
        curves[title] = []
        wanted = [label for label in ALGORITHMS if label != "chance sampling" or np.any(form.tree.actor == -1)]
        for position, label in enumerate(wanted):
            if on_progress:
                on_progress(f"{title}: {label}", (number + (position + 0.5) / (len(wanted) + 0.5)) / len(games))
            curves[title].append(curve(form, label, seeds=range(seed, seed + SEEDS), budget=budget))
    return PaperResult(
        name="mccfr_comparison",
        title="Monte-Carlo sampling against full walks of the tree",
        source="M. Lanctot and others (2009), figure 1; M. Schmid's thesis (2013), figure 7.1",
        tables=(_sizes(), _ends(games, curves)),
        figures=(_figure(games, curves),),
        findings=tuple(_finding(title, found) for title, found in curves.items()),
        notes=(
            "Nodes touched are histories visited by the walks of both players; an iteration of CFR visits all twice.",
            "Lines are geometric means over five seeds with 95 % intervals; CFR itself has no chance in it.",
            "The smaller the tree, the less sampling has to win: scaled down, latent tic-tac-toe has 2 by 3 cells, "
            "a thousand times fewer histories than the paper's; `--full` plays it on 1 by 7 cells.",
            "Where the paper's rules leave room, docs/game-library.md says how ours are.",
            *((QUICK_NOTE,) if quick else ()),
        ),
        settings={"seed": seed, "full": full, "seeds": SEEDS, "budget": budget, "games": dict(games)},
        seconds=time.perf_counter() - began,
    )


def curve(form: SequenceForm, label: str, *, seeds: Sequence[int], budget: float) -> Curve:
    """Run an algorithm to a number of nodes touched, measuring at points equally spaced on a logarithmic scale."""
    spec = ALGORITHMS[label]
    algorithm = registry.load("algorithms", spec)
    chosen = list(seeds) if algorithm.random else list(seeds)[:1]
    targets = np.geomspace(max(2 * form.tree.nodes, 1000), budget, POINTS)
    nodes = np.zeros((len(chosen), POINTS))
    found = np.zeros((len(chosen), POINTS))
    for row, seed in enumerate(chosen):
        solver = algorithm.start(form, seed=seed)
        for point, target in enumerate(targets):
            _advance_to(solver, target)
            nodes[row, point] = solver.nodes_touched
            found[row, point] = solver.measure().exploitability
    return Curve(label, nodes.mean(axis=0), found)


def _advance_to(solver: Solver, target: float) -> None:
    """Whole iterations until so many nodes have been touched, by what iterations have cost so far."""
    while solver.nodes_touched < target:
        each = solver.nodes_touched / solver.iterations if solver.iterations else target
        missing = (target - solver.nodes_touched) / max(each, 1.0)
        solver.advance(max(1, int(missing)))


def _sizes() -> Table:
    rows = []
    for title, (name, printed) in PAPER_GAMES.items():
        nodes = size_of(open_game(name)).nodes or 0
        rows.append(Row(f"{title}, millions of histories", printed=printed, ours={"counted": nodes / 1e6}, note=name))
    return Table("Sizes of the games of the paper", tuple(rows), digits=3, note="counted without building")


def _ends(games: dict[str, str], curves: dict[str, list[Curve]]) -> Table:
    rows = []
    for title, found in curves.items():
        rows.append(
            Row(
                title,
                ours={one.algorithm: float(one.interval()[0][-1]) for one in found},
                note=games[title],
            )
        )
    most = max(one.nodes[-1] for found in curves.values() for one in found)
    return Table(f"Exploitability after {most:.1g} nodes touched", tuple(rows), digits=5)


def _figure(games: dict[str, str], curves: dict[str, list[Curve]]) -> Figure:
    panels = []
    for title, found in curves.items():
        lines = []
        for one in found:
            mean, low, high = one.interval()
            lines.append(Line(one.nodes, mean, one.algorithm, low=low, high=high))
        panels.append(
            Panel(
                tuple(lines),
                title=f"{title}: {games[title]}" if len(games[title]) < 30 else title,
                x_label="nodes touched",
                y_label="exploitability",
                x_log=True,
                y_log=True,
            )
        )
    return Figure("figure_7_1", "Exploitability by nodes touched, four games (figure 7.1)", tuple(panels), columns=2)


def advantage(one: Curve, vanilla: Curve) -> tuple[float, float, float]:
    """Exploitability as a share of CFR's, over the later half of the curve, with its 95 % interval over seeds."""
    late = slice(POINTS // 2, None)
    base = np.log(vanilla.exploitability[0, late]).mean()
    shares = np.exp(np.log(np.maximum(one.exploitability[:, late], 1e-16)).mean(axis=1) - base)
    mean, low, high = Curve(one.algorithm, np.ones(1), shares[:, None]).interval()
    return float(mean[0]), float(low[0]), float(high[0])


def _finding(title: str, found: list[Curve]) -> Finding:
    """The claim of the figure's caption, game by game: some sampling beats CFR at equal nodes touched."""
    by_label = {one.algorithm: one for one in found}
    shares = {label: advantage(by_label[label], by_label["CFR"]) for label in SAMPLED if label in by_label}
    clear = any(high < 1 for _, _, high in shares.values())
    lost = all(low > 1 for _, low, _ in shares.values())
    told = ", ".join(f"{label} {mean:.2f} ({low:.2f} to {high:.2f})" for label, (mean, low, high) in shares.items())
    return Finding(
        f"{title}: vanilla CFR is outperformed by sampling at equal nodes touched",
        True if clear else False if lost else None,
        f"exploitability as a share of CFR's over the later half of the curve: {told}",
    )
