"""The paper's numbers: printed, exact, and ours."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_COMBOS, CLASS_NAMES
from pokerlab.cards.preflop import preflop_table
from pokerlab.cards.strength import HIGH
from pokerlab.games.von_neumann_continuous import ContinuousPoker
from pokerlab.papers._goykhman.measures import (
    admissibility,
    call_range,
    indifferent,
    interval,
    likeness,
    thresholds,
    wrong_genes,
)
from pokerlab.papers._goykhman.runs import (
    AMOUNTS,
    FLOP,
    GENETIC,
    REGRET,
    VON_NEUMANN,
    Outcome,
    exact_of,
    form_of,
)
from pokerlab.papers.result import Row, Table

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
}
_HUNDREDTHS = {(1, 2): (11, 78, 22, 56), (1, 4): (10, 85, 15, 70), (8, 1): (3, 54, 46, 8)}  # figures 1 to 3
_CALLS = {(1, 2): 22.9, (1, 4): 15.3, (8, 1): 46.2}  # figures 7 to 9
_FLOP_VALUES = {(1, 2): 0.15, (1, 4): 0.14, (8, 1): 0.11}  # equations (49) to (51)
_TRIO = (  # equations (46) to (48)
    ("22", "AKo", 0.53, 0.47),
    ("AKo", "JTs", 0.6, 0.39),
    ("JTs", "22", 0.53, 0.46),
)


def of(outcomes: Sequence[Outcome], game: str, amounts: tuple[int, int], method: str) -> list[Outcome]:
    """The outcomes of a game and a method, one per seed."""
    return [
        outcome
        for outcome in outcomes
        if (outcome.plan.game, outcome.plan.amounts, outcome.plan.method) == (game, amounts, method)
    ]


def amounts_words(amounts: tuple[int, int]) -> str:
    """(a, B) as text."""
    return f"a={amounts[0]}, B={amounts[1]}"


def class_table() -> Table:
    """Table 1: the number of five-card hands of each kind, by enumeration."""
    began = time.perf_counter()
    every = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8).reshape(-1, 5)
    counts = np.bincount(HIGH().strengths(every, check=False))
    seconds = time.perf_counter() - began
    rows, start = [], 1
    for category, end in zip(HIGH().order.categories, HIGH().category_ends, strict=True):
        distinct, total = int(end) - start + 1, int(counts[start : end + 1].sum())
        printed = _CLASSES[category]
        rows.append(
            Row(
                category,
                printed=f"{printed[0]:,} / {printed[1]:,}",
                ours={"counted": f"{distinct:,} / {total:,}"},
                error=float(abs(distinct - printed[0]) + abs(total - printed[1])),
            )
        )
        start = int(end) + 1
    rows.append(
        Row(
            "all",
            printed="7,462 / 2,598,960",
            ours={"counted": f"{HIGH().class_count:,} / {len(every):,}"},
            error=float(abs(HIGH().class_count - 7462) + abs(len(every) - 2_598_960)),
            seconds=seconds,
        )
    )
    return Table("Table 1: five-card hands, distinct / in all", tuple(rows))


def _runs(outcomes: Sequence[Outcome], game: str, amounts: tuple[int, int]) -> dict[str, list[Outcome]]:
    """The outcomes of both methods."""
    return {method: of(outcomes, game, amounts, method) for method in (GENETIC, REGRET)}


def _compared(
    what: str,
    runs: Mapping[str, Sequence[Outcome]],
    values: Mapping[str, Sequence[float]],
    truth: float | tuple[float, float] | None,
    **columns: Any,
) -> Row:
    """A row with each method's mean, its error from the exact value or range, and seconds per run."""
    means = {method: interval(found) for method, found in values.items()}
    seconds = {method: float(np.mean([one.seconds for one in found])) for method, found in runs.items()}
    return Row(
        what,
        ours=columns.pop("ours", {}) | {method: str(mean) for method, mean in means.items()},
        errors={method: _error(mean.mean, truth) for method, mean in means.items()} if truth is not None else {},
        times=seconds,
        **columns,
    )


def _error(mean: float, truth: float | tuple[float, float]) -> float:
    if isinstance(truth, tuple):
        return max(0.0, truth[0] - mean, mean - truth[1])
    return mean - truth


def run_tables(outcomes: Sequence[Outcome], scale: str) -> list[Table]:
    """All numbers from runs of one scale, which the titles name."""
    made = (
        threshold_table(outcomes),
        calls_table(outcomes),
        value_table(outcomes, VON_NEUMANN),
        value_table(outcomes, FLOP),
        wrong_table(outcomes),
        fitness_table(outcomes),
        admissible_table(outcomes),
    )
    return [replace(table, title=f"{table.title}; {scale}") for table in made]


