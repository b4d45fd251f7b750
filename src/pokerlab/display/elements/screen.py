"""The console of all that people read: Rich's, through which no text can steer the terminal.

Names come from anywhere: imported hands, logs, the wire, manifests of files. Here, where everything is printed, what is
no visible character becomes its escape, so no site that prints a name needs to think of it. Rich's own colours and
cursor movements are made after this and pass. A text that is meant as markup and is not well formed shows as it is.
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
    """A console that shows every text and obeys none."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(highlight=False, emoji=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        """A text with its markup; one whose markup cannot be read has none."""
        shown = printable(text)
        try:
            return super().render_str(shown, **settings)
        except MarkupError:
            return super().render_str(shown, **{**settings, "markup": False})

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """What is drawn; texts that were made elsewhere are made printable here."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(printable(segment.text), segment.style, segment.control)
