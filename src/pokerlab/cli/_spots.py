"""What the commands about spots share: options, targets, and settings from a file and from options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._completion import STORAGE, algorithm_names, choices

Storage = Annotated[
    str, typer.Option("--storage", help="float32, or int16 at half the memory.", autocompletion=choices(*STORAGE))
]
Schedule = Annotated[
    str | None, typer.Option("--with", help='A schedule: "dcfr(gamma=4)", "cfr+" ...', autocompletion=algorithm_names)
]
DEFAULTS: dict[str, Any] = {"pot": 100, "stack": 300}
DEFAULT_SEAT = {"range": "random", "bet": "50%,100%", "raise": "100%,allin"}


def read_percent(text: str | None) -> str | None:
    """A target in percent of the pot, with its sign: "0.3%", which people also write as "0.3"."""
    from pokerlab.errors import BadSetting

    if text is None:
        return None
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        value = 0.0
    if not 0 < value < 1000:
        raise BadSetting(f"a target is a part of the pot in percent, as 0.3%, not {text[:40]!r}")
    return f"{value!r}%"


def spot_settings(file: Path | None, given: Mapping[str, Any], seats: Mapping[str, Mapping[str, Any]]) -> Any:
    """The settings of a spot: a file's, or the defaults, with the options that were given in their place."""
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
    """Sizes for every street, or by street: "flop 33%; turn 75%,allin"."""
    from pokerlab.games.spot.spot import STREETS

    parts = [part.split(None, 1) for part in text.split(";") if part.strip()]
    if not any(part[0].lower() in STREETS for part in parts):
        return text
    return {part[0].lower(): part[1] if len(part) > 1 else "" for part in parts}


def bet_size(text: str | None) -> Any:
    """The size of a fixed-limit bet, or one for each street: "10" or "10,20,20"."""
    from pokerlab.errors import BadSetting

    if text is None:
        return None
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise BadSetting(
            f"--limit is the size of a bet, or one for each street as 10,20,20, not {text[:40]!r}"
        ) from None
