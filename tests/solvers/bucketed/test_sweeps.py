"""Algorithms of small games, inside abstractions: their gaps close around the value of the linear program."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.events import Event
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.solve.training import TrainingProgress, train
from pokerlab.lab.solve.training_memory import training_memory
from pokerlab.registry import load
from pokerlab.solvers.bucketed.exact import ExactBuckets
from pokerlab.solvers.core.run import Stop
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form

GAMES = {
    "leduc": ("lossless", "strength:2"),
    "rhode-island(ranks=4, suits=2, raises=1)": ("strength:2", "strength:2", "strength:3"),
    "leduc-nolimit(stack=(3, 4))": ("lossless", "strength:3"),
}
ITERATIONS = {"cfr": 2000, "cfr+": 400, "dcfr": 400, "fictitious-play": 2000, "egt": 1000, "range-of-skill": 60}


@cache
def form_of(name: str) -> BucketedForm:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    return bucketed_form(game, make(Plan(CardRounds.of(game), GAMES[name], PERFECT)))


@cache
def value_of(name: str) -> float:
    """By the linear program over the whole tree."""
    return ExactBuckets(form_of(name)).value


@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.parametrize("algorithm", list(ITERATIONS))
def test_gaps_close_around_the_value_of_the_linear_program(name: str, algorithm: str) -> None:
    form = form_of(name)
    solver = load("algorithms", algorithm).start(form)
    for _ in range(ITERATIONS[algorithm] // 10):
        if not getattr(solver, "finished", False):
            solver.advance(10)
    measure = form.measure_inside(solver.strategy_arrays()["average"])
    low, high = measure.bounds
    assert low - 1e-5 <= value_of(name) <= high + 1e-5
    assert measure.exploitability < 0.02 * form.max_abs_payoff


def test_progress_says_what_is_left_to_gain_inside() -> None:
    seen: list[TrainingProgress] = []

    def watch(event: Event) -> None:
        if isinstance(event.payload, TrainingProgress):
            seen.append(event.payload)

    given: dict[str, Any] = {"buckets": form_of("leduc").buckets, "on_progress": watch}
    swept = train("leduc", algorithm="cfr+", iterations=300, **given)
    inside = seen[-1].learned.inside
    assert inside is not None
    assert inside < 0.01 < swept.exploitability  # in the real game, hand by hand
    assert seen[-1].as_dict()["exploitability_inside"] == inside
    train("leduc", algorithm="pure", iterations=300, **given)
    assert seen[-1].learned.inside is None


def test_the_forecast_counts_plans() -> None:
    form, stop = form_of("leduc"), Stop(iterations=1)
    sampled, swept = (training_memory(form, stop, algorithm=load("algorithms", one)) for one in ("pure", "cfr+"))
    assert swept.training > sampled.training
