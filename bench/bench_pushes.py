"""Push or fold with 3 to 9 players: seconds to 0.05 % of the prize pool; one assessment against the joint deal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from bench import Row, seconds
from pokerlab.lab.preflop.push_fold_table import push_fold_table, table_stakes
from pokerlab.tree.pushes.dealing import dealt_utilities
from pokerlab.tree.pushes.evaluator import Evaluator

STACKS = (12, 8, 20, 15, 10, 9, 14, 7, 11)
TARGET = 0.05  # percent of the prize pool
DEALS = 100_000


def measure() -> Iterator[Row]:
    """How time grows with players, and what an assessment costs beside as many deals as tell utilities to 1e-4."""
    push_fold_table(table_stakes("5,6,7,8", payouts="50,30,20"), target=1)  # compiles
    before = None
    for players in (3, 5, 7, 9):
        stakes = table_stakes(",".join(map(str, STACKS[:players])), payouts="50,30,20")
        took = seconds(partial(push_fold_table, stakes, target=TARGET))
        note = "" if before is None else f"{took / before:.1f} times two players fewer"
        yield Row(f"{players} players to {TARGET} %", took, unit="s", note=note)
        before = took
    form = table_stakes("12,8,20,15", payouts="50,30,20").form()
    pushes = np.full((form.nodes, 169), 0.1)
    evaluator = Evaluator(form)
    ours = seconds(partial(evaluator.assess, pushes))
    _, errors = dealt_utilities(form, pushes, deals=DEALS)
    needed = DEALS * float(errors.max() / 0.01) ** 2
    theirs = seconds(partial(dealt_utilities, form, pushes, deals=DEALS)) * needed / DEALS
    yield Row("4 players assessed", ours, theirs, unit="s", peer="dealing to 1e-4", asked=1)