def threshold_table(outcomes: Sequence[Outcome]) -> Table:
    """x1, x2, c, y0 of the continuous game, and the methods' values on 100 cards."""
    rows = []
    for amounts in AMOUNTS:
        ante, bet = amounts
        solution = ContinuousPoker(Fraction(ante), Fraction(bet)).equilibrium
        game, exact = form_of(VON_NEUMANN, amounts).one_decision, exact_of(VON_NEUMANN, amounts)
        runs = _runs(outcomes, VON_NEUMANN, amounts)
        ours = thresholds(game, exact, exact.solution.first, exact.admissible)
        read = {m: [thresholds(game, exact, one.first, one.second) for one in found] for m, found in runs.items()}
        for name, printed in zip(("x1", "x2", "c", "y0"), _HUNDREDTHS[amounts], strict=True):
            continuous = getattr(solution, name)
            rows.append(
                _compared(
                    f"{name}, {amounts_words(amounts)}",
                    runs,
                    {method: [getattr(one, name) for one in found] for method, found in read.items()},
                    float(continuous),
                    printed=printed / 100,
                    exact=continuous,
                    ours={"100 cards, LP": getattr(ours, name)},
                )
            )
    return Table(
        "Von Neumann poker: thresholds (19) to (22)",
        tuple(rows),
        note="exact is the continuous game, and errors are from it. y0 is read as one minus all calls, so that it does "
        "not depend on which hands call; c counts calls with the hands on which the exact Dealer is indifferent.",
        digits=4,
    )


def calls_table(outcomes: Sequence[Outcome]) -> Table:
    """c of the runs compared with all exact Dealer equilibria of the discrete game; the printed ones are of CFR."""
    rows = []
    for amounts in AMOUNTS:
        game, exact = form_of(VON_NEUMANN, amounts).one_decision, exact_of(VON_NEUMANN, amounts)
        low, high = call_range(game, exact)
        runs = _runs(outcomes, VON_NEUMANN, amounts)
        rows.append(
            _compared(
                f"c x 100, {amounts_words(amounts)}",
                runs,
                {m: [100 * thresholds(game, exact, one.first, one.second).c for one in runs[m]] for m in runs},
                (low, high),
                printed=_CALLS[amounts],
                exact=f"{low:.2f} to {high:.2f}",
            )
        )
    return Table(
        "Von Neumann poker on 100 cards: calls in Dealer's indifferent zone (figures 7 to 9)",
        tuple(rows),
        note="printed is the paper's CFR; exact is the range over all Dealer equilibria of the discrete game, and "
        "errors are distances from it.",
        digits=2,
    )


def value_table(outcomes: Sequence[Outcome], game_name: str) -> Table:
    """Values of a game, and the exploitability of each method's strategies."""
    rows, programs = [], []
    for amounts in AMOUNTS:
        game, exact = form_of(game_name, amounts).one_decision, exact_of(game_name, amounts)
        truth = exact.solution.value
        programs.append(f"{exact.seconds:.2f}")
        printed: float | Fraction = _FLOP_VALUES[amounts]
        if game_name == VON_NEUMANN:
            printed = ContinuousPoker(Fraction(amounts[0]), Fraction(amounts[1])).equilibrium.value
        runs = _runs(outcomes, game_name, amounts)
        value = _compared(
            f"value to Player, {amounts_words(amounts)}",
            runs,
            {method: [game.value(one.first, one.second) for one in found] for method, found in runs.items()},
            truth,
            printed=printed,
            exact=truth,
        )
        rows.append(replace(value, errors={"printed": float(printed) - truth, **value.errors}))
        rows.append(
            _compared(
                "  exploitability",
                runs,
                {method: [one.exploitability for one in found] for method, found in runs.items()},
                0.0,
                exact=0.0,
            )
        )
        rows.append(Row("  games a run", ours={method: f"{found[0].plan.games:.2g}" for method, found in runs.items()}))
    source = "printed is formula (23), the continuous game" if game_name == VON_NEUMANN else "the paper's 0.11 is wrong"
    return Table(
        f"{game_name[0].upper()}{game_name[1:]}: values and exploitability, chips a hand",
        tuple(rows),
        note=f"exact by linear program, in {', '.join(programs)} seconds, and errors are from it; {source}.",
        digits=6,
    )


