"""Counter-strategies at the size of hold'em: observed hands, buckets, and what they win from the players themselves.

J. Rubin and I. Watson, "Computer poker: A review", 2011, sections 5.2.1 to 5.2.3: M. Johanson's frequentist best
responses, restricted Nash responses and data-biased responses are hold'em players over buckets, whose opponents are
observed; M. Ponsen, S. de Jong and M. Lanctot sample restricted Nash responses. Section 4.5.2: reading a bet as the
nearest size that is known is easily exploited. The review prints no numbers. What a strategy wins from the model of its
opponent is not what it wins from the opponent. So half of the hands are held out and predict that
(match/run/held_out.py), and matches verify the predictions. `paper counter-strategies` is the same in Leduc hold'em,
where all is exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from pokerlab.agents.opening import open_agent
from pokerlab.events import Watch
from pokerlab.figure import Figure, Line, Panel
from pokerlab.match.statistics import Summary
from pokerlab.papers._bucketed_runs import poker_game
from pokerlab.papers._holdem_counters import FBR, METHODS, RNR, Arena, Outcome, P, Scale, Watched, arena
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, Value, decided, rerunnable
from pokerlab.tree.bucketed.form import bucketed_form

LIMIT, NOLIMIT = "holdem-limit", "holdem-nolimit(stack=1500, menu='100%,allin')"
OFF_THE_MENU = "holdem-nolimit(stack=1500, menu='50%,74%,100%,allin')"  # 74 % is a size that the blueprint must read
SMALL, SMALL_NOLIMIT = "leduc", "leduc-nolimit(stack=7, menu='100%,allin')"  # of a quick run
BUCKETS = ("strength:4(squared=true)", *("strength:3(squared=true)",) * 3)  # 4, 12, 36 and 108
SMALL_BUCKETS = ("strength:2", "strength:2")
OPPONENTS, SLOW = ("always-call", "rules", "formula"), ("blueprint",)  # the latter in full runs
CURVED = "rules"
PROBABILITIES = (0.0, 0.25, 0.5, P, 0.9, 1.0)
TRANSLATED = {name: f"blueprint(translation='{name}')" for name in ("nearest", "pseudo-harmonic")}
TRAINING = 1_000_000  # hands that Johanson observed for a frequentist best response


@dataclass(frozen=True)
class Results:
    """What was measured in one game."""

    game: str
    methods: Mapping[str, Mapping[str, Outcome]]  # by opponent, by method
    equilibrium: Mapping[str, Outcome]  # by opponent
    cross: Mapping[tuple[str, str], Outcome]  # FBR to the first, against the second
    curve: Mapping[float, Outcome]  # restricted Nash responses to CURVED by p; empty without

    @property
    def outcomes(self) -> list[Outcome]:
        """Those that have both a prediction and a match."""
        every = (one for by_method in self.methods.values() for one in by_method.values())
        return [one for one in every if one.predicted is not None and one.played is not None]


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Limit and no-limit hold'em, three opponents, and in full runs the shipped blueprints; quickly, Leduc hold'em."""
    watch, quick = rerun.watch, rerun.quick
    scale = rerun.choose(
        quick=Scale(600, 30, 2, 400), usual=Scale(10_000, 40, 12, 6000), full=Scale(500_000, 200, 100, 50_000)
    )
    opponents, buckets = (*OPPONENTS, *(SLOW if rerun.full else ())), SMALL_BUCKETS if quick else BUCKETS
    limit = arena(SMALL if quick else LIMIT, buckets, scale, rerun.seed, watch.within(0.0, 0.2, "buckets"))
    results = [measured(limit, opponents, watch.within(0.2, 0.6, "limit"), has_curve=True)]
    if quick:
        nolimit = arena(SMALL_NOLIMIT, buckets, scale, rerun.seed, watch.within(0.6, 0.65, "buckets"))
    else:
        nolimit = same_buckets(limit, NOLIMIT)
    results.append(measured(nolimit, opponents, watch.within(0.65, 0.9, "no limit"), has_curve=False))
    watch.at("translation of bets", 0.9)
    read = translations(same_buckets(limit, OFF_THE_MENU)) if rerun.full else {}
    return report(rerun, results, read, scale)


