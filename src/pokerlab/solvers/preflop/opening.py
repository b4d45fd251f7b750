"""A strategy to start from in push or fold."""

from __future__ import annotations

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.cards.preflop import preflop_table
from pokerlab.tree.pushes.chances import PRIOR
from pokerlab.tree.pushes.form import PushForm


def opening(form: PushForm) -> np.ndarray:
    """The best hands against any two cards: a quarter of all to open, half as many for each all-in before."""
    win, tie = preflop_table().against_random()
    order = np.argsort(-(win + tie / 2), kind="stable")
    better = np.empty(CLASS_COUNT)  # the part of hands at least as good as a class
    better[order] = np.cumsum(PRIOR[order])
    before = np.array([len(form.pushed_before(node)) for node in range(form.nodes)])
    return (better[None, :] <= 0.25 / 2.0 ** before[:, None]).astype(np.float64)
