"""Counter-strategies in Leduc hold'em: what they win, what they risk, and a translation of bets that is exploited.

J. Rubin and I. Watson, "Computer poker: A review", 2011, sections 5.2.1 to 5.2.3: frequentist best responses exploit
the opponent they were made for and are brittle against others; restricted Nash responses trade one for the other; a
data-biased response needs fewer observations, and no default policy. Section 4.5.2: reading a bet as the nearest size
that is known is easily exploited. The review prints no numbers. Here all but the observations is exact: linear programs
and best responses (solvers/analysis), in the whole game. Teams (5.2.4) are `paper teams`.

Bets are translated in a game with one card and one bet: a blueprint for three sizes meets all sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pokerlab.abstraction.translation import translation
from pokerlab.agents.opening import open_policy
from pokerlab.cards.card import RANKS, SUITS, Deck
from pokerlab.figure import Figure, Line, Panel
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.menu import menus_from
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.match.run.observing import watch_policies
from pokerlab.papers.result import Finding, Interval, PaperResult, Rerun, Row, Table, decided, interval, rerunnable
from pokerlab.papers.teams import COUNTERED, STRANGERS, Laboratory, counter, laboratory
from pokerlab.registry import load
from pokerlab.solvers.analysis.restricted_program import solve_restricted
from pokerlab.solvers.analysis.restriction import confidence, frequencies, held_by_infoset, observations
from pokerlab.strategy.forms.kinds import profile_in
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

TRAINING = 1_000_000  # hands, about, in a hold'em abstraction of five buckets
WATCHED_BY, DEFAULT = "probe", "always-call"  # as in the paper that the review cites
PROBABILITIES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0)
P_MAX, CONFIDENCE = 0.75, "0-10-linear"
FBR, RNR, DBR = "FBR", f"RNR, p = {P_MAX}", f"DBR, {CONFIDENCE}, p_max = {P_MAX}"
KNOWN, EVERY = (2, 6, 20), (2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20)  # bets in chips, into a pot of 2
TRANSLATIONS = ("nearest", "arithmetic", "geometric", "pseudo-harmonic")


@dataclass(frozen=True)
class Counter:
    """What a counter-strategy wins from its opponent and loses to its best response, in chips a hand."""

    won: float
    exploitability: float


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Leduc hold'em with eight opponents."""
    specs = rerun.choose(
        quick=(COUNTERED[0], COUNTERED[2]), usual=(*COUNTERED, *STRANGERS), full=(*COUNTERED, *STRANGERS)
    )
    hands = rerun.choose(
        quick=(100, 1_000), usual=(100, 1_000, 10_000, 100_000), full=(100, 1_000, 10_000, 100_000, 1_000_000)
    )
    seeds = range(rerun.seed, rerun.seed + rerun.choose(quick=2, usual=5, full=10))
    rerun.watch.at("best responses", 0.0)
    one = laboratory(specs, specs, 1.0)  # members are best responses to the opponents themselves
    observed = rerun.choose(quick=specs[1:], usual=("formula", "rules"), full=specs)
    watched = {}
    for number, spec in enumerate(observed):
        rerun.watch.at(f"observing {spec}", 0.05 + 0.55 * number / len(observed))
        watched[spec] = by_observations(one, spec, hands, seeds)
    curves = {}
    for number, spec in enumerate(observed):
        rerun.watch.at(f"restricted Nash responses to {spec}", 0.6 + 0.3 * number / len(observed))
        curves[spec] = [(p, measured(one, counter(one.form, one.opponents[spec], p), spec)) for p in PROBABILITIES]
    rerun.watch.at("translation of bets", 0.9)
    read = translations()
    return rerun.result(
        title="Counter-strategies and how brittle they are",
        source="J. Rubin and I. Watson, Artificial Intelligence 175 (2011), sections 4.5.2 and 5.2.1 to 5.2.3",
        tables=(
            _hands_table(hands),
            _cross_table(one),
            *_watched_tables(watched),
            *_curve_tables(curves),
            _translation_table(read),
        ),
        figures=(_figure(curves),),
        findings=(
            _brittle(one),
            *_trade_off(one, curves),
            *_data_biased(watched),
            *_nearest(read),
        ),
        notes=(
            "Chips a hand in Leduc hold'em (antes of 1), both seats; all but the observed hands is exact. "
            f"Intervals are over {len(seeds)} seeds of observations.",
            f"Opponents are observed by {WATCHED_BY}; where FBR and RNR have no observation they assume {DEFAULT}.",
            *rerun.quick_notes(),
        ),
        hands=list(hands),
    )


def measured(one: Laboratory, profile: np.ndarray, opponent: str) -> Counter:
    """A counter-strategy against its opponent and against its best response."""
    return Counter(one.wins(profile, opponent), one.form.measure(profile).exploitability)


# ---- by observations -------------------------------------------------------------------------------------------------

