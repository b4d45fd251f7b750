"""Monte-Carlo CFR against CFR, by nodes touched, in four games (figure 7.1 of Schmid; Lanctot and others 2009).

M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, "Monte Carlo sampling for regret minimization in extensive games",
2009, compare vanilla CFR, CFR with pruning, external and outcome sampling in Goofspiel, one-card poker, Princess and
Monster and latent tic-tac-toe; M. Schmid's thesis reprints their plot as figure 7.1. We rerun it and add chance
sampling: by default in smaller games of the same kind, and with `full` in games of the paper's sizes. The
exploitability is exact at every point of every curve. A full run saves each finished curve.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pokerlab.figure import Figure, Line, Panel
from pokerlab.formats.opening import open_game
from pokerlab.games.sizes import size_of
from pokerlab.papers._pursuit_sizes import CAUGHT, Rules, pursuit_finding, pursuit_table
from pokerlab.papers._sampling_runs import POINTS, Curve, GameCurves, compare
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, decided, rerunnable

GOOFSPIEL, ONE_CARD, PRINCESS, LATENT = "Goofspiel", "one-card poker", "Princess and Monster", "latent tic-tac-toe"
SMALL = {
    GOOFSPIEL: "goofspiel(cards=5)",
    ONE_CARD: "one-card(cards=50)",
    PRINCESS: "princess-and-monster(steps=7)",
    LATENT: "latent-tictactoe(rows=2, columns=3, line=3)",
}
FULL = {
    GOOFSPIEL: "goofspiel(cards=7, play_last=true)",
    ONE_CARD: "one-card(cards=500)",
    PRINCESS: "princess-and-monster(steps=13)",
    LATENT: "latent-tictactoe",
}
QUICK = {GOOFSPIEL: "goofspiel(cards=3)", ONE_CARD: "one-card(cards=6)"}
SAMPLED = ("chance sampling", "external sampling", "outcome sampling")
SEEDS, FULL_SEEDS = 5, 3
OUR_PURSUIT = Rules(waits=False, together=False, caught=CAUGHT[0], moves=13)
QUICK_BUDGET = 2e5  # nodes touched
SMALL_BUDGETS = {GOOFSPIEL: 5e6, ONE_CARD: 5e6, PRINCESS: 5e6, LATENT: 2e7}  # where sampling has least to win, longer
FULL_BUDGETS = {GOOFSPIEL: 3e9, ONE_CARD: 3e8, PRINCESS: 1e9, LATENT: 1e9}


@dataclass(frozen=True)
class PrintedTable:
    """Table 1 of the paper for one game."""

    histories: float
    infosets: float
    constants: tuple[float, float]  # M of each player
    seconds: tuple[float, float, float]  # of one iteration, by TIMED


PRINTED = {
    GOOFSPIEL: PrintedTable(98.3e6, 3294e3, (89884, 89884), (110, 150e-6, 0.150)),
    ONE_CARD: PrintedTable(22.4e6, 2e3, (45, 32), (28, 46e-6, 99e-6)),
    PRINCESS: PrintedTable(91.8e6, 20e3, (9541, 2930), (120, 85e-6, 0.028)),
    LATENT: PrintedTable(70.4e6, 16039e3, (1333630, 1236660), (38, 62e-6, 0.070)),
}
TIMED = ("CFR", "outcome sampling", "external sampling")
_SMALL_NOTE = (
    "The smaller the tree, the less sampling has to win: scaled down, latent tic-tac-toe has 2 by 3 cells, a thousand "
    "times fewer histories than the paper's, and is played for four times as many nodes as the others; `--full` plays "
    "games of the paper's sizes."
)
_FULL_NOTES = (
    "Where the paper leaves rules open, docs/reference/game-library.md has ours: Princess and Monster and latent "
    "tic-tac-toe are of the same kind as the paper's but not of the same size.",
    "One-card poker with 500 cards has 500 x 499 deals of nine nodes, 2.2 million in all; the paper prints 22.4 "
    "million, ten times as many, and the same infosets and constants as ours: a slip of the decimal point.",
    "An iteration of CFR here goes over sequences: histories that lead to the same sequences are one leaf.",
)


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Rerun the comparison."""
    full, games = rerun.full, rerun.choose(quick=QUICK, usual=SMALL, full=FULL)
    budgets = rerun.choose(quick=dict.fromkeys(games, QUICK_BUDGET), usual=SMALL_BUDGETS, full=FULL_BUDGETS)
    seeds = range(rerun.seed, rerun.seed + (FULL_SEEDS if full else SEEDS))
    results: dict[str, GameCurves] = {}
    for number, (title, name) in enumerate(games.items()):
        watch = rerun.watch.within(number / len(games), (number + 1) / len(games), title)
        results[title] = compare(name, seeds=seeds, budget=budgets[title], keep=full, watch=watch)
    return rerun.result(
        title="Monte-Carlo sampling against full walks of the tree",
        source="M. Lanctot and others (2009), figure 1; M. Schmid's thesis (2013), figure 7.1",
        tables=(
            _sizes(results if full else None),
            _times(results, beside=full),
            _ends(games, results),
            pursuit_table(OUR_PURSUIT, _pursuit()),
        ),
        figures=(_figure(games, results),),
        findings=[
            *(_finding(title, one.curves, game="" if full else games[title]) for title, one in results.items()),
            pursuit_finding(_pursuit()),
        ],
        notes=(
            "Nodes touched are histories visited by the walks of both players; an iteration of CFR visits all twice.",
            f"Lines are geometric means over {len(seeds)} seeds with 95 % intervals; CFR itself has no chance in it.",
            *(_FULL_NOTES if full else (_SMALL_NOTE,)),
            *rerun.quick_notes(),
        ),
        seeds=len(seeds),
        budgets=budgets,
        games=dict(games),
    )


