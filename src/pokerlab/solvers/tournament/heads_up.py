"""Two players to the end: every stack's chance to win the tournament, as small and as big blind.

P. B. Miltersen and T. B. Sorensen, "A near-optimal strategy for a heads-up no-limit Texas hold'em poker tournament",
2007. A state is the small blind's chips; a hand is one decision each, push or fold and call or fold, and leads to a
state with the roles exchanged. Given the values of all states the hand is a zero-sum game of 169 classes, solved by a
linear program. Value iteration puts its value in the state's place; policy iteration computes what the strategies of
all states win against each other to the end, and needs a handful of rounds. Then both are measured: the best response
of either player in the whole tournament, from every state.

Chips are counted in units that divide the blinds and the total. A player whose chips are all in, or who need not pay
to stay, does not decide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from pokerlab import parallel
from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.solvers.classes.one_decision import solve_one_decision
from pokerlab.tree.class_deals import class_table
from pokerlab.tree.one_decision import OneDecision

MOST_UNITS = 2000
METHODS = ("policy", "value")
_SETTLED = 1e-11  # change of a chance to win
_MOST_ROUNDS = 500


@dataclass(frozen=True)
class Blinds:
    """What is posted, in units of chips."""

    small: int
    big: int

    def __post_init__(self) -> None:
        if not 0 < self.small <= self.big:
            raise BadSetting(f"blinds are more than 0, the small one no larger: not {self.small} and {self.big}")


@dataclass(frozen=True, eq=False)
class HeadsUpSolution:
    """Strategies of every state, and what they win."""

    units: int  # chips in play
    blinds: Blinds
    values: np.ndarray  # [units + 1]: the small blind's chance to win the tournament, by its chips
    push: np.ndarray  # [units + 1, 169]
    call: np.ndarray  # [units + 1, 169]: of the big blind, by the small blind's chips
    rounds: int
    change: float  # of any value, in the last round
    epsilon: float  # what a best response to the end wins more, in the state where it wins most

    @cached_property
    def big_values(self) -> np.ndarray:
        """The big blind's chance to win, by its own chips: [units + 1]."""
        return np.asarray(1 - self.values[::-1])


@dataclass(frozen=True)
class HandOfTwo:
    """What can happen in a hand: the small blind's chips after each end, and who decides."""

    folded: int
    stolen: int
    won: int
    tied: int
    lost: int
    first_decides: bool
    second_decides: bool


def hand_of_two(stack: int, units: int, blinds: Blinds) -> HandOfTwo:
    """The ends of a hand in which the small blind has so many of all units."""
    other = units - stack
    posted, owed = min(blinds.small, stack), min(blinds.big, other)
    at_risk = min(stack, other)
    return HandOfTwo(
        folded=stack - posted,
        stolen=stack + owed,
        won=stack + at_risk,
        tied=stack,
        lost=stack - at_risk,
        first_decides=stack > posted and owed > posted,
        second_decides=other > owed and stack > owed,
    )


@cache
def _cards() -> OneDecision:
    """Two hands before the flop: how likely they are and which one wins; payoffs are filled in by state."""
    table = class_table(5)
    return OneDecision(table.chance, table.win, table.tie, np.zeros((3, 2, 2)))


def solve_heads_up(
    units: int,
    blinds: Blinds,
    *,
    method: str = "policy",
    workers: int | None = None,
    watch: Watch = SILENT,
    most_rounds: int = _MOST_ROUNDS,
) -> HeadsUpSolution:
    """Play of every state to the end, by policy or by value iteration."""
    if not 2 <= units <= MOST_UNITS:
        raise BadSetting(f"a tournament has 2 to {MOST_UNITS:,} units of chips, not {units:,}")
    if method not in METHODS:
        raise BadSetting(f"cannot iterate over {method!r}; choose one of {', '.join(METHODS)}")
    values = np.arange(units + 1) / units
    push, call = np.full((2, units + 1, CLASS_COUNT), np.nan)
    change = np.inf
    rounds = 0
    while change > _SETTLED and rounds < most_rounds:
        before = values
        push, call = _every_hand(units, blinds, values, workers)
        chances = _outcome_chances(units, blinds, push, call)
        values = (
            _evaluated(units, blinds, chances) if method == "policy" else _backed_up(units, blinds, chances, values)
        )
        change = float(np.abs(values - before).max())
        rounds += 1
        watch.at(f"round {rounds}, values moved by {change:.1e}", rounds, rounds + 1)
    epsilon = _epsilon(units, blinds, push, call, _evaluated(units, blinds, chances))
    return HeadsUpSolution(units, blinds, values, push, call, rounds, change, epsilon)


def _payoffs(hand: HandOfTwo, values: np.ndarray) -> np.ndarray:
    """The small blind's chance to win after each end: [3, 2, 2] by showdown, pushed, called."""
    after = 1 - values[::-1]  # as the big blind of the next hand, by chips
    payoffs = np.empty((3, 2, 2))
    payoffs[:, 0, :] = after[hand.folded]
    payoffs[:, 1, 0] = after[hand.stolen]
    payoffs[:, 1, 1] = after[[hand.won, hand.tied, hand.lost]]
    return payoffs


