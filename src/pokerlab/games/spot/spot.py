"""A spot: hold'em from a given street on, between two ranges, with a bet menu.

Amounts are in chips, or in big blinds if wanted. Player 0 is out of position and acts first on every street. Payoffs
are counted from the start of the spot with half the pot belonging to each player, so without rake they sum to zero;
`Spot.value_in_pot` converts them to the share of the pot won, with the player's own later bets counted back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Annotated

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadCards, BadRange, BadSetting
from pokerlab.games.poker.action import actions_of
from pokerlab.games.poker.betting import Action, Betting, BettingRules
from pokerlab.games.poker.betting_tree import Node, Rake, betting_tree
from pokerlab.games.poker.menu import BetSize
from pokerlab.games.poker.menu_betting import offered
from pokerlab.games.poker.pots import Payoffs
from pokerlab.games.poker.rules import HOLDEM_ROUNDS, Round, Rules
from pokerlab.settings import Share, check_fields, number, or_none, whole

STREETS = HOLDEM_ROUNDS[1:]
SEATS = ("out_of_position", "in_position")
MOST_CHIPS = 1e9
MOST_AMOUNT = 1e12  # of any amount
SMALLEST_CHIP = 1e-20  # keeps payoffs times weights within the range of float32
WHOLE_CHIPS_FROM = 20  # pots of at least this many whole chips are bet in whole chips, smaller ones in hundredths


def smallest_chip(pot: float, stack: float) -> float:
    """The chip of a spot that does not state one."""
    return 1.0 if pot >= WHOLE_CHIPS_FROM and pot % 1 == stack % 1 == 0 else 0.01


@dataclass(frozen=True)
class Menus:
    """The bets of one player, by street. Donk bets are into the player who bet last on the previous street."""

    bet: Mapping[str, tuple[BetSize, ...]] = field(default_factory=dict)
    raises: Mapping[str, tuple[BetSize, ...]] = field(default_factory=dict)
    donk: Mapping[str, tuple[BetSize, ...]] = field(default_factory=dict)  # other streets: the same as other bets


@dataclass(frozen=True)
class Spot:
    """Everything that defines a spot."""

    board: tuple[int, ...]
    pot: Annotated[float, number(above=0, most=MOST_AMOUNT)]
    stack: Annotated[float, number(0, MOST_AMOUNT)]  # each player's remaining chips
    ranges: tuple[Range, Range]  # out of position, in position
    menus: tuple[Menus, Menus] = (Menus(), Menus())
    raise_cap: Annotated[int | None, or_none(whole(0, 100))] = None  # maximum bets and raises per street
    all_in_from: Annotated[float, number(above=0, most=1)] = 1.0  # bets of this share of the stack become all-in
    merge: Share = 0.0  # merge sizes within this fraction, keeping the larger
    rake: Rake = field(default_factory=Rake)
    limit: tuple[float, ...] = ()  # fixed limit: the bet of the flop, the turn and the river
    chip: float = 0.0  # bets are multiples of it; 0: see smallest_chip
    in_big_blinds: bool = False  # whether amounts are in big blinds; otherwise in chips

    def __post_init__(self) -> None:
        FULL_DECK.check(self.board)
        if not 3 <= len(self.board) <= 5:
            raise BadCards(f"a spot starts on a flop, turn or river: 3, 4 or 5 board cards, not {len(self.board)}")
        check_fields(self)
        number(0, 1)("rake", self.rake.part)
        number(0)("rake_cap", self.rake.cap)
        if not self.chip:
            object.__setattr__(self, "chip", smallest_chip(self.pot, self.stack))
        number(SMALLEST_CHIP, MOST_AMOUNT)("chip", self.chip)
        for size in self.limit:
            number(above=0, most=MOST_AMOUNT)("limit", size)
        most = self.pot + 2 * self.stack + max(self.limit, default=0.0)
        if most / self.chip > MOST_CHIPS:
            raise BadSetting(
                f"a pot of {self.pot:g} and stacks of {self.stack:g} are too many chips of {self.chip:g}; "
                f"use larger chips, as in chip = {10.0 ** math.ceil(math.log10(most / MOST_CHIPS)):g}"
            )
        for name, chips in (("pot", self.pot), ("stack", self.stack), *(("limit", size) for size in self.limit)):
            if abs(round(chips / self.chip) * self.chip - chips) > 1e-9 * chips:
                raise BadSetting(f"the {name} of {chips:g} is not a whole number of chips of {self.chip:g}")
        for seat, held in zip(SEATS, self.ranges, strict=True):
            if not held.without(self.board).count:
                raise BadRange(f"the range {seat.replace('_', ' ')} is empty: no hand of it is left on this board")

    @property
    def money(self) -> str:
        """What amounts are in: "bb" or "chips"."""
        return "bb" if self.in_big_blinds else "chips"

    @property
    def streets(self) -> tuple[str, ...]:
        """The streets that are played; the first is already on the board."""
        return STREETS[len(self.board) - 3 :]

    def value_in_pot(self, value: float) -> float:
        """A player's value as a share of the pot won, with the chips put in counted back."""
        return value + self.pot / 2

    @property
    def unit(self) -> float:
        """Chips per unit of the rule engine, which uses integers and half the pot as an ante."""
        return self.chip / 2

    @cached_property
    def rules(self) -> Rules:
        """The spot for the rule engine."""
        ante = round(self.pot / 2 / self.unit)
        limits = (self.limit + self.limit[-1:] * len(STREETS))[: len(STREETS)]  # by street; the last one is repeated
        least = [round(bet / self.unit) for bet in limits[-len(self.streets) :]] or [2] * len(self.streets)
        first = Round(private=2, public=len(self.board), bet=least[0], raises=self.raise_cap)
        rest = [Round(public=1, bet=bet, raises=self.raise_cap) for bet in least[1:]]
        return Rules(
            players=2,
            rounds=(first, *rest),
            limit="fixed" if self.limit else "no",
            antes=(ante, ante),
            stacks=(ante + round(self.stack / self.unit),) * 2,
            odd_chips="split",
        )

    @cached_property
    def betting(self) -> Node:
        """The betting tree."""
        automaton = BettingRules(self.rules)
        payoffs = Payoffs(self.rules, automaton)
        return betting_tree(automaton, partial(self.choices, automaton), payoffs, unit=self.unit, rake=self.rake)

    def choices(self, automaton: BettingRules, betting: Betting, base: int) -> list[tuple[str, Action]]:
        """The labelled actions of the player to act; `automaton` has the rules without menus, `base` is the level at
        the start of the round."""
        return offered(
            automaton,
            betting,
            base,
            self._menu(betting, opening=betting.level == base),
            streets=len(self.streets) - betting.round,
            unit=self.unit,
            chip=self.chip,
            all_in_from=self.all_in_from,
            merge=self.merge,
        )

    def _menu(self, betting: Betting, *, opening: bool) -> Sequence[BetSize]:
        """The sizes for the player to act."""
        street, menus = self.streets[betting.round], self.menus[betting.actor]
        if not opening:
            return menus.raises.get(street, ())
        if betting.actor == 0 and betting.round and street in menus.donk:
            before = actions_of(betting.history.rsplit("/", 2)[-2])  # on the previous street, player 0 first
            raisers = [position % 2 for position, action in enumerate(before) if action.kind == "r"]
            if raisers[-1:] == [1]:
                return menus.donk[street]
        return menus.bet.get(street, ())