def wrong_table(outcomes: Sequence[Outcome]) -> Table:
    """Flop poker: hands that lean to the wrong side, and the margins involved."""
    rows = []
    for amounts in AMOUNTS:
        game, exact = form_of(FLOP, amounts).one_decision, exact_of(FLOP, amounts)
        runs = _runs(outcomes, FLOP, amounts)
        wrong = {m: [wrong_genes(game, exact, one.first, one.second) for one in found] for m, found in runs.items()}
        of_all = wrong[GENETIC][0].mean_of_all
        for name, words in (("count", "wrong of 338"), ("mean", "their mean |e|"), ("largest", "their largest |e|")):
            rows.append(
                _compared(
                    f"{words}, {amounts_words(amounts)}",
                    runs,
                    {method: [getattr(one, name) for one in found] for method, found in wrong.items()},
                    0.0 if name == "count" else None,
                    exact=0 if name == "count" else None,
                    note=f"mean |e| of all hands {of_all:.4f}" if name == "mean" else "",
                )
            )
    return Table(
        "Flop poker: hands decided to the wrong side of e_P(i) and e_D(j) at the exact equilibrium",
        tuple(rows),
        note="|e| in chips a hand held: what the wrong decision costs when the hand comes up.",
        digits=4,
    )


def fitness_table(outcomes: Sequence[Outcome]) -> Table:
    """Figures 4 to 6: the final fitness of the selected, which need not sum to zero."""
    rows = []
    for amounts in AMOUNTS:
        value = exact_of(VON_NEUMANN, amounts).solution.value
        runs = {GENETIC: of(outcomes, VON_NEUMANN, amounts, GENETIC)}
        settings = runs[GENETIC][0].plan.settings
        assert settings is not None
        drift = value * settings.rounds / settings.bankroll
        for role, (name, truth) in enumerate((("Player", 1 + drift), ("Dealer", 1 - drift))):
            rows.append(
                _compared(
                    f"{name}, {amounts_words(amounts)}",
                    runs,
                    {GENETIC: [float(one.history[-50:, role].mean()) for one in runs[GENETIC]]},
                    truth,
                    exact=truth,
                )
            )
    return Table(
        "Fitness B_R / B_0 of the selected, mean of the last 50 generations (figures 4 to 6)",
        tuple(rows),
        note="exact is the fitness of an equilibrium player; the selected stand above it because luck selects too. "
        "Regret minimisation has no fitness.",
        digits=4,
    )


def admissible_table(outcomes: Sequence[Outcome]) -> Table:
    """Both measures of Dealer's distance from the admissible equilibrium."""
    rows = []
    for amounts in AMOUNTS:
        game, exact = form_of(VON_NEUMANN, amounts).one_decision, exact_of(VON_NEUMANN, amounts)
        runs = _runs(outcomes, VON_NEUMANN, amounts)
        near = {m: [admissibility(game, exact, one.second) for one in found] for m, found in runs.items()}
        for name, truth in (("distance", 0), ("punishment", 1)):
            rows.append(
                _compared(
                    f"{name}, {amounts_words(amounts)}",
                    runs,
                    {method: [getattr(one, name) for one in found] for method, found in near.items()},
                    truth,
                    exact=truth,
                )
            )
        zone = indifferent(game, exact)
        if len(runs[GENETIC]) > 1:
            alike = {method: likeness([one.second for one in found], zone) for method, found in runs.items()}
            rows.append(Row(f"seeds alike, {amounts_words(amounts)}", ours=alike))
    return Table(
        "How near Dealer comes to the admissible equilibrium in von Neumann poker",
        tuple(rows),
        note="distance: mean |q - admissible q| over Dealer's indifferent cards. punishment: what a Player who bets "
        "every hand that equilibrium checks loses, 1 against the admissible and 0 against the loosest equilibrium. "
        "seeds alike: mean correlation of q between seeds over the indifferent cards.",
        digits=4,
    )


def trio_table() -> Table:
    """Equations (46) to (48), and the worst hands."""
    table = preflop_table(5)
    place = {name: number for number, name in enumerate(CLASS_NAMES)}
    rows = []
    for one, two, printed, other in _TRIO:
        for first, second, value in ((one, two, printed), (two, one, other)):
            i, j = place[first], place[second]
            pairs = np.ix_(CLASS_COMBOS[i], CLASS_COMBOS[j])
            met = (table.wins[pairs] + table.ties[pairs] + table.wins.T[pairs]) > 0  # no card shared
            shares = table.wins[pairs][met] / table.boards
            exact = float(table.class_win[i, j])
            rows.append(
                Row(
                    f"p({first} | {second})",
                    printed=value,
                    exact=exact,
                    ours={"least and most by suits": f"{shares.min():.4f} to {shares.max():.4f}"},
                    error=value - exact,
                )
            )
    worst = {}
    for size, words in ((3, "flop"), (5, "river")):
        win, tie = preflop_table(size).against_random()
        worst[words] = CLASS_NAMES[int(np.argmin(win + tie / 2))]
    rows.append(Row("worst hand on the flop", printed="32o", exact=worst["flop"]))
    rows.append(Row("worst hand on the river", printed="72o", exact=worst["river"], note="heads-up it is 32o"))
    return Table("Who beats whom: (46) to (48)", tuple(rows), digits=4)
