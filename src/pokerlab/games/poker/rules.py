"""The table of settings of a poker game: everything the rule engine needs to know, and nothing about play.

A hand is a few rounds. In each, cards are dealt (to each player, and to the middle), perhaps players exchange cards,
and then they bet. Seats are numbered from the player left of the button, so the button is the last seat; heads-up the
button posts the small blind and is seat 1 ("reverse blinds"), which is the numbering of the computer poker
competition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.errors import BadSetting

UNLIMITED = 2**31 - 1  # the stack of a player who cannot run out of chips
LIMITS = ("fixed", "pot", "no", "push")
LEAST_RAISES = ("last", "bet", "double", "acpc")
ODD_CHIPS = ("seat", "split")
SHOWDOWNS = ("high", "short_deck", "three_card")
MOST_PLAYERS = 10


@dataclass(frozen=True)
class Round:
    """One round: cards, then exchanges, then betting."""

    private: int = 0  # cards dealt to each player
    public: int = 0  # cards dealt to the middle
    draw: int = 0  # most cards a player may exchange before the betting
    bet: int = 1  # fixed limit: the size of every bet and raise; else the least bet
    raises: int | None = None  # most bets and raises; blinds do not count; None is no cap
    first: int = 0  # the seat that acts first, or the next after it that can
    betting: bool = True
    bettors: tuple[int, ...] | None = None  # seats that may bet or raise; None is all


@dataclass(frozen=True)
class Rules:
    """A poker game. Chips are whole numbers; amounts that are one per seat are in seat order."""

    players: int
    rounds: tuple[Round, ...]
    deck: Deck = FULL_DECK
    limit: str = "no"  # "fixed", "pot", "no" or "push" (all-in or fold)
    antes: tuple[int, ...] = ()  # put in before the deal, no part of a bet
    blinds: tuple[int, ...] = ()  # blinds and straddles
    stacks: tuple[int, ...] | None = None  # before antes and blinds; None: nobody runs out
    showdown: str = "high"  # "high", "short_deck" or "three_card"; see showdown.py
    odd_chips: str = "seat"  # one each from the left of the button, or "split" into fractions
    reopens_at: float = 1.0  # part of a full raise that lets players who have acted raise again
    # a raise is by at least the "last" full one, which the largest blind is, or to "double" the largest bet, or "acpc";
    # "bet" is as "last", but blinds and straddles are none, so that the first raise is by the bet of the round
    least_raise: str = "last"
    replacement: bool = False  # every player's cards come from a deck of their own (so there are ties)

    def __post_init__(self) -> None:
        _whole("players", self.players, 2, MOST_PLAYERS)
        if not self.antes:
            object.__setattr__(self, "antes", (0,) * self.players)
        if not self.blinds:
            object.__setattr__(self, "blinds", (0,) * self.players)
        _per_seat("antes", self.antes, self.players, least=0)
        _per_seat("blinds", self.blinds, self.players, least=0)
        if self.stacks is not None:
            _per_seat("stacks", self.stacks, self.players, least=1)
        elif self.limit == "push":
            raise BadSetting("a game of all-in or fold needs stacks")
        _one_of("limit", self.limit, LIMITS)
        _one_of("least_raise", self.least_raise, LEAST_RAISES)
        _one_of("odd_chips", self.odd_chips, ODD_CHIPS)
        _one_of("showdown", self.showdown, SHOWDOWNS)
        if not isinstance(self.reopens_at, (int, float)) or not 0 <= self.reopens_at <= 1:
            raise BadSetting(f"reopens_at is a part of a full raise, 0 to 1; got {str(self.reopens_at)[:40]!r}")
        _one_of("replacement", self.replacement, (False, True))
        if not self.rounds:
            raise BadSetting("a poker game needs at least one round")
        for number, round_ in enumerate(self.rounds, start=1):
            _check_round(number, round_, self)
        self._check_cards()

    def _check_cards(self) -> None:
        private = sum(round_.private for round_ in self.rounds)
        public = sum(round_.public for round_ in self.rounds)
        if not private:
            raise BadSetting("no round deals private cards: there would be nothing to play with")
        needed = public + private * (1 if self.replacement else self.players)
        if needed > self.deck.size:
            raise BadSetting(f"{self.players} players need {needed} cards, and the deck has {self.deck.size}")
        most = max(round_.draw for round_ in self.rounds)
        if needed + most > self.deck.size:
            raise BadSetting(f"{needed} of {self.deck.size} cards are dealt: too few are left to exchange {most}")
        if self.replacement and (public or any(round_.draw for round_ in self.rounds)):
            raise BadSetting("with replacement each player has a deck of their own: public cards and draws cannot be")

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain values, read back by `rules_from` in formats/gamedef.py."""
        plain: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("players", "limit", "showdown", "odd_chips", "reopens_at", "least_raise", "replacement")
        }
        plain |= {"antes": list(self.antes), "blinds": list(self.blinds)}
        if self.stacks is not None:
            plain["stacks"] = list(self.stacks)
        plain |= {"ranks": list(self.deck.ranks), "suits": list(self.deck.suits)}
        plain["rounds"] = [_round_as_dict(round_) for round_ in self.rounds]
        return plain


