"""Strategies of several players dealt out: hands of all seats, cards removed exactly, and what everybody gets.

Sampling is the only approximation here, so it shows how good the chances of chances.py are: how far the utilities that
pairs of hands give are from those of whole deals.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.combos import COMBO_CLASS, combo_indices
from pokerlab.cards.strength import HIGH
from pokerlab.tree.pushes.form import PushForm

_CHUNK = 100_000


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
