"""Laws of every algorithm on every two-player zero-sum game of modest size; both found and not listed."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.errors import PokerlabError, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.solvers.core.run import Stop, run
from pokerlab.tree.history.layout import HistoryTree, build
from pokerlab.tree.sequence import SequenceForm, sequence_form

FOUND = [registry.load("algorithms", entry.name) for entry in registry.available("algorithms")]
ALGORITHMS = [algorithm.name for algorithm in FOUND if {"sequence", "normal"} & set(algorithm.forms)]
SMALLER = [  # settings that make the larger games small
    "goofspiel(cards=3)",
    "liars-dice(sides=3)",
    "princess-and-monster(rows=2, columns=2, steps=3)",
    "phantom-tictactoe(rows=2, columns=2, line=2)",
    "rhode-island(ranks=2, suits=2, raises=1)",
    "von-neumann(cards=6)",
    "one-card(cards=4)",
]
MOST_NODES = 3_000


@cache
def form_of(name: str) -> SequenceForm | None:
    """The sequence form of a two-player zero-sum game that is small enough, or None."""
    try:
        tree = build(open_game(name), memory_limit=MOST_NODES * 60)
    except (TooLarge, PokerlabError):
        return None
    return sequence_form(tree) if suits(tree) else None


def suits(tree: HistoryTree) -> bool:
    return tree.players == 2 and tree.is_zero_sum and tree.nodes <= MOST_NODES


@cache
def games() -> list[str]:
    """The games that are, by default or by settings, of modest size."""
    return [name for name in [entry.name for entry in registry.available("games")] + SMALLER if form_of(name)]


@cache
def value_of(name: str) -> float:
    solver = registry.load("algorithms", "lp").start(form_of(name))
    solver.advance(1)
    low, high = solver.measure().bounds
    assert high - low < 1e-7
    return (low + high) / 2


def test_many_games_are_of_modest_size() -> None:
    assert len(games()) >= 12, games()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_game_is_solved(algorithm: str) -> None:
    """Bounds hold the value that linear programming finds, and exploitability falls to a small part of the stakes."""
    method = registry.load("algorithms", algorithm)
    for game in games():
        form = form_of(game)
        assert form is not None
        try:
            solver = method.start(form, seed=1)
        except TooLarge:
            continue
        solver.advance(1)
        iterations = int(np.clip(2_000_000 / solver.nodes_touched, 2_000, 40_000)) if method.random else 2_000
        spread = np.ptp(form.tree.returns)
        small = (0.03 if method.random else 0.02) * spread
        stop = Stop(iterations=iterations, target=None if method.random else small)
        done = run(solver, stop, measure_every=20_000 if method.random else 200)
        found = done.last.measure
        low, high = found.bounds
        assert low - 1e-7 <= value_of(game) <= high + 1e-7, game
        assert found.exploitability <= small, (game, found.exploitability, spread)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_profiles_are_profiles(algorithm: str) -> None:
    form = form_of("kuhn")
    solver = registry.load("algorithms", algorithm).start(form, seed=2)
    for iterations in (0, 50):  # a profile even before the first iteration
        solver.advance(iterations)
        profile = solver.profile()
        assert (profile >= 0).all()
        assert np.add.reduceat(profile, form.tree.start[:-1]) == pytest.approx(1.0)
        measured = form.measure(profile)
        assert sum(measured.values) == pytest.approx(0.0, abs=1e-12)
        assert measured.nash_conv >= -1e-12
        assert solver.measure().nash_conv == pytest.approx(measured.nash_conv, abs=1e-9)
    assert solver.nodes_touched > 0


@pytest.mark.parametrize("algorithm", [algorithm.name for algorithm in FOUND])
def test_the_spec_reads_back(algorithm: str) -> None:
    method = registry.load("algorithms", algorithm)
    again = registry.load("algorithms", method.spec)
    assert (again.name, dict(again.settings)) == (method.name, dict(method.settings))
