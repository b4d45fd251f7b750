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

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pokerlab import figure
from pokerlab.abstraction.making import IMPERFECT, PERFECT
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.figure import Figure, Panel
from pokerlab.papers._cfr_br_runs import COARSE, FINE, Curve, Exact, Line, curve_of, exact_leduc, matrix_game
from pokerlab.papers.result import QUICK_NOTE, Finding, PaperResult, Row, Table

CHIPS = "exploitability, chips a hand"
NOTES = (
    "Exploitability is in chips a hand in the real game: what a best response that sees its cards wins, as the mean "
    "over seats.",
    "Buckets of Leduc hold'em know the rank of the own card up to groups, and of the board whether it makes a pair. An "
    "abstract game has many equilibria; programs find one, and the least exploitable of all.",
    "Places are infosets of hands for CFR-BR and histories for Pure CFR and CFR, counted each time they are looked at.",
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


def paper(
    *,
    full: bool = False,
    quick: bool = False,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> PaperResult:
    """Solve, train and measure."""
    began, scale = time.perf_counter(), QUICK if quick else FULL if full else USUAL

    watch = Watch("cfr_br", on_progress, cancel)
    leduc = []
    for place, ranks in enumerate((COARSE, FINE)):
        watch.at(f"Leduc hold'em, {ranks}", 0.1 * place)
        leduc.append(exact_leduc(ranks, scale.leduc, seed))
    curves = []
    for place, (method, recall) in enumerate(scale.curves):
        watch.at(f"{method}, {recall} recall", 0.2 + 0.8 * place / len(scale.curves))
        curves.append(curve_of(scale.game, method, recall, marks=scale.self_play, runs=dict(scale.runs), seed=seed))
    watch.at("done", 1.0)
    return PaperResult(
        name="cfr-br",
        title="Least exploitable strategies of an abstraction",
        source="M. Johanson, N. Bard, N. Burch, M. Bowling 2012; K. Waugh and others 2009; M. Schmid 2013, 8.2, 8.6",
        tables=(_matrix_table(), _leduc_table(leduc), *(_curve_table(curve) for curve in curves)),
        figures=(_leduc_figure(leduc), _curve_figure(scale, curves)),
        findings=(
            _pathology(leduc),
            _refinement(leduc),
            _optimal(leduc),
            _better(curves),
            *_overfitting(leduc, curves),
        ),
        notes=(*NOTES, *((QUICK_NOTE,) if quick else ())),
        settings={"seed": seed, "full": full, "game": scale.game},
        seconds=time.perf_counter() - began,
    )


# ---- tables and figures --------------------------------------------------------------------------------------------


def _matrix_table() -> Table:
    rows = []
    for of_rows, columns in (("AB", "abcd"), ("AB", "ab"), ("AB", "abc"), ("B", "c"), ("AB", "c")):
        found = matrix_game(of_rows, columns)
        shares = f"row A {found.least_share}"
        if found.most_share != found.least_share:
            shares += f" to {found.most_share}"
        worth = {"value": found.value, "guarantee, at best": found.best, "at worst": found.worst}
        printed = "slightly more than 5" if columns == "abcd" else None
        what = f"rows {', '.join(of_rows)}, columns {', '.join(columns)}"
        rows.append(Row(what, printed=printed, exact=found.value if printed else None, ours=worth, note=shares))
    note = "the value of what is left of the game, and what its optimal strategies win at least in the whole game"
    return Table("The matrix game of section 8.2.4", tuple(rows), note, digits=4)


def _last(lines: Sequence[Line], name: str) -> float:
    return next(line for line in lines if line.name == name).left[-1]


def _leduc_table(found: list[Exact]) -> Table:
    rows = []
    for one in found:
        ours = {
            "an equilibrium": one.equilibrium,
            "the best equilibrium": one.best_equilibrium,
            "least exploitable": one.least,
            "CFR": one.lines[0].left[-1],
            "CFR-BR": _last(one.lines, "CFR-BR, average"),
            "current": _last(one.lines, "CFR-BR, current"),
            "hybrid": _last(one.lines, "CFR-BR(trunk=1), average"),
        }
        rows.append(Row(f"{one.ranks}, {one.form.buckets.text} buckets", ours=ours, note=f"value {one.value:.5f}"))
    iterations = found[0].lines[0].iterations[-1]
    note = (
        f"the first three by linear programs; CFR and CFR-BR {iterations:,} iterations, the hybrid {4 * iterations:,}"
    )
    return Table("Abstractions of Leduc hold'em: exploitability in the real game", tuple(rows), note, digits=4)


def _curve_table(curve: Curve) -> Table:
    rows = []
    lines = [*curve.lines, *([curve.inside] if curve.inside else [])]
    for line in lines:
        least = int(np.argmin(line.left))
        ours = {"first": line.left[0], "least": line.left[least], "last": line.left[-1]}
        note = f"after {line.iterations[0]:,}, {line.iterations[least]:,} and {line.iterations[-1]:,} iterations"
        rows.append(Row(line.name, ours=ours, note=note))
    return Table(f"Rhode Island hold'em, {curve.name}, {curve.infosets:,} infosets", tuple(rows), digits=3)


def _drawn(line: Line) -> figure.Line:
    return figure.Line(np.array(line.places), np.array(line.left), line.name)


def _leduc_figure(found: list[Exact]) -> Figure:
    panels = []
    for one in found:
        width = np.array([min(line.places[0] for line in one.lines), max(line.places[-1] for line in one.lines)])
        least = figure.Line(width, np.full(2, one.least), "least exploitable")
        lines = (*(_drawn(line) for line in one.lines), least)
        panels.append(Panel(lines, f"Leduc hold'em, {one.ranks}", "places looked at", CHIPS, x_log=True, y_log=True))
    return Figure("leduc", "Abstractions of Leduc hold'em in the real game", tuple(panels), columns=2)


def _curve_figure(scale: Scale, curves: list[Curve]) -> Figure:
    panels = []
    for curve in curves:
        lines = tuple(_drawn(line) for line in (*curve.lines, *([curve.inside] if curve.inside else [])))
        panels.append(Panel(lines, curve.name, "places looked at", CHIPS, x_log=True, y_log=True))
    return Figure("rhode-island", f"{scale.game} with buckets, in the real game", tuple(panels), columns=2)


# ---- findings --------------------------------------------------------------------------------------------------------


def _pathology(found: list[Exact]) -> Finding:
    coarse, fine = found
    return Finding(
        "a finer abstraction may be more exploitable in the real game, whichever of its equilibria is played",
        fine.best_equilibrium > coarse.equilibrium,
        f"Leduc hold'em: every equilibrium of {fine.ranks} loses at least {fine.best_equilibrium:.4f}; {coarse.ranks}, "
        f"the coarser one, has equilibria that lose {coarse.equilibrium:.4f} and {coarse.best_equilibrium:.4f}",
    )


def _refinement(found: list[Exact]) -> Finding:
    coarse, fine = found
    return Finding(
        "with only one player abstracted, a refinement is never worse",
        fine.least <= coarse.least,
        f"the least exploitable strategies of {coarse.ranks} lose {coarse.least:.4f}, of {fine.ranks} {fine.least:.4f}",
    )


def _optimal(found: list[Exact]) -> Finding:
    """Whether CFR-BR ends nearer to the least exploitability than to that of the best abstract equilibrium."""
    told, near = [], []
    for one in found:
        reached = _last(one.lines, "CFR-BR, average")
        near.append(reached - one.least < (one.best_equilibrium - one.least) / 2)
        told.append(
            f"{one.ranks}: {reached:.4f}, the least is {one.least:.4f}, an equilibrium's {one.best_equilibrium:.4f}"
        )
    claim = "CFR-BR comes to the least exploitable strategies that the buckets allow"
    return Finding(claim, True if all(near) else None, "; ".join(told))


def _better(curves: list[Curve]) -> Finding:
    told, better, falling = [], [], []
    for curve in curves:
        self_play = min(curve.lines[0].left)
        answered = [line.left for line in curve.lines if line.name in ("CFR-BR, average", "CFR-BR(trunk=1), average")]
        reached, hybrid = (left[-1] for left in answered)
        better.append(max(reached, hybrid) < self_play)
        # A player who was still improving when the run ended does not count as worse.
        falling.append(all(left[-1] == min(left) for left in answered if left[-1] >= self_play))
        told.append(f"{curve.name}: CFR-BR {reached:.3f}, hybrid {hybrid:.3f}, self-play at its best {self_play:.3f}")
    claim = "CFR-BR and its hybrid are less exploitable in the real game than CFR in the same abstraction"
    return Finding(claim, True if all(better) else None if all(falling) else False, "; ".join(told))


def _overfitting(leduc: list[Exact], curves: list[Curve]) -> list[Finding]:
    """Whether exploitability rises again during training, in self-play and against best responses."""
    claims = (
        "training in self-play overfits: exploitability in the real game falls, then rises again",
        "CFR-BR does not overfit: its average strategy is best at the end",
    )
    named = [(f"Leduc {one.ranks}", one.lines) for one in leduc] + [(curve.name, curve.lines) for curve in curves]
    rises: list[str] = []
    ends: list[str] = []
    for name, lines in named:
        played, answered = lines[0], next(line for line in lines if line.name == "CFR-BR, average")
        if played.left[-1] > min(played.left):
            rises.append(f"{name} from {min(played.left):.3f} to {played.left[-1]:.3f}")
        if answered.left[-1] > min(answered.left):
            ends.append(f"{name} {min(answered.left):.3f} on the way, {answered.left[-1]:.3f} at the end")
    kept = f"in {len(named)} of {len(named)} abstractions the last measurement is the least"
    return [
        Finding(
            claims[0],
            True if rises else None,
            "; ".join(rises) if rises else f"it falls in all {len(named)} abstractions",
        ),
        Finding(claims[1], not ends, "; ".join(ends) if ends else kept),
    ]