def same_buckets(one: Arena, game: str) -> Arena:
    """Another game with the same cards."""
    opened = poker_game(game)
    return replace(one, game=opened, form=bucketed_form(opened, one.form.buckets))


def measured(one: Arena, opponents: Sequence[str], watch: Watch, *, has_curve: bool) -> Results:
    """Each method against each opponent, best responses against the other opponents, and a curve."""
    steps, methods, responses = len(opponents) * len(METHODS) + 2, dict[str, dict[str, Outcome]](), {}
    watched: dict[str, Watched] = {}
    missed: dict[tuple[str, str], np.ndarray] = {}
    for number, name in enumerate(opponents):
        watched[name], methods[name] = one.watch(name), {}
        for place, method in enumerate(METHODS):
            watch.at(f"{method} to {name}", (number * len(METHODS) + place) / steps)
            profile = one.counter(watched[name], method)
            methods[name][method] = one.outcome(profile, watched[name])
            if not methods[name][method].agrees:
                missed[name, method] = profile
            if method == FBR:
                responses[name] = profile
    for (name, method), again in measured_again(one, missed).items():
        methods[name][method] = replace(methods[name][method], again=again)
    watch.at("best responses against others", 1 - 2 / steps)
    cross = {
        (own, other): one.outcome(responses[own], watched[other], play=False)
        for own, other in permutations(opponents, 2)
    }
    watch.at(f"restricted Nash responses to {CURVED}", 1 - 1 / steps)
    curve = {
        p: one.outcome(one.counter(watched[CURVED], RNR, p), watched[CURVED], play=False)
        for p in (PROBABILITIES if has_curve else ())
    }
    equilibrium = {name: one.outcome(one.equilibrium, watched[name], play=False) for name in opponents}
    return Results(one.game.name, methods, equilibrium, cross, curve)


def measured_again(
    one: Arena, profiles: Mapping[tuple[str, str], np.ndarray]
) -> dict[tuple[str, str], tuple[Summary | None, Summary]]:
    """Predictions and matches with other hands, twice as many, by opponent and method."""
    other, results = one.elsewhere, {}
    held = {name: other.all_held_out(name) for name in dict.fromkeys(name for name, _ in profiles)}
    for (name, method), profile in profiles.items():
        results[name, method] = held[name].winnings(profile), other.match(profile, open_agent(name))
    return results


def translations(one: Arena) -> dict[str, Outcome]:
    """Best responses to the shipped blueprint as it reads a size that it does not know, by how it reads it."""
    outcomes = {}
    for name, spec in TRANSLATED.items():
        watched = one.watch(spec)
        outcomes[name] = one.outcome(one.counter(watched, FBR), watched)
    return outcomes


# ---- tables ----------------------------------------------------------------------------------------------------------


def report(rerun: Rerun, results: Sequence[Results], read: Mapping[str, Outcome], scale: Scale) -> PaperResult:
    """Tables and verdicts."""
    limit = results[0]
    tables = [
        Table(
            "Observations (5.2.1)",
            (Row("hands of a model", printed=TRAINING, ours={"ours": scale.hands}, note="and as many held out"),),
            digits=0,
        ),
        *(_methods_table(one) for one in results),
        *(_cross_table(one) for one in results),
        _curve_table(limit),
    ]
    if read:
        tables.append(_translation_table(read))
    return rerun.result(
        title="Counter-strategies at the size of hold'em",
        source="J. Rubin and I. Watson, Computer poker: A review, Artificial Intelligence 175 (2011), 4.5.2 and 5.2.1 "
        "to 5.2.3",
        tables=tables,
        figures=(_figure(limit),),
        findings=(
            _agreement(results),
            *(_promise(one) for one in results),
            *(_brittle(one) for one in results),
            _trade_off(limit),
            *((_translation(read),) if read else ()),
        ),
        notes=(
            "Chips a hand, both seats, 95 % intervals; the big blind is 10 in limit and 100 in no-limit hold'em.",
            "predicted: by hands held out; inside and exploitability: over buckets, with the model of the opponent.",
            *rerun.quick_notes("A quick run has Leduc hold'em and its no-limit version."),
        ),
        hands=scale.hands,
        match_hands=scale.match_hands,
    )


