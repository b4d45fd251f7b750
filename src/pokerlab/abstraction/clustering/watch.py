"""Progress told and wishes to stop heard, by everything that may take longer than a second."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from pokerlab.errors import PokerlabError


class Stopped(PokerlabError):
    """Clustering that was asked to stop before it was done."""


@dataclass(frozen=True)
class Watch:
    """Who is told how far the work is, and who may stop it.

    >>> Watch(progress=lambda stage, share: print(stage, share)).at("assigning", 0.5)
    assigning 0.5
    >>> Watch(stop=lambda: True).at("assigning", 0.5)
    Traceback (most recent call last):
    ...
    pokerlab.abstraction.clustering.watch.Stopped: clustering was stopped while assigning
    """

    progress: Callable[[str, float], None] | None = None  # what is being done, and the share of it that is done
    stop: Callable[[], bool] | threading.Event | None = None

    def at(self, stage: str, share: float) -> None:
        """Tell where the work is; Stopped when it shall not continue."""
        wished = self.stop.is_set() if isinstance(self.stop, threading.Event) else self.stop is not None and self.stop()
        if wished:
            raise Stopped(f"clustering was stopped while {stage}")
        if self.progress is not None:
            self.progress(stage, share)


SILENT = Watch()