Watched = dict[int, dict[str, tuple[Interval, Interval]]]  # by hands, by method: won, and exploitability


def by_observations(one: Laboratory, spec: str, hands: Sequence[int], seeds: Sequence[int]) -> Watched:
    """What each method makes of some observed hands of an opponent."""
    game, form = one.game, one.form
    prober, default = (profile_in(open_policy(name, game), game, form) for name in (WATCHED_BY, DEFAULT))
    results: Watched = {}
    for count in hands:
        found: dict[str, list[Counter]] = {FBR: [], RNR: [], DBR: []}
        for seed in seeds:
            counts = watch_policies(form, one.opponents[spec], prober, hands=count, seed=seed).counts
            model = frequencies(form, counts, np.asarray(default))
            held = confidence(CONFIDENCE, P_MAX, observations(form, counts))
            for method, profile in (
                (FBR, counter(form, model, 1.0)),
                (RNR, counter(form, model, P_MAX)),
                (DBR, data_biased(form, model, held)),
            ):
                found[method].append(measured(one, profile, spec))
        results[count] = {
            method: (interval([one.won for one in many]), interval([one.exploitability for one in many]))
            for method, many in found.items()
        }
    return results


def data_biased(form: SequenceForm, model: np.ndarray, held: np.ndarray) -> np.ndarray:
    """The data-biased response to a model, in both seats; `held` is the confidence at each action's infoset.  # [A]"""
    profile = form.uniform()
    for seat in (0, 1):
        found = form.behaviour(solve_restricted(form, held_by_infoset(form, model, held, player=1 - seat))[0])
        own = form.slots_of(seat)
        profile[own] = found[own]
    return profile


# ---- translation of bets ---------------------------------------------------------------------------------------------


def bet_game(sizes: Sequence[int]) -> PokerGame:
    """One card of thirteen each, an ante of 1, and one bet of any of these sizes."""
    menu = menus_from({"bet": ", ".join(f"{size} chips" for size in sizes), "raise": ""})
    rules = Rules(
        players=2,
        rounds=(Round(private=1, bet=1, menu=menu),),
        deck=Deck.of(RANKS, SUITS[:1]),
        limit="no",
        antes=(1, 1),
        stacks=(21, 21),
        showdown="high",
    )
    return PokerGame(rules, "one-bet poker")


def translations() -> dict[str, float]:
    """The exploitability in the game with every size of a blueprint for three, by translation, in antes."""
    small, large = (sequence_form(build(bet_game(sizes))) for sizes in (KNOWN, EVERY))
    solver = load("algorithms", "lp").start(small)
    solver.advance(1)
    profile = np.asarray(small.unpack(solver.strategy_arrays()))
    read = {"only the known sizes are bet": small.measure(profile).exploitability}
    for name in TRANSLATIONS:
        read[name] = large.measure(translated(small, profile, large, name)).exploitability
    return read


def translated(small: SequenceForm, profile: np.ndarray, large: SequenceForm, name: str) -> np.ndarray:
    """A profile of the game with few sizes in that with many: it bets its own, and reads others as them."""
    own = {}
    for place, infoset in enumerate(small.tree.infoset_names):
        actions, first = small.tree.action_names[place], int(small.tree.start[place])
        own[infoset] = dict(zip(actions, profile[first : first + len(actions)], strict=True))
    reading, rows = translation(name), []
    for infoset, actions in zip(large.tree.infoset_names, large.tree.action_names, strict=True):
        before, bet, size = infoset.rpartition("r")
        shares = [(infoset, 1.0)]
        if bet and size.isdecimal():  # a bet, by its total with the ante
            shares = [
                (f"{before}r{KNOWN[place] + 1}", share) for place, share in reading.spread(KNOWN, int(size) - 1, pot=2)
            ]
        rows += [sum(share * own[known].get(action, 0.0) for known, share in shares) for action in actions]
    return np.array(rows)


# ---- tables and verdicts ---------------------------------------------------------------------------------------------


def _hands_table(hands: Sequence[int]) -> Table:
    """The only number that the review prints."""
    row = Row(f"hands observed against {WATCHED_BY}, for FBR", printed=TRAINING, ours={"at most": max(hands)})
    return Table("Observations (5.2.1)", (row,), digits=0)


def _cross_table(one: Laboratory) -> Table:
    rows = []
    for spec, member in one.members.items():
        ours = {other: one.wins(member, other) for other in one.opponents}
        rows.append(Row(f"to {spec}", ours=ours | {"exploitability": one.form.measure(member).exploitability}))
    ours = {other: one.wins(one.equilibrium, other) for other in one.opponents}
    rows.append(Row("equilibrium", ours=ours | {"exploitability": one.form.measure(one.equilibrium).exploitability}))
    return Table("What the best response to each opponent wins from all (5.2.1)", rows, digits=3)


