"""Pure equilibria and dominated strategies, for any number of players, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pokerlab.solvers.equilibria.bimatrix import Equilibrium, WholePayoffs
from pokerlab.solvers.equilibria.tableau import maximise


def pure_equilibria(whole: WholePayoffs) -> list[Equilibrium]:
    """Every profile of pure strategies at which nobody gains by another one."""
    stable = np.ones(whole.counts, bool)
    for player, payoffs in enumerate(whole.table):
        stable &= payoffs == payoffs.max(axis=player, keepdims=True)
    found = []
    for cell in np.argwhere(stable).tolist():
        mixes = tuple(
            tuple(Fraction(int(strategy == played)) for strategy in range(count))
            for played, count in zip(cell, whole.counts, strict=True)
        )
        found.append(Equilibrium(mixes, tuple(whole.payoff(player, cell) for player in range(len(cell)))))
    return found


@dataclass(frozen=True)
class Dominated:
    """A strategy that another strategy or mixture of the player beats, whatever the others play."""

    turn: int  # from 1: strategies of one turn are dominated in the game that the turns before left
    player: int
    strategy: int
    by: dict[int, Any]  # the share of each strategy of the mixture
    strict: bool


@dataclass(frozen=True)
class Dominance:
    """What iterated elimination removes, and what is left."""

    eliminated: tuple[Dominated, ...]
    left: tuple[tuple[int, ...], ...]  # the strategies of each player

    @property
    def solves(self) -> bool:
        """Whether one profile is left."""
        return all(len(own) == 1 for own in self.left)


def eliminate(whole: WholePayoffs, *, weak: bool = False, mixed: bool = True) -> Dominance:
    """Remove dominated strategies of all players, turn by turn, until there are none.

    What strict dominance leaves does not depend on the order, and no equilibrium is lost. Weak dominance may lose some;
    here each turn removes every strategy that is weakly dominated at its start. Dominance by mixtures is tested by
    exact linear programs, which take long for dozens of strategies.
    """
    left = [tuple(range(count)) for count in whole.counts]
    eliminated: list[Dominated] = []
    turn = 0
    while True:
        turn += 1
        dominated = []
        for player in range(len(left)):
            own = _own_table(whole.table[player], player, left)
            for place, strategy in enumerate(left[player]):
                by = _dominating(own, place, weak=weak, mixed=mixed)
                if by is not None:
                    mixture = {left[player][other]: share for other, share in by.items()}
                    dominated.append(Dominated(turn, player, strategy, mixture, _is_strict(own, place, by)))
        if not dominated:
            return Dominance(tuple(eliminated), tuple(left))
        eliminated += dominated
        for one in dominated:
            left[one.player] = tuple(strategy for strategy in left[one.player] if strategy != one.strategy)


def _own_table(payoffs: np.ndarray, player: int, left: Sequence[tuple[int, ...]]) -> np.ndarray:
    """A player's payoffs in what is left.  # [own strategy, profile of the others] int64"""
    table = np.moveaxis(payoffs[np.ix_(*left)], player, 0)
    return table.reshape(len(table), -1)


def _dominating(own: np.ndarray, place: int, *, weak: bool, mixed: bool) -> dict[int, Any] | None:
    """A strategy, or a mixture of them, that dominates one; None if there is none.  # own: [strategy, profile]"""
    margin = own - own[place]
    better = ((margin >= 0).all(axis=1) & (margin > 0).any(axis=1)) if weak else (margin > 0).all(axis=1)
    pure = np.flatnonzero(better)
    if len(pure):
        return {int(pure[0]): Fraction(1)}
    others = np.flatnonzero(np.arange(len(own)) != place)
    if not mixed or len(others) < 2:
        return None
    above = np.unique(margin[others], axis=1)  # equal profiles are one constraint
    found = _weakly(above) if weak else _strictly(above)
    return None if found is None else {int(others[i]): share for i, share in enumerate(found) if share}


def _strictly(margin: np.ndarray) -> list[Fraction] | None:
    """Weights whose margin is positive against every profile: the largest least margin, as a linear program."""
    strategies, profiles = margin.shape
    matrix = np.zeros((profiles + 1, strategies + 1), np.int64)
    matrix[:profiles, :strategies], matrix[:profiles, strategies] = -margin.T, 1
    matrix[profiles, :strategies] = 1
    found = maximise(np.r_[np.zeros(strategies, np.int64), 1], matrix, np.r_[np.zeros(profiles, np.int64), 1])
    return _mixture(found.point[:strategies]) if found.value > 0 else None


def _weakly(margin: np.ndarray) -> list[Fraction] | None:
    """Weights whose margin is nowhere negative and somewhere positive: the largest sum of margins."""
    strategies, profiles = margin.shape
    matrix = np.vstack([-margin.T, np.ones((1, strategies), np.int64)])
    found = maximise(margin.sum(axis=1), matrix, np.r_[np.zeros(profiles, np.int64), 1])
    return _mixture(found.point) if found.value > 0 else None


def _mixture(weights: list[Fraction]) -> list[Fraction]:
    total = sum(weights)
    return [weight / total for weight in weights]


def _is_strict(own: np.ndarray, place: int, by: dict[int, Any]) -> bool:
    mixture = sum(share * own[other].astype(object) for other, share in by.items())
    return bool((mixture > own[place].astype(object)).all())
