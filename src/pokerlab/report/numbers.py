"""Numbers as people read them, whatever the unit of a game."""

from __future__ import annotations


def value_text(value: float, digits: int = 6) -> str:
    """A value with its sign and so many decimals, or so many digits where decimals would not show it.

    >>> value_text(-1 / 18), value_text(0.0), value_text(-1e-9 / 18), value_text(2e12)
    ('-0.055556', '+0.000000', '-5.55556e-11', '+2e+12')
    """
    plain = value == 0 or 1e-3 <= abs(value) < 1e9
    return f"{value:+.{digits}f}" if plain else f"{value:+.{digits}g}"
