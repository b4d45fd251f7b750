"""How much a player loses at most who only pushes or folds, against opponents who may bet as they like.

P. B. Miltersen and T. B. Sorensen, "A near-optimal strategy for a heads-up no-limit Texas hold'em poker tournament",
2007. A player who does so never sees a flop with chips behind, so the least that this player wins is computed exactly:

- The small blind pushes or folds, and the opponent calls or folds.
- The big blind calls a push or folds. Any smaller bet or call is answered by a push, or by giving up: by putting no
  more chips in, which counts as losing the pot. The opponent calls or folds then. A raise that is not all-in loses more
  chips than a call when it is pushed over and wins no more when it is not, so the opponent folds, calls or pushes.

What the opponent can win against this bounds what anybody can, restricted or not, and the difference of the two bounds
is the most that pushing or folding loses. Both hold for every number of iterations, since best responses are exact.

Each hand is a row [state] of arrays: stacks of a tournament, or depths of single hands. Strategies come from CFR+.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.solvers.stochastic.heads_up import Blinds, hand_of_two
from pokerlab.tree.class_deals import class_table
from pokerlab.tree.classes import product_by_rows

SETTLED = 1e-10
MOST_SWEEPS = 5000


class Ends(NamedTuple):
    """What the ends of a hand are to the small blind: its chips, or values of them.  # each [state]"""

    fold: np.ndarray
    steal: np.ndarray  # the big blind folds, or gives up
    win: np.ndarray
    tie: np.ndarray
    lose: np.ndarray
    back_down: np.ndarray  # it calls, and folds to a push


class Deciding(NamedTuple):
    """Who decides anything.  # each [state] bool"""

    first: np.ndarray
    second: np.ndarray


class Cards(NamedTuple):
    """Two hands by class.  # each [hand, other hand]"""

    chance: np.ndarray
    win: np.ndarray  # the chance, times the probability that the first wins
    tie: np.ndarray
    lose: np.ndarray


@cache
def cards() -> Cards:
    """Hands before the flop, and how they fare to the end."""
    table = class_table(5)
    chance = table.chance
    return Cards(chance, chance * table.win, chance * table.tie, chance * (1 - table.win - table.tie))


@dataclass(frozen=True, eq=False)
class Hands:
    """Hands of two players."""

    ends: Ends  # the small blind's chips
    deciding: Deciding

    @staticmethod
    def of_stacks(stacks: np.ndarray, units: int, blinds: Blinds) -> Hands:
        """Those in which the small blind has these stacks and the big blind the rest of all units."""
        each = [hand_of_two(int(stack), units, blinds) for stack in stacks]
        fold, steal, win, tie, lose = np.array([hand.chips for hand in each]).T
        deciding = Deciding(
            np.array([hand.first_decides for hand in each]), np.array([hand.second_decides for hand in each])
        )
        return Hands(Ends(fold, steal, win, tie, lose, np.maximum(stacks - blinds.big, 0)), deciding)

    def worth(self, value: Callable[[np.ndarray], np.ndarray]) -> Ends:
        """The ends by a function of the small blind's chips."""
        return Ends(*(np.asarray(value(chips), float) for chips in self.ends))


@dataclass(frozen=True, eq=False)
class Play:
    """A strategy of the player who pushes or folds, with either blind.  # each [state, hand]"""

    push: np.ndarray  # as small blind
    call: np.ndarray  # as big blind, a push
    push_over: np.ndarray  # as big blind, over a call


# ---- values of a hand ------------------------------------------------------------------------------------------------


def _down(column: np.ndarray) -> np.ndarray:
    return column[:, None]


def shown(ends: Ends, play: np.ndarray, *, against: bool) -> np.ndarray:
    """The small blind's value of showdowns with each own hand against play of the other (or the reverse).

    [state, other hand] -> [state, hand]
    """
    deal = cards()
    parts = [np.ascontiguousarray(matrix.T) if against else matrix for matrix in (deal.win, deal.tie, deal.lose)]
    worth = zip((ends.win, ends.tie, ends.lose), parts, strict=True)
    return np.asarray(sum(_down(end) * product_by_rows(play, part) for end, part in worth))


def first_values(ends: Ends, play: Play) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The small blind's values of folding, pushing, and of calling with a fold or a call of the push after it.

    Each [state, hand], weighted by the chance of the hand.
    """
    deal = cards()
    before = deal.chance.sum(1)[None]
    called, over = (product_by_rows(own, deal.chance.T) for own in (play.call, play.push_over))
    push = _down(ends.steal) * (before - called) + shown(ends, play.call, against=True)
    given_up = _down(ends.steal) * (before - over)
    back_down = given_up + _down(ends.back_down) * over
    see = given_up + shown(ends, play.push_over, against=True)
    return _down(ends.fold) * before, push, back_down, see


def best_of_free_small(ends: Ends, deciding: Deciding, play: Play) -> np.ndarray:
    """What an unrestricted small blind wins at most.  # [state]"""
    fold, push, back_down, see = first_values(ends, play)
    calls = np.where(_down(deciding.second), np.maximum(back_down, see), push)
    best = np.maximum(np.maximum(fold, push), calls)
    return np.asarray(np.where(_down(deciding.first), best, push).sum(1))


