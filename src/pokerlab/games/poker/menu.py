"""Bet menus: the sizes a player may choose from, as text such as "33%,75%,allin".

A size is one of

    75%      of the pot; for a raise, of the pot after the call, on top of the call
    2.5x     raises only: that multiple of the bet faced, in total
    40       that many chips, also written 40 chips; for a raise, in total on this street
    3bb      that many big blinds, in a spot that states its big blind; for a raise, in total on this street
    e, 2e    the pot fraction which, bet on every remaining street (or on 2), is all-in on the last one
    min      the legal minimum
    allin    everything

Rounds of rules, TOML files and game settings give the allowed bets in one of three forms: a text for both bets and
raises (multiples apply to raises only), a table of the two, {"bet": "50%", "raise": "3x,allin"}, or a list of either,
one per seat.

A menu becomes totals where it is used: sizes beyond the stack become all-in, sizes below the legal minimum are raised
to it, sizes close to all-in may become all-in, and nearly equal ones may be merged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pokerlab.errors import BadSetting, shortened

_SIZE = re.compile(r"(?P<number>\d*\.?\d+)?\s*(?P<unit>%|x|e|c|chips?|bb)?", re.IGNORECASE)
_ALL_IN = {"allin", "all-in", "a", "shove", "jam"}
MOST_SIZES = 12
LARGEST_SIZE = 1e12  # in any unit
LARGEST_PART = 3.0  # largest number without a unit that people mean as a pot fraction or a multiple of the bet


@dataclass(frozen=True)
class BetSize:
    """One size: a number of "pot", "multiple", "chips" or "geometric" (streets, 0: all left), "least" or "allin"."""

    unit: str
    number: float = 0.0


@dataclass(frozen=True)
class Menu:
    """The bets of one seat in one round: sizes of bets, and of raises."""

    bet: tuple[BetSize, ...] = ()
    raises: tuple[BetSize, ...] = ()


@dataclass(frozen=True)
class Situation:
    """What a size is relative to, in chips; totals are of one player on this street."""

    pot: float  # all chips in the pot, including bets of this street
    mine: float  # chips of the player to act on this street
    faced: float  # the opponent's chips on this street
    most: float  # total when all-in
    least: float  # minimum legal total of a bet or raise, except all-in
    streets: int = 1  # left, including this one


def read_menu(text: str, *, raises: bool = False, big_blind: float | None = None) -> tuple[BetSize, ...]:
    """The sizes that a text names; none for an empty text or "none".

    With `big_blind`, in chips, sizes in chips become sizes in big blinds.

    >>> read_menu("33%, 2.5x, allin", raises=True)
    (BetSize(unit='pot', number=0.33), BetSize(unit='multiple', number=2.5), BetSize(unit='allin', number=0.0))
    """
    words = _words(text)
    if words in ([], ["none"]):
        return ()
    if len(words) > MOST_SIZES:
        raise BadSetting(f"a bet menu holds at most {MOST_SIZES} sizes, and {shortened(text)!r} has {len(words)}")
    return tuple(_read_size(word, text, raises=raises, big_blind=big_blind) for word in words)


def _words(text: str) -> list[str]:
    if not isinstance(text, str):
        raise BadSetting(f'a bet menu is a text such as "33%,75%,allin", not {str(text)[:40]!r}')
    words = re.split(r"[,;]|\s+(?=[\d.a-z])", re.sub(r"(?<=\d)\s+(?=(?:chips?|bb)\b)", "", text.strip().lower()))
    return [word.strip() for word in words if word.strip()]


def doubtful_sizes(text: str, pot: float) -> list[float]:
    """Numbers without a unit, read as chips, that are so small relative to the pot that pot fractions may be meant.

    >>> doubtful_sizes("0.75, 40, 50%, 2 chips", pot=100)
    [0.75]
    """
    bare = [float(word) for word in _words(text) if re.fullmatch(r"\d*\.?\d+", word, re.ASCII)]
    return [
        number for number in bare if number < (pot / 2 if number < 1 else pot / 10 if number <= LARGEST_PART else 0)
    ]


def _read_size(word: str, text: str, *, raises: bool, big_blind: float | None) -> BetSize:
    if word in _ALL_IN:
        return BetSize("allin")
    if word == "min":
        return BetSize("least")
    match = _SIZE.fullmatch(word)
    number = match and match.group("number")
    unit = (match and match.group("unit")) or ""
    if not match or not (number or unit == "e"):
        raise BadSetting(
            f"{shortened(word)!r} in the bet menu {shortened(text)!r} is not a size; "
            "sizes are 75% (of the pot), 2.5x (of the bet faced), 40 (chips), 3bb, "
            "e (all-in by the last street), min, allin"
        )
    value = float(number or 0)
    if unit == "e":
        if not value <= 4 or value != int(value):
            raise BadSetting(f"{word!r} in a bet menu: a geometric size is over 1 to 4 streets, as in 2e")
        return BetSize("geometric", value)
    if value > LARGEST_SIZE:
        raise BadSetting(f"the size {shortened(word)!r} in a bet menu is too large; write allin")
    if value <= 0:
        raise BadSetting(f"the size {word!r} in the bet menu {shortened(text)!r} must be above zero")
    if unit == "x" and not raises:
        raise BadSetting(f"{word!r} multiplies a bet that is faced, so it belongs in a menu of raises, not of bets")
    if unit == "x" and value <= 1:
        raise BadSetting(f"{word!r} of the bet faced is not a raise; write more than 1x")
    if unit in ("%", "x"):
        return BetSize("pot", value / 100) if unit == "%" else BetSize("multiple", value)
    if unit == "bb" and big_blind is None:
        raise BadSetting(f"{shortened(word)!r} in a bet menu needs a spot that states its big blind: big_blind = 2")
    return BetSize("chips", value if unit == "bb" else value / (big_blind or 1.0))


def menus_from(value: Any, name: str = "menu") -> tuple[Menu, ...]:
    """The menus of a round, one for all seats or one per seat, from rules or files; see the module docstring.

    >>> menus_from("50%,3x")[0].raises
    (BetSize(unit='pot', number=0.5), BetSize(unit='multiple', number=3.0))
    >>> menus_from("50%,3x")[0].bet, len(menus_from([{"bet": "50%"}, "allin"]))
    ((BetSize(unit='pot', number=0.5),), 2)
    """
    if isinstance(value, Menu):
        return (value,)
    if isinstance(value, str):
        sizes = read_menu(value, raises=True)
        bets = tuple(size for size in sizes if size.unit != "multiple")
        if sizes and not bets:
            raise BadSetting(
                f"the {name} {shortened(value, 40)!r} has only raise sizes, so that nobody could bet; add a bet size, "
                f'as in "75%,{value.strip()[:20]}", or write {{ bet = "none", raise = ... }} if that is meant'
            )
        return (Menu(bets, sizes),)
    if isinstance(value, Mapping):
        for word in value:
            if word not in ("bet", "raise"):
                raise BadSetting(f'a {name} has "bet" and "raise", not {shortened(str(word), 40)!r}')
        return (Menu(read_menu(value.get("bet", "")), read_menu(value.get("raise", ""), raises=True)),)
    if isinstance(value, list | tuple) and value and not any(isinstance(menu, list | tuple) for menu in value):
        return tuple(menus_from(menu, name)[0] for menu in value)
    raise BadSetting(
        f'{name} is a text such as "50%,allin", a table such as {{ bet = "50%", raise = "3x" }}, or a list of such, '
        f"one per seat; got {shortened(str(value), 40)!r}"
    )


def menus_value(menus: Sequence[Menu]) -> Any:
    """Menus as plain values that `menus_from` can read."""
    tables = [{"bet": menu_text(menu.bet), "raise": menu_text(menu.raises)} for menu in menus]
    return tables[0] if len(tables) == 1 else tables


def menu_text(sizes: Sequence[BetSize]) -> str:
    """A menu as text that `read_menu` can read.

    >>> menu_text(read_menu("66.5%,e,allin"))
    '66.5%,e,allin'
    """
    return ",".join(_size_text(size) for size in sizes) or "none"


def _size_text(size: BetSize) -> str:
    if size.unit == "pot":
        return f"{100 * size.number:.10g}%"
    if size.unit == "geometric":
        return f"{size.number:g}e" if size.number else "e"
    return {"allin": "allin", "least": "min", "multiple": f"{size.number:.10g}x"}.get(size.unit, f"{size.number:.10g}")


def menu_words(sizes: Sequence[BetSize], *, raises: bool = False, money: str = "chips") -> str:
    """A menu in words.

    >>> menu_words(read_menu("50%,75,e,allin"))
    '50 % of the pot, 75 chips, e: all-in by the last street, all-in'
    >>> menu_words(read_menu("100%,2.5x,40", raises=True), raises=True)
    'by 100 % of the pot after the call, to 2.5 times the bet, to 40 chips'
    """
    return ", ".join(_size_words(size, raises=raises, money=money) for size in sizes) or "none"


def _size_words(size: BetSize, *, raises: bool, money: str) -> str:
    number = f"{100 * size.number:.10g} %" if size.unit == "pot" else f"{size.number:.10g}"
    if size.unit == "pot":
        return f"by {number} of the pot after the call" if raises else f"{number} of the pot"
    if size.unit == "chips":
        chips = "chip" if size.number == 1 and money == "chips" else money
        return f"to {number} {chips}" if raises else f"{number} {chips}"
    if size.unit == "multiple":
        return f"to {number} times the bet"
    if size.unit == "geometric":
        streets = "by the last street" if not size.number else f"in {number} street{'s' * (size.number != 1)}"
        return f"{_size_text(size)}: all-in {streets}"
    return "all-in" if size.unit == "allin" else "the least that is legal"


def total(size: BetSize, situation: Situation) -> float:
    """The player's total on this street after a bet or raise of this size, before any rounding."""
    faced = situation.faced
    pot = situation.pot + faced - situation.mine  # after a call
    if size.unit == "allin":
        return situation.most
    if size.unit == "least":
        return situation.least
    if size.unit == "multiple":
        return size.number * faced
    if size.unit == "chips":
        return size.number
    if size.unit == "pot":
        return faced + size.number * pot
    streets = int(size.number) or situation.streets
    behind = situation.most - faced
    growth: float = (1 + 2 * behind / pot) ** (1 / streets)
    return faced + pot * (growth - 1) / 2


def totals(
    sizes: Sequence[BetSize], situation: Situation, *, chip: float, all_in_from: float = 1.0, merge: float = 0.0
) -> list[float]:
    """The totals of a menu, smallest first.

    Totals are multiples of `chip`. A bet of at least the fraction `all_in_from` of the remaining stack becomes all-in;
    sizes that differ by less than the fraction `merge` of the smaller are merged, keeping the larger.
    """
    rounded = set()
    decimals = 9 - math.floor(math.log10(min(chip, 1.0)))  # beyond rounding error
    for size in sizes:
        amount = max(math.floor(total(size, situation) / chip + 0.5) * chip, situation.least)
        if amount >= situation.most or amount - situation.mine >= all_in_from * (situation.most - situation.mine):
            amount = situation.most
        rounded.add(round(amount, decimals))
    merged: list[float] = []
    for amount in sorted(rounded, reverse=True):
        if not merged or merged[-1] - amount >= merge * (amount - situation.mine):
            merged.append(amount)
    return merged[::-1]
