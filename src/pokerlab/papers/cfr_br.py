"""Abstract strategies that are good in the real game: CFR-BR, compared with pathologies and overfitting.

M. Johanson, N. Bard, N. Burch and M. Bowling, "Finding optimal abstract strategies in extensive-form games", 2012: a
player who minimises regret over buckets, against a best response that sees its cards, converges to the least
exploitable strategy that the buckets allow. K. Waugh, D. Schnizlein, M. Bowling and D. Szafron, "Abstraction
pathologies in extensive games", 2009, and M. Schmid's thesis, 2013, sections 8.2.4, 8.2.5 and 8.6: equilibria of a
finer abstraction may be more exploitable, and training inside an abstraction overfits.

The matrix of the thesis is solved in exact rationals; abstractions of Leduc hold'em by linear programs, which show a
pathology for every equilibrium; and Rhode Island hold'em with fewer ranks (all 13 with `full`) is measured during
training.

Where we differ: the papers use limit hold'em, with 5.8e9 infosets and days of computing. An iteration of ours trains
both players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pokerlab import figure
from pokerlab.abstraction.making import IMPERFECT, PERFECT
from pokerlab.figure import Figure, Panel
from pokerlab.papers._cfr_br_runs import COARSE, FINE, Curve, Exact, Line, curve_of, exact_leduc, matrix_game
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, decided, rerunnable

CHIPS = "exploitability, chips a hand"
AVERAGE, HYBRID = "CFR-BR, average", "CFR-BR(trunk=1), average"  # names of lines
NOTES = (
    "Exploitability is in chips a hand in the real game: what a best response that sees its cards wins, as the mean "
    "over seats.",
    "Buckets of Leduc hold'em know the rank of the own card up to groups, and of the board whether it makes a pair. An "
    "abstract game has many equilibria; programs find one, and the least exploitable of all.",
    "Nodes are infosets of hands for CFR-BR and histories for Pure CFR and CFR, counted at each visit.",
    "The 41.199 mbb a hand of the papers, against 104.410 of self-play in the same abstraction, are of limit hold'em.",
)


@dataclass(frozen=True)
class Scale:
    """The scale of the experiment."""

    game: str
    leduc: tuple[int, ...]  # iterations
    self_play: tuple[int, ...]
    runs: Mapping[str, Sequence[int]] = field(default_factory=dict)  # iterations of CFR-BR by its settings
    curves: tuple[tuple[str, str], ...] = (("strength:3", PERFECT), ("strength:5", IMPERFECT))


QUICK = Scale("rhode-island(ranks=3, suits=3, raises=1)", (1, 10, 40), (100, 1000), {"": (1, 10), "trunk=1": (1, 20)})
USUAL = Scale(
    "rhode-island(ranks=6)",
    (1, 3, 10, 30, 100, 300, 1000),
    (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000),
    {"": (1, 3, 10, 30, 80), "trunk=1": (3, 10, 30, 100, 300)},
)
FULL = Scale(
    "rhode-island",
    (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000),
    (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000),
    {"": (1, 3, 10, 30, 100, 300, 600), "trunk=1": (3, 10, 30, 100, 300, 1000, 3000), "trunk=2": (30, 300, 3000)},
)


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Solve, train and measure."""
    scale, watch, seed = rerun.choose(quick=QUICK, usual=USUAL, full=FULL), rerun.watch, rerun.seed
    leduc = []
    for place, ranks in enumerate((COARSE, FINE)):
        watch.at(f"Leduc hold'em, {ranks}", 0.1 * place)
        leduc.append(exact_leduc(ranks, scale.leduc, seed))
    curves = []
    for place, (method, recall) in enumerate(scale.curves):
        watch.at(f"{method}, {recall} recall", 0.2 + 0.8 * place / len(scale.curves))
        curves.append(curve_of(scale.game, method, recall, marks=scale.self_play, runs=scale.runs, seed=seed))
    watch.at("done", 1.0)
    panels = tuple(_panel(curve.name, curve.lines) for curve in curves)
    rhode_island = Figure("rhode-island", f"{scale.game} with buckets, in the real game", panels, columns=2)
    return rerun.result(
        title="Least exploitable strategies of an abstraction",
        source="M. Johanson, N. Bard, N. Burch, M. Bowling 2012; K. Waugh and others 2009; M. Schmid 2013, 8.2, 8.6",
        tables=(_matrix_table(), _leduc_table(leduc), *(_curve_table(curve) for curve in curves)),
        figures=(_leduc_figure(leduc), rhode_island),
        findings=(*_exact_findings(*leduc), _better(curves), *_overfitting(leduc, curves)),
        notes=(*NOTES, *rerun.quick_notes()),
        game=scale.game,
    )


def _matrix_table() -> Table:
    rows = []
    for of_rows, columns in (("AB", "abcd"), ("AB", "ab"), ("AB", "abc"), ("B", "c"), ("AB", "c")):
        solved = matrix_game(of_rows, columns)
        shares = f"row A {solved.least_share}"
        if solved.most_share != solved.least_share:
            shares += f" to {solved.most_share}"
        ours = {"value": solved.value, "guarantee, at best": solved.best, "at worst": solved.worst}
        printed = "slightly more than 5" if columns == "abcd" else None
        what = f"rows {', '.join(of_rows)}, columns {', '.join(columns)}"
        rows.append(Row(what, printed=printed, exact=solved.value if printed else None, ours=ours, note=shares))
    note = "the value of what is left of the game, and what its optimal strategies win at least in the whole game"
    return Table("The matrix game of section 8.2.4", rows, note, digits=4)


def _line(lines: Sequence[Line], name: str) -> Line:
    return next(line for line in lines if line.name == name)


