"""Settings of spots, from a file and from options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

DEFAULTS: dict[str, Any] = {"pot": 100, "stack": 300}
DEFAULT_SEAT = {"range": "random", "bet": "50%,100%", "raise": "100%,allin"}


def read_percent(text: str | None) -> str | None:
    """A target as a percentage of the pot, "0.3%"; the sign may be missing in `text`."""
    from pokerlab.errors import BadSetting

    if text is None:
        return None
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        value = 0.0
    if not 0 < value < 1000:
        raise BadSetting(f"--target is a percentage of the pot, such as 0.3%, not {text[:40]!r}")
    return f"{value!r}%"


def spot_settings(file: Path | None, given: Mapping[str, Any], seats: Mapping[str, Mapping[str, Any]]) -> Any:
    """The settings of a file, or the defaults, overridden by the given options."""
    from pokerlab.formats.spot_file import read_file

    settings = read_file(file) if file is not None else dict(DEFAULTS)
    settings |= {name: value for name, value in given.items() if value is not None}
    for seat, options in seats.items():
        held = settings.get(seat, {} if file is not None else DEFAULT_SEAT)
        chosen = {name: _menu(value) for name, value in options.items() if value is not None}
        if chosen or seat not in settings:
            settings[seat] = (dict(held) if isinstance(held, Mapping) else {}) | chosen
    return settings


def _menu(text: str) -> Any:
    """Sizes for all streets, or by street: "flop 33%; turn 75%,allin"."""
    from pokerlab.games.spot.spot import STREETS

    parts = [part.split(None, 1) for part in text.split(";") if part.strip()]
    if not any(part[0].lower() in STREETS for part in parts):
        return text
    return {part[0].lower(): part[1] if len(part) > 1 else "" for part in parts}


def bet_size(text: str | None) -> Any:
    """Fixed-limit bet sizes: "10", or one per street, "10,20,20"."""
    from pokerlab.errors import BadSetting

    if text is None:
        return None
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise BadSetting(f"--limit is a bet size, or one per street such as 10,20,20, not {text[:40]!r}") from None
