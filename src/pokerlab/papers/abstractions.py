"""Card abstractions measured in the real game: pathologies, overfitting, recall, and comparisons of methods.

K. Waugh, D. Schnizlein, M. Bowling and D. Szafron, "Abstraction pathologies in extensive games", 2009: a finer
abstraction may give strategies that are more exploitable in the real game than those of a coarser one. M. Schmid, "Game
theory and poker", Charles University in Prague, 2013, sections 8.2.4 and 8.2.5: the same, and overfitting, where
further training improves a strategy inside its abstraction and makes it worse in the real game.

Here on Rhode Island hold'em, which is small enough to measure exactly: every bucketing method with 3 to 100 buckets per
round, imperfect against perfect recall at equal numbers of infosets, and exploitability against iterations, in the real
game and inside the abstraction. With `full`, also limit hold'em: the same methods at equal size, head to head.

Where we differ: the papers solve abstract games to near equilibrium; we train by Pure CFR for a stated number of
iterations, and intervals are over seeds of clustering and training.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from math import perm

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.gameshrink import Classes, SignalTree, by_outcomes, lossless, signal_tree
from pokerlab.abstraction.making import IMPERFECT, PERFECT
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.figure import Figure, Line, Panel
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.papers._abstraction_runs import Meeting, Outcome, meetings, outcomes, refines
from pokerlab.papers._abstraction_scale import FULL, QUICK, USUAL, Key, Scale, cell, curve_cell, grid, recalls
from pokerlab.papers._goykhman.measures import Interval, interval
from pokerlab.papers.result import QUICK_NOTE, Finding, PaperResult, Row, Table
from pokerlab.solvers.bucketed.playing import Gain
from pokerlab.solvers.convex.program.plan_program import program_size
from pokerlab.tree.bucketed.betting import betting_form

CHIPS = "exploitability, chips a hand"
OUTCOMES, WITHOUT_LOSS = "by outcomes", "without loss"
NOTES = (
    "Exploitability is in chips a hand, the mean over both seats of what a best response that sees its cards wins; "
    "intervals are 95 % by Student's t over seeds, each with its own clustering and training.",
    "The first round keeps its hands apart; other rounds have as many buckets as said. potential looks ahead, so "
    "its last round is by emd. nested has as many buckets in all as said.",
    "Pure CFR with linear weights trains for a number of iterations in proportion to the infosets, with a least one, "
    "so abstractions are not quite solved: what is left is seen inside the abstraction. Curves have no weights.",
    "A point counts as worse than a coarser one of its method where the 95 % interval of the difference (Welch) lies "
    "above 0; a pair in forty does so by chance where there is none. Waugh and others speak of refinements: the "
    "evidence says which pairs are, since k-means with more centres need not split buckets.",
    "At the end a hand's strength takes few values: strength has at most 43 classes in the last round and emd 34, so "
    "they have fewer buckets than asked for, and fewer infosets than with perfect recall.",
    "Inside an abstraction a best response is exact where buckets remember; where they forget, none is given.",
)


def paper(
    *,
    full: bool = False,
    quick: bool = False,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> PaperResult:
    """Make, train and measure abstractions."""
    began, scale = time.perf_counter(), QUICK if quick else FULL if full else USUAL

    watch = Watch("abstractions", on_progress, cancel)
    seeds = range(seed, seed + scale.seeds)
    keys = list(dict.fromkeys([*grid(scale), *recalls(scale)]))
    cells = [cell(key, scale, one) for key in keys for one in seeds]
    curves = [curve_cell(key, scale, one, first=one == seed) for key in scale.curves for one in seeds]
    found = outcomes(cells + curves, watch.within(0.0, 0.5 if scale.holdem else 1.0), game=scale.game)
    by_key = {key: [found[cell(key, scale, one)] for one in seeds] for key in keys}
    lines = {key: [found[curve_cell(key, scale, one, first=one == seed)] for one in seeds] for key in scale.curves}
    gains: Mapping[tuple[str, str], Gain] = {}
    if scale.holdem is not None:
        gains = meetings(scale.holdem, seed, watch.within(0.5, 1.0))
    worse = _worse(scale, by_key)
    tables = [_grid_table(scale, by_key), _recall_table(scale, by_key), *_curve_tables(scale, lines)]
    return PaperResult(
        name="abstractions",
        title="Card abstractions in the real game",
        source="K. Waugh, D. Schnizlein, M. Bowling and D. Szafron 2009; M. Schmid, thesis, 2013, 8.2.4 and 8.2.5",
        tables=(_whole_game(), *tables, *((_holdem_table(scale.holdem, gains),) if scale.holdem else ())),
        figures=(_grid_figure(scale, by_key, worse), _recall_figure(scale, by_key), _curve_figure(scale, lines)),
        findings=_findings(scale, by_key, worse, lines),
        notes=(*NOTES, *((QUICK_NOTE, "A quick run has six ranks.") if quick else ())),
        settings={"seed": seed, "seeds": scale.seeds, "full": full, "game": scale.game},
        seconds=time.perf_counter() - began,
    )


# ---- tables and figures --------------------------------------------------------------------------------------------

ByKey = Mapping[Key, list[Outcome]]


def _whole_game() -> Table:
    """Rhode Island hold'em without abstraction, and shrunk as by Gilpin and Sandholm (2007)."""
    game = open_game("rhode-island")
    assert isinstance(game, PokerGame)
    betting, signals = betting_form(game), signal_tree(CardRounds.of(game, ordered=True))
    every = [perm(52, turn + 1) for turn in range(len(betting.decisions))]
    infosets = sum(places // 2 * hands for places, hands in zip(betting.decisions, every, strict=True))
    classes = {name: [int(one.max()) + 1 for one in found] for name, found in _shrunk(signals).items()}
    sizes = {name: program_size(betting, found).rows for name, found in classes.items()}
    names = {name: f"{name} ({'/'.join(map(str, found))})" for name, found in classes.items()}
    rows = [
        Row("infosets of each player", printed=26_064_064, ours={"counted": infosets}),
        Row("rows of its linear program", printed=91_224_226, ours={"counted": program_size(betting, every).rows}),
        Row(f"the same shrunk {names[OUTCOMES]}", printed=1_237_238, ours={"counted": sizes[OUTCOMES]}),
        Row(f"the same shrunk {names[WITHOUT_LOSS]}", ours={"counted": sizes[WITHOUT_LOSS]}),
    ]
    note = "1,190,443 rows and 1,181,084 columns are printed of what is left after dominated strategies are removed too"
    return Table("Rhode Island hold'em hand by hand", tuple(rows), note, digits=0)


def _shrunk(signals: SignalTree) -> dict[str, Classes]:
    return {OUTCOMES: by_outcomes(signals), WITHOUT_LOSS: lossless(signals)}


def _real(runs: list[Outcome], mark: int = -1) -> Interval:
    return interval([run.real[mark] for run in runs])


def _worse(scale: Scale, found: ByKey) -> list[tuple[str, int, int, bool]]:
    """(method, coarse, fine, refined) of each abstraction that is worse than a coarser one of its method."""
    pairs = []
    for method in scale.methods:
        for place, fine in enumerate(scale.counts):
            for coarse in scale.counts[:place]:
                one, other = (found[(method, count, IMPERFECT)] for count in (coarse, fine))
                if _is_more(other, one):
                    pairs.append((method, coarse, fine, refines(other[0].buckets, one[0].buckets)))
    return pairs


def _is_more(one: list[Outcome], other: list[Outcome]) -> bool:
    """Whether the 95 % interval of the difference of two means (Welch) is above 0."""
    from scipy import stats

    first, second = ([run.real[-1] for run in runs] for runs in (one, other))
    if len(set(first)) == len(set(second)) == 1:  # no variance, and so no interval
        return first[0] > second[0]
    return bool(stats.ttest_ind(first, second, equal_var=False).confidence_interval(0.95).low > 0)


def _grid_table(scale: Scale, found: ByKey) -> Table:
    rows = []
    for count in scale.counts:
        intervals = {method: _real(found[(method, count, IMPERFECT)]) for method in scale.methods}
        widest = max(one.half_width for one in intervals.values())
        rows.append(
            Row(f"{count} buckets", ours={name: one.mean for name, one in intervals.items()}, note=f"± {widest:.2f}")
        )
    note = "the widest interval of a row; the iterations of each: " + ", ".join(
        f"{count} buckets {scale.iterations((scale.methods[0], count, IMPERFECT)):,}" for count in scale.counts
    )
    return Table("Exploitability in the real game by buckets a round, imperfect recall", tuple(rows), note, digits=3)


def _recall_table(scale: Scale, found: ByKey) -> Table:
    rows = []
    for method in scale.remembering:
        for classes in scale.classes:
            keys = {PERFECT: (method, classes, PERFECT), IMPERFECT: scale.without(method, classes)}
            told = {recall: _real(found[key]) for recall, key in keys.items()}
            sizes = {recall: found[key][0] for recall, key in keys.items()}
            rows.append(
                Row(
                    f"{method}, {sizes[PERFECT].buckets.text} and {sizes[IMPERFECT].buckets.text}",
                    ours={f"{recall} recall": one.mean for recall, one in told.items()},
                    note=", ".join(
                        f"{sizes[recall].infosets:,} ± {one.half_width:.2f}" for recall, one in told.items()
                    ),
                )
            )
    title = "Perfect and imperfect recall at equal numbers of infosets: exploitability in the real game"
    return Table(title, tuple(rows), "infosets and interval of each", digits=3)


def _curve_name(key: Key) -> str:
    method, count, recall = key
    return f"{method}:{count}, {recall} recall"


def _curve_tables(scale: Scale, lines: ByKey) -> list[Table]:
    found = []
    for key, runs in lines.items():
        rows = []
        for place, mark in enumerate(scale.marks):
            told = _real(runs, place)
            inside = {"inside the abstraction": runs[0].inside[place]} if runs[0].inside else {}
            rows.append(
                Row(f"{mark:,} iterations", ours={"real game": told.mean, **inside}, note=f"± {told.half_width:.2f}")
            )
        title = f"Exploitability by iterations, {_curve_name(key)} ({runs[0].buckets.text})"
        note = "inside the abstraction: of the first seed" if runs[0].inside else ""
        found.append(Table(title, tuple(rows), note, digits=3))
    return found


def _holdem_table(plan: Meeting, gains: Mapping[tuple[str, str], Gain]) -> Table:
    game = open_game(plan.game)
    assert isinstance(game, PokerGame)
    blind = float(max(game.rules.blinds))
    rows = []
    for one in plan.methods:
        against = {other: gains[(one, other)] for other in plan.methods if other != one}
        rows.append(
            Row(
                one,
                ours={f"against {other}": 1000 * gain.mean / blind for other, gain in against.items()},
                note=f"± {max(1000 * gain.half / blind for gain in against.values()):.1f}",
            )
        )
    note = f"169/{plan.count}/{plan.count}/{plan.count} buckets, {plan.iterations:,} iterations each"
    return Table("Limit hold'em head to head, mbb a hand to the row", tuple(rows), note, digits=1)


def _band(x: list[float], told: list[Interval], label: str) -> Line:
    return Line(
        np.array(x),
        np.array([one.mean for one in told]),
        label,
        low=np.array([max(one.low, one.mean / 10) for one in told]),  # positive, for the logarithmic axis
        high=np.array([one.high for one in told]),
    )


def _grid_figure(scale: Scale, found: ByKey, worse: list[tuple[str, int, int, bool]]) -> Figure:
    x = [float(count) for count in scale.counts]
    lines = [
        _band(x, [_real(found[(method, count, IMPERFECT)]) for count in scale.counts], method)
        for method in scale.methods
    ]
    marked = sorted({(method, fine) for method, _, fine, _ in worse})
    if marked:
        heights = [_real(found[(method, fine, IMPERFECT)]).mean for method, fine in marked]
        points = np.array([float(fine) for _, fine in marked])
        lines.append(Line(points, np.array(heights), "worse than a coarser one", style="rings"))
    panel = Panel(tuple(lines), x_label="buckets a round", y_label=CHIPS, x_log=True, y_log=True)
    return Figure("buckets", "Exploitability in the real game by method and number of buckets", (panel,))


def _recall_figure(scale: Scale, found: ByKey) -> Figure:
    lines = []
    for method in scale.remembering:
        for recall in (PERFECT, IMPERFECT):
            keys = [
                (method, one, PERFECT) if recall == PERFECT else scale.without(method, one) for one in scale.classes
            ]
            sizes = [float(found[key][0].infosets) for key in keys]
            lines.append(_band(sizes, [_real(found[key]) for key in keys], f"{method}, {recall} recall"))
    panel = Panel(tuple(lines), x_label="infosets", y_label=CHIPS, x_log=True, y_log=True)
    return Figure("recall", "Perfect and imperfect recall", (panel,))


def _curve_figure(scale: Scale, lines: ByKey) -> Figure:
    panels, x = [], [float(mark) for mark in scale.marks]
    for key, runs in lines.items():
        drawn = [_band(x, [_real(runs, place) for place in range(len(x))], "real game")]
        if runs[0].inside:
            drawn.append(Line(np.array(x), np.array(runs[0].inside), "inside the abstraction"))
        panels.append(Panel(tuple(drawn), _curve_name(key), "iterations", CHIPS, x_log=True, y_log=True))
    return Figure("iterations", "Exploitability as training goes on", tuple(panels), columns=2)


# ---- findings --------------------------------------------------------------------------------------------------------


def _findings(scale: Scale, found: ByKey, worse: list[tuple[str, int, int, bool]], lines: ByKey) -> tuple[Finding, ...]:
    told = [
        f"{method} {fine} buckets {_real(found[(method, fine, IMPERFECT)])} against {coarse} buckets "
        f"{_real(found[(method, coarse, IMPERFECT)])}{', a refinement' if refined else ''}"
        for method, coarse, fine, refined in worse
    ]
    pathology = Finding(
        "a finer abstraction may be more exploitable in the real game than a coarser one",
        True if worse else None,
        "; ".join(told)
        if told
        else "no finer abstraction is worse than a coarser one of its method, as far as intervals tell",
    )
    return (
        _more_is_better(scale, found),
        pathology,
        *_overfitting(scale, lines),
        _forgetting(scale, found),
        _weva(scale, found),
    )


def _more_is_better(scale: Scale, found: ByKey) -> Finding:
    ends = {
        method: [_real(found[(method, count, IMPERFECT)]) for count in (scale.counts[0], scale.counts[-1])]
        for method in scale.methods
    }
    better = [method for method, (few, many) in ends.items() if many.high < few.low]
    worse = [method for method, (few, many) in ends.items() if many.low > few.high]
    holds = True if len(better) == len(ends) else False if worse else None
    evidence = ", ".join(f"{method} {few} to {many}" for method, (few, many) in ends.items())
    return Finding(f"{scale.counts[-1]} buckets are better than {scale.counts[0]}, by every method", holds, evidence)


def _overfitting(scale: Scale, lines: ByKey) -> list[Finding]:
    """Whether real exploitability rises above its minimum during training, each seed compared with itself."""
    found = []
    for key, runs in lines.items():
        told = [_real(runs, place) for place in range(len(scale.marks))]
        least = min(range(len(told)), key=lambda place: told[place].mean)
        rise = interval([run.real[-1] - run.real[least] for run in runs])
        falls = least == len(told) - 1
        evidence = f"{told[-1]} after {scale.marks[-1]:,} iterations, "
        evidence += (
            "the least" if falls else f"{told[least]} after {scale.marks[least]:,}; a seed rises by {rise} on average"
        )
        if runs[0].inside:
            evidence += f"; inside the abstraction {runs[0].inside[-1]:.3f}, from {runs[0].inside[0]:.3f}"
        claim = f"training overfits: exploitability falls, then rises again ({_curve_name(key)})"
        found.append(Finding(claim, False if falls else True if rise.low > 0 else None, evidence))
    return found


def _ratio(found: ByKey, pairs: list[tuple[Key, Key]]) -> Interval:
    """The ratio of the exploitabilities of each pair, first over second: the geometric mean over pairs.

    The interval is over seeds, of logarithms.
    """
    each = np.array(
        [
            [np.log(one.real[-1] / other.real[-1]) for one, other in zip(found[a], found[b], strict=True)]
            for a, b in pairs
        ]
    )
    return interval(each.mean(axis=0))


def _times(log: Interval) -> str:
    return f"{np.exp(log.mean):.2f} times ({np.exp(log.low):.2f} to {np.exp(log.high):.2f})"


def _verdict(ratios: list[Interval]) -> bool | None:
    """Whether all ratios are below one; False if one is above."""
    if all(one.high < 0 for one in ratios):
        return True
    return False if any(one.low > 0 for one in ratios) else None


def _forgetting(scale: Scale, found: ByKey) -> Finding:
    ratios = {
        method: _ratio(found, [(scale.without(method, one), (method, one, PERFECT)) for one in scale.classes])
        for method in scale.remembering
    }
    evidence = ", ".join(f"{method} {_times(one)}" for method, one in ratios.items())
    claim = "imperfect recall is less exploitable than perfect recall at equal numbers of infosets"
    return Finding(
        claim, _verdict(list(ratios.values())), f"exploitability of imperfect by that of perfect: {evidence}"
    )


def _weva(scale: Scale, found: ByKey) -> Finding:
    others = [method for method in scale.methods if method != "values"]
    ratios = {
        other: _ratio(found, [(("values", one, IMPERFECT), (other, one, IMPERFECT)) for one in scale.counts])
        for other in others
    }
    evidence = ", ".join(f"{other} {_times(one)}" for other, one in ratios.items())
    claim = "values of ten warm-up iterations make less exploitable buckets than other methods (arXiv 2605.10900)"
    told = f"exploitability by that of each other, on average over sizes: {evidence}"
    return Finding(claim, _verdict(list(ratios.values())), told)
