"""A three-player tournament played to its end (Ganzfried and Sandholm; Schmid, section 6.4).

S. Ganzfried and T. Sandholm, "Computing an approximate jam/fold equilibrium for 3-player no-limit Texas hold'em
tournaments", 2008, and "Computing equilibria in multiplayer stochastic games of imperfect information", 2009: 13,500
chips, blinds of 300 and 600, prizes of 50, 30 and 20 percent. M. Schmid repeated it and could not make it converge with
60, 40 and 0, where values oscillate between rounds; there we also run policy iteration with mixed values
(solvers/stochastic/iteration.py). Chips are counted in units of 300, the small blind. The cards are the 169 classes
with card removal and three-way showdowns exact to 1/8192.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.events import Watch
from pokerlab.figure import Figure, Line, Panel
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, rerunnable
from pokerlab.solvers.stochastic.heads_up import Blinds, HeadsUpSolution, solve_heads_up
from pokerlab.solvers.stochastic.three_players import ThreeHanded
from pokerlab.solvers.stochastic.three_solver import ThreeHandedSolver
from pokerlab.tree.pushes.three import three_cards

UNIT = 300
BLINDS = Blinds(1, 2)
PUBLISHED_PERCENT = 0.5  # of the entry fee
MIXED_STEP, MIXED_MEMORY = 0.5, 4
NEAREST = (("50/30/20", "policy"), ("60/40/0", "mixed policy"))  # the runs that the chip model is compared with
PRIZES = {"50/30/20": (50.0, 30.0, 20.0), "60/40/0": (60.0, 40.0, 0.0)}
ENTRY_FEE = 100 / 3
SEATS = ("button", "small blind", "big blind")


@dataclass(frozen=True)
class Scale:
    """The size of a run."""

    units: int
    rounds: int
    mixed_rounds: int
    iterations: int
    heads_up_units: int  # of 100 chips


FULL = Scale(45, 8, 14, 200, 80)
USUAL = Scale(15, 7, 10, 150, 80)
QUICK = Scale(4, 3, 3, 20, 8)


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Both prize structures, both kinds of iteration, and the chip model beside the values; nothing is random."""
    scale, watch = rerun.choose(quick=QUICK, usual=USUAL, full=FULL), rerun.watch
    methods = ("policy", "value") if scale is USUAL else ("policy",)
    runs = [(prizes, method) for prizes in PRIZES for method in methods] + [("60/40/0", "mixed policy")]
    heads_up = solve_heads_up(scale.units, BLINDS)
    solvers = {}
    for number, run in enumerate(runs):
        own_watch = watch.within(number / len(runs), (number + 1) / len(runs))
        solvers[run] = _solve(scale, *run, heads_up, own_watch)
    watch.at("two players", 0.99)
    two = solve_heads_up(scale.heads_up_units, Blinds(3, 6))
    states = (scale.units - 1) * (scale.units - 2) // 2
    return rerun.result(
        title="A three-player tournament as a stochastic game",
        source="S. Ganzfried and T. Sandholm, AAMAS 2008 and IJCAI 2009; M. Schmid, Game Theory and Poker, 2013, 6.4",
        tables=(_distances(solvers), _chip_model(solvers), _heads_up(two)),
        figures=(_figure(solvers),),
        findings=_findings(solvers, two),
        notes=(f"{scale.units * UNIT:,} chips in units of {UNIT}: {states} states.", *rerun.quick_notes()),
    )


def _solve(scale: Scale, prizes: str, method: str, heads_up: HeadsUpSolution, watch: Watch) -> ThreeHandedSolver:
    mixed = method == "mixed policy"
    solver = ThreeHandedSolver(
        ThreeHanded(scale.units, BLINDS, PRIZES[prizes]),
        heads_up,
        three_cards(),
        method="policy" if mixed else method,
        iterations=scale.iterations,
        step=MIXED_STEP if mixed else 1.0,
        memory=MIXED_MEMORY if mixed else 0,
        watch=Watch(cancel=watch.cancel),
    )
    rounds = scale.mixed_rounds if mixed else scale.rounds
    for number in range(rounds):
        watch.at(f"{prizes}, {method} iteration, round {number + 1}", number, rounds)
        solver.advance(1)
    return solver


Solvers = dict[tuple[str, str], ThreeHandedSolver]


def percent(money: float) -> float:
    """Prize money in percent of the entry fee."""
    return 100 * money / ENTRY_FEE


def _distances(solvers: Solvers) -> Table:
    rows = []
    for (prizes, method), solver in solvers.items():
        first, last = solver.rounds[0], solver.rounds[-1]
        ours = {
            "ε": percent(last.epsilon),
            "ε after round 1": percent(first.epsilon),
            "last change of a value": percent(last.change),
        }
        printed = "below 0.5" if prizes == "50/30/20" else "did not converge"
        rows.append(Row(f"{prizes}, {method} iteration, {len(solver.rounds)} rounds", printed=printed, ours=ours))
    note = "The largest gain of a best response in the whole tournament, over all states and seats."
    return Table("Distance from equilibrium, percent of the entry fee", rows, note=note, digits=4)