def _text(summary: Summary | None) -> str:
    return "-" if summary is None else f"{summary.mean:.2f} ± {summary.half_width:.2f}"


def _methods_table(one: Results) -> Table:
    rows = []
    for name, by_method in one.methods.items():
        rows.append(Row(f"equilibrium against {name}", ours={"predicted": _text(one.equilibrium[name].predicted)}))
        for method, outcome in by_method.items():
            ours: dict[str, Value] = {
                "predicted": _text(outcome.predicted),
                "match": _text(outcome.played),
                **_again(outcome),
                "inside": outcome.inside,
                "exploitability": outcome.exploitability,
            }
            rows.append(Row(f"{method} to {name}", ours=ours))
    return Table(f"What each method wins, {one.game}", rows, f"p = {P}", digits=2)


def _again(outcome: Outcome) -> dict[str, Value]:
    """With other hands, if the first intervals do not overlap."""
    if outcome.again is None:
        return {}
    predicted, played = outcome.again
    return {"predicted again": _text(predicted), "match again": _text(played)}


def _cross_table(one: Results) -> Table:
    rows = []
    for own, by_method in one.methods.items():
        ours = {own: _text(by_method[FBR].predicted)}
        ours |= {other: _text(outcome.predicted) for (first, other), outcome in one.cross.items() if first == own}
        rows.append(Row(f"FBR to {own}", ours={name: ours[name] for name in one.methods}))
    rows.append(Row("equilibrium", ours={name: _text(one.equilibrium[name].predicted) for name in one.methods}))
    return Table(f"What best responses win from others, predicted, {one.game}", rows, digits=2)


def _curve_table(one: Results) -> Table:
    rows = [
        Row(
            f"p = {p:g}",
            ours={
                "predicted": _text(outcome.predicted),
                "inside": outcome.inside,
                "exploitability": outcome.exploitability,
            },
        )
        for p, outcome in one.curve.items()
    ]
    return Table(f"Restricted Nash responses to {CURVED}, {one.game} (5.2.2)", rows, digits=2)


def _translation_table(read: Mapping[str, Outcome]) -> Table:
    rows = [
        Row(name, ours={"predicted": _text(one.predicted), "match": _text(one.played), "inside": one.inside})
        for name, one in read.items()
    ]
    note = f"best responses to the shipped blueprint in {OFF_THE_MENU}, which bets a size that it must read"
    return Table("Reading bets of other sizes (4.5.2)", rows, note, digits=2)


def _figure(one: Results) -> Figure:
    points = [outcome for outcome in one.curve.values() if outcome.predicted is not None]
    risk = np.array([outcome.exploitability for outcome in points])
    lines = (
        Line(risk, np.array([outcome.predicted.mean for outcome in points if outcome.predicted]), "predicted"),
        Line(risk, np.array([outcome.inside for outcome in points]), "inside"),
    )
    panel = Panel(lines, "", "exploitability over buckets, chips a hand", "wins, chips a hand")
    return Figure("trade-off", f"Restricted Nash responses to {CURVED} for p from 0 to 1", (panel,))


# ---- verdicts --------------------------------------------------------------------------------------------------------


