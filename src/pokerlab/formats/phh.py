"""Hands as PHH text (the poker hand history format, one TOML file per hand), written and read.

PHH has three of our hold'em variants: fixed limit (FT), no limit (NT) and short deck (NS). Its players are numbered
from 1 in our seat order, a raise is to the total on the street where ours is the total over the hand, and heads-up the
antes and blinds are written button first. Any seat may straddle: the seat after the largest blind or straddle (the last
of equal ones) acts first, and the first raise is by at least `min_bet`, however large the straddle. A blind with a
minus sign is posted like any other but does not affect who acts first. Fractional chips, as in 0.25, are converted to
whole chips of the largest size that divides all amounts of the hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import inf, lcm
from typing import Any

from pokerlab.cards.card import FULL_DECK, SHORT_DECK
from pokerlab.errors import BadSetting, BadState, PokerlabError
from pokerlab.games.library._presets import holdem_rounds
from pokerlab.games.poker.action import actions_of
from pokerlab.games.poker.betting import CALL, FOLD, Action, Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import UNLIMITED, Rules
from pokerlab.games.poker.state import State
from pokerlab.reading import toml_table

DIGITS = 20  # before and after the decimal point
FINEST = 10_000  # largest denominator of fractional amounts
_AMOUNTS = ("antes", "blinds_or_straddles", "starting_stacks", "small_bet", "big_bet", "min_bet")
_BET = re.compile(r"\d{1,12}(\.\d{1,12})?", re.ASCII)
_HOLDEM = [(2, 0), (0, 3), (0, 1), (0, 1)]


def variant(rules: Rules) -> str:
    """The PHH code for these rules: FT, NT or NS; raises BadSetting if there is none."""
    holdem = [(round_.private, round_.public) for round_ in rules.rounds] == _HOLDEM
    plain = holdem and all(round_.betting and round_.bettors is None for round_ in rules.rounds)
    codes = {("fixed", "high", 52): "FT", ("no", "high", 52): "NT", ("no", "short_deck", 36): "NS"}
    code = codes.get((rules.limit, rules.showdown, rules.deck.size))
    if not plain or code is None:
        raise BadSetting("PHH has no code for this game; it knows limit, no-limit and short-deck hold'em")
    return code


def phh_text(
    game: PokerGame, state: State, *, names: Sequence[str] = (), fields: Mapping[str, Any] | None = None
) -> str:
    """A hand as PHH; `fields` are optional fields of the format (event, hand, day, ...)."""
    rules = game.rules
    code = variant(rules)
    order = slice(None, None, -1) if rules.players == 2 else slice(None)
    blinds = _signed_blinds(rules)
    lines: dict[str, Any] = {"variant": code, "antes": rules.antes[order], "blinds_or_straddles": blinds[order]}
    if code == "FT":
        lines |= {"small_bet": rules.rounds[0].bet, "big_bet": rules.rounds[-1].bet}
    else:
        lines |= {"min_bet": rules.rounds[0].bet}
    lines["starting_stacks"] = rules.stacks or (inf,) * rules.players
    lines["actions"] = _actions(game, state)
    if names:
        lines["players"] = list(names)
    return "".join(f"{key} = {_toml(value)}\n" for key, value in (lines | dict(fields or {})).items())


def _signed_blinds(rules: Rules) -> tuple[int, ...]:
    """The blinds in PHH's notation, with a minus sign on those that would otherwise change who acts first."""
    stacks = rules.stacks or (UNLIMITED,) * rules.players
    last = (rules.rounds[0].first - 1) % rules.players
    posted = _posted(rules.blinds, rules.antes, stacks)
    mark = (posted[last], last)
    signed = tuple(
        -blind if (chips, seat) > mark else blind
        for seat, (blind, chips) in enumerate(zip(rules.blinds, posted, strict=True))
    )
    later = any(round_.first for round_ in rules.rounds[1:])
    if later or _opener(signed, rules.antes, stacks) != rules.rounds[0].first:
        raise BadSetting("PHH cannot express who acts first here: only after the last blind, then left of the button")
    return signed


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return '"' + "".join(map(_escaped, value)) + '"' if isinstance(value, str) else str(value)


def _escaped(letter: str) -> str:
    if ord(letter) < 32 or ord(letter) == 127:
        return f"\\u{ord(letter):04x}"
    return f"\\{letter}" if letter in '"\\' else letter