def best_of_free_big(ends: Ends, deciding: Deciding, push: np.ndarray) -> np.ndarray:
    """What is left to a small blind who pushes or folds, if the big blind answers best.  # [state]"""
    deal = cards()
    folded = ends.fold * ((1 - push) * deal.chance.sum(1)).sum(1)
    give, call = _down(ends.steal) * product_by_rows(push, deal.chance), shown(ends, push, against=False)
    return np.asarray(folded + np.where(_down(deciding.second), np.minimum(give, call), call).sum(1))


# ---- CFR+ of the two restricted games --------------------------------------------------------------------------------


class _Decision:
    """Regrets and averages of a decision with each hand.  # [action, state, hand]"""

    def __init__(self, actions: int, states: int) -> None:
        self.regret, self.sums = np.zeros((2, actions, states, CLASS_COUNT))

    @property
    def play(self) -> np.ndarray:
        total = self.regret.sum(0)
        return np.asarray(np.where(total > 0, self.regret / np.where(total > 0, total, 1), 1 / len(self.regret)))

    def update(
        self, values: list[np.ndarray], play: np.ndarray, weight: float, reach: np.ndarray | float = 1.0
    ) -> None:
        stacked = np.stack(values)
        self.regret = np.maximum(self.regret + stacked - (play * stacked).sum(0), 0)
        self.sums += weight * reach * play

    @property
    def average(self) -> np.ndarray:
        total = self.sums.sum(0)
        return np.asarray(np.where(total > 0, self.sums / np.where(total > 0, total, 1), 1 / len(self.sums)))


class RestrictedPlay:
    """Both games of the player who pushes or folds: as small blind against a free big blind, and the reverse."""

    def __init__(self, states: int) -> None:
        self.push, self.answer = _Decision(2, states), _Decision(2, states)  # of the restricted small blind
        self.first, self.later = _Decision(3, states), _Decision(2, states)  # the free small blind: fold, push, call
        self.call, self.over = _Decision(2, states), _Decision(2, states)  # of the restricted big blind

    def advance(self, as_small: Ends, as_big: Ends, deciding: Deciding, iterations: int) -> None:
        """Iterations of CFR+, from where the last ones stopped; averages start from zero."""
        for decision in vars(self).values():
            decision.sums[:] = 0
        for step in range(1, iterations + 1):
            self._as_small(as_small, deciding, step)
            self._as_big(as_big, deciding, step)

    def _as_small(self, ends: Ends, deciding: Deciding, weight: float) -> None:
        deal, answer = cards(), self.answer.play
        calls = np.where(_down(deciding.second), answer[1], 1.0)
        before = deal.chance.sum(1)[None]
        push = _down(ends.steal) * (before - product_by_rows(calls, deal.chance.T)) + shown(ends, calls, against=True)
        play = self.push.play
        self.push.update([_down(ends.fold) * before, push], play, weight)
        pushed = np.where(_down(deciding.first), self.push.play[1], 1.0)
        give, call = _down(ends.steal) * product_by_rows(pushed, deal.chance), shown(ends, pushed, against=False)
        self.answer.update([-give, -call], answer, weight)

    def _as_big(self, ends: Ends, deciding: Deciding, weight: float) -> None:
        deal, calls, over = cards(), self.call.play, self.over.play
        calling = np.where(_down(deciding.second), calls[1], 1.0)
        fold, push, back_down, see = first_values(ends, Play(push=over[1], call=calling, push_over=over[1]))
        later = self.later.play
        self.later.update([back_down, see], later, weight)
        limp = np.where(_down(deciding.second), later[0] * back_down + later[1] * see, push)
        self.first.update([fold, push, limp], self.first.play, weight)
        free, later = self.first.play, self.later.play
        pushed = np.where(_down(deciding.first), free[1], 1.0)
        give, call = _down(ends.steal) * product_by_rows(pushed, deal.chance), shown(ends, pushed, against=False)
        self.call.update([-give, -call], calls, weight)
        limps = np.where(_down(deciding.first & deciding.second), free[2], 0.0)
        back = _down(ends.back_down) * product_by_rows(limps * later[0], deal.chance)
        jam = back + shown(ends, limps * later[1], against=False)
        self.over.update([-_down(ends.steal) * product_by_rows(limps, deal.chance), -jam], over, weight)

    def play(self, deciding: Deciding) -> Play:
        """The averages; who does not decide is all-in, and calls."""
        return Play(
            np.where(_down(deciding.first), self.push.average[1], 1.0),
            np.where(_down(deciding.second), self.call.average[1], 1.0),
            np.where(_down(deciding.second), self.over.average[1], 0.0),
        )


