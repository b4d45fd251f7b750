"""Push or fold with 3 to 9 players: seconds to 0.05 % of the prize pool; one assessment against whole deals.

Sampling is the only approximation of whole deals, so they also show how good the chances of tree/pushes/chances.py are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from bench import Row, seconds
from pokerlab.cards.combos import COMBO_CLASS, combo_indices
from pokerlab.cards.strength import HIGH
from pokerlab.lab.preflop.push_fold_table import push_fold_table, table_stakes
from pokerlab.tree.pushes.evaluator import Evaluator
from pokerlab.tree.pushes.form import PushForm

STACKS = (12, 8, 20, 15, 10, 9, 14, 7, 11)
TARGET = 0.05  # percent of the prize pool
DEALS = 100_000
_CHUNK = 100_000


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


def dealt_utilities(form: PushForm, pushes: np.ndarray, *, deals: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """What each seat gets on average over random deals, and the standard error of that: [seat] each."""
    random = np.random.default_rng(seed)
    sums, squares = np.zeros(form.players), np.zeros(form.players)
    for start in range(0, deals, _CHUNK):
        values = _values(form, pushes, min(_CHUNK, deals - start), random)
        sums += values.sum(0)
        squares += (values**2).sum(0)
    mean = sums / deals
    return mean, np.sqrt(np.maximum(squares / deals - mean**2, 0) / deals)


def _values(form: PushForm, pushes: np.ndarray, deals: int, random: np.random.Generator) -> np.ndarray:
    """What each seat gets in each of some deals: [deal, seat]."""
    cards = random.permuted(np.tile(np.arange(52, dtype=np.uint8), (deals, 1)), axis=1)
    board = cards[:, 2 * form.players : 2 * form.players + 5]
    hands = [cards[:, 2 * seat : 2 * seat + 2] for seat in range(form.players)]
    classes = np.stack([COMBO_CLASS[combo_indices(hand)] for hand in hands], axis=1)
    strengths = np.stack([HIGH().strengths(np.hstack([hand, board])) for hand in hands], axis=1).astype(np.int64)
    where = np.zeros(deals, np.int64)
    while (here := np.flatnonzero(where >= 0)).size:
        node = where[here]
        chance = pushes[node, classes[here, form.node_seat[node]]]
        where[here] = form.child[node, (random.random(len(here)) < chance).astype(np.int64)]
    values = np.empty((deals, form.players))
    for number, terminal in enumerate(form.terminals):
        reached = np.flatnonzero(where == -1 - number)
        if reached.size:
            shown = strengths[reached][:, list(terminal.contenders)]
            ranks, which = np.unique(_ranks(shown), axis=0, return_inverse=True)
            values[reached] = form.utilities_of(number, ranks)[which.reshape(-1)]
    return values


def _ranks(strengths: np.ndarray) -> np.ndarray:
    """The rank of each hand, smaller strengths being better: [deal, seat]."""
    return np.asarray((strengths[:, None, :] < strengths[:, :, None]).sum(2))
