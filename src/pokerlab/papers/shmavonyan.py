"""Pure CFR in limit hold'em with buckets: the system of Shmavonyan's thesis, and the results that it did not report.

T. Shmavonyan, "Research and development of automated poker playing software (counterfactual regret minimization)",
American University of Armenia, 2018: nine cards per deal, a pair of buckets in each of four rounds, Pure CFR on
abstractions "with 10^12 states". It prints no result, but says that this variant "runs a lot faster compared to other
modifications". Here the sizes are counted exactly, before and after suit isomorphism and bucketing; then the player is
trained, matched against others at increasing numbers of iterations, and exploited by local best response; and Pure CFR
runs beside the other samplers (_sampler_speed.py).

The thesis does not describe its bucketing. We use that of the first CFR paper for its 10^12 states (Zinkevich and
others 2007): percentiles of E[HS^2], with perfect recall of the buckets of earlier rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from math import comb

import numpy as np

from pokerlab import parallel
from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.events import Event, Watch
from pokerlab.figure import Figure, Line, Panel
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.statistics import Summary
from pokerlab.papers._bucketed_runs import advance_to, local_bound, poker_game, start_solver, table_winnings
from pokerlab.papers._sampler_speed import (
    SpeedScale,
    compare,
    lossless_form,
    rivals,
    rivals_finding,
    rivals_table,
    speed_figure,
    speed_finding,
    speed_table,
)
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, decided, rerunnable
from pokerlab.solvers.bucketed.playing import Gain, Side, head_to_head
from pokerlab.strategy.forms.kinds import StrategyNames, strategy_of
from pokerlab.tree.bucketed.betting import betting_form
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form

GAME = "holdem-limit"
ROUNDS = ("before the flop", "flop", "turn", "river")
DEALT = (2, 3, 1, 1)
BUCKETS = {"quick": 3, "usual": 5, "full": 10}
ITERATIONS = {
    "quick": (300, 3_000),
    "usual": (10_000, 100_000, 1_000_000, 5_000_000),
    "full": (100_000, 1_000_000, 10_000_000, 100_000_000, 500_000_000),
}
AT_ONCE = 100_000  # iterations between checks of the cancel token
HANDS = {"quick": 2_000, "usual": 200_000, "full": 1_000_000}  # of compiled opponents
TABLE_HANDS = {"quick": 20, "usual": 2_000, "full": 20_000}  # of opponents at the table
LOCAL_HANDS = {"quick": 4, "usual": 100, "full": 4_000}  # of local best response
AT_THE_TABLE = ("formula", "rules")
SPEED = {
    "quick": SpeedScale(("leduc",), 0.01, 2, 1_000),
    "usual": SpeedScale(("leduc", "rhode-island(ranks=4, suits=2)"), 0.5, 5, 100_000),
    "full": SpeedScale(("leduc", "rhode-island(ranks=6)"), 20.0, 5, 1_000_000),
}
STATES, INFOSETS, ISOMORPHIC = 316_207_058_696_146_800, 319_365_922_522_608, 13_803_249_787_132  # Johanson 2013
STATES_OF_2007 = {5: 6.45e9, 6: 27.7e9, 8: 276e9, 10: 1646e9}  # Zinkevich and others 2007, by buckets per round
NOTES = (
    "Sizes printed for the whole game are those of M. Johanson, Measuring the size of large no-limit poker games, 2013 "
    "(arXiv 1302.7008), which the thesis cites for its definition of states; the states of abstractions are those of "
    "M. Zinkevich and others, Regret minimization in games with incomplete information, 2007, quoted from memory.",
    "The thesis compares with 10^47 states of chess and 10^20 of backgammon and names no source; they are not counted "
    "here. Its own 10^12 is an abstraction; limit hold'em itself has 3.2 * 10^17 states.",
    "States are counted as in 2007: each place of the betting once for every pair of remembered buckets, and a chance "
    "node for each player where a round begins.",
    "Winnings are in thousandths of a big blind a hand, every deal played from both seats.",
)


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Count, train and match."""
    scale, watch, seed = rerun.choose(quick="quick", usual="usual", full="full"), rerun.watch, rerun.seed
    game = poker_game("rhode-island" if rerun.quick else GAME)
    buckets = _buckets(game, BUCKETS[scale], seed, watch)
    form = bucketed_form(game, buckets)
    curve, winnings, bound = _train(form, scale, seed, watch)
    speed, speeds = SPEED[scale], {}
    for place, name in enumerate(speed.games):
        part = watch.within(0.75 + 0.15 * place / len(speed.games), 0.75 + 0.15 * (place + 1) / len(speed.games))
        speeds[name] = compare(lossless_form(name), speed, seed=seed, watch=part)
    others = rivals(form, speed, seed=seed, watch=watch.within(0.9, 1.0))
    counted = [Row(f"{n} buckets a round", value, ours={"states": states(n)}) for n, value in STATES_OF_2007.items()]
    abstractions = Table("States of abstractions, and the 10^12 of the title", counted, digits=0)
    return rerun.result(
        title="Pure CFR in limit hold'em with buckets",
        source="T. Shmavonyan, master's thesis, American University of Armenia, 2018",
        tables=(
            _sizes(),
            abstractions,
            _form_table(form),
            _strength(curve),
            _opponents(winnings),
            _bound_table(bound),
            *(speed_table(name, runs) for name, runs in speeds.items()),
            rivals_table(game, others),
        ),
        figures=(_figure(curve), speed_figure(speeds)),
        findings=(
            *_findings(curve, winnings),
            _bound_finding(bound),
            *(speed_finding(name, runs) for name, runs in speeds.items()),
            rivals_finding(game, others),
        ),
        notes=(*NOTES, *rerun.quick_notes("A quick run trains on Rhode Island hold'em.")),
        game=game.name,
        buckets=buckets.text,
    )