# ---- single hands ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class HandBounds:
    """Bounds on the small blind's EV of a hand without restrictions, in big blinds.  # each [stack]"""

    stacks: np.ndarray
    lower: np.ndarray  # what it wins by pushing or folding
    upper: np.ndarray  # what it wins at most against a big blind who pushes, folds or gives up

    @property
    def loss(self) -> np.ndarray:
        """The most that either player loses by pushing or folding."""
        return np.asarray(self.upper - self.lower)


def hand_bounds(stacks: np.ndarray, iterations: int) -> HandBounds:
    """Single hands with these stacks, in half big blinds."""
    hands = [Hands.of_stacks(np.array([stack]), 2 * int(stack), Blinds(1, 2)) for stack in stacks]
    ends = Ends(*(np.concatenate(parts) for parts in zip(*(hand.ends for hand in hands), strict=True)))
    deciding = Deciding(*(np.concatenate(parts) for parts in zip(*(hand.deciding for hand in hands), strict=True)))
    chips = Ends(*((end - stacks) / 2 for end in ends))
    solver = RestrictedPlay(len(stacks))
    solver.advance(chips, chips, deciding, iterations)
    play = solver.play(deciding)
    lower, upper = best_of_free_big(chips, deciding, play.push), best_of_free_small(chips, deciding, play)
    return HandBounds(stacks / 2, lower, upper)


# ---- a tournament ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TournamentBounds:
    """The probability of winning, by the player's own chips in units.  # each [units + 1]"""

    small: np.ndarray  # at least, by pushing or folding, with the small blind next
    big: np.ndarray
    free_small: np.ndarray  # at most, against it, without restrictions
    free_big: np.ndarray

    @property
    def loss(self) -> tuple[np.ndarray, np.ndarray]:
        """The most that pushing or folding loses, with either blind next."""
        return self.free_small - self.small, self.free_big - self.big

    @property
    def is_monotone(self) -> bool:
        """Whether more chips are never worse for the free player, as the bound assumes."""
        return all(bool((np.diff(values) >= -1e-9).all()) for values in (self.free_small, self.free_big))


def tournament_bounds(
    units: int, blinds: Blinds, *, rounds: int, iterations: int, each: Callable[[int], None] = lambda number: None
) -> TournamentBounds:
    """Strategies by value iteration, and what they guarantee to the end."""
    stacks = np.arange(1, units)
    hands, solver = Hands.of_stacks(stacks, units, blinds), RestrictedPlay(len(stacks))
    small = big = np.arange(units + 1) / units
    for number in range(rounds):
        each(number)
        # the restricted small blind has `big` after the hand; the free one, against the restricted big blind, 1 - small
        as_small, as_big = hands.worth(_at(big)), hands.worth(_at(1 - small[::-1]))
        solver.advance(as_small, as_big, hands.deciding, iterations)
        play = solver.play(hands.deciding)
        lower = _whole(best_of_free_big(as_small, hands.deciding, play.push))
        small, big = lower, 1 - _whole(best_of_free_small(as_big, hands.deciding, play))[::-1]
    return _guaranteed(hands, play, units)


def _guaranteed(hands: Hands, play: Play, units: int) -> TournamentBounds:
    """What the free player wins at most against a strategy, hand after hand to the end."""
    free_small = free_big = np.arange(units + 1) / units
    for _ in range(MOST_SWEEPS):
        ends = hands.worth(_at(free_big))  # the free player's, who is small blind and then big blind
        small = _whole(best_of_free_small(ends, hands.deciding, play))
        restricted = hands.worth(_at(1 - free_small[::-1]))  # of the player who pushes or folds, as small blind
        big = 1 - _whole(best_of_free_big(restricted, hands.deciding, play.push))[::-1]
        change = max(float(np.abs(small - free_small).max()), float(np.abs(big - free_big).max()))
        free_small, free_big = small, big
        if change < SETTLED:
            break
    return TournamentBounds(1 - free_big[::-1], 1 - free_small[::-1], free_small, free_big)


def _at(values: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Values by chips, as a function."""
    return lambda chips: np.asarray(values[chips])


def _whole(inner: np.ndarray) -> np.ndarray:
    """Values of stacks between nothing and everything, with these two."""
    return np.concatenate([[0.0], inner, [1.0]])
