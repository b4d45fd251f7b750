"""What the commands about spots share: targets, the progress bar in percent of the pot, settings from options."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


def read_percent(text: str | None) -> float | None:
    """A target in percent of the pot: "0.3%" or "0.3"."""
    from pokerlab.errors import BadSetting

    if text is None:
        return None
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        value = 0.0
    if not 0 < value < 1000:
        raise BadSetting(f"a target is a part of the pot in percent, as 0.3%, not {text[:40]!r}")
    return value
