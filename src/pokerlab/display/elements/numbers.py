"""Numbers and cards as text."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

from pokerlab.cards.card import SUIT_SYMBOLS

SUIT_COLOURS = {"c": "green", "d": "blue", "h": "red", "s": "default"}
SHADES = " ░▒▓█"  # a probability as one character


def value_text(value: float, digits: int = 6) -> str:
    """A value with its sign and `digits` decimals, or significant digits if it is very small or large; – for NaN.

    >>> value_text(-1 / 18), value_text(0.0), value_text(-1e-9 / 18), value_text(2e12)
    ('-0.055556', '+0.000000', '-5.55556e-11', '+2e+12')
    """
    if math.isnan(value):
        return "–"
    plain = value == 0 or 1e-3 <= abs(value) < 1e9
    return f"{value:+.{digits}f}" if plain else f"{value:+.{digits}g}"


def gap_text(gap: float) -> str:
    """An exploitability in three digits, never below zero, which is only a rounding error.

    >>> gap_text(0.01234), gap_text(-1e-17), gap_text(float("nan"))
    ('0.0123', '0', 'not measured')
    """
    return "not measured" if math.isnan(gap) else f"{max(gap, 0.0):.3g}"


def reach_text(reach: float | None) -> str:
    """A reach probability in three decimals; empty if unknown."""
    return "" if reach is None else f"{reach:.3f}"


def game_title(name: str) -> str:
    """The name of a game as a title: for a game from a file, the file name.

    >>> game_title("file(path='spots/river.toml')"), game_title("kuhn(players=3)")
    ('river.toml', 'kuhn(players=3)')
    """
    match = re.fullmatch(r"file\(path=(['\"])(.*)\1\)", name)
    return Path(match[2]).name if match else name


def number_text(value: Any, digits: int) -> str:
    """A number as text: fractions with their decimals, integers with commas; empty for None, - if undefined."""
    if value is None:
        return ""
    if isinstance(value, Fraction):
        return f"{value} = {float(value):.{digits}f}" if value.denominator != 1 else str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    number = float(value)
    if math.isnan(number):
        return "-"
    if number and not 1e-3 <= abs(number) < 1e7:
        return f"{number:.3g}"
    return f"{number:.{digits}f}"


def cell_text(value: Any) -> str:
    """One value in the result of a query.

    >>> cell_text(2.5), cell_text(None), cell_text([1, 0.25])
    ('2.5', '', '1, 0.25')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(cell_text, value))
    return str(value)


def duration(seconds: float) -> str:
    """A number of seconds in a readable unit.

    >>> duration(0.4), duration(90), duration(7300), duration(1e9)
    ('1 s', '90 s', '122 min', 'years')
    """
    if seconds > 3e7:
        return "years"
    for unit, size in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds > 2.5 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(1.0, seconds):.0f} s"


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "hand"), counted(2500, "hand"), counted(0, "match", "matches")
    ('1 hand', '2,500 hands', '0 matches')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def short_text(number: float, digits: int) -> str:
    """A number with at most `digits` decimals.

    >>> short_text(1326.0, 4), short_text(2.5, 2)
    ('1,326', '2.5')
    """
    return f"{number:,.{digits}f}".rstrip("0").rstrip(".")


def bin_text(i: int, bins: int) -> str:
    """The limits of a bin of a histogram from 0 to 1, in percent."""
    return f"{100 * i / bins:3.0f}–{100 * (i + 1) / bins:.0f} %"


def bar(share: float, width: int) -> str:
    """A bar of at most `width` characters for a share from 0 to 1, in eighths of a character."""
    eighths = round(8 * width * share)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def card_text(cards: str) -> str:
    """Cards of the full deck such as "AhKd" as markup, with coloured suit symbols."""
    pairs = zip(cards[::2], cards[1::2], strict=True)
    return " ".join(f"[bold {SUIT_COLOURS[suit]}]{rank}{SUIT_SYMBOLS[suit]}[/]" for rank, suit in pairs)
