"""The console for all output: Rich's, protected against control characters in texts.

Names come from anywhere: imported hands, logs, the network, manifests of files. Non-printable characters are escaped
here, so that code that prints a name need not care. Rich's own colours and cursor movements are added later and pass.
Malformed markup is printed literally.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.errors import MarkupError
from rich.segment import Segment
from rich.text import Text

from pokerlab.errors import printable


class Screen(Console):
    """A console that prints texts and never interprets control characters in them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(highlight=False, emoji=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        """A text with its markup; malformed markup is printed literally."""
        shown = printable(text)
        try:
            return super().render_str(shown, **settings)
        except MarkupError:
            return super().render_str(shown, **{**settings, "markup": False})

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of a renderable, with non-printable characters escaped."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(printable(segment.text), segment.style, segment.control)