def _actions(game: PokerGame, state: State) -> list[str]:
    def cards(dealt: Sequence[int]) -> str:
        return "".join(game.text([card]) if card >= 0 else "??" for card in dealt)

    hands = [cards(game.hand(state, seat)) for seat in range(game.players)]
    written = [f"d dh p{seat + 1} {hand}" for seat, hand in enumerate(hands)]
    betting = game.root().betting
    street = (0,) * game.players  # each seat's chips in the pot at the start of the street
    for action in actions_of(state.betting.history):
        seat = betting.actor
        after = game.betting.act(betting, action)
        if action.kind == "r":
            written.append(f"p{seat + 1} cbr {after.live[seat] - street[seat]}")
        else:
            written.append(f"p{seat + 1} {'f' if action.kind == 'f' else 'cc'}")
        if after.actor < 0 and not after.folded_out:
            idle = betting.waiting & ~(1 << seat)  # PokerKit expects checks from seats that have matched all others
            written += [f"p{other + 1} cc" for other in range(game.players) if action == FOLD and idle >> other & 1]
            # if all are all-in, hands are shown before the rest of the board
            written += [f"p{other + 1} sm {hands[other]}" for other in range(game.players) if after.alive >> other & 1]
        boards = game.dealing.boards[betting.round + 1 : after.round + 1]
        written += [f"d db {cards(state.cards[start:end])}" for start, end in boards]
        if after.round > betting.round:
            street = after.live
        betting = after
    return written


def read_phh(text: str) -> tuple[PokerGame, State]:
    """The game and the state of a PHH hand; unknown cards are -1. Raises BadState if it is invalid."""
    return read_table(phh_tables(text)[0])


def read_table(table: dict[str, Any]) -> tuple[PokerGame, State]:
    """The same from the fields of a hand, as `phh_tables` returns them."""
    actions = table["actions"]
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise BadState("the actions of a PHH hand must be a list of texts")
    scale = chips_a_unit(table)
    game = PokerGame(_rules(table, scale), "phh" if scale == 1 else f"phh(chip={1 / scale:g})")
    reader = _Reader(game, scale)
    for action in actions:
        try:
            reader.read(action.split("#")[0].split())
        except PokerlabError as problem:
            raise type(problem)(f"in the action {action[:60]!r}: {problem}") from problem
    return game, reader.state()


def phh_tables(text: str, *, many: bool = False) -> list[dict[str, Any]]:
    """The fields of the one hand of a .phh file, or of each hand of a .phhs file."""
    try:
        table = toml_table(text, parse_float=_decimal)
    except BadSetting as problem:
        raise BadState(f"not PHH: {problem}") from problem
    hands = list(table.values()) if many else [table]
    for hand in hands:
        if not isinstance(hand, dict):
            raise BadState("not a PHH file of many hands: each hand must be a numbered table, as in [1]")
        for field in ("variant", "antes", "blinds_or_straddles", "starting_stacks", "actions"):
            if field not in hand:
                raise BadState(f"the PHH hand has no field {field!r}")
    return hands


def _decimal(text: str) -> Decimal:
    """An exact number; raises ValueError if it is so large or so fine that it would exhaust memory."""
    value = Decimal(text)
    if value.is_finite() and not -DIGITS <= int(value.as_tuple().exponent) <= value.adjusted() <= DIGITS:
        raise ValueError(f"{text[:40]!r} is too large or too fine an amount")
    return value


def chips_a_unit(table: dict[str, Any]) -> int:
    """How many whole chips of `read_table` one PHH unit is: 1, or 4 if amounts are in quarters."""
    scale = 1
    for amount in _all_amounts(table):
        scale = lcm(scale, Fraction(amount).denominator)
        if scale > FINEST:
            raise BadState(f"the amount {str(amount)[:40]} is too fine: at most {FINEST:,} whole chips make a unit")
    return scale


def _all_amounts(table: dict[str, Any]) -> Iterator[Decimal]:
    for field in _AMOUNTS:
        values = table.get(field)
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, Decimal) and value.is_finite():
                yield value
    for action in table["actions"]:
        words = action.split() if isinstance(action, str) else []
        if words[1:2] == ["cbr"] and len(words) > 2 and _BET.fullmatch(words[2]):
            yield Decimal(words[2])


def _rules(table: dict[str, Any], scale: int) -> Rules:
    code = table["variant"]
    if code not in ("FT", "NT", "NS"):
        raise BadState(f"hands of the variant {str(code)[:20]!r} cannot be read; known: FT, NT, NS")
    stacks = _amounts(table, "starting_stacks", scale)
    players = len(stacks)
    order = slice(None, None, -1) if players == 2 else slice(None)
    signed = _amounts(table, "blinds_or_straddles", scale, players, signed=True)[order]
    antes, blinds = _amounts(table, "antes", scale, players)[order], tuple(map(abs, signed))
    fields = ("small_bet", "small_bet", "big_bet", "big_bet") if code == "FT" else ("min_bet",) * 4
    bets = tuple(_amount(field, table.get(field), scale) for field in fields)
    first = _opener(signed, antes, stacks)
    return Rules(
        players=players,
        deck=SHORT_DECK if code == "NS" else FULL_DECK,
        rounds=holdem_rounds(bets, first=first, raises=(4,) * 4 if code == "FT" else (None,) * 4),
        limit="fixed" if code == "FT" else "no",
        antes=antes,
        blinds=blinds,
        stacks=None if min(stacks) >= UNLIMITED else stacks,
        showdown="short_deck" if code == "NS" else "high",
        least_raise="bet" if bets[0] < max(blinds) and code != "FT" else "last",
        reopens_at=0.0 if code == "FT" else 1.0,  # PokerKit, by which such files are made, counts every all-in as a bet
    )


