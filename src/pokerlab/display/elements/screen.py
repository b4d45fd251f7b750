"""The console for all output: Rich's, protected against control characters in texts.

Names come from anywhere: imported hands, logs, the network, manifests of files. Non-printable characters are escaped
here, so that code that prints a name need not care. Rich's own colours and cursor movements are added later and pass.
Malformed markup is printed literally.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderHook
from rich.errors import MarkupError
from rich.segment import Segment
from rich.text import Text

from pokerlab.errors import printable


def is_drawn_on() -> bool:
    """Whether a progress bar or a spinner is drawn on standard error."""
    return hasattr(sys.stderr, "rich_proxied_file")


class Screen(Console):
    """A console that prints texts and never interprets control characters in them."""

    def __init__(self, **settings: Any) -> None:
        self._drawings = 0  # progress bars and spinners that this console draws
        super().__init__(highlight=False, emoji=False, **settings)

    def push_render_hook(self, hook: RenderHook) -> None:
        """Called when a drawing starts."""
        super().push_render_hook(hook)
        self._drawings += 1

    def pop_render_hook(self) -> None:
        """Called when a drawing ends."""
        super().pop_render_hook()
        self._drawings -= 1

    @property
    def file(self) -> IO[str]:
        """Where texts go: on standard error to the console that draws on it, which prints them above its drawing."""
        return sys.stderr if self.stderr and not self._drawings and is_drawn_on() else super().file

    @file.setter
    def file(self, file: IO[str]) -> None:
        self._file = file

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
