"""How results appear in a notebook: as HTML, and as a picture with `.plot()`.

Result classes of every package below display/ inherit from `NotebookDisplay`. The renderers are in
display/notebook/results.py, imported by name when something is displayed, so that no result imports display/.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

RENDERERS = "pokerlab.display.notebook.results"


class NotebookDisplay:
    """A result that notebooks display."""

    def _repr_html_(self) -> str:
        return str(import_module(RENDERERS).html(self))

    def plot(self, **options: Any) -> Any:
        """Return a picture as a matplotlib Figure without global state; `savefig` writes it to a file."""
        return import_module(RENDERERS).plot(self, **options)