def _round_as_dict(round_: Round) -> dict[str, Any]:
    plain = {name: getattr(round_, name) for name in Round.__dataclass_fields__}
    kept = {name: value for name, value in plain.items() if value != Round.__dataclass_fields__[name].default}
    if round_.bettors is not None:
        kept["bettors"] = list(round_.bettors)
    return kept


def _whole(name: str, value: Any, least: int, most: int = UNLIMITED) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        span = f"from {least} to {most}" if most != UNLIMITED else f"of at least {least}"
        raise BadSetting(f"{name} must be a whole number {span}; got {str(value)[:40]!r}")


def _one_of(name: str, value: Any, known: tuple[Any, ...]) -> None:
    if not any(value is one or (isinstance(value, str) and value == one) for one in known):
        raise BadSetting(f"{name} must be one of {', '.join(map(str, known))}; got {str(value)[:40]!r}")


def _per_seat(name: str, values: tuple[int, ...], players: int, *, least: int) -> None:
    if not isinstance(values, tuple) or len(values) != players:
        raise BadSetting(f"{name} must be {players} numbers, one per seat; got {str(values)[:60]}")
    for value in values:
        _whole(f"each of the {name}", value, least)


def _check_round(number: int, round_: Round, rules: Rules) -> None:
    where = f" of round {number}"
    _whole(f"private cards{where}", round_.private, 0, 52)
    _whole(f"public cards{where}", round_.public, 0, 52)
    _whole(f"draw{where}", round_.draw, 0, 52)
    _whole(f"bet{where}", round_.bet, 1)
    _whole(f"first{where}", round_.first, 0, rules.players - 1)
    _one_of(f"betting{where}", round_.betting, (False, True))
    if round_.raises is not None:
        _whole(f"raises{where}", round_.raises, 0)
    if round_.draw and (round_.private or number == 1):
        raise BadSetting(f"round {number} cannot have a draw: cards are exchanged in a later round than they are dealt")
    for seat in round_.bettors or ():
        _whole(f"bettors{where}", seat, 0, rules.players - 1)


def named(name: str, **settings: tuple[Any, Any]) -> str:
    """A game's name with the settings that differ from their defaults, given as name=(value, default).

    >>> named("kuhn", players=(3, 2), bet=(1, 1))
    'kuhn(players=3)'
    """
    told = [f"{key}={value!r}" for key, (value, default) in settings.items() if value != default]
    return f"{name}({', '.join(told)})" if told else name


def whole(name: str, value: Any, least: int, most: int = UNLIMITED) -> int:
    """A setting that must be a whole number in a span, checked."""
    _whole(name, value, least, most)
    return int(value)


def whole_numbers(name: str, values: Any, count: int, *, least: int = 0) -> tuple[int, ...]:
    """A setting that is one number for all seats or a number for each: 20000, [20000, 15000], "20000,15000"."""
    if isinstance(values, str):
        try:
            values = [int(word) for word in values.replace(",", " ").split()]
        except ValueError:
            raise BadSetting(f"{name} must be whole numbers; got {values[:40]!r}") from None
    if isinstance(values, int):
        values = [values] * count
    if not isinstance(values, (list, tuple)):
        raise BadSetting(f"{name} must be whole numbers; got {str(values)[:40]!r}")
    if len(values) == 1:
        values = list(values) * count
    if len(values) != count:
        raise BadSetting(f"{name} must be one number or {count}, one per seat; got {len(values)}")
    return tuple(whole(f"each of {name}", value, least) for value in values)
