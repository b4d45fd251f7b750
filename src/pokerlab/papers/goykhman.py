"""Genetic algorithm against regret minimisation in von Neumann poker and flop poker (Goykhman).

M. Goykhman, "On self-play computation of equilibrium in poker". All of the paper's numbers and thirty-three figures,
its three findings as measured statements, and its open questions. Scaled down, the runs take about two minutes on two
cores; `full` runs them at the paper's scale (5,000 + 5,000 agents, 10^4 games per generation, 1,000 generations; 10^10
rounds of regret matching), about 75 minutes of one core for each seed, with checkpoints. Intervals are over five seeds
at both scales.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.papers._goykhman import beyond, figures, numbers
from pokerlab.papers._goykhman.exact import FLOP, VON_NEUMANN, Exact, exact_of
from pokerlab.papers._goykhman.numbers import FLOP_VALUES
from pokerlab.papers._goykhman.runs import FULL, GENETIC, METHODS, QUICK, REGRET, SMALL, Outcome, cases, make, plans_of
from pokerlab.papers.result import Finding, Interval, PaperResult, Rerun, Row, Table, decided, interval, rerunnable

SEEDS = 5
SCALED_DOWN, FULL_SCALE = "five seeds, scaled down", "five seeds, the paper's scale"
LARGE_POTS = ((1, 1), (2, 1), (4, 1), (8, 1))  # (ante, bet)
ENOUGH = 10**8  # rounds that suffice, according to section 4.1
ACCURATE = 0.05  # of the value of the game: exploitability of a strategy that shows the equilibrium


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
    large = make(plans_of(FULL, seeds), watch.within(0.15, 0.99)) if full else []
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
            finding_enough(shown),
            finding_large_pot(),
            finding_value(shown),
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
    """The paper's three findings, measured on runs of one scale."""
    claims = (_finding_admissible(outcomes), _finding_flop(outcomes), _finding_agree(outcomes))
    return [Finding(f"{claim} ({words})", holds, evidence) for claim, holds, evidence in claims]


def _verdict(gaps: Sequence[Interval]) -> bool | None:
    """Whether every gap is above zero beyond its interval; None if only some are."""
    above = [gap.low > 0 for gap in gaps]
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


def finding_enough(outcomes: Sequence[Outcome]) -> Finding:
    """Section 4.1: after 10^8 rounds regret minimisation already shows the equilibrium rather accurately."""
    evidence, holds, fails = [], [], []
    for exact, runs in cases(outcomes, VON_NEUMANN):
        rounds, left = zip(*(_after(one, ENOUGH) for one in runs[REGRET]), strict=True)
        lost, most = interval(left), ACCURATE * abs(exact.solution.value)
        holds.append(lost.high < most)
        fails.append(lost.low > most)
        final = interval(_lost(runs)[REGRET])
        evidence.append(f"{exact.text}: exploitability {lost} after {max(rounds):.2g} rounds, {final} at the end")
    return Finding(
        "10^8 rounds of regret minimisation already show the equilibrium of von Neumann poker rather accurately "
        f"(exploitability below {ACCURATE:.0%} of the value of the game).",
        decided(all(holds), any(fails)),
        "; ".join(evidence) + ".",
    )


def _after(outcome: Outcome, rounds: float) -> tuple[float, float]:
    """The last measurement of a run up to some rounds: the rounds, and the exploitability."""
    before = outcome.curve[outcome.curve[:, 0] <= rounds]
    row = before[-1] if len(before) else outcome.curve[0]
    return float(row[0]), float(row[2])


def finding_large_pot() -> Finding:
    """Section 7: when the pot gets large Dealer always calls, and Player never bluffs; exactly, in flop poker."""
    evidence = []
    for amounts in LARGE_POTS:
        exact = exact_of(FLOP, amounts)
        least = float(exact.margins[1].min())
        calls = float(exact.game.hand_chances[1] @ exact.solution.second)
        evidence.append(f"{exact.text}: calls {calls:.1%}, a call with the worst hand wins {least:+.3f} chips")
    last = exact_of(FLOP, LARGE_POTS[-1])
    calls = bool(last.margins[1].min() > 0 and last.solution.second.min() > 1 - 1e-9)
    bluffs = (last.solution.first > 1e-9) & (last.margins[0] < -1e-9)  # every call is made: a bet is of value or loses
    cards = exact_of(VON_NEUMANN, LARGE_POTS[-1])
    x1 = cards.thresholds(cards.solution.first, cards.admissible)
    evidence.append(f"in von Neumann poker, {cards.text}, Player bluffs with {x1.x1:.0%} and Dealer folds {x1.y0:.0%}")
    return Finding(
        "When the pot gets large Dealer always calls and Player never bluffs (flop poker).",
        bool(calls and not bluffs.any()),
        "Exact: " + "; ".join(evidence) + ".",
    )


def finding_value(outcomes: Sequence[Outcome]) -> Finding:
    """Equation (51): the value of flop poker for ante 8 and bet 1, printed for the strategies of regret matching."""
    exact, runs = list(cases(outcomes, FLOP))[-1]
    values = {method: interval([one.value for one in runs[method]]) for method in METHODS}
    printed = FLOP_VALUES[exact.amounts]
    return Finding(
        f"The value of flop poker, {exact.text}, is {printed} (equation 51).",
        bool(abs(exact.solution.value - printed) < 0.005),
        f"Exact {exact.solution.value:.4f}; the strategies of regret matching are worth {values[REGRET]}, those of the "
        f"genetic algorithm {values[GENETIC]}.",
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
    """The runs at the paper's scale: means over seeds, with intervals."""
    rows = []
    for game in (VON_NEUMANN, FLOP):
        for exact, runs in cases(large, game):
            for method in METHODS:
                rows.append(_full_row(exact, runs[method]))
    return Table("Every run at the paper's scale, five seeds", rows, digits=5)


def _full_row(exact: Exact, runs: Sequence[Outcome]) -> Row:
    plan, value = runs[0].plan, interval([one.value for one in runs])
    ours = {"value": str(value), "exploitability": str(interval([one.exploitability for one in runs]))}
    if plan.game == VON_NEUMANN:
        for name in vars(runs[0].admissibility):
            ours[name] = str(interval([getattr(one.admissibility, name) for one in runs]))
    else:
        ours["wrong genes"] = str(interval([one.wrong_genes.count for one in runs]))
    return Row(
        f"{plan.method}, {plan.game}, {exact.text}",
        printed=FLOP_VALUES[exact.amounts] if plan.game == FLOP and plan.method == REGRET else None,
        exact=exact.solution.value,
        ours=ours,
        error=value.mean - exact.solution.value,
        seconds=float(np.mean([one.seconds for one in runs])),
        note=f"{plan.games:.2g} games",
    )
