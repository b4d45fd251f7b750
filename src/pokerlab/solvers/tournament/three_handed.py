"""Three players: the states of a tournament, what can happen in a hand, and where each end leads.

A state is the chips of button, small blind and big blind in units. The button pushes or folds; the small blind pushes
or folds behind a fold, calls or folds behind a push; the big blind calls or folds. So a hand ends in one of 25 ways:
three without a showdown, three for each two players (the first wins, a tie, the second wins), and the 13 orders of
three hands. `transitions` says where each leads: to a state of three with the positions moved on, to one of two whose
values are known, or to prizes.

A unit that does not divide among players who tie goes to each of them with equal chance. Of players who are out in the
same hand the one who had more chips takes the better place; with equal chips they share both prizes. The big blind
moves on by one player with every hand, also when players are out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.tournament.heads_up import Blinds

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BUTTON, SMALL, BIG = range(3)
# what is decided: by the button; by the small blind behind a push and behind a fold; by the big blind against the
# button alone, against the small blind alone, and against both
PUSH, CALL, STEAL, DEFEND, DEFEND_BLIND, OVERCALL = range(6)
DECIDER = (BUTTON, SMALL, SMALL, BIG, BIG, BIG)
ALL_FOLD, BUTTON_STEALS, SMALL_STEALS = range(3)
FIRST_PAIR = 3  # then the ends of pairs, three each: first wins, tie, second wins
PAIRS = ((BUTTON, SMALL), (BUTTON, BIG), (SMALL, BIG))
FIRST_ORDER = 12  # then the orders of three hands
MOST_STATES = 50_000

Chance = tuple[float, tuple[int, int, int]]  # of chips after a hand


@dataclass(frozen=True)
class ThreeHanded:
    """A tournament of three players: units of chips, blinds in units, prizes from the first place down."""

    units: int
    blinds: Blinds
    payouts: tuple[float, float, float]
    orders: tuple[tuple[int, int, int], ...]  # of three hands: the place of each, 0 the best

    def __post_init__(self) -> None:
        if self.units < 3:
            raise BadSetting(f"three players have at least 3 units of chips, not {self.units}")
        if self.state_count > MOST_STATES:
            raise BadSetting(
                f"{self.units:,} units of chips are {self.state_count:,} states, and at most {MOST_STATES:,} are "
                "solved: choose a larger unit"
            )

    @property
    def state_count(self) -> int:
        """How many ways there are to have all chips among three players."""
        return (self.units - 1) * (self.units - 2) // 2

    @property
    def ends(self) -> int:
        """How many ways a hand can end."""
        return FIRST_ORDER + len(self.orders)

    @cached_property
    def states(self) -> np.ndarray:
        """Chips of button, small and big blind: [state, 3]."""
        return np.array(
            [
                (button, small, self.units - button - small)
                for button in range(1, self.units - 1)
                for small in range(1, self.units - button)
            ]
        )

    def index(self, button: int, small: int) -> int:
        """The number of a state."""
        before = (button - 1) * (2 * self.units - button - 2) // 2  # states with fewer chips on the button
        return before + small - 1

    # ---- one hand -------------------------------------------------------------------------------------------------

    def posted(self, stacks: Sequence[int]) -> tuple[int, int, int]:
        """The blinds, or what there is of them."""
        return 0, min(self.blinds.small, stacks[SMALL]), min(self.blinds.big, stacks[BIG])

    def decides(self, stacks: Sequence[int]) -> tuple[bool, ...]:
        """Which of the six decisions there are; whoever is all-in, or need not pay to stay, has none and stays."""
        _, small, big = self.posted(stacks)
        small_has, big_has = stacks[SMALL] > small, stacks[BIG] > big
        return (
            True,
            small_has and max(stacks[BUTTON], big) > small,
            small_has and big > small,
            big_has and stacks[BUTTON] > big,
            big_has and stacks[SMALL] > big,
            big_has and max(stacks[BUTTON], stacks[SMALL]) > big,
        )

    def contenders(self, end: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Who is in at the end of a hand, and the places of their hands, 0 the best."""
        if end < FIRST_PAIR:
            return ((BIG,), (BUTTON,), (SMALL,))[end], (0,)
        if end < FIRST_ORDER:
            pair, result = divmod(end - FIRST_PAIR, 3)
            return PAIRS[pair], ((0, 1), (0, 0), (1, 0))[result]
        return (BUTTON, SMALL, BIG), self.orders[end - FIRST_ORDER]

    def chips_after(self, stacks: Sequence[int], end: int) -> list[Chance]:
        """Chips of button, small and big blind after a hand; several where a pot does not divide."""
        seats, places = self.contenders(end)
        put = list(self.posted(stacks))
        for seat in seats:
            if end >= FIRST_PAIR or seat != BIG:  # a big blind whom nobody challenged has put in its blind alone
                put[seat] = stacks[seat]
        left = [stack - paid for stack, paid in zip(stacks, put, strict=True)]
        shares = [list(_shares(pot, seats)) for pot, seats in _pots(put, dict(zip(seats, places, strict=True)))]
        found: dict[tuple[int, int, int], float] = {}
        for ways in product(*shares):
            after = list(left)
            chance = 1.0
            for probability, won in ways:
                chance *= probability
                for seat, chips in won.items():
                    after[seat] += chips
            key = (after[0], after[1], after[2])
            found[key] = found.get(key, 0.0) + chance
        return [(chance, chips) for chips, chance in found.items()]

    # ---- where it leads -------------------------------------------------------------------------------------------
    # Everything a player can be worth lies in one vector: three values a state, two a stack heads-up, and prizes.

    @property
    def heads_up_at(self) -> int:
        """Where values of two players begin: of so many chips, as small and as big blind."""
        return 3 * self.state_count

    @property
    def prizes_at(self) -> int:
        """Where the prizes begin: of the three places, and the mean of the last two."""
        return self.heads_up_at + 2 * (self.units + 1)

    @property
    def worth_count(self) -> int:
        """How many things a player can be worth."""
        return self.prizes_at + 4

    def worth(self, values: np.ndarray, small_wins: np.ndarray) -> np.ndarray:
        """The vector, from values [state, 3] and a heads-up small blind's chance to win by its chips [units + 1]."""
        first, second, third = self.payouts
        found = np.empty(self.worth_count)
        found[: self.heads_up_at] = values.reshape(-1)
        found[self.heads_up_at : self.prizes_at : 2] = second + (first - second) * small_wins
        found[self.heads_up_at + 1 : self.prizes_at : 2] = second + (first - second) * (1 - small_wins[::-1])
        found[self.prizes_at :] = first, second, third, (second + third) / 2
        return found

    def placed(self, before: Sequence[int], after: Sequence[int]) -> tuple[int, int, int]:
        """Where each player's worth lies after a hand."""
        alive = [seat for seat in range(3) if after[seat]]
        if len(alive) == 3:
            state = 3 * self.index(after[SMALL], after[BIG])  # the small blind is the next button
            return state + BIG, state + BUTTON, state + SMALL
        found = [0, 0, 0]
        out = [seat for seat in range(3) if not after[seat]]
        if len(alive) == 1:
            found[alive[0]] = self.prizes_at
            more, less = sorted(out, key=lambda seat: -before[seat])
            equal = before[more] == before[less]
            found[more], found[less] = (self.prizes_at + 3,) * 2 if equal else (self.prizes_at + 1, self.prizes_at + 2)
            return found[0], found[1], found[2]
        next_big = BUTTON if BUTTON in alive else SMALL
        for seat in alive:
            found[seat] = self.heads_up_at + 2 * after[seat] + int(seat == next_big)
        found[out[0]] = self.prizes_at + 2
        return found[0], found[1], found[2]

    @cached_property
    def transitions(self) -> csr_matrix:
        """How likely each worth follows on each end, for each player: [state * ends * 3, worth]."""
        from scipy.sparse import csr_matrix

        rows, columns, chances = [], [], []
        for state, stacks in enumerate(self.states.tolist()):
            for end in range(self.ends):
                row = 3 * (state * self.ends + end)
                for chance, after in self.chips_after(stacks, end):
                    for seat, place in enumerate(self.placed(stacks, after)):
                        rows.append(row + seat)
                        columns.append(place)
                        chances.append(chance)
        shape = (3 * self.state_count * self.ends, self.worth_count)
        return csr_matrix((chances, (rows, columns)), shape=shape)

    def end_values(self, worth: np.ndarray) -> np.ndarray:
        """What each end of each hand is worth to each player: [state, end, 3]."""
        return np.asarray(self.transitions @ worth).reshape(self.state_count, self.ends, 3)


def _pots(put: Sequence[int], places: dict[int, int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Main and side pots, each with the contenders who share it."""
    paid = 0
    for level in sorted({put[seat] for seat in places}):
        pot = sum(min(amount, level) - min(amount, paid) for amount in put)
        eligible = [seat for seat in places if put[seat] >= level]
        best = min(places[seat] for seat in eligible)
        yield pot, tuple(seat for seat in eligible if places[seat] == best)
        paid = level
    over = sum(max(amount - paid, 0) for amount in put)
    if over:  # a blind that a shorter all-in does not cover goes back to whoever posted it
        yield over, (max(range(len(put)), key=lambda seat: put[seat]),)


def _shares(pot: int, seats: tuple[int, ...]) -> Iterator[tuple[float, dict[int, int]]]:
    """Ways to divide a pot among winners, equally likely: what is left over goes to as many of them, a unit each."""
    each, over = divmod(pot, len(seats))
    ways = list(combinations(seats, over))
    for lucky in ways:
        yield 1 / len(ways), {seat: each + (seat in lucky) for seat in seats}
