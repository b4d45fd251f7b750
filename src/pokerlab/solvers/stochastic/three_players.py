"""Three players: the states of a tournament, and where the ends of a hand lead.

A state is the chips of button, small blind and big blind in units. Its hand is push or fold for three players
(tree/pushes/three.py), whose ends pay what the next state is worth: `transitions` says where each of the 25 leads, to a
state of three with the positions moved on, to one of two whose values are known, or to prizes.

A unit that does not divide evenly among tied players goes to each of them with equal probability. If several players
are eliminated in the same hand, the one who had more chips finishes higher; with equal chips they share both prizes.
The big blind moves by one player every hand, also when players are eliminated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.library.push_fold import rules
from pokerlab.games.poker.engine import PokerGame
from pokerlab.solvers.stochastic.heads_up import Blinds
from pokerlab.tree.pushes.form import PushForm, Terminal, big_blind, push_form
from pokerlab.tree.pushes.three import BIG, BUTTON, ENDS, SMALL, HandOfThree

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

MOST_STATES = 50_000

Chance = tuple[float, tuple[int, int, int]]  # of chips after a hand


@dataclass(frozen=True)
class ThreeHanded:
    """A tournament of three players: units of chips, blinds in units, prizes from the first place down."""

    units: int
    blinds: Blinds
    payouts: tuple[float, float, float]

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

    def hand(self, stacks: Sequence[int]) -> PushForm:
        """The hand of a state."""
        by_player = [stacks[seat] for seat in (SMALL, BIG, BUTTON)]  # as the game numbers its players
        return push_form(PokerGame(rules(by_player, (self.blinds.small, self.blinds.big)), "push-fold"))

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
    def _layout(self) -> tuple[np.ndarray, csr_matrix]:
        from scipy.sparse import csr_matrix

        decides, rows, columns, chances = [], [], [], []
        for state, stacks in enumerate(self.states.tolist()):
            form = self.hand(stacks)
            hand = HandOfThree.of(form)
            decides.append(hand.decides)
            for end, (terminal, ranks) in enumerate(hand.outcomes(form)):
                row = 3 * (state * len(ENDS) + end)
                for chance, chips in chips_after(form, form.terminals[terminal], ranks):
                    for seat, place in enumerate(self.placed(stacks, chips)):
                        rows.append(row + seat)
                        columns.append(place)
                        chances.append(chance)
        shape = (3 * self.state_count * len(ENDS), self.outcomes)
        return np.array(decides), csr_matrix((chances, (rows, columns)), shape=shape)

    @property
    def decides(self) -> np.ndarray:
        """Which of the six decisions exist: [state, 6] bool."""
        return self._layout[0]

    @property
    def transitions(self) -> csr_matrix:
        """The probability of each outcome after each end, for each player: [state * ends * 3, outcome]."""
        return self._layout[1]

    def end_values(self, outcomes: np.ndarray) -> np.ndarray:
        """The value of each end of each hand to each player: [state, end, 3]."""
        return np.asarray(self.transitions @ outcomes).reshape(self.state_count, len(ENDS), 3)


def chips_after(form: PushForm, terminal: Terminal, ranks: Sequence[int]) -> list[Chance]:
    """Chips of the seats after a hand whose contenders have these ranks; several if a pot does not divide evenly."""
    unit = big_blind(form.game)
    shares = []
    for amount, members in terminal.pots:
        best = min(ranks[member] for member in members)
        winners = tuple(terminal.contenders[member] for member in members if ranks[member] == best)
        shares.append(list(_shares(round(amount * unit), winners)))
    chances: dict[tuple[int, int, int], float] = {}
    for split in product(*shares):
        after = [round(chips * unit) for chips in terminal.behind.tolist()]
        chance = 1.0
        for probability, won in split:
            chance *= probability
            for seat, chips in won.items():
                after[seat] += chips
        key = (after[0], after[1], after[2])
        chances[key] = chances.get(key, 0.0) + chance
    return [(chance, chips) for chips, chance in chances.items()]


def _shares(pot: int, seats: tuple[int, ...]) -> Iterator[tuple[float, dict[int, int]]]:
    """Every way to divide a pot among winners, equally likely: odd units go to different winners at random."""
    each, odd = divmod(pot, len(seats))
    choices = list(combinations(seats, odd))
    for lucky in choices:
        yield 1 / len(choices), {seat: each + (seat in lucky) for seat in seats}