def _posted(blinds: Sequence[int], antes: Sequence[int], stacks: Sequence[int]) -> list[int]:
    """Each seat's chips after blinds are posted: seats that cannot pay in full post what they have."""
    return [min(abs(blind), stack - min(ante, stack)) for blind, ante, stack in zip(blinds, antes, stacks, strict=True)]


def _opener(signed: Sequence[int], antes: Sequence[int], stacks: Sequence[int]) -> int:
    """The seat after the largest blind or straddle (the last of equal ones); those with a minus sign are ignored."""
    posted = _posted(signed, antes, stacks)
    counted = [-chips if blind < 0 else chips for blind, chips in zip(signed, posted, strict=True)]
    largest = max(range(len(signed)), key=lambda seat: (counted[seat], seat))
    return (largest + 1) % len(signed)


def _amounts(
    table: dict[str, Any], field: str, scale: int, count: int | None = None, *, signed: bool = False
) -> tuple[int, ...]:
    values = table[field]
    if not isinstance(values, list) or not 2 <= len(values) <= 10 or (count and len(values) != count):
        raise BadState(f"{field} must be a list of {count or '2 to 10'} amounts; got {str(values)[:60]}")
    return tuple(_amount(field, value, scale, signed=signed) for value in values)


def _amount(field: str, value: Any, scale: int, *, signed: bool = False) -> int:
    """An amount in whole chips."""
    if value == inf:
        return UNLIMITED
    counted = isinstance(value, (int, Decimal)) and not isinstance(value, bool)
    if not counted or not Decimal(value).is_finite() or (value < 0 and not signed):
        raise BadState(f"{field} must be chips; got {str(value)[:40]!r}")
    return int(value * scale)


class _Reader:
    """Plays the actions of a PHH hand one by one."""

    def __init__(self, game: PokerGame, scale: int) -> None:
        self._game = game
        self._scale = scale
        self._betting: Betting = game.root().betting
        self._street = (0,) * game.players
        self._hands: list[list[int]] = [[] for _ in range(game.players)]
        self._board: list[int] = []

    def read(self, words: list[str]) -> None:
        """Play one action."""
        if not words:
            return
        if words[:2] == ["d", "db"] and len(words) == 3:
            self._board += self._cards(words[2])
        elif words[:2] == ["d", "dh"] and len(words) == 4:
            self._hands[self._seat(words[2])] += self._cards(words[3])
        elif len(words) in (2, 3) and words[1] == "sm":
            if len(words) == 3 and words[2] != "-":
                self._show(self._seat(words[0]), self._cards(words[2]))
        else:
            self._act(words)

    def _show(self, seat: int, cards: list[int]) -> None:
        if -1 in self._hands[seat]:
            self._hands[seat] = cards
        elif -1 not in cards and sorted(self._hands[seat]) != sorted(cards):
            raise BadState(f"p{seat + 1} shows cards that differ from those dealt")

    def _act(self, words: list[str]) -> None:
        seat = self._seat(words[0])
        if self._betting.actor < 0 and not self._betting.folded_out and words[1:] == ["cc"]:
            return  # a check by a seat that has matched all others, which our rules do not have
        if seat != self._betting.actor:
            raise BadState(f"it is not the turn of p{seat + 1}")
        match words[1:]:
            case ["f"]:
                action = FOLD
            case ["cc"]:
                action = CALL
            case ["cbr", amount] if _BET.fullmatch(amount):
                before = self._street[seat] + self._game.betting.antes[seat]
                action = Action("r", int(Decimal(amount) * self._scale) + before)
            case _:
                raise BadState("not an action of hold'em")
        round_, self._betting = self._betting.round, self._game.betting.act(self._betting, action)
        if self._betting.round > round_:
            self._street = self._betting.live

    def _seat(self, word: str) -> int:
        number = word[1:]
        known = word.startswith("p") and number.isascii() and number.isdigit()
        if not known or not 1 <= int(number[:4]) <= self._game.players:
            raise BadState(f"there is no player {word[:20]!r}: they are p1 to p{self._game.players}")
        return int(number) - 1

    def _cards(self, text: str) -> list[int]:
        pairs = [text[i : i + 2] for i in range(0, len(text), 2)]
        return [-1 if pair == "??" else self._game.deck.card(pair) for pair in pairs]

    def state(self) -> State:
        """The state reached so far."""
        game, betting = self._game, self._betting
        for hand in self._hands:
            hand[:] = hand or [-1, -1]
        cards = [card for hand in self._hands for card in hand] + self._board
        wanted = game.dealing.needed[betting.round]
        if any(len(hand) != 2 for hand in self._hands) or len(cards) < wanted:
            raise BadState(f"cards are missing: the betting has reached round {betting.round + 1}")
        game.deck.check([card for card in cards if card >= 0])
        return State(betting, tuple(cards[:wanted]))
