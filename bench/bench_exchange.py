"""Five-card draw: external sampling in Ee's "No Suits" game, by threads; compiled hands against those of the table."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from bench import Row
from pokerlab.abstraction.exchange_buckets import exchange_buckets
from pokerlab.formats.opening import open_game
from pokerlab.match.draw import play
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.parallel import core_count
from pokerlab.registry import load
from pokerlab.tree.bucketed.exchange import ExchangeForm, exchange_form
from pokerlab.tree.resources import Resources

ITERATIONS, WARM = 100_000, 300_000
THREE_WEEKS = 10**7 / (21 * 86_400)  # iterations a second of Ee's program, as stated
ASKED = 10**7 / 240  # on two cores
HANDS, TABLE_HANDS = 200_000, 1_000
BUCKETS = "no-suits"
QUICK = {"BUCKETS": "by-draws(before=20, after=20)", "ITERATIONS": 100, "WARM": 100, "HANDS": 200, "TABLE_HANDS": 10}


def measure() -> Iterator[Row]:
    """Iterations a second of one thread and of all, and hands a second."""
    game = open_game("five-card-draw(menu='min')")
    form = exchange_form(game, exchange_buckets(BUCKETS, game))
    for threads in sorted({1, core_count()}):
        yield from _trained(form, threads)
    yield from _played(form)


def _trained(form: ExchangeForm, threads: int) -> Iterator[Row]:
    algorithm, resources = load("algorithms", "external(schedule='linear-cfr')"), Resources(threads)
    algorithm.rehearse(form, resources=resources)
    solver = algorithm.start(form, seed=0, resources=resources)
    solver.advance(WARM)  # the first iterations come to memory that nobody has touched
    rates, visited = [], []
    for _ in range(3):
        before, start = solver.nodes_touched, time.perf_counter()
        solver.advance(ITERATIONS)
        rates.append(ITERATIONS / (time.perf_counter() - start))
        visited.append((solver.nodes_touched - before) / ITERATIONS)
    name = f"No Suits, {threads} thread{'s' * (threads > 1)}: iterations/s"
    asked = ASKED / THREE_WEEKS if threads > 1 else None
    yield Row(name, float(np.median(rates)), THREE_WEEKS, "Ee's program, as stated", asked=asked)
    yield Row("nodes of an iteration", float(np.median(visited)), unit="")


def _played(form: ExchangeForm) -> Iterator[Row]:
    play("draw-basic", "draw-article", form, hands=10)
    start = time.perf_counter()
    play("draw-basic", "draw-article", form, hands=HANDS // 2, seed=1)
    compiled = HANDS / (time.perf_counter() - start)
    settings = MatchSettings.of(form.game, ("draw-basic", "draw-article"), hands=TABLE_HANDS, seed=1, duplicate=True)
    start = time.perf_counter()
    play_match(settings, workers=1)
    table = TABLE_HANDS / (time.perf_counter() - start)
    yield Row("duplicate hands/s, compiled", compiled, table, "at the table", asked=10)
