"""The paper's numbers: printed, exact, and ours."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain, combinations
from operator import attrgetter
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_COMBOS, CLASS_NAMES
from pokerlab.cards.preflop import preflop_table
from pokerlab.cards.strength import HIGH
from pokerlab.papers._goykhman.exact import FLOP, VON_NEUMANN, continuous, likeness
from pokerlab.papers._goykhman.runs import GENETIC, Outcome, cases
from pokerlab.papers.result import Row, Table, interval

_CLASSES = {  # table 1: distinct hands, total hands
    "straight flush": (10, 40),
    "four of a kind": (156, 624),
    "full house": (156, 3744),
    "flush": (1277, 5108),
    "straight": (10, 10_200),
    "three of a kind": (858, 54_912),
    "two pair": (858, 123_552),
    "pair": (2860, 1_098_240),
    "high card": (1277, 1_302_540),
    "all": (7462, 2_598_960),
}
_HUNDREDTHS = {(1, 2): (11, 78, 22, 56), (1, 4): (10, 85, 15, 70), (8, 1): (3, 54, 46, 8)}  # figures 1 to 3
_CALLS = {(1, 2): 22.9, (1, 4): 15.3, (8, 1): 46.2}  # figures 7 to 9
FLOP_VALUES = {(1, 2): 0.15, (1, 4): 0.14, (8, 1): 0.11}  # equations (49) to (51)
_TRIO = (  # equations (46) to (48)
    ("22", "AKo", 0.53, 0.47),
    ("AKo", "JTs", 0.6, 0.39),
    ("JTs", "22", 0.53, 0.46),
)


def class_table() -> Table:
    """Table 1: the number of five-card hands of each kind, by enumeration."""
    began = time.perf_counter()
    hands = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8).reshape(-1, 5)
    counts = np.bincount(HIGH().strengths(hands, check=False))
    seconds = time.perf_counter() - began
    counted, start = {}, 1
    for category, end in zip(HIGH().order.categories, HIGH().category_ends, strict=True):
        counted[category] = int(end) - start + 1, int(counts[start : end + 1].sum())
        start = int(end) + 1
    counted["all"] = HIGH().class_count, len(hands)
    rows = [
        Row(
            category,
            printed="{:,} / {:,}".format(*_CLASSES[category]),
            ours={"counted": f"{distinct:,} / {total:,}"},
            error=float(abs(distinct - _CLASSES[category][0]) + abs(total - _CLASSES[category][1])),
            seconds=seconds if category == "all" else None,
        )
        for category, (distinct, total) in counted.items()
    ]
    return Table("Table 1: five-card hands, distinct / in all", rows)


def _compared(
    what: str,
    runs: Mapping[str, Sequence[Outcome]],
    measure: Callable[[Outcome], float],
    truth: float | tuple[float, float] | None,
    *,
    ours: Mapping[str, float] | None = None,
    **columns: Any,
) -> Row:
    """A row with each method's mean, its error from the exact value or range, and seconds per run."""
    means = {method: interval([measure(one) for one in outcomes]) for method, outcomes in runs.items()}
    errors: dict[str, float] = {}
    if isinstance(truth, tuple):
        errors = {method: max(0.0, truth[0] - one.mean, one.mean - truth[1]) for method, one in means.items()}
    elif truth is not None:
        errors = {method: one.mean - truth for method, one in means.items()}
    return Row(
        what,
        ours={**(ours or {}), **{method: str(mean) for method, mean in means.items()}},
        errors=errors,
        times={method: float(np.mean([one.seconds for one in outcomes])) for method, outcomes in runs.items()},
        **columns,
    )


def run_tables(outcomes: Sequence[Outcome], scale: str) -> list[Table]:
    """All numbers from runs of one scale, which the titles name."""
    tables = (
        threshold_table(outcomes),
        calls_table(outcomes),
        value_table(outcomes, VON_NEUMANN),
        value_table(outcomes, FLOP),
        wrong_table(outcomes),
        fitness_table(outcomes),
        admissible_table(outcomes),
    )
    return [replace(table, title=f"{table.title}; {scale}") for table in tables]


