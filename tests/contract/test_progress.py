"""Every long job reports with one kind of event and is cancelled with one kind of token, wherever it is defined."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

import pytest

from pokerlab import lab
from pokerlab.cards.equity import equity
from pokerlab.events import CancelToken, OnProgress
from pokerlab.registry import available, factory
from pokerlab.solvers.core.run import run

OWN_NAMES = ("progress", "watching", "on_row", "on_begin", "on_layout", "on_choice", "on_stage", "on_round", "on_news")
JOBS = {  # that must be among what is found
    "compare",
    "evolve",
    "exploit",
    "learned_response",
    "local_best_response",
    "make_buckets",
    "measure_size",
    "play_at_dealer",
    "push_fold_chart",
    "push_fold_table",
    "report",
    "resume",
    "roll_out",
    "run_match",
    "run_tournament",
    "serve_match",
    "solve",
    "solve_three",
    "solve_two",
    "train",
}


def public_functions() -> Iterator[Callable[..., Any]]:
    """Every public function and method that is defined in lab/."""
    for module in pkgutil.walk_packages(lab.__path__, "pokerlab.lab."):
        found = importlib.import_module(module.name)
        for name, value in vars(found).items():
            if name.startswith("_") or getattr(value, "__module__", "") != module.name:
                continue
            if inspect.isfunction(value):
                yield value
            elif inspect.isclass(value):
                methods = inspect.getmembers(value, inspect.isfunction)
                yield from (method for label, method in methods if not label.startswith("_"))


def takes(function: Callable[..., Any], *names: str) -> bool:
    return any(name in inspect.signature(function).parameters for name in names)


REPORTING = [one for one in public_functions() if takes(one, "on_progress")]
PAPERS = [factory("papers", entry) for entry in available("papers")]


def test_the_long_jobs_are_found() -> None:
    assert {one.__qualname__ for one in REPORTING} >= JOBS
    assert len(PAPERS) >= 10


@pytest.mark.parametrize(
    "function", [*REPORTING, *PAPERS, run, equity], ids=lambda one: f"{one.__module__}.{one.__name__}"
)
def test_it_takes_events_and_a_token(function: Callable[..., Any]) -> None:
    hints = get_type_hints(function)
    assert hints["on_progress"] == OnProgress | None
    assert hints["cancel"] == CancelToken | None
    for name in ("on_progress", "cancel"):
        parameter = inspect.signature(function).parameters[name]
        assert (parameter.kind, parameter.default) == (inspect.Parameter.KEYWORD_ONLY, None)


def test_no_job_has_a_callback_of_its_own() -> None:
    assert [one.__qualname__ for one in public_functions() if takes(one, *OWN_NAMES)] == []
