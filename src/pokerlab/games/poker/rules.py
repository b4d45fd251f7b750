"""The settings of a poker game: everything that the rule engine needs, and nothing about strategy.

A hand consists of rounds. In each, cards are dealt (to each player, and to the board), players may exchange cards, and
then they bet. Seats are numbered from the player left of the button, so the button is the last seat; heads-up the
button posts the small blind and is seat 1 ("reverse blinds"), which is the ACPC numbering.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.cards.strength import ORDERS
from pokerlab.errors import BadSetting
from pokerlab.games.poker.menu import Menu, menus_from, menus_value
from pokerlab.settings import Flag, Share, check_fields, number, one_of, or_none, whole

UNLIMITED = 2**31 - 1  # the stack of a player with unlimited chips
LIMITS = ("fixed", "pot", "no", "push")  # the last is all-in or fold
LEAST_RAISES = ("last", "bet", "double", "acpc")
SHOWDOWNS = tuple(ORDERS)
MOST_PLAYERS = 10
HOLDEM_ROUNDS = ("preflop", "flop", "turn", "river")
Limit = Annotated[str, one_of(*LIMITS)]


def _menus(name: str, value: Any) -> tuple[Menu, ...] | None:
    """Validate the menu of a round: one for all seats, or one per seat."""
    return None if value is None else menus_from(value, name)


@dataclass(frozen=True)
class Round:
    """One round: cards, then exchanges, then betting."""

    private: Annotated[int, whole(0, 52)] = 0  # cards dealt to each player
    public: Annotated[int, whole(0, 52)] = 0  # cards dealt to the board
    draw: Annotated[int, whole(0, 52)] = 0  # maximum number of cards to exchange before the betting
    bet: Annotated[int, whole(1)] = 1  # fixed limit: the size of every bet and raise; else the minimum bet
    raises: Annotated[int | None, or_none(whole(0))] = None  # most bets and raises, without blinds; None: no cap
    first: int = 0  # the seat that acts first, or the next one that can
    betting: Flag = True
    bettors: tuple[int, ...] | None = None  # seats that may bet or raise; None: all
    menu: Annotated[Any, _menus] = None  # allowed bets, as read by menu.py; None: every legal size


@dataclass(frozen=True)
class Rules:
    """A poker game. Chips are integers; amounts per seat are in seat order."""

    players: Annotated[int, whole(2, MOST_PLAYERS)]
    rounds: tuple[Round, ...]
    deck: Deck = FULL_DECK
    limit: Limit = "no"
    antes: tuple[int, ...] = ()  # posted before the deal; not part of a bet
    blinds: tuple[int, ...] = ()  # blinds and straddles
    stacks: tuple[int, ...] | None = None  # before antes and blinds; None: unlimited
    showdown: Annotated[str, one_of(*SHOWDOWNS)] = "high"  # see showdown.py
    # odd chips go one by one to winners from the left of the button ("seat"), or pots are "split" into fractions
    odd_chips: Annotated[str, one_of("seat", "split")] = "seat"
    reopens_at: Share = 1.0  # fraction of a full raise that lets players who have acted raise again
    # the minimum raise: by the "last" full raise (the largest blind counts as one), to "double" the largest bet, or as
    # in the ACPC server ("acpc"); "bet" is like "last", but blinds do not count: the first raise is by the round's bet
    least_raise: Annotated[str, one_of(*LEAST_RAISES)] = "last"
    replacement: Flag = False  # each player's cards come from a separate deck (so there are ties)
    all_in_from: Annotated[float, number(above=0, most=1)] = 1.0  # menu bets of this share of the stack are all-in
    merge: Share = 0.0  # merge menu sizes within this fraction, keeping the larger

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("antes", "blinds"):
            if not getattr(self, name):
                object.__setattr__(self, name, (0,) * self.players)
            _check_seats(name, getattr(self, name), self.players, least=0)
        if self.stacks is not None:
            _check_seats("stacks", self.stacks, self.players, least=1)
        elif self.limit == "push":
            raise BadSetting("a game of all-in or fold needs stacks")
        if not self.rounds:
            raise BadSetting("a poker game needs at least one round")
        for number_, round_ in enumerate(self.rounds, start=1):
            _check_round(number_, round_, self)
        self._check_cards()

    @property
    def has_menus(self) -> bool:
        """Whether a round has a menu of bets."""
        return any(round_.menu is not None for round_ in self.rounds)

    def _check_cards(self) -> None:
        private = sum(round_.private for round_ in self.rounds)
        public = sum(round_.public for round_ in self.rounds)
        if not private:
            raise BadSetting("no round deals private cards, and a poker game needs some")
        needed = public + private * (1 if self.replacement else self.players)
        if needed > self.deck.size:
            raise BadSetting(f"{self.players} players need {needed} cards, and the deck has {self.deck.size}")
        most = max(round_.draw for round_ in self.rounds)
        if needed + most > self.deck.size:
            raise BadSetting(f"{needed} of {self.deck.size} cards are dealt: too few are left to exchange {most}")
        if self.replacement and (public or most):
            raise BadSetting("with replacement each player has a separate deck: public cards and draws are impossible")

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain values that `rules_from` in formats/gamedef.py can read."""
        names = ("players", "limit", "showdown", "odd_chips", "reopens_at", "least_raise", "replacement")
        plain: dict[str, Any] = {name: getattr(self, name) for name in names}
        plain |= {"antes": list(self.antes), "blinds": list(self.blinds)}
        if self.stacks is not None:
            plain["stacks"] = list(self.stacks)
        plain |= {"ranks": list(self.deck.ranks), "suits": list(self.deck.suits)}
        plain |= {"all_in_from": self.all_in_from, "merge": self.merge} if self.has_menus else {}
        plain["rounds"] = [_round_as_dict(round_) for round_ in self.rounds]
        return plain


def _round_as_dict(round_: Round) -> dict[str, Any]:
    """The settings of a round that differ from their defaults."""
    settings = {name: value for name, value in vars(round_).items() if value != getattr(Round, name)}
    if round_.bettors is not None:
        settings["bettors"] = list(round_.bettors)
    if round_.menu is not None:
        settings["menu"] = menus_value(round_.menu)
    return settings


def _check_seats(name: str, values: Any, players: int, *, least: int) -> None:
    if not isinstance(values, tuple) or len(values) != players:
        raise BadSetting(f"{name} must be {players} numbers, one per seat; got {str(values)[:60]}")
    for value in values:
        whole(least)(f"each of the {name}", value)


def _check_round(number_: int, round_: Round, rules: Rules) -> None:
    where = f" of round {number_}"
    check_fields(round_, of=where)
    a_seat = whole(0, rules.players - 1)
    a_seat(f"first{where}", round_.first)
    for seat in round_.bettors or ():
        a_seat(f"bettors{where}", seat)
    if round_.menu is not None:
        if rules.limit not in ("no", "pot"):
            raise BadSetting(f"round {number_} has a menu, but the limit {rules.limit!r} leaves no choice of sizes")
        if len(round_.menu) not in (1, rules.players):
            raise BadSetting(f"the menu{where} is one for all seats, or one for each of {rules.players}")
    if round_.draw and (round_.private or number_ == 1):
        raise BadSetting(f"round {number_} cannot have a draw: cards are exchanged in a later round than dealt")