def _leduc_table(leduc: Sequence[Exact]) -> Table:
    rows = []
    for one in leduc:
        ours = {
            "an equilibrium": one.equilibrium,
            "the best equilibrium": one.best_equilibrium,
            "least exploitable": one.least,
            "CFR": one.lines[0].left[-1],
            "CFR-BR": _line(one.lines, AVERAGE).left[-1],
            "current": _line(one.lines, "CFR-BR, current").left[-1],
            "hybrid": _line(one.lines, HYBRID).left[-1],
        }
        rows.append(Row(f"{one.ranks}, {one.form.buckets.text} buckets", ours=ours, note=f"value {one.value:.5f}"))
    iterations = leduc[0].lines[0].iterations[-1]
    note = (
        f"the first three by linear programs; CFR and CFR-BR {iterations:,} iterations, the hybrid {4 * iterations:,}"
    )
    return Table("Abstractions of Leduc hold'em: exploitability in the real game", rows, note, digits=4)


def _curve_table(curve: Curve) -> Table:
    rows = []
    for line in curve.lines:
        least = int(np.argmin(line.left))
        ours = {"first": line.left[0], "least": line.left[least], "last": line.left[-1]}
        note = f"after {line.iterations[0]:,}, {line.iterations[least]:,} and {line.iterations[-1]:,} iterations"
        rows.append(Row(line.name, ours=ours, note=note))
    return Table(f"Rhode Island hold'em, {curve.name}, {curve.infosets:,} infosets", rows, digits=3)


def _panel(title: str, lines: Sequence[Line], *more: figure.Line) -> Panel:
    drawn = [figure.Line(np.array(line.nodes), np.array(line.left), line.name) for line in lines]
    return Panel((*drawn, *more), title, "nodes visited", CHIPS, x_log=True, y_log=True)


def _leduc_figure(leduc: Sequence[Exact]) -> Figure:
    panels = []
    for one in leduc:
        width = np.array([min(line.nodes[0] for line in one.lines), max(line.nodes[-1] for line in one.lines)])
        least = figure.Line(width, np.full(2, one.least), "least exploitable")
        panels.append(_panel(f"Leduc hold'em, {one.ranks}", one.lines, least))
    return Figure("leduc", "Abstractions of Leduc hold'em in the real game", tuple(panels), columns=2)


def _exact_findings(coarse: Exact, fine: Exact) -> tuple[Finding, ...]:
    evidence, near = [], []
    for one in (coarse, fine):
        reached = _line(one.lines, AVERAGE).left[-1]
        near.append(reached - one.least < (one.best_equilibrium - one.least) / 2)
        evidence.append(
            f"{one.ranks}: {reached:.4f}, the least is {one.least:.4f}, an equilibrium's {one.best_equilibrium:.4f}"
        )
    return (
        Finding(
            "a finer abstraction may be more exploitable in the real game, whichever of its equilibria is played",
            fine.best_equilibrium > coarse.equilibrium,
            f"Leduc hold'em: every equilibrium of {fine.ranks} loses at least {fine.best_equilibrium:.4f}; "
            f"{coarse.ranks}, the coarser one, has equilibria that lose {coarse.equilibrium:.4f} and "
            f"{coarse.best_equilibrium:.4f}",
        ),
        Finding(
            "with only one player abstracted, a refinement is never worse",
            fine.least <= coarse.least,
            f"the least exploitable strategies of {coarse.ranks} lose {coarse.least:.4f}, of {fine.ranks} "
            f"{fine.least:.4f}",
        ),
        Finding(  # it ends nearer to the least exploitability than to that of the best abstract equilibrium
            "CFR-BR converges to the least exploitable strategies that the buckets allow",
            True if all(near) else None,
            "; ".join(evidence),
        ),
    )


def _better(curves: Sequence[Curve]) -> Finding:
    evidence, better, falling = [], [], []
    for curve in curves:
        self_play = min(curve.lines[0].left)
        against_best = [_line(curve.lines, name).left for name in (AVERAGE, HYBRID)]
        average, hybrid = (left[-1] for left in against_best)
        better.append(max(average, hybrid) < self_play)
        # A player who was still improving when the run ended does not count as worse.
        falling.append(all(left[-1] == min(left) for left in against_best if left[-1] >= self_play))
        evidence.append(
            f"{curve.name}: CFR-BR {average:.3f}, hybrid {hybrid:.3f}, self-play at its best {self_play:.3f}"
        )
    claim = "CFR-BR and its hybrid are less exploitable in the real game than CFR in the same abstraction"
    return Finding(claim, decided(all(better), not all(falling)), "; ".join(evidence))


def _overfitting(leduc: Sequence[Exact], curves: Sequence[Curve]) -> list[Finding]:
    """Whether exploitability rises again during training, in self-play and against best responses."""
    named = [(f"Leduc {one.ranks}", one.lines) for one in leduc] + [(curve.name, curve.lines) for curve in curves]
    rises, ends = [], []
    for name, lines in named:
        self_play, average = lines[0].left, _line(lines, AVERAGE).left
        if self_play[-1] > min(self_play):
            rises.append(f"{name} from {min(self_play):.3f} to {self_play[-1]:.3f}")
        if average[-1] > min(average):
            ends.append(f"{name} {min(average):.3f} on the way, {average[-1]:.3f} at the end")
    return [
        Finding(
            "training in self-play overfits: exploitability in the real game falls, then rises again",
            True if rises else None,
            "; ".join(rises) or f"it falls in all {len(named)} abstractions",
        ),
        Finding(
            "CFR-BR does not overfit: its average strategy is best at the end",
            not ends,
            "; ".join(ends) or f"in {len(named)} of {len(named)} abstractions the last measurement is the least",
        ),
    ]
