"""A hand as a text states it, before any rule has been applied."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal

from pokerlab.errors import BadFile

FOLD, CHECK, CALL, BET, RAISE, ALL_IN = "fold", "check", "call", "bet", "raise", "all-in"
LONGEST_AMOUNT = 18  # characters

_AMOUNT = re.compile(r"\D{0,4}?(\d[\d.,\s]*)")


class NotImported(BadFile):
    """A hand that cannot be imported: what it has that cannot be expressed, or what is wrong with it, and the line."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True)
class RawAction:
    """What a player did. Of amounts, those that the text states are given."""

    player: int
    kind: str
    line: int
    added: Decimal | None = None  # chips put in by this action
    to: Decimal | None = None  # chips of this betting round after it


@dataclass
class RawPlayer:
    """A player who was dealt in."""

    name: str
    stack: Decimal
    ante: Decimal = Decimal(0)  # dead chips, including a dead small blind
    blind: Decimal = Decimal(0)  # live chips that were posted, in full even where the stack was short
    cards: str = ""
    collected: Decimal = Decimal(0)
    returned: Decimal = Decimal(0)  # of an uncalled bet
    spent: Decimal | None = None  # put in over the hand, where the text states it


@dataclass
class RawHand:
    """A hand; players in the order of the deal, so the button is last."""

    source: str  # "pokerstars"
    number: int
    limit: str  # as in Rules: "no", "pot" or "fixed"
    players: list[RawPlayer]
    big_blind: Decimal
    first: int  # the player who acts first before the flop
    line: int  # where it begins
    small_bet: Decimal = Decimal(0)  # fixed limit
    scale: int = 1  # whole chips in a unit of money
    actions: list[RawAction] = field(default_factory=list)
    boards: list[str] = field(default_factory=list)  # the cards of each round after the first
    states_returned: bool = True  # whether uncalled bets are stated; else they may be part of what was collected


def amount_of(text: str) -> Decimal:
    """An amount of money or chips, with a sign of its currency and with thousands separated in any usual way.

    >>> amount_of("$1,234.50"), amount_of("1 200"), amount_of("0,02 €"), amount_of("€2.400")
    (Decimal('1234.50'), Decimal('1200'), Decimal('0.02'), Decimal('2.400'))
    """
    match = _AMOUNT.match(text.strip())
    if match is None or len(match[1]) > LONGEST_AMOUNT:
        raise NotImported(f"{text[:40]!r} is not an amount")
    digits = re.sub(r"\s", "", match[1]).rstrip(".,")
    point, comma = digits.rfind("."), digits.rfind(",")
    if comma >= 0 and point < 0:
        thousands = all(len(part) == 3 for part in digits.split(",")[1:])
        digits = digits.replace(",", "") if thousands else digits.replace(",", ".")
    else:
        digits = digits.replace(",", "") if point > comma else digits.replace(".", "").replace(",", ".")
    if digits.count(".") > 1:
        digits = digits.replace(".", "")
    if not re.fullmatch(r"\d+(\.\d+)?", digits, re.ASCII):
        raise NotImported(f"{text[:40]!r} is not an amount")
    return Decimal(digits)


def cards_of(text: str) -> str:
    """Cards as a row: "8c, As" is "8cAs", and 10 is T."""
    return "".join(text.replace("10", "T").replace(",", " ").split())