def _agreement(results: Sequence[Results]) -> Finding:
    """Intervals that miss each other, as one pair in 200 does by chance, are measured again with other hands."""
    outcomes = [outcome for one in results for outcome in one.outcomes]
    first, again = (sum(flags) for flags in zip(*((one.agrees, one.agrees_again) for one in outcomes), strict=True))
    missed = [one for one in outcomes if not one.agrees]
    pairs = [(one.predicted, one.played) for one in missed] + [one.again for one in missed if one.again]
    apart = [_apart(one, other) for one, other in pairs if one is not None and other is not None]
    texts = [f"{number:.1f}" for number in apart]
    words = f"; the others are {', '.join(texts[: len(missed)])} standard errors apart" if missed else ""
    words += f", and with other hands {', '.join(texts[len(missed) :])}: {again} of {len(outcomes)}" if missed else ""
    return Finding(
        "each method wins in a match what hands held out predict, within intervals",
        decided(again == len(outcomes), again < len(outcomes) - 1),
        f"{first} of {len(outcomes)} pairs of intervals overlap{words}",
    )


def _apart(one: Summary, other: Summary) -> float:
    """How many standard errors two means are apart."""
    return abs(one.mean - other.mean) / float(np.hypot(one.standard_error, other.standard_error))


def _promise(one: Results) -> Finding:
    gaps = []
    for name, by_method in one.methods.items():
        outcome = by_method[FBR]
        if outcome.predicted is not None:
            gaps.append((name, outcome.inside, outcome.predicted))
    above = [name for name, inside, predicted in gaps if inside > predicted.high]
    lines = "; ".join(f"{name} {inside:.2f} for {_text(predicted)}" for name, inside, predicted in gaps)
    return Finding(
        f"models of observed play promise best responses more than these win, {one.game}",
        decided(len(above) >= len(gaps) - 1, not above),
        lines,
        words="" if len(above) in (0, len(gaps)) else f"holds for {len(above)} of {len(gaps)}",
    )


def _brittle(one: Results) -> Finding:
    lines, brittle, decides = [], 0, 0
    for own, by_method in one.methods.items():
        gained, base = by_method[FBR].predicted, one.equilibrium[own].predicted
        others = {other: outcome.predicted for (first, other), outcome in one.cross.items() if first == own}
        known = {other: summary for other, summary in others.items() if summary is not None}
        if gained is None or base is None or not known:
            continue
        worst = min(known, key=lambda other: known[other].mean)
        brittle += gained.low > base.high and known[worst].high < 0
        decides += 1
        lines.append(
            f"to {own} {_text(gained)} (equilibrium {_text(base)}), at worst {_text(known[worst])} from {worst}"
        )
    return Finding(
        f"best responses win more than the equilibrium from their opponent and lose to some other (5.2.1), {one.game}",
        decided(bool(decides) and brittle == decides, False),
        "; ".join(lines) or "no prediction",
        words="" if brittle == decides else f"holds for {brittle} of {decides}",
    )


def _trade_off(one: Results) -> Finding:
    ends, middle = (one.curve[0.0], one.curve[1.0]), one.curve[P]
    claim = "restricted Nash responses give up little of the gain for much less exploitability (5.2.2)"
    predictions = [outcome.predicted for outcome in (*ends, middle)]
    if any(summary is None for summary in predictions):
        return Finding(claim, None, "no prediction")
    low, high, robust = (summary for summary in predictions if summary is not None)
    risked = middle.exploitability / ends[1].exploitability
    return Finding(
        f"{claim}, {CURVED}",
        decided(
            high.low > low.mean and robust.mean >= low.mean + 0.5 * (high.mean - low.mean) and risked < 0.2,
            robust.high < low.mean,
        ),
        f"p = {P}: wins {_text(robust)}, an equilibrium {_text(low)}, the best response {_text(high)}; "
        f"{risked:.0%} of its exploitability",
    )


def _translation(read: Mapping[str, Outcome]) -> Finding:
    nearest, drawn = (read[name].played for name in TRANSLATED)
    assert nearest is not None
    assert drawn is not None
    return Finding(
        "reading a bet as the nearest known size is easily exploited (4.5.2)",
        decided(nearest.low > max(drawn.high, 0.0), nearest.high < drawn.low),
        f"in matches best responses win {_text(nearest)} from the nearest size and {_text(drawn)} from the "
        "pseudo-harmonic mapping",
    )
