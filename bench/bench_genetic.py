"""Games a second of the genetic algorithm and of sampled regret matching, on one core and on all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bench import Row, interleaved
from pokerlab.parallel import core_count
from pokerlab.registry import load
from pokerlab.solvers.evolve.genetic import play
from pokerlab.solvers.preflop.classes.sampled import SampledRegret
from pokerlab.tree.classes import ClassForm, class_form

_ROUNDS, _REGRET_ROUNDS = 4000, 2_000_000
QUICK = {"_ROUNDS": 2, "_REGRET_ROUNDS": 1000}


def _form(game: str) -> ClassForm:
    return class_form(load("games", game))


def measure() -> Iterator[Row]:
    """Real games between evolved-size populations, every showdown evaluated; rates asked for are a core."""
    games: list[tuple[str, ClassForm, int, bool, float | None]] = [
        ("von Neumann poker, 5,000 + 5,000 agents", _form("von-neumann"), 5000, False, 20e6),
        ("flop poker, 2,000 united agents, flops evaluated", _form("flop-poker"), 2000, True, 5e6),
        ("push or fold, 2,000 united agents, boards evaluated", _form("push-fold"), 2000, True, None),
    ]
    for name, form, agents, united, promised in games:
        rng = np.random.default_rng(0)
        genes = [rng.integers(0, 2, (agents, count), np.uint8) for count in form.chance.shape]
        solver = SampledRegret(form)

        def evolve(workers: int, form=form, genes=genes, united=united) -> object:  # type: ignore[no-untyped-def]
            return play(form, *genes, rounds=_ROUNDS, start=np.uint64(1), united=united, workers=workers)

        contenders = {
            "one": lambda evolve=evolve: evolve(1),
            "all": lambda evolve=evolve: evolve(core_count()),
            "regret": lambda solver=solver: solver.advance(_REGRET_ROUNDS),
        }
        times = interleaved(contenders)
        played = _ROUNDS * (agents // 2 if united else agents)
        asked = None if promised is None else 1.0
        peer = "" if promised is None else "asked for"
        yield Row(f"{name}, one core", played / times["one"], promised, peer, " games/s", asked)
        yield Row(f"{name}, {core_count()} cores", played / times["all"], unit=" games/s")
        yield Row(f"{name.split(',')[0]}, sampled regret matching", _REGRET_ROUNDS / times["regret"], unit=" rounds/s")
