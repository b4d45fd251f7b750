"""Pure CFR in limit hold'em with buckets: the system of Shmavonyan's thesis, and the results that it did not report.

T. Shmavonyan, "Research and development of automated poker playing software (counterfactual regret minimization)",
American University of Armenia, 2018: nine cards per deal, a pair of buckets in each of four rounds, Pure CFR on
abstractions "with 10^12 states". It prints no result. Here the sizes are counted exactly, before and after suit
isomorphism and bucketing; then the player is trained, and matched against others at increasing numbers of iterations.

The thesis does not describe its bucketing. We use that of the first CFR paper for its 10^12 states (Zinkevich and
others 2007): percentiles of E[HS^2], with perfect recall of the buckets of earlier rounds.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from math import comb

import numpy as np

from pokerlab import parallel
from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.agents.library.blueprint import BlueprintAgent
from pokerlab.events import CancelToken, Event, OnProgress, Watch
from pokerlab.figure import Figure, Line, Panel
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.papers.result import QUICK_NOTE, Finding, PaperResult, Row, Table
from pokerlab.registry import load
from pokerlab.solvers.bucketed.playing import Gain, Side, head_to_head
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.forms.kinds import Naming, strategy_of
from pokerlab.tree.bucketed.betting import betting_form
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.resources import Resources

GAME = "holdem-limit"
ROUNDS = ("before the flop", "flop", "turn", "river")
DEALT = (2, 3, 1, 1)
BUCKETS = {"quick": 3, "usual": 5, "full": 10}
ITERATIONS = {"quick": (300, 3_000), "usual": (10_000, 100_000, 1_000_000, 5_000_000)}
AT_ONCE = 100_000  # iterations between checks of the cancel token
FULL_ITERATIONS = (100_000, 1_000_000, 10_000_000, 100_000_000, 500_000_000)
HANDS = {"quick": 2_000, "usual": 200_000, "full": 1_000_000}  # of compiled opponents
TABLE_HANDS = {"quick": 20, "usual": 2_000, "full": 20_000}  # of opponents at the table
AT_THE_TABLE = ("formula", "rules")
STATES_OF_2007 = {5: 6.45e9, 6: 27.7e9, 8: 276e9, 10: 1646e9}  # Zinkevich and others 2007, by buckets per round
NOTES = (
    "Published sizes are quoted from memory: 319,365,922,522,608 infosets of limit hold'em (Johanson 2013), and the "
    "states of abstractions (Zinkevich and others 2007).",
    "States are counted as in 2007: each place of the betting once for every pair of remembered buckets, and a chance "
    "node for each player where a round begins.",
    "Winnings are in thousandths of a big blind a hand, every deal played from both seats.",
)


def paper(
    *,
    full: bool = False,
    quick: bool = False,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> PaperResult:
    """Count, train and match."""
    began, scale = time.perf_counter(), "quick" if quick else "full" if full else "usual"
    watch = Watch("shmavonyan", on_progress, cancel)
    game = open_game(GAME if not quick else "rhode-island")
    assert isinstance(game, PokerGame)
    buckets = _buckets(game, BUCKETS[scale], seed, watch)
    form = bucketed_form(game, buckets)
    curve, winnings = _trained(form, scale, seed, watch)
    return PaperResult(
        name="shmavonyan",
        title="Pure CFR in limit hold'em with buckets",
        source="T. Shmavonyan, master's thesis, American University of Armenia, 2018",
        tables=(_sizes(), _states(), _form_table(form), _strength(curve), _opponents(winnings)),
        figures=(_figure(curve),),
        findings=_findings(curve, winnings),
        notes=(*NOTES, *((QUICK_NOTE, "A quick run trains on Rhode Island hold'em.") if quick else ())),
        settings={"seed": seed, "full": full, "game": game.name, "buckets": buckets.text},
        seconds=time.perf_counter() - began,
    )


# ---- sizes ---------------------------------------------------------------------------------------------------------


def hands_dealt(turn: int) -> int:
    """The number of deals of a player's cards and the board up to a round, the order of rounds counted."""
    left, ways = 52, 1
    for count in DEALT[: turn + 1]:
        ways *= comb(left, count)
        left -= count
    return ways


