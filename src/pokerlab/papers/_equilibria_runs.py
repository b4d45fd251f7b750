"""The runs of papers/equilibria.py: slow fictitious play, utility shifting, and regrets with their bounds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pokerlab import registry
from pokerlab.formats.opening import open_game
from pokerlab.solvers.equilibria.transfer import shifted_plan
from pokerlab.solvers.library.regret_matching import matched
from pokerlab.tree.form import build_as
from pokerlab.tree.history.layout import build
from pokerlab.tree.measure import Measure
from pokerlab.tree.normal import NormalForm
from pokerlab.tree.sequence import SequenceForm, sequence_form
from pokerlab.tree.treeplex import Treeplexes


def normal_of(game: str) -> NormalForm:
    """The normal form of a game."""
    return build_as(open_game(game), NormalForm)


def rounds_before_equilibrium(bits: int) -> int:
    """How many rounds fictitious play takes until it first plays the equilibrium action of its slow game."""
    payoff = normal_of(f"slow-fictitious-play(bits={bits})").payoff_table[0]
    counts = np.array([1.0, 0.0, 0.0])  # both start with a; the game is symmetric, so both play the same
    while True:
        best = int(np.argmax(payoff @ counts))
        if best == 2:
            return int(counts.sum())
        counts[best] += 1


@dataclass(frozen=True)
class Shift:
    """An equilibrium of three-player Kuhn poker, and the two to which one player can move it."""

    shifter: int
    measures: tuple[Measure, Measure]  # the next player's payoff least, then most

    @property
    def width(self) -> float:
        """How much of a payoff is moved."""
        other = (self.shifter + 1) % 3
        return self.measures[1].values[other] - self.measures[0].values[other]


def kuhn_shifts(iterations: int) -> tuple[Measure, list[Shift]]:
    """An equilibrium found by DCFR, and what each player can shift between the two others."""
    form = sequence_form(build(open_game("kuhn(players=3)")))
    solver = registry.load("algorithms", "dcfr").start(form)
    solver.advance(iterations)
    profile = solver.profile()
    before, plan = form.measure(profile), form.plan(profile)
    slack = 2 * before.epsilon + 1e-9
    shifts = []
    for shifter in range(3):
        plans = (shifted_plan(form, plan, shifter=shifter, winner=(shifter + step) % 3, slack=slack) for step in (2, 1))
        low, high = (form.measure(form.behaviour(one)) for one in plans)
        shifts.append(Shift(shifter, (low, high)))
    return before, shifts


@dataclass(frozen=True, eq=False)
class RegretCourse:
    """The largest average regret of a player over a run, and the bounds of the thesis at the same iterations."""

    iterations: np.ndarray
    regret: np.ndarray
    bounds: dict[str, np.ndarray]


def matrix_regret(game: str, iterations: int) -> RegretCourse:
    """Regret matching in a matrix game against the best response to it: equation 7.7."""
    payoff = normal_of(game).payoff_table[0]
    regret, points, regrets = np.zeros(len(payoff)), checkpoints(iterations), []
    for iteration in range(1, iterations + 1):
        mix = matched(regret)
        values = payoff[:, int(np.argmin(mix @ payoff))]
        regret += values - mix @ values
        if iteration in points:
            regrets.append(max(0.0, regret.max()) / iteration)
    counts = np.array(sorted(points))
    spread = float(np.ptp(payoff))
    return RegretCourse(counts, np.array(regrets), {"(7.7)": spread * np.sqrt(len(payoff)) / np.sqrt(counts)})


def cfr_regret(game: str, iterations: int) -> RegretCourse:
    """The average overall regret of CFR, by its definition: equations 7.11 and 7.15 bound it."""
    form = sequence_form(build(open_game(game)))
    trees = form.treeplexes
    regret, points = np.zeros(len(trees.uniform())), checkpoints(iterations)
    gained, won = [np.zeros(form.sequences) for _ in range(form.players)], np.zeros(form.players)
    regrets = []
    for iteration in range(1, iterations + 1):
        behaviour = trees.normalize(np.maximum(regret, 0.0))
        plan = trees.plan(behaviour)
        regret += form.instant_regrets(plan, behaviour)
        for player, total in enumerate(gained):
            value = np.zeros(form.sequences)
            form.payoffs(player, plan, value)
            total += value
            own = trees.sequences_of(player)
            won[player] += value[player] + value[own] @ plan[own]
        if iteration in points:
            best = [trees.best_response(player, total.copy()).value for player, total in enumerate(gained)]
            regrets.append(max(0.0, *((most - have) / iteration for most, have in zip(best, won, strict=True))))
    counts = np.array(sorted(points))
    spread = float(np.ptp(form.tree.returns))
    actions = np.sqrt(float(np.diff(form.start.astype(np.int64)).max())) / np.sqrt(counts)
    infosets = max(last - first for first, last in pairwise(form.tree.first_infoset.tolist()))
    tighter = max(action_sequence_sum(trees, form, player) for player in range(form.players))
    bounds = {"(7.11)": infosets * spread * actions, "(7.15)": tighter * spread * actions}
    return RegretCourse(counts, np.array(regrets), bounds)


def action_sequence_sum(trees: Treeplexes, form: SequenceForm, player: int) -> float:
    """The sum of the roots of the numbers of infosets with the same own actions before them: M_i of the thesis."""
    tree = form.tree
    low, high = tree.first_infoset[player : player + 2].tolist()
    actions: dict[int, tuple[str, ...]] = {player: ()}
    groups: dict[tuple[str, ...], int] = {}
    for infoset in range(low, high):
        before = actions[int(trees.parent[infoset])]
        groups[before] = groups.get(before, 0) + 1
        first = int(trees.start[infoset])
        for place, action in enumerate(tree.action_names[infoset]):
            actions[first + place] = (*before, action)
    return float(sum(np.sqrt(count) for count in groups.values()))


def checkpoints(iterations: int) -> set[int]:
    """The iterations at which a course is measured."""
    return {round(point) for point in np.geomspace(1, iterations, 25)}