def _watched_tables(watched: dict[str, Watched]) -> list[Table]:
    tables = []
    for spec, by_hands in watched.items():
        rows = []
        for count, methods in by_hands.items():
            for method, (won, lost) in methods.items():
                rows.append(Row(f"{count:,} hands, {method}", ours={"wins": str(won), "exploitability": str(lost)}))
        tables.append(Table(f"Responses to what was observed of {spec}", rows))
    return tables


def _curve_tables(curves: dict[str, list[tuple[float, Counter]]]) -> list[Table]:
    return [
        Table(
            f"Restricted Nash responses to {spec}, known (5.2.2)",
            [Row(f"p = {p:g}", ours={"wins": one.won, "exploitability": one.exploitability}) for p, one in curve],
            digits=4,
        )
        for spec, curve in curves.items()
    ]


def _translation_table(read: dict[str, float]) -> Table:
    rows = [Row(name, ours={"exploitability": lost}) for name, lost in read.items()]
    known, every = (", ".join(str(size) for size in sizes) for sizes in (KNOWN, EVERY))
    note = f"antes; an equilibrium for bets of {known} into a pot of 2, against bets of {every}"
    return Table("Reading bets of other sizes (4.5.2)", rows, note, digits=4)


def _figure(curves: dict[str, list[tuple[float, Counter]]]) -> Figure:
    lines = [
        Line(np.array([one.exploitability for _, one in curve]), np.array([one.won for _, one in curve]), f"to {spec}")
        for spec, curve in curves.items()
    ]
    panel = Panel(tuple(lines), "", "exploitability, chips a hand", "wins, chips a hand")
    return Figure("trade-off", "Restricted Nash responses for p from 0 to 1", (panel,))


def _brittle(one: Laboratory) -> Finding:
    """Exact, so there is no interval: best responses win from their own opponent, and what from the others."""
    lines, gains, losses = [], [], []
    for spec, member in one.members.items():
        own, others = one.wins(member, spec), [one.wins(member, other) for other in one.opponents if other != spec]
        gains.append(own - one.wins(one.equilibrium, spec))
        losses.append(min(others))
        lines.append(f"to {spec} {own:+.2f}, others {min(others):+.2f} at worst and {np.mean(others):+.2f} on average")
    brittle = sum(loss < 0 < gain for gain, loss in zip(gains, losses, strict=True))
    return Finding(
        "best responses win more than the equilibrium from their opponent and lose to some other (5.2.1)",
        decided(brittle == len(gains), not brittle),
        "; ".join(lines),
        words="" if brittle in (0, len(gains)) else f"holds for {brittle} of {len(gains)}",
    )


def _trade_off(one: Laboratory, curves: dict[str, list[tuple[float, Counter]]]) -> list[Finding]:
    verdicts = []
    for spec, curve in curves.items():
        by_p = dict(curve)
        robust, full = by_p[P_MAX], by_p[1.0]
        base = by_p[0.0].won
        gained = (robust.won - base) / (full.won - base) if full.won > base else float("nan")
        risked = robust.exploitability / full.exploitability if full.exploitability else float("nan")
        rises = all(after.won >= before.won - 1e-6 for (_, before), (_, after) in pairwise(curve))
        verdicts.append(
            Finding(
                f"restricted Nash responses to {spec} give up little of the gain for much less exploitability (5.2.2)",
                decided(rises and gained > risked, gained <= risked),
                f"p = {P_MAX}: {gained:.0%} of what a best response gains over the equilibrium, {risked:.0%} of its "
                f"exploitability; winnings {'rise' if rises else 'do not rise'} with p",
            )
        )
    return verdicts


def _data_biased(watched: dict[str, Watched]) -> list[Finding]:
    verdicts = []
    for spec, by_hands in watched.items():
        least = by_hands[min(by_hands)]
        (won, lost), (model_won, model_lost) = least[DBR], least[RNR]
        fbr_won, fbr_lost = least[FBR]
        verdicts.append(
            Finding(
                f"with few observations of {spec} a data-biased response is less exploitable than the others (5.2.3)",
                decided(lost.high < min(model_lost.low, fbr_lost.low), lost.low > min(model_lost.high, fbr_lost.high)),
                f"after {min(by_hands):,} hands exploitability {lost}, RNR {model_lost}, FBR {fbr_lost}; wins {won}, "
                f"RNR {model_won}, FBR {fbr_won}",
            )
        )
    return verdicts


def _nearest(read: dict[str, float]) -> list[Finding]:
    base, nearest, best = read["only the known sizes are bet"], read["nearest"], read["pseudo-harmonic"]
    numbers = ", ".join(f"{name} {lost:.4f}" for name, lost in read.items())
    return [
        Finding(
            "reading a bet as the nearest known size is easily exploited (4.5.2)",
            bool(nearest > 10 * max(base, 1e-3)),
            numbers,
        ),
        Finding(
            "drawing the size by the pseudo-harmonic mapping is exploited less than the nearest",
            bool(best < nearest),
            numbers,
        ),
    ]
