"""Genetic algorithm against regret minimisation in von Neumann poker and flop poker (Goykhman).

M. Goykhman, "On self-play computation of equilibrium in poker". All of the paper's numbers and thirty-three figures,
its three findings as measured statements, and its open questions. Scaled down, the runs take about two minutes on two
cores; `full` runs them at the paper's scale (5,000 + 5,000 agents, 10^4 games per generation, 1,000 generations; 10^10
rounds of regret matching) in tens of minutes, with checkpoints. Intervals are over five seeds; at full scale the
paper's own size is run once, with the first seed, and has separate tables without intervals.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.papers._goykhman import beyond, figures, numbers
from pokerlab.papers._goykhman.measures import (
    Interval,
    admissibility,
    interval,
    thresholds,
    wrong_genes,
)
from pokerlab.papers._goykhman.runs import (
    AMOUNTS,
    FLOP,
    FULL,
    GENETIC,
    QUICK,
    REGRET,
    SMALL,
    VON_NEUMANN,
    Outcome,
    exact_of,
    form_of,
    make,
    plans_of,
)
from pokerlab.papers.result import QUICK_NOTE, Finding, PaperResult, Row, Table

SEEDS = 5
SCALED_DOWN, FULL_SCALE = "five seeds, scaled down", "one seed, the paper's scale"
_ONE_SEED = "one seed, no interval"


def paper(
    *,
    full: bool = False,
    quick: bool = False,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> PaperResult:
    """Rerun the paper."""
    began = time.perf_counter()
    seeds = list(range(seed, seed + SEEDS))
    small = QUICK if quick else SMALL
    full = full and not quick
    small_share = 0.1 if full else 0.75
    watch = Watch("goykhman", on_progress, cancel)
    watch.at("exact solutions", 0.0)
    outcomes = make(plans_of(small, seeds), watch.within(0.01, small_share))
    last = 0.15 if full else 0.95
    changed = make(beyond.variant_plans(small, seeds), watch.within(small_share, last))
    tried = beyond.with_paper(outcomes, changed)
    curves = beyond.exact_curves(small)
    large = make(plans_of(FULL, [seed]), watch.within(0.15, 0.99)) if full else []
    shown = large or outcomes
    tables = [numbers.class_table(), numbers.trio_table()]
    if large:
        tables += [*numbers.run_tables(large, FULL_SCALE), full_table(large)]
    tables += numbers.run_tables(outcomes, SCALED_DOWN)
    tables += [beyond.variant_table(small, tried), beyond.noise_table(small, seed)]
    drawn = figures.paper_figures(shown)
    drawn += [beyond.curve_figure(game, shown, tried, curves) for game in (VON_NEUMANN, FLOP)]
    drawn.append(beyond.variant_figure(tried))
    return PaperResult(
        name="goykhman",
        title="On self-play computation of equilibrium in poker",
        source="Mikhail Goykhman; von Neumann poker and flop poker by a genetic algorithm and by regret minimisation",
        tables=tuple(tables),
        figures=tuple(drawn),
        findings=(
            *findings(outcomes, SCALED_DOWN),
            *(findings(large, FULL_SCALE) if large else ()),
            *gap_findings(tried),
        ),
        notes=(_scale_note(outcomes[0], full), *((QUICK_NOTE,) if quick else ())),
        settings={"seed": seed, "seeds": SEEDS, "full": full},
        seconds=time.perf_counter() - began,
    )


def _scale_note(first: Outcome, full: bool) -> str:
    settings = first.plan.settings
    assert settings is not None
    words = (
        f"Scaled-down runs: {settings.population:,} agents, {settings.rounds:,} games a generation, "
        f"{first.plan.iterations:,} generations; the paper has 5,000 agents, 10,000 games and 1,000 generations."
    )
    return words + (
        " Figures 1 to 33 are of the runs at the paper's scale." if full else " --full runs the paper's scale."
    )


def _pairs(outcomes: Sequence[Outcome], game: str, amounts: tuple[int, int]) -> list[tuple[Outcome, Outcome]]:
    """The two methods' outcomes for each seed."""
    both = (numbers.of(outcomes, game, amounts, method) for method in (GENETIC, REGRET))
    return list(zip(*both, strict=True))


def findings(outcomes: Sequence[Outcome], words: str) -> list[Finding]:
    """The paper's three findings, measured on runs of one scale; a single seed leaves them undecided."""
    found = (_finding_admissible(outcomes), _finding_flop(outcomes), _finding_agree(outcomes))
    if len({outcome.plan.seed for outcome in outcomes}) > 1:
        return [Finding(f"{claim} ({words})", holds, evidence) for claim, holds, evidence in found]
    seen = {True: "as claimed", False: "not as claimed", None: "as claimed in part"}
    return [
        Finding(f"{claim} ({words})", None, f"{evidence[:-1]}; {_ONE_SEED}.", words=f"{seen[holds]} in {_ONE_SEED}")
        for claim, holds, evidence in found
    ]


def _verdict(gaps: Sequence[Interval]) -> bool | None:
    """Whether every gap is above zero beyond its interval (with one seed: above zero); None if only some are."""
    above = [gap.low > 0 if gap.count > 1 else gap.mean > 0 for gap in gaps]
    return True if all(above) else (None if any(above) else False)


