"""Plain twins of what is done with two-role games: the CFR family one hand at a time, and the paper's equations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pokerlab.registry import load
from pokerlab.solvers.schedule import Schedule
from pokerlab.tree.roles import RoleForm, role_form


def bet_payoffs(ante: float, bet: float) -> np.ndarray:
    """Payoffs of check or bet against fold or call, from the rules: [3, 2, 2]."""
    showdown = np.array([1.0, 0.0, -1.0])
    payoffs = np.empty((3, 2, 2))
    payoffs[:, 0, :] = (ante * showdown)[:, None]  # check
    payoffs[:, 1, 0] = ante  # bet, fold
    payoffs[:, 1, 1] = (ante + bet) * showdown  # bet, call
    return payoffs


def _with(form: RoleForm, ante: float, bet: float) -> RoleForm:
    """The same game with other amounts, which need not be whole numbers as those of the rule engine."""
    return replace(form, payoffs=bet_payoffs(ante, bet), pot=2 * ante)


def von_neumann(*, cards: int = 100, ante: float = 1, bet: float = 2, replacement: bool = True) -> RoleForm:
    return _with(role_form(load("games", "von-neumann", cards=cards, replacement=replacement)), ante, bet)


def flop_poker(*, ante: float = 1, bet: float = 2) -> RoleForm:
    return _with(role_form(load("games", "flop-poker")), ante, bet)


def push_fold(*, stack: float = 10) -> RoleForm:
    return role_form(load("games", "push-fold", stack=stack))


def worth(form: RoleForm, role: int, hand: int, act: int, other: list[float]) -> float:
    """What a role wins with a hand and a decision against the other's strategy, times the chance of the hands."""
    total = 0.0
    for j, acts in enumerate(other):
        for answer, chance in ((0, 1 - acts), (1, acts)):
            if role == 0:
                total += chance * form.utilities[act, answer, hand, j]
            else:
                total -= chance * form.utilities[answer, act, j, hand]
    return total


def scheduled(form: RoleForm, schedule: Schedule, iterations: int) -> list[list[float]]:
    """The average strategies of both roles, [hand] each, after some steps of a schedule."""
    counts = form.chance.shape
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
                worths = [worth(form, role, hand, act, other) for act in (0, 1)]
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


def pot_values(form: RoleForm, bets: np.ndarray, calls: np.ndarray, *, ante: float, bet: float) -> PotValues:
    """Equations (41) to (45) as they are written, for a game whose two roles are dealt from the same hands."""
    pot = 2 * ante
    win, tie = form.win, form.tie  # w(i|j), d(i|j); w(j|i) is the transpose
    given = form.chance / form.chance.sum(1, keepdims=True)  # [i, j]: h(j|i)
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


def fictitious(form: RoleForm, iterations: int, *, alternating: bool) -> list[list[float]]:
    """Average best responses, one hand at a time; a hand to which both decisions are worth the same stays as it is."""
    averages = [[0.5] * count for count in form.chance.shape]
    for iteration in range(1, iterations + 1):
        before = [list(average) for average in averages]
        for role in (0, 1):
            met = averages[1 - role] if alternating else before[1 - role]
            for hand, now in enumerate(averages[role]):
                passive, active = (worth(form, role, hand, act, met) for act in (0, 1))
                best = now if abs(active - passive) < 1e-12 else float(active > passive)
                averages[role][hand] = now + (best - now) / (iteration + 1)
    return averages