def _sizes(results: Mapping[str, GameCurves] | None) -> Table:
    """The sizes of the paper's games: from the form if it was built, or counted without it if that is fast."""
    rows = []
    for title, name in FULL.items():
        printed = PRINTED[title]
        theirs = {
            "histories": printed.histories,
            "infosets": printed.infosets,
            "M of the first player": printed.constants[0],
            "M of the second player": printed.constants[1],
        }
        ours: dict[str, float] = {}
        if results is not None:
            facts = results[title].facts
            names = ("nodes", "infosets", "M of player 0", "M of player 1")
            ours = {what: facts[fact] for what, fact in zip(theirs, names, strict=True)}
        elif title != LATENT:
            ours = {"histories": size_of(open_game(name)).nodes or 0}
        rows += [Row(f"{title}, {what}", printed=theirs[what], ours={"counted": own}) for what, own in ours.items()]
    note = "M sums the roots of the numbers of infosets before which the player did the same; it bounds the regret"
    return Table("Sizes of the games of the paper", rows, digits=0, note="" if results is None else note)


def _times(results: Mapping[str, GameCurves], *, beside: bool) -> Table:
    rows = [
        Row(
            f"{title}, {curve.algorithm}",
            printed=dict(zip(TIMED, PRINTED[title].seconds, strict=True)).get(curve.algorithm) if beside else None,
            times={"here": curve.iteration_seconds},
        )
        for title, one in results.items()
        for curve in one.curves
    ]
    return Table("Seconds of one iteration", rows, digits=6, note="of CPU, one thread")


def _ends(games: Mapping[str, str], results: Mapping[str, GameCurves]) -> Table:
    rows = [
        Row(
            title,
            ours={curve.algorithm: float(curve.interval()[0][-1]) for curve in one.curves},
            note=f"{games[title]}, {max(curve.nodes[-1] for curve in one.curves):.1g} nodes",
        )
        for title, one in results.items()
    ]
    return Table("Exploitability when the last nodes are touched", rows, digits=5)


def _figure(games: Mapping[str, str], results: Mapping[str, GameCurves]) -> Figure:
    panels = []
    for title, one in results.items():
        lines = []
        for curve in one.curves:
            mean, low, high = curve.interval()
            lines.append(Line(curve.nodes, mean, curve.algorithm, low=low, high=high))
        heading = f"{title}: {games[title]}" if len(games[title]) < 30 else title
        panels.append(Panel(tuple(lines), heading, "nodes touched", "exploitability", x_log=True, y_log=True))
    return Figure("figure_7_1", "Exploitability by nodes touched, four games (figure 7.1)", tuple(panels), columns=2)


def advantage(one: Curve, vanilla: Curve) -> tuple[float, float, float]:
    """Exploitability as a share of CFR's, over the later half of the curve, with its 95 % interval over seeds."""
    late = slice(POINTS // 2, None)
    base = np.log(vanilla.exploitability[0, late]).mean()
    shares = np.exp(np.log(np.maximum(one.exploitability[:, late], 1e-16)).mean(axis=1) - base)
    mean, low, high = Curve(one.algorithm, np.ones(1), shares[:, None]).interval()
    return float(mean[0]), float(low[0]), float(high[0])


def _pursuit() -> tuple[float, float, tuple[float, float]]:
    printed = PRINTED[PRINCESS]
    return printed.histories, printed.infosets, printed.constants


def _finding(title: str, curves: list[Curve], *, game: str = "") -> Finding:
    """The claim of the figure's caption, game by game: some sampling beats CFR at equal nodes touched.

    In a smaller `game` than the paper's a failure decides only that game.
    """
    by_label = {one.algorithm: one for one in curves}
    shares = {label: advantage(by_label[label], by_label["CFR"]) for label in SAMPLED if label in by_label}
    clear = any(high < 1 for _, _, high in shares.values())
    lost = all(low > 1 for _, low, _ in shares.values())
    words = ", ".join(f"{label} {mean:.2f} ({low:.2f} to {high:.2f})" for label, (mean, low, high) in shares.items())
    return Finding(
        f"{title}: vanilla CFR is outperformed by sampling at equal nodes touched",
        decided(clear, lost),
        f"exploitability as a share of CFR's over the later half of the curve: {words}",
        words=f"not in {game}, which is too small to decide the paper's game" if lost and game else "",
    )
