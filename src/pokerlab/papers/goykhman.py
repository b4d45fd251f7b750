"""Genetic algorithm against regret minimisation in von Neumann poker and flop poker (Goykhman).

M. Goykhman, "On self-play computation of equilibrium in poker". All of the paper's numbers and thirty-three figures,
its three findings as measured statements, and its open questions. Scaled down, the runs take about two minutes on two
cores; `full` runs them at the paper's scale (5,000 + 5,000 agents, 10^4 games per generation, 1,000 generations; 10^10
rounds of regret matching) in tens of minutes, with checkpoints. Intervals are over five seeds; at full scale the
paper's own size is run once, with the first seed, and has separate tables without intervals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.papers._goykhman import beyond, figures, numbers
from pokerlab.papers._goykhman.exact import FLOP, VON_NEUMANN
from pokerlab.papers._goykhman.runs import FULL, GENETIC, METHODS, QUICK, REGRET, SMALL, Outcome, cases, make, plans_of
from pokerlab.papers.result import Finding, Interval, PaperResult, Rerun, Row, Table, interval, rerunnable

SEEDS = 5
SCALED_DOWN, FULL_SCALE = "five seeds, scaled down", "one seed, the paper's scale"
_ONE_SEED = "one seed, no interval"


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Rerun the paper."""
    seed, watch, full = rerun.seed, rerun.watch, rerun.full
    seeds = list(range(seed, seed + SEEDS))
    small = QUICK if rerun.quick else SMALL
    small_share, last = (0.1, 0.15) if full else (0.75, 0.95)
    watch.at("exact solutions", 0.0)
    outcomes = make(plans_of(small, seeds), watch.within(0.01, small_share))
    changed = make(beyond.variant_plans(small, seeds), watch.within(small_share, last))
    variants = beyond.with_paper(outcomes, changed)
    curves = beyond.exact_curves(small)
    large = make(plans_of(FULL, [seed]), watch.within(0.15, 0.99)) if full else []
    shown = large or outcomes
    return rerun.result(
        title="On self-play computation of equilibrium in poker",
        source="Mikhail Goykhman; von Neumann poker and flop poker by a genetic algorithm and by regret minimisation",
        tables=(
            numbers.class_table(),
            numbers.trio_table(),
            *((*numbers.run_tables(large, FULL_SCALE), full_table(large)) if large else ()),
            *numbers.run_tables(outcomes, SCALED_DOWN),
            beyond.variant_table(small, variants),
            beyond.noise_table(small, seed),
        ),
        figures=(
            *figures.paper_figures(shown),
            *(beyond.curve_figure(game, shown, variants, curves) for game in (VON_NEUMANN, FLOP)),
            beyond.variant_figure(variants),
        ),
        findings=(
            *findings(outcomes, SCALED_DOWN),
            *(findings(large, FULL_SCALE) if large else ()),
            *gap_findings(variants),
        ),
        notes=(_scale_note(outcomes[0], full), *rerun.quick_notes()),
        seeds=SEEDS,
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


def findings(outcomes: Sequence[Outcome], words: str) -> list[Finding]:
    """The paper's three findings, measured on runs of one scale; a single seed leaves them undecided."""
    claims = (_finding_admissible(outcomes), _finding_flop(outcomes), _finding_agree(outcomes))
    if len({outcome.plan.seed for outcome in outcomes}) > 1:
        return [Finding(f"{claim} ({words})", holds, evidence) for claim, holds, evidence in claims]
    seen = {True: "as claimed", False: "not as claimed", None: "as claimed in part"}
    return [
        Finding(f"{claim} ({words})", None, f"{evidence[:-1]}; {_ONE_SEED}.", words=f"{seen[holds]} in {_ONE_SEED}")
        for claim, holds, evidence in claims
    ]


def _verdict(gaps: Sequence[Interval]) -> bool | None:
    """Whether every gap is above zero beyond its interval (with one seed: above zero); None if only some are."""
    above = [gap.low > 0 if gap.count > 1 else gap.mean > 0 for gap in gaps]
    return True if all(above) else (None if any(above) else False)


def _lost(runs: dict[str, list[Outcome]]) -> dict[str, list[float]]:
    """The exploitability of each method's runs."""
    return {method: [one.exploitability for one in runs[method]] for method in METHODS}


def _finding_admissible(outcomes: Sequence[Outcome]) -> tuple[str, bool | None, str]:
    evidence, gaps = [], []
    for exact, runs in cases(outcomes, VON_NEUMANN):
        genetic, regret = ([one.admissibility.distance for one in runs[method]] for method in METHODS)
        gaps.append(interval(np.subtract(regret, genetic)))
        evidence.append(
            f"{exact.text}: GA {interval(genetic)}, CFR {interval(regret)}, CFR further by {gaps[-1]}",
        )
    return (
        "The genetic algorithm lands nearer to the admissible Dealer strategy than regret minimisation does.",
        _verdict(gaps),
        "Mean |q - admissible q| over the indifferent cards. " + "; ".join(evidence) + ".",
    )


def _finding_flop(outcomes: Sequence[Outcome]) -> tuple[str, bool | None, str]:
    evidence, gaps = [], []
    for exact, runs in cases(outcomes, FLOP):
        lost = _lost(runs)
        gaps.append(interval(np.subtract(lost[GENETIC], lost[REGRET])))
        wrong = {method: np.mean([one.wrong_genes.count for one in runs[method]]) for method in METHODS}
        evidence.append(
            f"{exact.text}: exploitability GA {interval(lost[GENETIC])}, CFR {interval(lost[REGRET])} chips a hand; "
            f"wrong genes {wrong[GENETIC]:.0f} and {wrong[REGRET]:.0f} of 338"
        )
    return (
        "In flop poker regret minimisation gives a cleaner answer than the genetic algorithm.",
        _verdict(gaps),
        "; ".join(evidence) + ".",
    )


def _finding_agree(outcomes: Sequence[Outcome]) -> tuple[str, bool | None, str]:
    evidence, within = [], []
    for exact, runs in cases(outcomes, VON_NEUMANN):
        truth = exact.thresholds(exact.solution.first, exact.admissible)
        off = {}
        for method in METHODS:
            thresholds = [one.thresholds for one in runs[method]]
            off[method] = max(
                abs(np.mean([getattr(one, name) for one in thresholds]) - getattr(truth, name))
                for name in ("x1", "x2", "y0")
            )
        lost = _lost(runs)
        within.append(max(off.values()) <= 0.02)
        evidence.append(
            f"{exact.text}: x1, x2 and y0 off by at most {100 * off[GENETIC]:.1f} (GA) and "
            f"{100 * off[REGRET]:.1f} (CFR) cards of 100; exploitability GA {interval(lost[GENETIC])}, "
            f"CFR {interval(lost[REGRET])} chips a hand"
        )
    return (
        "In von Neumann poker both find the equilibrium thresholds to within two cards of a hundred.",
        all(within),
        "; ".join(evidence) + ".",
    )


def gap_findings(variants: Sequence[Outcome]) -> list[Finding]:
    """Which variants of the genetic algorithm do better than the paper's, on each game."""
    results = beyond.variant_results(variants)
    findings = []
    for game in (VON_NEUMANN, FLOP):
        of_game = {label: result for (name, label), result in results.items() if name == game}
        base = of_game[beyond.AS_PRINTED]
        better = [label for label, result in of_game.items() if result.high < base.low]
        worse = [label for label, result in of_game.items() if result.low > base.high]
        closing = [f"{label}, {result}" for label, result in of_game.items() if result.high < base.mean / 10]
        findings.append(
            Finding(
                f"Some variant brings exploitability in {game} to a tenth of the paper's algorithm's, or less.",
                bool(closing),
                f"As in the paper: {base}. To a tenth: {'; '.join(closing) or 'none'}. Better beyond the intervals: "
                f"{'; '.join(better) or 'none'}. Worse: {'; '.join(worse) or 'none'}.",
            )
        )
    return findings


def full_table(large: Sequence[Outcome]) -> Table:
    """The runs at the paper's scale, one seed."""
    rows = []
    for outcome in large:
        plan, truth = outcome.plan, outcome.exact.solution.value
        ours = {"value": outcome.value, "exploitability": outcome.exploitability}
        if plan.game == VON_NEUMANN:
            ours |= vars(outcome.admissibility)
        else:
            ours["wrong genes"] = outcome.wrong_genes.count
        rows.append(
            Row(
                f"{plan.method}, {plan.game}, {outcome.exact.text}",
                exact=truth,
                ours=ours,
                error=outcome.value - truth,
                seconds=outcome.seconds,
                note=f"{plan.games:.2g} games",
            )
        )
    return Table("Every run at the paper's scale, one seed", rows, digits=5)
