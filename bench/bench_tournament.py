"""Tournaments to the end: fictitious play of three players in a state."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from bench import Row, interleaved
from pokerlab.solvers.preflop.three import HandBuffers
from pokerlab.solvers.stochastic.heads_up import Blinds, solve_heads_up
from pokerlab.solvers.stochastic.three_players import ThreeHanded
from pokerlab.solvers.stochastic.three_solver import ThreeHandedSolver
from pokerlab.tree.pushes.three import three_cards

ITERATIONS = 200
QUICK = {"ITERATIONS": 5}


def measure() -> Iterator[Row]:
    """Seconds; one thread."""
    cards, decides = three_cards(), np.ones(6, bool)
    game = ThreeHanded(45, Blinds(1, 2), (50.0, 30.0, 20.0))
    solver = ThreeHandedSolver(game, solve_heads_up(45, Blinds(1, 2)), cards)
    state = game.index(15, 15)
    ends = game.end_values(game.outcome_values(solver.values, solver.heads_up.values))[state]
    room = HandBuffers(cards)
    room.play(ends, np.full((6, 169), 0.3), decides, 0, ITERATIONS)
    start = room.average.copy()
    kept = partial(room.play, ends, start, decides, 20, ITERATIONS)
    anew = partial(_anew, room, ends, start, decides)
    seconds = interleaved({"kept": kept, "anew": anew, "leads": room.leads}, repeats=3)
    theirs = seconds["anew"] / 5 * ITERATIONS
    what = f"three players: {ITERATIONS} iterations of fictitious play in a state"
    yield Row(what, seconds["kept"], theirs, "every sum over hands anew", unit="s", asked=20)
    yield Row("three players: where the strategies of a state lead", seconds["leads"], unit="s")


def _anew(room: HandBuffers, ends: np.ndarray, start: np.ndarray, decides: np.ndarray) -> None:
    """Five iterations, with the sums over the hands of the averages made anew for each."""
    room.average[:] = start
    for iteration in range(5):
        room.play(ends, room.average.copy(), decides, 20 + iteration, 1)