def threshold_table(outcomes: Sequence[Outcome]) -> Table:
    """x1, x2, c, y0 of the continuous game, and the methods' values on 100 cards."""
    rows = []
    for exact, runs in cases(outcomes, VON_NEUMANN):
        solution, discrete = continuous(exact.amounts), exact.thresholds(exact.solution.first, exact.admissible)
        for name, hundredths in zip(("x1", "x2", "c", "y0"), _HUNDREDTHS[exact.amounts], strict=True):
            truth, ours = getattr(solution, name), {"100 cards, LP": getattr(discrete, name)}
            columns: dict[str, Any] = {"printed": hundredths / 100, "exact": truth, "ours": ours}
            measure = attrgetter(f"thresholds.{name}")
            rows.append(_compared(f"{name}, {exact.text}", runs, measure, float(truth), **columns))
    return Table(
        "Von Neumann poker: thresholds (19) to (22)",
        rows,
        note="exact is the continuous game, and errors are from it. y0 is read as one minus all calls, so that it does "
        "not depend on which hands call; c counts calls with the hands on which the exact Dealer is indifferent.",
        digits=4,
    )


def calls_table(outcomes: Sequence[Outcome]) -> Table:
    """c of the runs compared with all exact Dealer equilibria of the discrete game; the printed ones are of CFR."""
    rows = []
    for exact, runs in cases(outcomes, VON_NEUMANN):
        low, high = exact.call_range
        columns: dict[str, Any] = {"printed": _CALLS[exact.amounts], "exact": f"{low:.2f} to {high:.2f}"}
        rows.append(_compared(f"c x 100, {exact.text}", runs, attrgetter("thresholds.calls"), (low, high), **columns))
    return Table(
        "Von Neumann poker on 100 cards: calls in Dealer's indifferent zone (figures 7 to 9)",
        rows,
        note="printed is the paper's CFR; exact is the range over all Dealer equilibria of the discrete game, and "
        "errors are distances from it.",
        digits=2,
    )


def value_table(outcomes: Sequence[Outcome], game: str) -> Table:
    """Values of a game, and the exploitability of each method's strategies."""
    rows, seconds = [], []
    for exact, runs in cases(outcomes, game):
        truth = exact.solution.value
        seconds.append(f"{exact.seconds:.2f}")
        printed: float | Fraction = FLOP_VALUES[exact.amounts]
        if game == VON_NEUMANN:
            printed = continuous(exact.amounts).value
        what = f"value to Player, {exact.text}"
        value = _compared(what, runs, attrgetter("value"), truth, printed=printed, exact=truth)
        rows.append(replace(value, errors={"printed": float(printed) - truth, **value.errors}))
        rows.append(_compared("  exploitability", runs, attrgetter("exploitability"), 0.0, exact=0.0))
        games = {method: f"{of_method[0].plan.games:.2g}" for method, of_method in runs.items()}
        rows.append(Row("  games a run", ours=games))
    source = "printed is formula (23), the continuous game" if game == VON_NEUMANN else "the paper's 0.11 is wrong"
    return Table(
        f"{game[0].upper()}{game[1:]}: values and exploitability, chips a hand",
        rows,
        note=f"exact by linear program, in {', '.join(seconds)} seconds, and errors are from it; {source}.",
        digits=6,
    )