def _finding_admissible(outcomes: Sequence[Outcome]) -> tuple[str, bool | None, str]:
    words, gaps = [], []
    for amounts in AMOUNTS:
        game, exact = form_of(VON_NEUMANN, amounts).one_decision, exact_of(VON_NEUMANN, amounts)
        near = [
            [admissibility(game, exact, outcome.second) for outcome in pair]
            for pair in _pairs(outcomes, VON_NEUMANN, amounts)
        ]
        gap = interval([regret.distance - genetic.distance for genetic, regret in near])
        gaps.append(gap)
        words.append(
            f"{numbers.amounts_words(amounts)}: GA {interval([one.distance for one, _ in near])}, "
            f"CFR {interval([two.distance for _, two in near])}, CFR further by {gap}"
        )
    return (
        "The genetic algorithm lands nearer to the admissible Dealer strategy than regret minimisation does.",
        _verdict(gaps),
        "Mean |q - admissible q| over the indifferent cards. " + "; ".join(words) + ".",
    )


def _finding_flop(outcomes: Sequence[Outcome]) -> tuple[str, bool | None, str]:
    words, gaps = [], []
    for amounts in AMOUNTS:
        pairs = _pairs(outcomes, FLOP, amounts)
        game, exact = form_of(FLOP, amounts).one_decision, exact_of(FLOP, amounts)
        lost = [[outcome.exploitability for outcome in pair] for pair in pairs]
        gaps.append(interval([genetic - regret for genetic, regret in lost]))
        wrong = [[wrong_genes(game, exact, one.first, one.second).count for one in pair] for pair in pairs]
        words.append(
            f"{numbers.amounts_words(amounts)}: exploitability GA {interval([one for one, _ in lost])}, "
            f"CFR {interval([two for _, two in lost])} chips a hand; wrong genes "
            f"{np.mean([one for one, _ in wrong]):.0f} and {np.mean([two for _, two in wrong]):.0f} of 338"
        )
    return (
        "In flop poker regret minimisation gives a cleaner answer than the genetic algorithm.",
        _verdict(gaps),
        "; ".join(words) + ".",
    )


def _finding_agree(outcomes: Sequence[Outcome]) -> tuple[str, bool | None, str]:
    words, decided = [], []
    for amounts in AMOUNTS:
        game, exact = form_of(VON_NEUMANN, amounts).one_decision, exact_of(VON_NEUMANN, amounts)
        truth = thresholds(game, exact, exact.solution.first, exact.admissible)
        off = {}
        for method in (GENETIC, REGRET):
            runs = numbers.of(outcomes, VON_NEUMANN, amounts, method)
            read = [thresholds(game, exact, run.first, run.second) for run in runs]
            names = ("x1", "x2", "y0")
            off[method] = max(
                abs(np.mean([getattr(one, name) for one in read]) - getattr(truth, name)) for name in names
            )
        lost = [[outcome.exploitability for outcome in pair] for pair in _pairs(outcomes, VON_NEUMANN, amounts)]
        decided.append(max(off.values()) <= 0.02)
        words.append(
            f"{numbers.amounts_words(amounts)}: x1, x2 and y0 off by at most {100 * off[GENETIC]:.1f} (GA) and "
            f"{100 * off[REGRET]:.1f} (CFR) cards of 100; exploitability GA {interval([one for one, _ in lost])}, "
            f"CFR {interval([two for _, two in lost])} chips a hand"
        )
    return (
        "In von Neumann poker both find the equilibrium thresholds to within two cards of a hundred.",
        all(decided),
        "; ".join(words) + ".",
    )


def gap_findings(tried: Sequence[Outcome]) -> list[Finding]:
    """Which variants of the genetic algorithm do better than the paper's, on each game."""
    results = beyond.variant_results(tried)
    made = []
    for game in (VON_NEUMANN, FLOP):
        labels = [label for name, label in results if name == game]
        base = results[game, beyond.AS_PRINTED]
        better = [label for label in labels if results[game, label].high < base.low]
        worse = [label for label in labels if results[game, label].low > base.high]
        closing = [label for label in labels if results[game, label].high < base.mean / 10]
        closest = [f"{label}, {results[game, label]}" for label in closing]
        made.append(
            Finding(
                f"Some variant brings exploitability in {game} to a tenth of the paper's algorithm's, or less.",
                bool(closing),
                f"As in the paper: {base}. To a tenth: {'; '.join(closest) or 'none'}. Better beyond the intervals: "
                f"{'; '.join(better) or 'none'}. Worse: {'; '.join(worse) or 'none'}.",
            )
        )
    return made


def full_table(large: Sequence[Outcome]) -> Table:
    """The runs at the paper's scale, one seed."""
    rows = []
    for outcome in large:
        plan = outcome.plan
        game, exact = form_of(plan.game, plan.amounts).one_decision, exact_of(plan.game, plan.amounts)
        ours = {"value": game.value(outcome.first, outcome.second), "exploitability": outcome.exploitability}
        if plan.game == VON_NEUMANN:
            near = admissibility(game, exact, outcome.second)
            ours |= {"distance": near.distance, "punishment": near.punishment}
        else:
            ours["wrong genes"] = wrong_genes(game, exact, outcome.first, outcome.second).count
        rows.append(
            Row(
                f"{plan.method}, {plan.game}, {numbers.amounts_words(plan.amounts)}",
                exact=exact.solution.value,
                ours=ours,
                error=ours["value"] - exact.solution.value,
                seconds=outcome.seconds,
                note=f"{plan.games:.2g} games",
            )
        )
    return Table("Every run at the paper's scale, one seed", tuple(rows), digits=5)
