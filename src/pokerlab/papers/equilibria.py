"""Equilibria of general games: existence, dominance, fictitious play and regret (Schmid, chapters 3, 4 and 7).

M. Schmid, "Game Theory and Poker", 2013, sections 3.5, 3.6.2, 4.1.2, 4.2 and the bounds 7.7, 7.11 and 7.15. The thesis
quotes results without numbers of its own: Shapley's cycle (1964), the exponential time of fictitious play (Brandt,
Fischer and Harrenstein 2010), and equilibria of three-player Kuhn poker between which one player shifts utility
(Szafron, Gibson and Sturtevant 2013). Here each is computed. Not in the thesis: the correlated equilibria that play
without regret comes to.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pokerlab.figure import Figure, Line, Panel
from pokerlab.papers._equilibria_runs import (
    RegretCourse,
    Shift,
    cfr_regret,
    kuhn_shifts,
    matrix_regret,
    normal_of,
    rounds_before_equilibrium,
)
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, decided, rerunnable
from pokerlab.solvers.equilibria.bimatrix import Bimatrix, whole_table
from pokerlab.solvers.equilibria.correlated import distance, external_regrets, internal_regrets
from pokerlab.solvers.equilibria.learning import JointPlay, play_jointly
from pokerlab.solvers.equilibria.pure import eliminate, pure_equilibria
from pokerlab.solvers.equilibria.vertices import all_equilibria
from pokerlab.tree.measure import Measure

LEARNERS = ("fictitious-play", "regret-matching", "internal", "exponential")
GAINED = 1e-4  # chips: what a best response may win in the equilibria of three-player Kuhn poker


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Matrix games exactly, runs of learners, three-player Kuhn poker, and regret bounds."""
    iterations = rerun.choose(quick=300, usual=20_000, full=100_000)
    rerun.watch.at("matrix games", 0.0)
    plays = {}
    for place, rule in enumerate(LEARNERS):
        rerun.watch.at(f"Shapley's game: {rule}", 0.1 + 0.1 * place)
        plays[rule] = _shapley(rule, iterations)
    bits = range(1, rerun.choose(quick=5, usual=13, full=17))
    rounds = {count: rounds_before_equilibrium(count) for count in bits}
    rerun.watch.at("three-player Kuhn poker", 0.5)
    before, shifts = kuhn_shifts(rerun.choose(quick=400, usual=4_000, full=40_000))
    courses = {}
    for place, (name, run) in enumerate(
        {"rps-lizard-spock": matrix_regret, "kuhn": cfr_regret, "leduc": cfr_regret}.items()
    ):
        rerun.watch.at(f"regrets in {name}", 0.6 + 0.1 * place)
        courses[name] = run(name, rerun.choose(quick=30, usual=2_000, full=20_000))
    return rerun.result(
        title="Equilibria of general games: existence, learning and regret",
        source="M. Schmid, Game Theory and Poker, master thesis, Charles University in Prague 2013, chapters 3, 4, 7",
        tables=(_matrix_games(), _learning(plays), _slowness(rounds), _shifting(before, shifts), _bounds(courses)),
        figures=(_cycle(plays), _distances(plays), _bound_figure(courses)),
        findings=_findings(plays, rounds, before, shifts, courses),
        notes=(
            "Learners start with a lead of a tenth of a payoff for the first player's first action: without it, "
            "Shapley's game starts and stays in its equilibrium.",
            *rerun.quick_notes(),
        ),
        iterations=iterations,
    )


def _shapley(rule: str, iterations: int) -> JointPlay:
    points = sorted({round(point) for point in np.geomspace(1, iterations, 80)})
    return play_jointly(normal_of("shapley").payoff_table, (rule, rule), iterations=iterations, points=points, lead=0.1)


def _matrix_games() -> Table:
    """Pure and all equilibria of the thesis' matrix games, exactly."""
    rows = []
    printed = {"rock-paper-scissors": (0, Fraction(1, 3)), "prisoners-dilemma": (1, Fraction(1))}
    for name in ("rock-paper-scissors", "prisoners-dilemma", "battle-of-the-sexes", "abstraction-pathology", "shapley"):
        whole = whole_table(normal_of(name).payoff_table)
        pure, every = pure_equilibria(whole), all_equilibria(Bimatrix(whole))
        counted = printed.get(name, (None, None))
        rows.append(Row(f"{name}: pure equilibria", counted[0], ours={"nash": len(pure)}))
        rows.append(Row(f"{name}: equilibria", ours={"nash": len(every.extreme)}))
        if counted[1] is not None:
            share = every.extreme[0].mixes[0][0]
            rows.append(Row(f"{name}: share of the first action", counted[1], ours={"nash": share}))
        if eliminate(whole).solves:
            rows.append(Row(f"{name}: solved by dominance", ours={"nash": "yes"}))
    return Table("Matrix games", tuple(rows), digits=4)


def _learning(plays: dict[str, JointPlay]) -> Table:
    table, rows = normal_of("shapley").payoff_table, []
    for rule, play in plays.items():
        joint = play.joint[-1]
        numbers = {
            "external regret": max(external_regrets(table, joint)),
            "internal regret": max(internal_regrets(table, joint)),
            "to coarse correlated": distance(table, joint, coarse=True),
            "to correlated": distance(table, joint),
            "largest share of an action": float(play.averages[0][-1].max()),
        }
        rows.append(Row(rule, ours=numbers))
    note = "Distances are the probability to be moved until joint play is such an equilibrium."
    return Table("Shapley's game: learners against themselves", tuple(rows), note, digits=5)


def _slowness(rounds: dict[int, int]) -> Table:
    rows = [Row(f"{bits} bits", exact=2**bits + 1, ours={"rounds": count}) for bits, count in rounds.items()]
    note = "Rounds of fictitious play before the only equilibrium action is first played."
    return Table("Fictitious play on a game solved by dominance", tuple(rows), note)