def states(buckets: int) -> int:
    """States of an abstraction with this many buckets per round and perfect recall, counted as in 2007."""
    form = betting_form(poker_game(GAME))
    nodes = np.bincount(form.arrays.round).tolist()
    entries = [1, *(decisions // 10 for decisions in form.decisions[1:])]  # ten decisions per later subtree
    pairs = [buckets ** (2 * (street + 1)) for street in range(len(form.decisions))]
    return sum((count + 2 * entry) * pair for count, entry, pair in zip(nodes, entries, pairs, strict=True))


def _sizes() -> Table:
    """Infosets of the game, before and after suit isomorphism."""
    game = poker_game(GAME)
    ordered, unordered = CardRounds.of(game, ordered=True), CardRounds.of(game)
    rows, totals, states = [], Counter[str](), 0
    left, deals = 52, 1  # deals of a player's cards and the board up to a round, the order of rounds counted
    joint = comb(50, 2)  # deals of both players' cards and the board
    for street, (name, decisions) in enumerate(zip(ROUNDS, betting_form(game).decisions, strict=True)):
        deals *= comb(left, DEALT[street])
        joint *= comb(left - 2 if street else left, DEALT[street])
        left -= DEALT[street]
        ours = {
            "all hands": decisions * deals,
            "up to names of suits": decisions * ordered.indexer(street).size(),
            "and order of the board": decisions * unordered.hands(street),
        }
        states += decisions * joint
        totals.update(ours)
        rows.append(Row(f"infosets, {name}", ours=ours))
    rows.append(Row("infosets in all", printed=INFOSETS, ours=totals, note="Johanson 2013"))
    printed = Row("... up to names of suits", printed=ISOMORPHIC, note="Johanson 2013")
    rows.append(replace(printed, ours={"up to names of suits": totals["up to names of suits"]}))
    rows.append(Row("states: both players' cards", printed=STATES, ours={"all hands": states}, note="Johanson 2013"))
    return Table("The size of limit hold'em, before and after isomorphism", rows, digits=0)


def _form_table(form: BucketedForm) -> Table:
    rows = [
        Row(f"round {street}", ours={"buckets": count, "decisions": decisions, "infosets": count * decisions})
        for street, (count, decisions) in enumerate(zip(form.buckets.counts, form.betting.decisions, strict=True))
    ]
    rows.append(Row("in all", ours={"infosets": form.infosets, "numbers": form.numbers}))
    return Table("What was trained", rows, digits=0, note=f"{form.name}, {form.buckets.methods[0]} a round")


def _buckets(game: PokerGame, count: int, seed: int, watch: Watch) -> Buckets:
    cards = CardRounds.of(game)
    plan = Plan(cards, (f"strength:{count}(squared=true)",) * cards.rounds, PERFECT, seed)
    share = 0.0

    def report(event: Event) -> None:
        nonlocal share
        share = max(share, event.share or 0.0)  # every stage of a round starts at 0
        watch.within(0.0, 0.3).at(event.message, share)

    return make(plan, threads=parallel.core_count(), watch=Watch(watch.job, report, watch.cancel))


Curve = dict[int, dict[str, Gain]]  # by iterations, by opponent


def _train(form: BucketedForm, scale: str, seed: int, watch: Watch) -> tuple[Curve, dict[str, Summary], Summary]:
    """Winnings of the average strategy by iterations; at the end, against agents and local best response."""
    solver = start_solver("pure", form, seed=seed, threads=parallel.core_count() if scale == "full" else 1)
    others = {name: Side(form, strategy) for name, strategy in _simple(form).items()}
    marks, curve = ITERATIONS[scale], Curve()
    for place, mark in enumerate(marks):
        watch.at(f"training, {mark:,} iterations", 0.3 + 0.3 * place / len(marks))
        advance_to(solver, mark, watch, at_once=AT_ONCE)
        own = Side(form, solver.strategy_arrays()["average"])
        curve[mark] = {name: head_to_head(own, side, hands=HANDS[scale], seed=seed) for name, side in others.items()}
    watch.at("matches", 0.6)
    strategy, hands = strategy_of(form, solver.strategy_arrays(), StrategyNames()), TABLE_HANDS[scale]
    winnings = {name: table_winnings(form, strategy, name, hands=hands, seed=seed) for name in AT_THE_TABLE}
    watch.at("local best response", 0.7)
    return curve, winnings, local_bound(form, strategy, hands=LOCAL_HANDS[scale], seed=seed)


def _simple(form: BucketedForm) -> dict[str, np.ndarray]:
    """Opponents that ignore their cards, as arrays of the form: uniform, always call, always raise."""
    arrays, betting = form.betting.arrays, form.betting
    strategies = {name: np.zeros(form.numbers, np.uint32) for name in ("uniform", "always call", "always raise")}
    for street, count in enumerate(form.buckets.counts):
        own = slice(form.base[street], form.base[street + 1])
        calls, raises = (strategies[name][own].reshape(count, -1) for name in ("always call", "always raise"))
        for node in np.flatnonzero((arrays.round == street) & (arrays.actor >= 0)).tolist():
            names, first = betting.actions[node], int(arrays.slot[node])
            call = names.index("c")
            calls[:, first + call] = 1
            raises[:, first + next((place for place, name in enumerate(names) if name.startswith("r")), call)] = 1
    return strategies


def _mbb(gain: Gain) -> tuple[float, float]:
    blind = max(poker_game(GAME).rules.blinds)
    return 1000 * gain.mean / blind, 1000 * gain.half / blind


def _strength(curve: Curve) -> Table:
    rows = [
        Row(
            f"{iterations:,} iterations",
            ours={f"against {name}": round(_mbb(gain)[0], 1) for name, gain in gains.items()},
            note=f"± {max(_mbb(gain)[1] for gain in gains.values()):.0f}",
        )
        for iterations, gains in curve.items()
    ]
    return Table("Winnings by iterations, mbb a hand", rows, digits=1)


def _opponents(winnings: Mapping[str, Summary]) -> Table:
    rows = [
        Row(f"against {name}", ours={"mbb a hand": won.mean}, note=f"± {won.half_width:.0f}")
        for name, won in winnings.items()
    ]
    return Table("Matches at the end of training", rows, digits=1)


def _bound_table(bound: Summary) -> Table:
    ours = {"local best response wins": bound.mean, "at least": max(bound.low, 0.0)}
    return Table(
        "Exploitability, from below, mbb a hand", [Row("in the real game", ours=ours, note=_plus(bound))], digits=1
    )


def _plus(won: Summary) -> str:
    return f"± {won.half_width:.0f}"


def _bound_finding(bound: Summary) -> Finding:
    return Finding(
        "it is an approximate Nash equilibrium of limit hold'em (4)",
        decided(False, bound.low > 0),
        f"local best response wins {bound.mean:.0f} {_plus(bound)} mbb a hand; always folding loses 750",
        words="" if bound.low > 0 else "undecided: local best response found nothing that surely wins",
    )


def _figure(curve: Curve) -> Figure:
    marks = np.array(list(curve), float)
    lines = []
    for name in next(iter(curve.values())):
        mean, half = np.array([_mbb(gains[name]) for gains in curve.values()]).T
        lines.append(Line(marks, mean, name, low=mean - half, high=mean + half))
    panel = Panel(tuple(lines), x_label="iterations", y_label="winnings, mbb a hand", x_log=True)
    return Figure("winnings", "What Pure CFR wins as its iterations grow", (panel,))


def _findings(curve: Curve, winnings: Mapping[str, Summary]) -> tuple[Finding, ...]:
    first, last = (curve[mark] for mark in (min(curve), max(curve)))
    grows = all(last[name].interval[0] > first[name].interval[1] for name in last)
    shrinks = any(last[name].interval[1] < first[name].interval[0] for name in last)
    change = ", ".join(f"{name} {_mbb(first[name])[0]:.0f} to {_mbb(last[name])[0]:.0f}" for name in last)
    near = all(abs(states(count) / printed - 1) < 0.005 for count, printed in STATES_OF_2007.items())
    scores = ", ".join(f"{name} {won.mean:+.0f} ± {won.half_width:.0f}" for name, won in winnings.items())
    beaten = all(won.mean - won.half_width > 0 for won in winnings.values())
    lost = any(won.mean + won.half_width < 0 for won in winnings.values())
    return (
        Finding("ten buckets a round are an abstraction of 10^12 states", near, f"{states(10):,} states"),
        Finding("more iterations play better", decided(grows, shrinks), change),
        Finding("it beats players that look at their cards", decided(beaten, lost), scores),
    )