def errors_of(solver: ThreeHandedSolver) -> np.ndarray:
    """The chip model minus the values of the strategies, in percent of the entry fee: [state, seat]."""
    return np.asarray(100 * (solver.chip_model - np.reshape(solver.measure().values, (-1, 3))) / ENTRY_FEE)


def _chip_model(solvers: Solvers) -> Table:
    rows = []
    for prizes, method in NEAREST:
        solver = solvers[prizes, method]
        errors = errors_of(solver)
        size = np.abs(errors)
        rows.append(Row(f"{prizes}: all states and seats", ours=_sizes(size)))
        for seat, name in enumerate(SEATS):
            rows.append(Row(f"{prizes}: {name}", ours=_sizes(size[:, seat])))
        deep = solver.game.states.min(1) >= 5
        if deep.any():
            rows.append(Row(f"{prizes}: nobody below 1,500 chips", ours=_sizes(size[deep])))
        for place in np.argsort(-size.reshape(-1), kind="stable")[:5]:
            state, seat = divmod(int(place), 3)
            chips = ", ".join(f"{stack * UNIT:,}" for stack in solver.game.states[state])
            model = solver.chip_model[state, seat]
            value = model - errors[state, seat] * ENTRY_FEE / 100
            ours = {"largest": size[state, seat], "value": float(value), "chip model": float(model)}
            rows.append(Row(f"{prizes}: worst, {chips}, {SEATS[seat]}", ours=ours))
    return Table("How good the chip model is: errors in percent of the entry fee", rows, digits=3)


def _sizes(size: np.ndarray) -> dict[str, float]:
    return {"mean": float(size.mean()), "median": float(np.median(size)), "largest": float(size.max())}


def _heads_up(two: HeadsUpSolution) -> Table:
    rows = []
    for part in range(1, 8):
        stack = two.units * part // 8
        ours = {"small blind": float(two.values[stack]), "big blind": float(two.big_values[stack])}
        rows.append(Row(f"{stack * 100:,} of {two.units * 100:,} chips", ours=ours))
    note = f"Every hand by a linear program; a best response to the end wins {max(two.epsilon, 0):.0e} more at most."
    return Table("Heads-up to the end, blinds 300 and 600: chance to win", rows, note=note, digits=5)


def _findings(solvers: Solvers, two: HeadsUpSolution) -> list[Finding]:
    findings = []
    claims = ("an equilibrium to half a percent of the entry fee", "60/40/0 reaches it too, with mixed values")
    for run, claim in zip(NEAREST, claims, strict=True):
        gap = percent(solvers[run].rounds[-1].epsilon)
        evidence = f"no player gains more than {gap:.4f} % with prizes {run[0]}"
        if run[1] != "policy":
            plain = solvers[run[0], "policy"].rounds
            evidence += f"; without mixing {percent(plain[-1].epsilon):.4f} % after {len(plain)} rounds"
        findings.append(Finding(claim, gap < PUBLISHED_PERCENT, evidence))
    for prizes in PRIZES:
        if (prizes, "value") in solvers:
            policy, value = (solvers[prizes, method].rounds[2].epsilon for method in ("policy", "value"))
            evidence = f"{percent(policy):.4f} % against {percent(value):.4f} % after three rounds"
            claim = f"policy iteration is faster than value iteration, {prizes}"
            findings.append(Finding(claim, policy < value, evidence))
    size = np.abs(errors_of(solvers["50/30/20", "policy"]))
    half = two.values[two.units // 2]
    return [
        *findings,
        Finding(
            "the chip model is a very good estimate in most situations",
            None,
            f"it is off by {size.mean():.2f} % of the entry fee on average and by {size.max():.1f} % at most; "
            f"{100 * (size < 2).mean():.0f} % of states and seats are within 2 %",
        ),
        Finding(
            "with equal stacks heads-up the small blind is no worse off",
            bool(half >= 0.5),
            f"it wins the tournament with chance {half:.5f}",
        ),
    ]


def _figure(solvers: Solvers) -> Figure:
    distances = {run: [percent(one.epsilon) for one in solver.rounds] for run, solver in solvers.items()}
    rounds = Panel(
        tuple(
            Line(list(range(1, len(epsilons) + 1)), epsilons, f"{prizes}, {method}")
            for (prizes, method), epsilons in distances.items()
        ),
        title="Best response to the end",
        x_label="round",
        y_label="percent of the entry fee",
        y_log=True,
    )
    solver = solvers["50/30/20", "policy"]
    share, errors = solver.game.states / solver.game.units, errors_of(solver)
    model = Panel(
        tuple(Line(share[:, seat], errors[:, seat], name, style="points") for seat, name in enumerate(SEATS)),
        title="Chip model less computed value, prizes 50/30/20",
        x_label="share of all chips",
        y_label="percent of the entry fee",
    )
    return Figure("rounds", "How the distance from equilibrium falls, and how good the chip model is.", (rounds, model))
