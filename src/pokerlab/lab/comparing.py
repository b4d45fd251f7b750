"""Several algorithms on one game, each in the form that suits it best."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from pokerlab.lab.solving import LaidOut, OnLayout, OnProgress, Task, prepare, start, stopping
from pokerlab.solvers.algorithm import Algorithm
from pokerlab.solvers.run import Stop
from pokerlab.strategy.solution import Solution

Watching = Callable[[str, Stop], AbstractContextManager[OnProgress | None]]  # (algorithm, when it stops)


def compare(
    task: Task,
    methods: Mapping[str, Algorithm],
    *,
    limits: Mapping[str, Any],
    seed: int,
    watching: Watching,
    form: str = "auto",
    on_layout: OnLayout | None = None,
) -> Iterator[tuple[str, Solution]]:
    """Each algorithm by its name with what it found, in turn; an interrupted one is the last."""
    laid: dict[str, LaidOut] = {}  # by the form that an algorithm asks for first
    for spec, method in methods.items():
        wanted = method.forms[0] if form == "auto" else form
        if wanted not in laid:
            laid[wanted] = prepare(task, algorithm=method, form=form, on_layout=on_layout)
        running = start(replace(laid[wanted], algorithm=method), seed=seed)
        stop = stopping(limits, running.solver.form, spot=task.spot)
        with watching(spec, stop) as show:
            found = running.run(stop, on_progress=show)
        yield spec, found
        if found.stopped == "interrupted":
            return
