"""The engines of the bucketed form side by side: nodes a second, and how far each comes in equal seconds.

Nodes a second are compared with Pure CFR's in the same run; a node of public chance sampling counts once for each hand
that is followed through it. Exploitability is in the real game, in chips a hand: Leduc with a bucket for every hand,
Rhode Island with forty a round. Seconds are those of this process, on one thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from bench import Row
from pokerlab import registry
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import Plan, make
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form

SPECS = (
    "pure",
    "external",
    "external(schedule='linear-cfr')",
    "external(schedule='linear-cfr', pruning=20)",
    "average-sampling",
    "outcome",
    "chance",
    "chance(schedule='linear-cfr')",
    "public-chance",
    "public-chance(schedule='linear-cfr')",
    "public-chance(schedule='dcfr')",
)
SECONDS = 3.0
QUICK = {"SECONDS": 0.01, "SPECS": ("pure", "external")}


def measure() -> Iterator[Row]:
    """Every engine on a small and on a middling game."""
    for name, methods in (("leduc", ("lossless",) * 2), ("rhode-island", ("lossless", "strength:40", "strength:40"))):
        game = open_game(name)
        assert isinstance(game, PokerGame)
        form = bucketed_form(game, make(Plan(CardRounds.of(game), methods)))
        pure = None
        for spec in SPECS:
            rate, solver = _run(form, spec)
            pure = pure or rate
            note = f"exploitability {solver.measure().exploitability:.4g} after {solver.iterations:,} iterations"
            yield Row(f"{name}: {spec}", rate, pure, "pure", unit="nodes/s", note=note)


def _run(form: BucketedForm, spec: str) -> tuple[float, Any]:
    """Nodes a second, and the solver after SECONDS."""
    solver = registry.load("algorithms", spec).start(form, seed=1)
    solver.advance(1)  # compiled
    solver.measure()
    first, began, step = solver.nodes_touched, time.process_time(), 8
    while (spent := time.process_time() - began) < SECONDS:
        solver.advance(step)
        step = min(2 * step, max(1, int(solver.iterations * (SECONDS - spent) / max(spent, 0.01) / 8)))
    return (solver.nodes_touched - first) / (time.process_time() - began), solver
