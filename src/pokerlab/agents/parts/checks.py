"""Checks of settings that agents share."""

from __future__ import annotations

import math
from typing import Any

from pokerlab.errors import BadSetting


def checked_choice(name: str, value: Any, known: tuple[str, ...]) -> str:
    """A setting that is one of a few words."""
    if value not in known:
        raise BadSetting(f"{name} must be one of {', '.join(known)}; got {str(value)[:40]!r}")
    return str(value)


def checked_number(name: str, value: Any, least: float, most: float) -> float:
    """A setting that is a number in a span."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or not least <= value <= most:
        raise BadSetting(f"{name} must be a number from {least:g} to {most:g}; got {str(value)[:40]!r}")
    return float(value)
