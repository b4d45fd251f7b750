"""Questions about the equilibria of a two-player game, as mixed-integer programs solved by HiGHS.

Sandholm, Gilpin and Conitzer, "Mixed-integer programming methods for finding Nash equilibria", 2005: a binary variable
says whether a strategy is unused or a best response. Whether a game has a second equilibrium, or one worth at least so
much to a player, is NP-complete (Gilboa and Zemel 1989), and so is the one of largest welfare.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.solvers.equilibria.bimatrix import Bimatrix, Equilibrium
from pokerlab.solvers.equilibria.supports import mix_on

SECONDS = 60.0
USED = 1e-6  # smaller probabilities are rounding errors of the program
APART = 1e-4  # equilibria that are nearer in every probability count as one


@dataclass(frozen=True)
class ProgramAnswer:
    """What a program answered: an equilibrium, or None if none fits."""

    equilibrium: Equilibrium | None
    exact: bool  # whether the equilibrium was computed in fractions on the supports that the program chose


@dataclass(frozen=True, eq=False)
class _Rows:
    """The constraints that make mixes an equilibrium: variables are shares, binaries and values."""

    matrix: np.ndarray
    low: np.ndarray
    high: np.ndarray
    units: tuple[float, float]  # what a value of 1 is in the game's units


def most_welfare(game: Bimatrix, *, seconds: float = SECONDS) -> ProgramAnswer:
    """The equilibrium with the largest sum of payoffs."""
    rows = _rows(game)
    return _solve(game, rows, np.r_[np.zeros(2 * sum(game.counts)), -np.array(rows.units)], [], seconds)


def worth_at_least(game: Bimatrix, player: int, least: Fraction, *, seconds: float = SECONDS) -> ProgramAnswer:
    """An equilibrium worth at least so much to a player: the one that is worth most to them, if that is enough."""
    rows = _rows(game)
    cost = np.zeros(rows.matrix.shape[1])
    cost[2 * sum(game.counts) + player] = -1.0
    found = _solve(game, rows, cost, [], seconds)
    assert found.equilibrium is not None
    enough = found.equilibrium.payoffs[player] >= (least if found.exact else least - USED * rows.units[player])
    return found if enough else ProgramAnswer(None, exact=False)


def another(game: Bimatrix, known: Equilibrium, *, seconds: float = SECONDS) -> ProgramAnswer:
    """An equilibrium that differs from a known one, as far from it as possible in one probability."""
    rows, count = _rows(game), sum(game.counts)
    shares = np.array([float(share) for mix in known.mixes for share in mix])
    width = rows.matrix.shape[1]
    extra = []  # distance <= ±(share - known share) + 2 (1 - chosen), one of them chosen
    for place in range(count):
        for sign, chosen in ((1.0, 0), (-1.0, 1)):
            row = np.zeros(width + 2 * count + 1)
            row[place], row[width + 2 * place + chosen], row[-1] = -sign, 2.0, 1.0
            extra.append((row, -np.inf, 2.0 - sign * shares[place]))
    row = np.zeros(width + 2 * count + 1)
    row[width : width + 2 * count] = 1.0
    extra.append((row, 1.0, 1.0))
    cost = np.zeros(width + 2 * count + 1)
    cost[-1] = -1.0
    found = _solve(game, rows, cost, extra, seconds)
    assert found.equilibrium is not None
    apart = max(
        abs(float(share) - before)
        for share, before in zip((one for mix in found.equilibrium.mixes for one in mix), shares.tolist(), strict=True)
    )
    return found if apart > APART else ProgramAnswer(None, exact=False)


def _rows(game: Bimatrix) -> _Rows:
    """Variables: shares of rows and columns, their binaries (1: unused), and the value of each player."""
    rows, columns = game.counts
    count = rows + columns
    tables, units = [], []
    for table, unit in zip((game.rows, game.columns), game.whole.units, strict=True):
        numbers = table.astype(float)
        low, spread = float(numbers.min()), float(np.ptp(numbers)) or 1.0
        tables.append((numbers - low) / spread)
        units.append(spread * float(unit))
    lines: list[tuple[np.ndarray, float, float]] = []

    def line(low: float, high: float) -> np.ndarray:
        row = np.zeros(2 * count + 2)
        lines.append((row, low, high))
        return row

    against = [(tables[0], slice(rows, count)), (tables[1].T, slice(0, rows))]
    for player, (first, number) in enumerate(((0, rows), (rows, columns))):
        line(1.0, 1.0)[first : first + number] = 1.0
        payoffs, others = against[player]
        for i in range(number):
            regret = line(0.0, np.inf)  # value - payoff >= 0
            regret[2 * count + player], regret[others] = 1.0, -payoffs[i]
            most = line(-np.inf, 0.0)  # and <= 1 only where the strategy is unused
            most[2 * count + player], most[others], most[count + first + i] = 1.0, -payoffs[i], -1.0
            used = line(-np.inf, 1.0)
            used[first + i] = used[count + first + i] = 1.0
    lows, highs = (np.array([line[1 + place] for line in lines]) for place in (0, 1))
    return _Rows(np.array([row for row, _, _ in lines]), lows, highs, (units[0], units[1]))


def _solve(
    game: Bimatrix, rows: _Rows, cost: np.ndarray, extra: list[tuple[np.ndarray, float, float]], seconds: float
) -> ProgramAnswer:
    from scipy.optimize import Bounds, LinearConstraint, milp

    count, width = sum(game.counts), rows.matrix.shape[1]
    matrix = np.hstack([rows.matrix, np.zeros((len(rows.matrix), len(cost) - width))])
    matrix = np.vstack([matrix, *(row[None, :] for row, _, _ in extra)])
    limits = [np.r_[part, [row[1 + i] for row in extra]] for i, part in enumerate((rows.low, rows.high))]
    whole = np.zeros(len(cost), np.int64)
    whole[count : 2 * count] = whole[width : len(cost) - 1 if extra else width] = 1
    found = milp(
        cost,
        constraints=LinearConstraint(matrix, *limits),
        bounds=Bounds(0, 1),
        integrality=whole,
        options={"time_limit": seconds, "mip_rel_gap": 1e-9},
    )
    if found.x is None or found.status != 0:
        raise PokerlabError(f"the mixed-integer program was not solved in {seconds:g} s: {found.message}")
    shares: list[Any] = [max(float(share), 0.0) for share in found.x[:count]]
    mixes = tuple(shares[: game.counts[0]]), tuple(shares[game.counts[0] :])
    support, other = (tuple(i for i, share in enumerate(mix) if share > USED) for mix in mixes)
    floats = [tuple(share / sum(mix) for share in mix) for mix in mixes]
    nearly = game.equilibrium(*floats)
    nearly = Equilibrium(nearly.mixes, tuple(map(float, nearly.payoffs)))
    x, y = mix_on(game.positive[1].T, support, other), mix_on(game.positive[0], other, support)
    if x is None or y is None:
        return ProgramAnswer(nearly, exact=False)
    exact = game.equilibrium(x, y)  # one of several in a degenerate game: then it may be worth less
    same = all(
        abs(float(one) - before) <= USED * unit
        for one, before, unit in zip(exact.payoffs, nearly.payoffs, rows.units, strict=True)
    )
    return ProgramAnswer(exact, exact=True) if same else ProgramAnswer(nearly, exact=False)