def states(buckets: int) -> int:
    """States of an abstraction with this many buckets per round and perfect recall, counted as in 2007."""
    form = betting_form(_limit())
    nodes = np.bincount(form.arrays.round)
    entries = [1, *(places // 10 for places in form.decisions[1:])]  # ten decisions per subtree after the first round
    return sum(
        (int(nodes[turn]) + 2 * entries[turn]) * buckets ** (2 * (turn + 1)) for turn in range(len(form.decisions))
    )


def _limit() -> PokerGame:
    game = open_game(GAME)
    assert isinstance(game, PokerGame)
    return game


def _sizes() -> Table:
    """Infosets of the game, before and after suit isomorphism."""
    game = _limit()
    decisions = betting_form(game).decisions
    kept, forgotten = CardRounds.of(game, ordered=True), CardRounds.of(game)
    counts = {
        "all hands": [hands_dealt(turn) for turn in range(4)],
        "up to names of suits": [kept.indexer(turn).size() for turn in range(4)],
        "and order of the board": [forgotten.hands(turn) for turn in range(4)],
    }
    rows = [
        Row(f"infosets, {name}", ours={name: decisions[turn] * sizes[turn] for name, sizes in counts.items()})
        for turn, name in enumerate(ROUNDS)
    ]
    totals = {
        name: sum(places * size for places, size in zip(decisions, sizes, strict=True))
        for name, sizes in counts.items()
    }
    rows.append(Row("infosets in all", printed=319_365_922_522_608, ours=totals))
    return Table("The size of limit hold'em, before and after isomorphism", tuple(rows), digits=0)


def _states() -> Table:
    rows = [
        Row(f"{count} buckets a round", printed=printed, ours={"states": states(count)})
        for count, printed in STATES_OF_2007.items()
    ]
    return Table("States of abstractions, and the 10^12 of the title", tuple(rows), digits=0)


def _form_table(form: BucketedForm) -> Table:
    rows = [
        Row(f"round {turn}", ours={"buckets": count, "decisions": places, "infosets": count * places})
        for turn, (count, places) in enumerate(zip(form.buckets.counts, form.betting.decisions, strict=True))
    ]
    rows.append(Row("in all", ours={"infosets": form.infosets, "numbers": form.numbers}))
    return Table("What was trained", tuple(rows), digits=0, note=f"{form.name}, {form.buckets.methods[0]} a round")


# ---- training ------------------------------------------------------------------------------------------------------


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


def _trained(form: BucketedForm, scale: str, seed: int, watch: Watch) -> tuple[Curve, dict[str, tuple[float, float]]]:
    """Winnings of the average strategy by iterations, and at the end against agents at the table."""
    algorithm = load("algorithms", "pure")
    resources = Resources(parallel.core_count() if scale == "full" else 1)
    algorithm.rehearse(form, resources=resources)
    solver = algorithm.start(form, seed=seed, resources=resources)
    others = {name: Side(form, numbers) for name, numbers in _simple(form).items()}
    marks = FULL_ITERATIONS if scale == "full" else ITERATIONS[scale]
    curve: Curve = {}
    for place, mark in enumerate(marks):
        watch.at(f"training, {mark:,} iterations", 0.3 + 0.5 * place / len(marks))
        while solver.iterations < mark:
            watch.check()
            solver.advance(min(AT_ONCE, mark - solver.iterations))
        own = Side(form, solver.strategy_arrays()["average"])
        curve[mark] = {name: head_to_head(own, side, hands=HANDS[scale], seed=seed) for name, side in others.items()}
    watch.at("matches", 0.8)
    return curve, _matched(form, solver, scale, seed)


def _simple(form: BucketedForm) -> dict[str, np.ndarray]:
    """Opponents that ignore their cards, as arrays of the form: uniform, always call, always raise."""
    arrays, betting = form.betting.arrays, form.betting
    found = {name: np.zeros(form.numbers, np.uint32) for name in ("uniform", "always call", "always raise")}
    for turn, count in enumerate(form.buckets.counts):
        views = {name: array[form.base[turn] : form.base[turn + 1]].reshape(count, -1) for name, array in found.items()}
        for node in np.flatnonzero((arrays.round == turn) & (arrays.actor >= 0)).tolist():
            names, first = betting.actions[node], int(arrays.slot[node])
            call = names.index("c")
            views["always call"][:, first + call] = 1
            raising = [place for place, name in enumerate(names) if name.startswith("r")]
            views["always raise"][:, first + (raising[0] if raising else call)] = 1
    return found


def _matched(form: BucketedForm, solver: object, scale: str, seed: int) -> dict[str, tuple[float, float]]:
    """Winnings at the table against agents that look at their cards, in mbb per hand, with half of the interval."""
    solution = _solution(form, solver, seed)
    found = {}
    for name in AT_THE_TABLE:
        agent = BlueprintAgent("pure", solution)
        settings = MatchSettings.of(form.game, (agent, name), hands=TABLE_HANDS[scale], seed=seed, duplicate=True)
        row = play_match(settings, workers=1).as_dict()["agents"][0]["mbb"]
        found[name] = (float(row["mean"]), float(row["high"] - row["low"]) / 2)
    return found


def _solution(form: BucketedForm, solver: object, seed: int) -> Solution:
    from pokerlab.tree.measure import Measure

    return Solution(
        strategy=strategy_of(form, solver.strategy_arrays(), Naming()),  # type: ignore[attr-defined]
        form=form.kind,
        algorithm="pure",
        seed=seed,
        iterations=solver.iterations,  # type: ignore[attr-defined]
        seconds=0.0,
        measure=Measure.unknown(form.players),
        stopped="iterations",
        pot=form.pot,
        laid=form,
    )


# ---- tables and figures ----------------------------------------------------------------------------------------------


def _mbb(gain: Gain) -> tuple[float, float]:
    blind = max(_limit().rules.blinds)
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
    return Table("Winnings by iterations, mbb a hand", tuple(rows), digits=1)


def _opponents(winnings: Mapping[str, tuple[float, float]]) -> Table:
    rows = [
        Row(f"against {name}", ours={"mbb a hand": mean}, note=f"± {half:.0f}")
        for name, (mean, half) in winnings.items()
    ]
    return Table("Matches at the end of training", tuple(rows), digits=1)


def _figure(curve: Curve) -> Figure:
    marks = np.array(list(curve), float)
    lines = []
    for name in next(iter(curve.values())):
        found = np.array([_mbb(gains[name]) for gains in curve.values()])
        mean, half = found.T
        lines.append(Line(marks, mean, name, low=mean - half, high=mean + half))
    panel = Panel(tuple(lines), x_label="iterations", y_label="winnings, mbb a hand", x_log=True)
    return Figure("winnings", "What Pure CFR wins as its iterations grow", (panel,))


def _findings(curve: Curve, winnings: Mapping[str, tuple[float, float]]) -> tuple[Finding, ...]:
    first, last = (curve[mark] for mark in (min(curve), max(curve)))
    grows = all(last[name].interval[0] > first[name].interval[1] for name in last)
    shrinks = any(last[name].interval[1] < first[name].interval[0] for name in last)
    told = ", ".join(f"{name} {_mbb(first[name])[0]:.0f} to {_mbb(last[name])[0]:.0f}" for name in last)
    near = all(abs(states(count) / printed - 1) < 0.005 for count, printed in STATES_OF_2007.items())
    met = ", ".join(f"{name} {mean:+.0f} ± {half:.0f}" for name, (mean, half) in winnings.items())
    beaten = all(mean - half > 0 for mean, half in winnings.values())
    lost = any(mean + half < 0 for mean, half in winnings.values())
    return (
        Finding("ten buckets a round are an abstraction of 10^12 states", near, f"{states(10):,} states"),
        Finding("more iterations play better", True if grows else False if shrinks else None, told),
        Finding("it beats players that look at their cards", True if beaten else False if lost else None, met),
    )
