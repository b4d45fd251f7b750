"""The paper's numbers: printed, exact, and ours."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations

import numpy as np

from pokerlab.cards.combos import CLASS_COMBOS, CLASS_NAMES
from pokerlab.cards.preflop import preflop_table
from pokerlab.cards.strength import HIGH
from pokerlab.games.von_neumann_continuous import ContinuousPoker
from pokerlab.papers._goykhman.measures import call_range, interval, thresholds, wrong_genes
from pokerlab.papers._goykhman.runs import (
    AMOUNTS,
    FLOP,
    GENETIC,
    REGRET,
    VON_NEUMANN,
    Outcome,
    exact_of,
    game_of,
)
from pokerlab.papers.result import Row, Table

_CLASSES = {  # table 1: distinct hands, hands in all
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
    """The outcomes of a game and a method, one a seed."""
    return [
        outcome
        for outcome in outcomes
        if (outcome.plan.game, outcome.plan.amounts, outcome.plan.method) == (game, amounts, method)
    ]


def amounts_words(amounts: tuple[int, int]) -> str:
    """(a, B) in words."""
    return f"a={amounts[0]}, B={amounts[1]}"


def class_table() -> Table:
    """Table 1: how many hands of five cards there are of each kind, counted one by one."""
    began = time.perf_counter()
    every = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8).reshape(-1, 5)
    counts = np.bincount(HIGH().strengths(every))
    seconds = time.perf_counter() - began
    rows, start = [], 1
    for category, end in zip(HIGH().rules.categories, HIGH().category_ends, strict=True):
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


def threshold_table(outcomes: Sequence[Outcome]) -> Table:
    """x1, x2, c, y0 of the continuous game, and what the methods find on 100 cards."""
    rows = []
    for amounts in AMOUNTS:
        ante, bet = amounts
        solution = ContinuousPoker(Fraction(ante), Fraction(bet)).equilibrium
        game, exact = game_of(VON_NEUMANN, amounts), exact_of(VON_NEUMANN, amounts)
        found = {
            method: [
                thresholds(game, exact, outcome.first, outcome.second)
                for outcome in of(outcomes, VON_NEUMANN, amounts, method)
            ]
            for method in (GENETIC, REGRET)
        }
        ours = thresholds(game, exact, exact.solution.first, exact.admissible)
        for name, printed in zip(("x1", "x2", "c", "y0"), _HUNDREDTHS[amounts], strict=True):
            means = {method: interval([getattr(one, name) for one in found[method]]) for method in found}
            continuous = getattr(solution, name)
            rows.append(
                Row(
                    f"{name}, {amounts_words(amounts)}",
                    printed=printed / 100,
                    exact=continuous,
                    ours={"100 cards, LP": getattr(ours, name), "GA": str(means[GENETIC]), "CFR": str(means[REGRET])},
                    error=means[GENETIC].mean - float(continuous),
                )
            )
    return Table(
        "Von Neumann poker: thresholds (19) to (22)",
        tuple(rows),
        note="exact is the continuous game; the error is GA's. y0 is read as one minus all calls, so that it does not "
        "depend on which hands call; c counts calls with the hands on which the exact Dealer is indifferent.",
        digits=4,
    )


def calls_table(outcomes: Sequence[Outcome]) -> Table:
    """c of the CFR runs against all exact Dealer equilibria of the discrete game."""
    rows = []
    for amounts in AMOUNTS:
        low, high = call_range(game_of(VON_NEUMANN, amounts), exact_of(VON_NEUMANN, amounts))
        game, exact = game_of(VON_NEUMANN, amounts), exact_of(VON_NEUMANN, amounts)
        runs = of(outcomes, VON_NEUMANN, amounts, REGRET)
        found = interval([100 * thresholds(game, exact, run.first, run.second).c for run in runs])
        rows.append(
            Row(
                f"c x 100, {amounts_words(amounts)}",
                printed=_CALLS[amounts],
                exact=f"{low:.2f} to {high:.2f}",
                ours={"CFR": str(found)},
                error=max(0.0, low - found.mean, found.mean - high),
                seconds=float(np.mean([run.seconds for run in runs])),
            )
        )
    return Table(
        "Von Neumann poker on 100 cards: calls in Dealer's indifferent zone (figures 7 to 9)",
        tuple(rows),
        note="exact is the range over all Dealer equilibria of the discrete game; the error is the distance from it.",
        digits=2,
    )


def value_table(outcomes: Sequence[Outcome], game_name: str) -> Table:
    """Values of a game, and how far each method's answer is from equilibrium."""
    rows = []
    for amounts in AMOUNTS:
        exact = exact_of(game_name, amounts)
        game = game_of(game_name, amounts)
        ante, bet = amounts
        printed: float | Fraction
        if game_name == FLOP:
            printed, note = _FLOP_VALUES[amounts], "the paper's 0.11 is wrong" if amounts == (8, 1) else ""
        else:
            printed = ContinuousPoker(Fraction(ante), Fraction(bet)).equilibrium.value
            note = "printed is formula (23), the continuous game"
        values: dict[str, str] = {}
        for method in (GENETIC, REGRET):
            runs = of(outcomes, game_name, amounts, method)
            values[method] = str(interval([game.value(run.first, run.second) for run in runs]))
        rows.append(
            Row(
                f"value to Player, {amounts_words(amounts)}",
                printed=printed,
                exact=exact.solution.value,
                ours=values,
                error=float(printed) - exact.solution.value,
                seconds=exact.seconds,
                note=note,
            )
        )
        for method in (GENETIC, REGRET):
            runs = of(outcomes, game_name, amounts, method)
            rows.append(
                Row(
                    f"  {method}: exploitability",
                    exact=0.0,
                    ours={method: str(interval([run.exploitability for run in runs]))},
                    seconds=float(np.mean([run.seconds for run in runs])),
                    note=f"{runs[0].plan.games:.2g} games a run",
                )
            )
    return Table(
        f"{game_name[0].upper()}{game_name[1:]}: values and exploitability, chips a hand",
        tuple(rows),
        note="exact by linear program; the error is the printed value's; seconds are the program's and a run's.",
        digits=6,
    )


