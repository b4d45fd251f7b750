"""Numbers as people read them, whatever the unit of a game."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

SHADES = " ░▒▓█"  # a probability as one character, from never to always


def value_text(value: float, digits: int = 6) -> str:
    """A value with its sign and so many decimals, or so many digits where decimals would not show it; – for none.

    >>> value_text(-1 / 18), value_text(0.0), value_text(-1e-9 / 18), value_text(2e12)
    ('-0.055556', '+0.000000', '-5.55556e-11', '+2e+12')
    """
    if math.isnan(value):
        return "–"
    plain = value == 0 or 1e-3 <= abs(value) < 1e9
    return f"{value:+.{digits}f}" if plain else f"{value:+.{digits}g}"


def gap_text(gap: float) -> str:
    """What best responses gain, in three digits: never below zero, where only rounding leads.

    >>> gap_text(0.01234), gap_text(-1e-17), gap_text(float("nan"))
    ('0.0123', '0', 'not measured')
    """
    return "not measured" if math.isnan(gap) else f"{max(gap, 0.0):.3g}"


def reach_text(reach: float | None) -> str:
    """How likely a player comes somewhere, in three decimals; nothing where nobody knows."""
    return "" if reach is None else f"{reach:.3f}"


def game_title(name: str) -> str:
    """A game's name as a title: of a game that was read from a file, the file's name.

    >>> game_title("file(path='spots/river.toml')"), game_title("kuhn(players=3)")
    ('river.toml', 'kuhn(players=3)')
    """
    found = re.fullmatch(r"file\(path=(['\"])(.*)\1\)", name)
    return Path(found[2]).name if found else name


def number_text(value: Any, digits: int) -> str:
    """A number as people read it: fractions with their decimals, large ones with commas, nothing for None."""
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
    if number and not 1e-3 <= abs(number) < 1e7:
        return f"{number:.3g}"
    return f"{number:.{digits}f}"


def cell_text(value: Any) -> str:
    """One value of an answer to a query.

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
    """Seconds as people say them.

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
    """A number of things.

    >>> counted(1, "hand"), counted(2500, "hand"), counted(0, "match", "matches")
    ('1 hand', '2,500 hands', '0 matches')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def bar(share: float, width: int) -> str:
    """A bar for a share of 0 to 1 of so many characters, in eighths of a character."""
    eighths = round(8 * width * share)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