def wrong_table(outcomes: Sequence[Outcome]) -> Table:
    """Flop poker: hands that lean to the wrong side, and the margins involved."""
    rows = []
    for exact, runs in cases(outcomes, FLOP):
        of_all = f"mean |e| of all hands {runs[GENETIC][0].wrong_genes.mean_of_all:.4f}"
        for name, words, truth, note in (
            ("count", "wrong of 338", 0, ""),
            ("mean", "their mean |e|", None, of_all),
            ("largest", "their largest |e|", None, ""),
        ):
            measure = attrgetter(f"wrong_genes.{name}")
            rows.append(_compared(f"{words}, {exact.text}", runs, measure, truth, exact=truth, note=note))
    return Table(
        "Flop poker: hands decided to the wrong side of e_P(i) and e_D(j) at the exact equilibrium",
        rows,
        note="|e| in chips a hand held: what the wrong decision costs when the hand comes up.",
        digits=4,
    )


def fitness_table(outcomes: Sequence[Outcome]) -> Table:
    """Figures 4 to 6: the final fitness of the selected, which need not sum to zero."""
    rows = []
    for exact, runs in cases(outcomes, VON_NEUMANN):
        drift = runs[GENETIC][0].drift
        for role, (name, truth) in enumerate((("Player", 1 + drift), ("Dealer", 1 - drift))):
            genetic, measure = {GENETIC: runs[GENETIC]}, partial(_final_fitness, role)
            rows.append(_compared(f"{name}, {exact.text}", genetic, measure, truth, exact=truth))
    return Table(
        "Fitness B_R / B_0 of the selected, mean of the last 50 generations (figures 4 to 6)",
        rows,
        note="exact is the fitness of an equilibrium player; the selected stand above it because luck selects too. "
        "Regret minimisation has no fitness.",
        digits=4,
    )


def _final_fitness(role: int, outcome: Outcome) -> float:
    return float(outcome.history[-50:, role].mean())


def admissible_table(outcomes: Sequence[Outcome]) -> Table:
    """Both measures of Dealer's distance from the admissible equilibrium."""
    rows = []
    for exact, runs in cases(outcomes, VON_NEUMANN):
        for name, truth in (("distance", 0), ("punishment", 1)):
            measure = attrgetter(f"admissibility.{name}")
            rows.append(_compared(f"{name}, {exact.text}", runs, measure, truth, exact=truth))
        if len(runs[GENETIC]) > 1:
            zone = exact.indifferent
            alike = {method: likeness([one.second for one in of_method], zone) for method, of_method in runs.items()}
            rows.append(Row(f"agreement of seeds, {exact.text}", ours=alike))
    return Table(
        "How near Dealer is to the admissible equilibrium in von Neumann poker",
        rows,
        note="distance: mean |q - admissible q| over Dealer's indifferent cards. punishment: what a Player who bets "
        "every hand that equilibrium checks loses, 1 against the admissible and 0 against the loosest equilibrium. "
        "agreement of seeds: mean correlation of q between seeds over the indifferent cards.",
        digits=4,
    )


def trio_table() -> Table:
    """Equations (46) to (48), and the worst hands."""
    table = preflop_table(5)
    rows = []
    for one, two, printed, other in _TRIO:
        for first, second, value in ((one, two, printed), (two, one, other)):
            i, j = CLASS_NAMES.index(first), CLASS_NAMES.index(second)
            pairs = np.ix_(CLASS_COMBOS[i], CLASS_COMBOS[j])
            dealt = (table.wins[pairs] + table.ties[pairs] + table.wins.T[pairs]) > 0  # no card shared
            shares = table.wins[pairs][dealt] / table.boards
            exact = float(table.class_win[i, j])
            ours = {"least and most by suits": f"{shares.min():.4f} to {shares.max():.4f}"}
            rows.append(Row(f"p({first} | {second})", printed=value, exact=exact, ours=ours, error=value - exact))
    for size, street, claimed, note in ((3, "flop", "32o", ""), (5, "river", "72o", "heads-up it is 32o")):
        win, tie = preflop_table(size).against_random()
        worst = CLASS_NAMES[int(np.argmin(win + tie / 2))]
        rows.append(Row(f"worst hand on the {street}", printed=claimed, exact=worst, note=note))
    return Table("Match-ups: (46) to (48)", rows, digits=4)
