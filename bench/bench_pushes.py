"""Push or fold with 3 to 9 players: seconds to 0.05 % of the prize pool; one assessment beside whole deals.

Chance is the only approximation of whole deals (whole_deals.py), so they also show how far an assessment of four and
more players is off, whose card removal is exact for every two of them alone (tree/pushes/chances.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from bench import Row, seconds
from bench.whole_deals import dealt_utilities
from pokerlab.lab.preflop.push_fold_table import push_fold_table, table_stakes
from pokerlab.solvers.preflop.pushes import FictitiousPushes
from pokerlab.tree.pushes.evaluator import Evaluator

STACKS = (12, 8, 20, 15, 10, 9, 14, 7, 11)
TARGET = 0.05  # percent of the prize pool
PLAYERS = (3, 5, 7, 9)
TABLES, DEALS, ITERATIONS = 18, 10_000_000, 5  # random tables of 4 to 9 players, whole deals and iterations of each
PRECISION = 1e-4  # of the prize pool
ASSESSED = "12,8,20,15"
QUICK = {"PLAYERS": (3,), "TARGET": 1.0, "TABLES": 1, "DEALS": 10_000, "ITERATIONS": 1, "ASSESSED": "12,8,20"}


def measure() -> Iterator[Row]:
    """How time grows with players, what an assessment costs, and how far random tables are off."""
    push_fold_table(table_stakes("5,6,7", payouts="50,30,20"), target=5)  # compiles
    before = None
    for players in PLAYERS:
        stakes = table_stakes(",".join(map(str, STACKS[:players])), payouts="50,30,20")
        took = seconds(partial(push_fold_table, stakes, target=TARGET))
        note = "" if before is None else f"{took / before:.1f} times two players fewer"
        yield Row(f"{players} players to {TARGET} %", took, unit="s", note=note)
        before = took
    yield _assessed()
    for number in range(TABLES):
        yield _random_table(number)


def _assessed() -> Row:
    """No ratio is asked for: whole deals are far faster at what a seat expects, and tell nothing about single hands."""
    form = table_stakes(ASSESSED, payouts="50,30,20").form()
    pushes = np.full((form.nodes, 169), 0.1)
    evaluator = Evaluator(form)
    ours = seconds(partial(evaluator.assess, pushes))
    _, errors = dealt_utilities(form, pushes, deals=DEALS)
    needed = DEALS * float(errors.max() / (100 * PRECISION)) ** 2
    theirs = seconds(partial(dealt_utilities, form, pushes, deals=DEALS)) * needed / DEALS
    note = f"169 hands at {form.nodes} decisions; deals tell what {form.players} seats expect, to {PRECISION:g}"
    return Row(f"{form.players} players assessed", ours, theirs, unit="s", peer="whole deals", note=note)


def _random_table(number: int) -> Row:
    """The largest difference of any seat; short stacks push wide, and are off most."""
    rng = np.random.default_rng(number)
    low, high = ((4, 25), (1.2, 5), (0.4, 30))[number // 6 % 3]
    stacks = ",".join(f"{stack:.2f}" for stack in np.exp(rng.uniform(np.log(low), np.log(high), 4 + number % 6)))
    payouts = (None, "50,30,20", "65,35", "100")[rng.integers(4)]
    stakes = table_stakes(stacks, payouts=payouts, ante=("0", "0.125", "0.25")[rng.integers(3)])
    form = replace(stakes.form(), effort=0.05)
    solver = FictitiousPushes(form)
    solver.advance(ITERATIONS)
    found = Evaluator(form).assess(solver.pushes, least=1e-3, effort=0.1)
    mean, errors = dealt_utilities(form, solver.pushes, deals=DEALS, seed=number)
    errors = np.hypot(errors, found.sampling_error)
    seat = int(np.abs(found.utilities - mean).argmax())
    off, error = (abs(float(value[seat])) / float(stakes.prize_pool) for value in (found.utilities - mean, errors))
    return Row(
        f"off, {stakes.text()}", 1e6 * off, unit="millionths of the pool", note=f"standard error {1e6 * error:.0f}"
    )
