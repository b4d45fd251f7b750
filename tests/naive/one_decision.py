"""Plain twins for games of one decision each: the CFR family one hand at a time, and the paper's equations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from pokerlab.registry import load
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.classes import ClassForm, class_form
from pokerlab.tree.one_decision import OneDecision


def bet_payoffs(ante: float, bet: float) -> np.ndarray:
    """Payoffs of check or bet against fold or call, from the rules: [3, 2, 2]."""
    showdown = np.array([1.0, 0.0, -1.0])
    payoffs = np.empty((3, 2, 2))
    payoffs[:, 0, :] = (ante * showdown)[:, None]  # check
    payoffs[:, 1, 0] = ante  # bet, fold
    payoffs[:, 1, 1] = (ante + bet) * showdown  # bet, call
    return payoffs


def _with(form: ClassForm, ante: float, bet: float) -> ClassForm:
    """The same game with other amounts, which need not be whole numbers as those of the rule engine."""
    fixed, contested = np.zeros((2, 3, 3))  # by the last sequence of each player: none, check or fold, bet or call
    contested[1, 0], fixed[2, 1], contested[2, 2] = ante, ante, ante + bet
    return replace(form, fixed=csr_matrix(fixed), contested=csr_matrix(contested), pot=2 * ante)


def von_neumann(*, cards: int = 100, ante: float = 1, bet: float = 2, replacement: bool = True) -> ClassForm:
    return _with(class_form(load("games", "von-neumann", cards=cards, replacement=replacement)), ante, bet)


def flop_poker(*, ante: float = 1, bet: float = 2) -> ClassForm:
    return _with(class_form(load("games", "flop-poker")), ante, bet)


def push_fold(*, stack: float = 10) -> ClassForm:
    return class_form(load("games", "push-fold", stack=stack))


def worth(game: OneDecision, role: int, hand: int, act: int, other: list[float]) -> float:
    """What a role wins with a hand and a decision against the other's strategy, times the chance of the hands."""
    total = 0.0
    for j, acts in enumerate(other):
        for answer, chance in ((0, 1 - acts), (1, acts)):
            if role == 0:
                total += chance * game.utilities[act, answer, hand, j]
            else:
                total -= chance * game.utilities[answer, act, j, hand]
    return total


def scheduled(game: OneDecision, schedule: Schedule, iterations: int) -> list[list[float]]:
    """The average strategies of both roles, [hand] each, after some steps of a schedule."""
    counts = game.chance.shape
    current = [[0.5] * count for count in counts]
    regret: Any = [[[0.0, 0.0] for _ in range(count)] for count in counts]
    average: Any = [[[0.0, 0.0] for _ in range(count)] for count in counts]
    for iteration in range(1, iterations + 1):
        step = schedule.step(iteration)
        seen = [list(strategy) for strategy in current]
        for role in (0, 1):
            other = current[1 - role] if schedule.alternating else seen[1 - role]
            renewed = []
            for hand, acts in enumerate(seen[role]):
                mine = (1 - acts, acts)
                worths = [worth(game, role, hand, act, other) for act in (0, 1)]
                mean = mine[0] * worths[0] + mine[1] * worths[1]
                wanted = []
                for act in (0, 1):
                    old, gain = regret[role][hand][act], worths[act] - mean
                    new = old * (step.keep_positive if old > 0 else step.keep_negative) + gain
                    regret[role][hand][act] = max(new, 0.0) if step.floor else new
                    wanted.append(max(regret[role][hand][act] + step.prediction * gain, 0.0))
                    kept = average[role][hand][act] * step.keep_average
                    average[role][hand][act] = kept + step.average_weight * mine[act]
                renewed.append(wanted[1] / sum(wanted) if sum(wanted) > 0 else 0.5)
            current[role] = renewed
    return [[sums[1] / sum(sums) if sum(sums) > 0 else 0.5 for sums in np.array(role).tolist()] for role in average]


@dataclass(frozen=True, eq=False)
class PotValues:
    """Equations (41) to (45): what each hand wins of a pot of two antes, which count as already spent."""

    player_wins: np.ndarray  # [i] E_P(i) of (41)
    win: np.ndarray  # [i] W(i) of (42)
    tie: np.ndarray  # [i] D(i) of (42)
    player_margin: np.ndarray  # [i] e_P(i) of (43)
    dealer_wins: np.ndarray  # [j] E_D(j) of (44)
    dealer_margin: np.ndarray  # [j] e_D(j) of (45)


def pot_values(game: OneDecision, bets: np.ndarray, calls: np.ndarray, *, ante: float, bet: float) -> PotValues:
    """Equations (41) to (45) as they are written, for a game whose two players are dealt from the same hands."""
    pot = 2 * ante
    win, tie = game.win, game.tie  # w(i|j), d(i|j); w(j|i) is the transpose
    given = game.chance / game.chance.sum(1, keepdims=True)  # [i, j]: h(j|i)
    wins, ties = (given * win).sum(1), (given * tie).sum(1)
    called = given * ((pot + bet) * win - bet * win.T - pot + pot / 2 * tie)
    player_margin = called @ calls + pot * (1 - wins - ties / 2)
    calling = given * ((pot + bet) * win - bet * win.T + pot / 2 * tie)  # [j, i]: by symmetry of the deal
    dealer_margin = calling @ bets
    unbet = wins + ties / 2 - (given * (win + tie / 2)) @ bets
    return PotValues(
        player_wins=bets * player_margin + pot * (wins + ties / 2),
        win=wins,
        tie=ties,
        player_margin=player_margin,
        dealer_wins=calls * dealer_margin + pot * unbet,
        dealer_margin=dealer_margin,
    )


def fictitious(game: OneDecision, iterations: int, *, alternating: bool) -> list[list[float]]:
    """Average best responses, one hand at a time; a hand for which both decisions are equal does not act."""
    averages = [[0.5] * count for count in game.chance.shape]
    for iteration in range(1, iterations + 1):
        before = [list(average) for average in averages]
        for role in (0, 1):
            met = averages[1 - role] if alternating else before[1 - role]
            for hand, now in enumerate(averages[role]):
                passive, active = (worth(game, role, hand, act, met) for act in (0, 1))
                best = float(active > passive)
                averages[role][hand] = now + (best - now) / iteration
    return averages