def _shifting(before: Measure, shifts: Sequence[Shift]) -> Table:
    rows = [Row("the equilibrium that DCFR finds", ours=_values(before))]
    for shift in shifts:
        for what, measure in zip(("least", "most"), shift.measures, strict=True):
            name = f"player {shift.shifter} gives player {(shift.shifter + 1) % 3} the {what}"
            rows.append(Row(name, ours=_values(measure), error=None))
    return Table("Three-player Kuhn poker: what one player can shift between the others", tuple(rows), digits=6)


def _values(measure: Measure) -> dict[str, float]:
    values = {f"player {i} wins": value for i, value in enumerate(measure.values)}
    return values | {"largest gain by a deviation": measure.epsilon}


def _bounds(courses: dict[str, RegretCourse]) -> Table:
    rows = []
    for name, course in courses.items():
        numbers = {"regret": float(course.regret[-1])} | {
            one: float(values[-1]) for one, values in course.bounds.items()
        }
        rows.append(Row(f"{name}, {course.iterations[-1]:,} iterations", ours=numbers))
    return Table("Average overall regret, and the bounds of the thesis", tuple(rows), digits=5)


def _cycle(plays: dict[str, JointPlay]) -> Figure:
    panels = []
    for rule in ("fictitious-play", "internal"):
        play = plays[rule]
        lines = [Line(play.iterations, play.averages[0][:, i], name) for i, name in enumerate("abc")]
        panels.append(
            Panel(
                tuple(lines), f"{rule}: averages of the row player", "iterations", "share", x_log=True, y_range=(0, 1)
            )
        )
    caption = "Shapley's game: fictitious play cycles, ever more slowly; without internal regret averages settle."
    return Figure("shapley", caption, tuple(panels))


def _distances(plays: dict[str, JointPlay]) -> Figure:
    table, panels = normal_of("shapley").payoff_table, []
    for what, coarse in (("coarse correlated equilibria", True), ("correlated equilibria", False)):
        lines = []
        for rule, play in plays.items():
            far = [max(distance(table, joint, coarse=coarse), 1e-6) for joint in play.joint[::6]]
            lines.append(Line(play.iterations[::6], far, rule))
        panels.append(Panel(tuple(lines), f"distance to {what}", "iterations", "probability", x_log=True, y_log=True))
    return Figure("distances", "Shapley's game: how far joint play is from equilibria (1e-6: inside).", tuple(panels))


def _bound_figure(courses: dict[str, RegretCourse]) -> Figure:
    panels = []
    for name, course in courses.items():
        lines = [Line(course.iterations, np.maximum(course.regret, 1e-6), "measured")]
        lines += [Line(course.iterations, values, f"bound {one}") for one, values in course.bounds.items()]
        panels.append(Panel(tuple(lines), name, "iterations", "average regret", x_log=True, y_log=True))
    return Figure("bounds", "Measured regrets, and the bounds of the thesis.", tuple(panels))


def _findings(
    plays: dict[str, JointPlay],
    rounds: dict[int, int],
    before: Measure,
    shifts: Sequence[Shift],
    courses: dict[str, RegretCourse],
) -> tuple[Finding, ...]:
    table = normal_of("shapley").payoff_table
    shares = plays["fictitious-play"].averages[0]
    later = shares[len(shares) // 2 :]
    swing = float((later.max(axis=0) - later.min(axis=0)).min())
    settled = plays["internal"].averages[0]
    still = float(np.ptp(settled[-len(settled) // 8 :], axis=0).max())
    far = {rule: distance(table, play.joint[-1]) for rule, play in plays.items()}
    widths = [shift.width for shift in shifts]
    gains = max(measure.epsilon for shift in shifts for measure in shift.measures)
    lost = max(abs(one.values[s.shifter] - before.values[s.shifter]) for s in shifts for one in s.measures)
    within = {
        name: min(float((values / np.maximum(course.regret, 1e-12)).min()) for values in course.bounds.values())
        for name, course in courses.items()
    }
    return (
        Finding(
            "fictitious play fails to converge in Shapley's game (section 4.1.2)",
            swing > 0.3,
            f"in the second half of the run every share still swings by {swing:.2f}; without internal regret the "
            f"last eighth moves by {still:.3f}",
        ),
        Finding(
            "fictitious play may need exponentially many rounds, even in games solved by dominance (theorem 5)",
            all(count == 2**bits + 1 for bits, count in rounds.items()),
            f"2^n + 1 rounds with payoffs of n bits: {max(rounds.values()):,} at {max(rounds)} bits",
        ),
        Finding(
            "in three-player Kuhn poker a player can shift utility between the others, staying in equilibrium (3.6.2)",
            decided(widths[1] > 100 * gains and gains < GAINED, widths[1] < gains),
            f"the second player moves {widths[1]:.5f} chips between the others and {widths[0]:.1e} and {widths[2]:.1e} "
            f"is all that the first and the third can; no gain by a deviation exceeds {gains:.1e}, and the shifter's "
            f"own payoff changes by {lost:.1e}",
        ),
        Finding(
            "measured regrets stay below the bounds 7.7, 7.11 and 7.15",
            all(factor >= 1 for factor in within.values()),
            "the tightest bound is at least "
            + ", ".join(f"{factor:.3g} times the regret in {name}" for name, factor in within.items()),
        ),
        Finding(
            "play without internal regret comes to correlated equilibria, play without external regret need not",
            far["internal"] < far["regret-matching"] / 4 and far["exponential"] < far["regret-matching"] / 4,
            "distances: " + ", ".join(f"{rule} {value:.4f}" for rule, value in far.items()),
        ),
    )