def wrong_table(outcomes: Sequence[Outcome]) -> Table:
    """Flop poker: hands that lean to the wrong side, and how much is at stake with them."""
    rows = []
    for amounts in AMOUNTS:
        game, exact = game_of(FLOP, amounts), exact_of(FLOP, amounts)
        for method in (GENETIC, REGRET):
            runs = of(outcomes, FLOP, amounts, method)
            wrong = [wrong_genes(game, exact, run.first, run.second) for run in runs]
            rows.append(
                Row(
                    f"{method}, {amounts_words(amounts)}",
                    ours={
                        "wrong of 338": str(interval([one.count for one in wrong])),
                        "their mean |e|": float(np.mean([one.mean for one in wrong])),
                        "their largest |e|": max(one.largest for one in wrong),
                        "mean |e| of all": wrong[0].mean_of_all,
                    },
                )
            )
    return Table(
        "Flop poker: hands decided to the wrong side of e_P(i) and e_D(j) at the exact equilibrium",
        tuple(rows),
        note="|e| in chips a hand held: what the wrong decision costs when the hand comes up.",
        digits=4,
    )


def fitness_table(outcomes: Sequence[Outcome]) -> Table:
    """Figures 4 to 6: where the fitness of the selected ends, and that it need not sum to zero."""
    rows = []
    for amounts in AMOUNTS:
        exact = exact_of(VON_NEUMANN, amounts).solution.value
        runs = of(outcomes, VON_NEUMANN, amounts, GENETIC)
        settings = runs[0].plan.settings
        assert settings is not None
        last = np.array([run.history[-50:].mean(0) for run in runs])  # [seed, role]
        drift = exact * settings.rounds / settings.bankroll
        for role, name in enumerate(("Player", "Dealer")):
            rows.append(
                Row(
                    f"{name}, {amounts_words(amounts)}",
                    exact=1 + (drift if role == 0 else -drift),
                    ours={"selected": str(interval(last[:, role]))},
                    error=float(last[:, role].mean()) - 1 - (drift if role == 0 else -drift),
                )
            )
    return Table(
        "Fitness B_R / B_0 of the selected, mean of the last 50 generations (figures 4 to 6)",
        tuple(rows),
        note="exact is the fitness of an equilibrium player; the selected stand above it because luck selects too.",
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
