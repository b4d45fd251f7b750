"""Push or fold with 3 to 9 players: seconds to 0.05 % of the prize pool; one assessment beside whole deals.

Chance is the only approximation of whole deals (whole_deals.py), so they also show how far an assessment is off, whose
card removal is exact for every two players alone (tree/pushes/chances.py).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np

from bench import Row, interleaved, seconds
from bench.whole_deals import dealt_utilities
from pokerlab.lab.preflop.push_fold_table import push_fold_table, table_stakes
from pokerlab.tree.pushes.evaluator import Evaluator

STACKS = (12, 8, 20, 15, 10, 9, 14, 7, 11)
TARGET = 0.05  # percent of the prize pool
PLAYERS = (3, 5, 7, 9)
TABLES, DEALS = 8, 10_000_000  # random tables, and whole deals of each
PRECISION = 1e-4  # of the prize pool
ASSESSED = "12,8,20,15"
ASKED = 0.004, 5.0  # of what seats expect, measured 0.006; of every hand, measured 14
QUICK = {"PLAYERS": (3,), "TARGET": 1.0, "TABLES": 1, "DEALS": 10_000, "ASSESSED": "12,8,20"}


def measure() -> Iterator[Row]:
    """How time grows with players, what an assessment costs, and how far random tables are off."""
    push_fold_table(table_stakes("5,6,7", payouts="50,30,20"), target=5)  # compiles
    before = None
    for players in PLAYERS:
        stakes = table_stakes(",".join(map(str, STACKS[:players])), payouts="50,30,20")
        took = seconds(partial(push_fold_table, stakes, target=TARGET), time.process_time)
        note = "" if before is None else f"{took / before:.1f} times two players fewer"
        yield Row(f"{players} players to {TARGET} %", took, unit="s", note=note)
        before = took
    yield from _assessed()
    for number in range(TABLES):
        yield _random_table(number)


def _assessed() -> Iterator[Row]:
    """What an assessment costs, beside whole deals to a precision that they reach by chance.

    Deals are far faster at what each seat expects, and the ratio asked for is below one: that is all they compute, and
    some 80,000 are enough. An assessment gives the EV of each of 169 hands at every decision, for which deals that
    begin with that hand at that decision are needed; the second row takes as many of them as for the whole table.
    """
    form = table_stakes(ASSESSED, payouts="50,30,20").form()
    pushes = np.full((form.nodes, 169), 0.1)
    evaluator = Evaluator(form)
    _, errors = dealt_utilities(form, pushes, deals=DEALS)
    needed = DEALS * float(errors.max() / (100 * PRECISION)) ** 2
    contenders = {
        "ours": partial(evaluator.assess, pushes),
        "deals": partial(dealt_utilities, form, pushes, deals=DEALS),
    }
    took = interleaved(contenders, clock=time.process_time)
    theirs = took["deals"] * needed / DEALS
    what, note = f"{form.players} players assessed", f"{needed:,.0f} deals for {PRECISION:g} of the pool; CPU"
    yield Row(what, took["ours"], theirs, "deals for what seats expect", "s", ASKED[0], note)
    every = 169 * form.nodes
    note = f"169 hands at {form.nodes} decisions, as many deals for each; CPU"
    yield Row(what, took["ours"], every * theirs, "deals for every hand", "s", ASKED[1], note)


def _random_table(number: int) -> Row:
    """The largest difference of any seat; short stacks push wide, and are off most."""
    rng = np.random.default_rng(number)
    low, high = ((10, 25), (4, 14), (1.5, 5))[number % 3]
    stacks = ",".join(f"{stack:.2f}" for stack in rng.uniform(low, high, rng.integers(3, 6)))
    payouts = (None, "50,30,20", "65,35", "100")[rng.integers(4)]
    stakes = table_stakes(stacks, payouts=payouts, ante=("0", "0.125", "0.25")[rng.integers(3)])
    found = push_fold_table(stakes, target=0.3)
    mean, errors = dealt_utilities(found.form, found.pushes, deals=DEALS, seed=number)
    seat = int(np.abs(found.values - mean).argmax())
    off, error = (abs(float(value[seat])) / float(stakes.prize_pool) for value in (found.values - mean, errors))
    return Row(
        f"off, {stakes.text()}", 1e6 * off, unit="millionths of the pool", note=f"standard error {1e6 * error:.0f}"
    )
