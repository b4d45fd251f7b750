"""The two functions that draw results in notebooks, for which each kind of result registers its own."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from pokerlab.display.elements import html as pieces
from pokerlab.display.elements.picture import Picture


@singledispatch
def html(result: Any) -> str:
    """A result as HTML that needs no other file."""
    return pieces.note(repr(result))


@singledispatch
def plot(result: Any, **options: Any) -> Picture:
    """A result as a picture."""
    raise TypeError(f"there is no picture of a {type(result).__name__}")
