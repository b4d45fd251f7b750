"""Runs in several threads that Ctrl-C ends together."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pokerlab.solvers.run import answering_interrupts


@contextmanager
def interrupting(stopping: threading.Event) -> Iterator[None]:
    """Let Ctrl-C stop the runs in other threads too, which look at the event and are waited for on the way out."""

    def stop(number: int, frame: object) -> None:
        stopping.set()
        raise KeyboardInterrupt

    with answering_interrupts(stop):
        yield
