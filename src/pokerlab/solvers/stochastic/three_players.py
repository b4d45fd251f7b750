"""Three players: the states of a tournament, the terminals of a hand, and where each leads.

A state is the chips of button, small blind and big blind in units. The button pushes or folds; the small blind pushes
or folds behind a fold, calls or folds behind a push; the big blind calls or folds. So a hand has 25 terminals: three
without a showdown, three for each two players (the first wins, a tie, the second wins), and the 13 orders of three
hands. `transitions` says where each leads: to a state of three with the positions moved on, to one of two whose values
are known, or to prizes.

A unit that does not divide evenly among tied players goes to each of them with equal probability. If several players
are eliminated in the same hand, the one who had more chips finishes higher; with equal chips they share both prizes.
The big blind moves by one player every hand, also when players are eliminated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.poker.pots import Pot, add_side_pots
from pokerlab.solvers.stochastic.heads_up import Blinds

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BUTTON, SMALL, BIG = range(3)
# what is decided: by the button; by the small blind behind a push and behind a fold; by the big blind against the
# button alone, against the small blind alone, and against both
PUSH, CALL, STEAL, DEFEND, DEFEND_BLIND, OVERCALL = range(6)
DECIDER = (BUTTON, SMALL, SMALL, BIG, BIG, BIG)
ALL_FOLD, BUTTON_STEALS, SMALL_STEALS = range(3)
FIRST_PAIR = 3  # then the terminals of pairs, three each: first wins, tie, second wins
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
    orders: tuple[tuple[int, int, int], ...]  # of three hands: the rank of each, 0 the best

    def __post_init__(self) -> None:
        if self.units < 3:
            raise BadSetting(f"three players need at least 3 units of chips, got {self.units}")
        if self.state_count > MOST_STATES:
            raise BadSetting(
                f"{self.units:,} units of chips are {self.state_count:,} states, and at most {MOST_STATES:,} can be "
                "solved: choose a larger unit"
            )

    @property
    def state_count(self) -> int:
        """The number of distributions of all chips among three players."""
        return (self.units - 1) * (self.units - 2) // 2

    @property
    def terminals(self) -> int:
        """The number of terminals of a hand."""
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

    def posted(self, stacks: Sequence[int]) -> tuple[int, int, int]:
        """The blinds posted, limited by the stacks."""
        return 0, min(self.blinds.small, stacks[SMALL]), min(self.blinds.big, stacks[BIG])

    def decides(self, stacks: Sequence[int]) -> tuple[bool, ...]:
        """Which of the six decisions exist; a player who is all-in, or can stay in for free, has none and stays."""
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

    def contenders(self, terminal: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Who is in at a terminal, and the ranks of their hands, 0 the best."""
        if terminal < FIRST_PAIR:
            return ((BIG,), (BUTTON,), (SMALL,))[terminal], (0,)
        if terminal < FIRST_ORDER:
            pair, result = divmod(terminal - FIRST_PAIR, 3)
            return PAIRS[pair], ((0, 1), (0, 0), (1, 0))[result]
        return (BUTTON, SMALL, BIG), self.orders[terminal - FIRST_ORDER]

    def chips_after(self, stacks: Sequence[int], terminal: int) -> list[Chance]:
        """Chips of button, small and big blind after a hand; several outcomes if a pot does not divide evenly."""
        seats, ranks = self.contenders(terminal)
        put = list(self.posted(stacks))
        for seat in seats:
            if terminal >= FIRST_PAIR or seat != BIG:  # an uncontested big blind has put in only its blind
                put[seat] = stacks[seat]
        covered = max(put[seat] for seat in seats)
        put = [min(paid, covered) for paid in put]  # the uncovered part of a blind is returned
        left = [stack - paid for stack, paid in zip(stacks, put, strict=True)]
        pots: list[Pot] = []
        add_side_pots(pots, put, seats)
        rank = dict(zip(seats, ranks, strict=True))
        shares = [list(_shares(pot.amount, _winners(pot, rank))) for pot in pots]
        chances: dict[tuple[int, int, int], float] = {}
        for split in product(*shares):
            after = list(left)
            chance = 1.0
            for probability, won in split:
                chance *= probability
                for seat, chips in won.items():
                    after[seat] += chips
            key = (after[0], after[1], after[2])
            chances[key] = chances.get(key, 0.0) + chance
        return [(chance, chips) for chips, chance in chances.items()]

    # The outcomes for a player are numbered: three for each state, two for each stack heads-up, and the prizes.

    @property
    def heads_up_at(self) -> int:
        """The offset of heads-up values: by chips, as small and as big blind."""
        return 3 * self.state_count

    @property
    def prizes_at(self) -> int:
        """The offset of the prizes: of the three places, and the mean of the last two."""
        return self.heads_up_at + 2 * (self.units + 1)

    @property
    def outcomes(self) -> int:
        """The number of outcomes of a hand for a player."""
        return self.prizes_at + 4

    def outcome_values(self, values: np.ndarray, small_wins: np.ndarray) -> np.ndarray:
        """Their values, given those of states [state, 3] and the heads-up small blind's chance to win, by chips."""
        first, second, third = self.payouts
        heads_up = np.stack([small_wins, 1 - small_wins[::-1]], axis=1).reshape(-1)
        prizes = first, second, third, (second + third) / 2
        return np.concatenate([values.reshape(-1), second + (first - second) * heads_up, prizes])

    def placed(self, before: Sequence[int], after: Sequence[int]) -> tuple[int, int, int]:
        """The outcome of a hand for each player."""
        alive = [seat for seat in range(3) if after[seat]]
        if len(alive) == 3:
            state = 3 * self.index(after[SMALL], after[BIG])  # the small blind is the next button
            return state + BIG, state + BUTTON, state + SMALL
        outcomes = [self.prizes_at + 2] * 3  # the third prize
        if len(alive) == 1:
            outcomes[alive[0]] = self.prizes_at
            more, less = sorted((seat for seat in range(3) if not after[seat]), key=lambda seat: -before[seat])
            if before[more] == before[less]:
                outcomes[more] = outcomes[less] = self.prizes_at + 3
            else:
                outcomes[more] = self.prizes_at + 1
        else:
            next_big = BUTTON if BUTTON in alive else SMALL
            for seat in alive:
                outcomes[seat] = self.heads_up_at + 2 * after[seat] + int(seat == next_big)
        return outcomes[0], outcomes[1], outcomes[2]

    @cached_property
    def transitions(self) -> csr_matrix:
        """The probability of each outcome after each terminal, for each player: [state * terminals * 3, outcome]."""
        from scipy.sparse import csr_matrix

        rows, columns, chances = [], [], []
        for state, stacks in enumerate(self.states.tolist()):
            for terminal in range(self.terminals):
                row = 3 * (state * self.terminals + terminal)
                for chance, after in self.chips_after(stacks, terminal):
                    for seat, place in enumerate(self.placed(stacks, after)):
                        rows.append(row + seat)
                        columns.append(place)
                        chances.append(chance)
        shape = (3 * self.state_count * self.terminals, self.outcomes)
        return csr_matrix((chances, (rows, columns)), shape=shape)

    def terminal_values(self, outcomes: np.ndarray) -> np.ndarray:
        """The value of each terminal of each hand to each player: [state, terminal, 3]."""
        return np.asarray(self.transitions @ outcomes).reshape(self.state_count, self.terminals, 3)


def _winners(pot: Pot, rank: Mapping[int, int]) -> tuple[int, ...]:
    """The seats that share a pot."""
    best = min(rank[seat] for seat in pot.seats)
    return tuple(seat for seat in pot.seats if rank[seat] == best)


def _shares(pot: int, seats: tuple[int, ...]) -> Iterator[tuple[float, dict[int, int]]]:
    """Every way to divide a pot among winners, equally likely: odd units go to different winners at random."""
    each, odd = divmod(pot, len(seats))
    choices = list(combinations(seats, odd))
    for lucky in choices:
        yield 1 / len(choices), {seat: each + (seat in lucky) for seat in seats}