def _every_hand(units: int, blinds: Blinds, values: np.ndarray, workers: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Both players' strategies in every state, with what follows worth these values."""

    def solved(stack: int) -> tuple[np.ndarray, np.ndarray]:
        hand = hand_of_two(stack, units, blinds)
        return _solved_hand(replace(_cards(), payoffs=_payoffs(hand, values)), hand)

    push, call = np.ones((2, units + 1, CLASS_COUNT))
    stacks = range(1, units)
    for stack, found in zip(stacks, parallel.run(solved, stacks, workers=workers), strict=True):
        push[stack], call[stack] = found
    return push, call


def _solved_hand(game: OneDecision, hand: HandOfTwo) -> tuple[np.ndarray, np.ndarray]:
    always = np.ones(CLASS_COUNT)
    if not hand.first_decides:
        return always, always
    if not hand.second_decides:
        passive, active = game.counterfactual(0, always)
        return (active > passive).astype(float), always
    solution = solve_one_decision(game)
    return solution.first, solution.second


def _outcome_chances(units: int, blinds: Blinds, push: np.ndarray, call: np.ndarray) -> np.ndarray:
    """How likely each hand ends folded, stolen, won, tied and lost: [units + 1, 5]."""
    cards = _cards()
    chance = cards.chance
    pushed = push @ chance  # [state, j]
    showdown = pushed * call
    won = np.einsum("si,ij,sj->s", push, chance * cards.win, call, optimize=True)
    tied = np.einsum("si,ij,sj->s", push, chance * cards.tie, call, optimize=True)
    folded = 1 - pushed.sum(1)
    stolen = pushed.sum(1) - showdown.sum(1)
    return np.stack([folded, stolen, won, tied, showdown.sum(1) - won - tied], axis=1)


def _ends(units: int, blinds: Blinds) -> np.ndarray:
    """The small blind's chips after each end: [units + 1, 5]."""
    found = np.zeros((units + 1, 5), np.int64)
    for stack in range(1, units):
        hand = hand_of_two(stack, units, blinds)
        found[stack] = hand.folded, hand.stolen, hand.won, hand.tied, hand.lost
    found[units] = units
    return found


def _backed_up(units: int, blinds: Blinds, chances: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values one hand earlier."""
    found = (chances * (1 - values[units - _ends(units, blinds)])).sum(1)
    found[0], found[units] = 0.0, 1.0
    return np.asarray(found)


def _evaluated(units: int, blinds: Blinds, chances: np.ndarray) -> np.ndarray:
    """What these strategies win against each other to the end: v(s) = sum of chances times 1 - v(units - s')."""
    system = np.eye(units + 1)
    constant = np.zeros(units + 1)
    ends = _ends(units, blinds)
    for stack in range(1, units):
        np.add.at(system[stack], units - ends[stack], chances[stack])
        constant[stack] = chances[stack].sum()
    constant[units] = 1.0
    return np.asarray(np.linalg.solve(system, constant))


def _epsilon(units: int, blinds: Blinds, push: np.ndarray, call: np.ndarray, values: np.ndarray) -> float:
    """What the best response of one player in the whole tournament wins more, from the best state for it."""
    cards = _cards()
    hands = [hand_of_two(stack, units, blinds) for stack in range(units + 1)]
    as_small, as_big = values.copy(), 1 - values[::-1]
    change = np.inf
    while change > _SETTLED:
        small, big = as_small.copy(), as_big.copy()
        for stack in range(1, units):
            hand = hands[stack]
            small[stack] = _best(cards, 0, call[stack], hand.first_decides, _after(hand, as_big, units, flip=False))
            paid = _after(hand, as_small, units, flip=True)
            big[units - stack] = _best(cards, 1, push[stack], hand.second_decides, paid)
        change = float(max(np.abs(small - as_small).max(), np.abs(big - as_big).max()))
        as_small, as_big = small, big
    return float(max((as_small - values).max(), (as_big - (1 - values[::-1])).max()))


def _after(hand: HandOfTwo, worth: np.ndarray, units: int, *, flip: bool) -> np.ndarray:
    """What a player's chips are worth after each end; `flip` for the big blind's: [3, 2, 2], as payoffs."""
    chips = np.empty((3, 2, 2), np.int64)
    chips[:, 0, :] = hand.folded
    chips[:, 1, 0] = hand.stolen
    chips[:, 1, 1] = hand.won, hand.tied, hand.lost
    return np.asarray(worth[units - chips if flip else chips])


def _best(cards: OneDecision, role: int, other: np.ndarray, decides: bool, paid: np.ndarray) -> float:
    """The most that a role can win against the other's strategy when the ends of the hand are paid so."""
    game = replace(cards, payoffs=paid if role == 0 else -paid)
    passive, active = game.counterfactual(role, other)
    return float((np.maximum(passive, active) if decides else active).sum())
