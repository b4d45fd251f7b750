"""What notebooks show of results: a table or a grid as HTML, and a picture.

Results of every package to the left of report/ are `Shown`; how each looks is said in report/notebook.py, which is
found by name when something is shown, so that no result imports a report.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

RENDERERS = "pokerlab.report.notebook"


class Shown:
    """Something that notebooks show."""

    def _repr_html_(self) -> str:
        return str(import_module(RENDERERS).html(self))

    def plot(self, **options: Any) -> Any:
        """A picture of it, as a Figure of matplotlib that no other figure knows of; `savefig` writes it to a file."""
        return import_module(RENDERERS).plot(self, **options)
