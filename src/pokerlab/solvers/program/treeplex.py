"""The plans of a player as rows of a linear program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def plan_rows(form: SequenceForm, player: int) -> csr_matrix:
    """The rows that make a plan: the empty sequence is 1, and each infoset's sequences sum to its parent's."""
    from scipy.sparse import csr_matrix

    own = form.sequences_of(player)
    low, high = (int(bound) for bound in form.ranges[0][player])
    starts = form.start[low : high + 1].astype(np.int64) - own.start + 1
    parents = parent_columns(form, player)
    infosets = np.arange(1, high - low + 1)
    row = np.r_[0, np.repeat(infosets, np.diff(starts)), infosets]
    column = np.r_[0, np.arange(1, own.stop - own.start + 1), parents]
    sign = np.r_[1.0, np.ones(own.stop - own.start), -np.ones(high - low)]
    return csr_matrix((sign, (row, column)), shape=(high - low + 1, own.stop - own.start + 1))


def parent_columns(form: SequenceForm, player: int) -> np.ndarray:
    """The sequence before each of a player's infosets, numbered from the empty one, 0.  # [own infosets] int64"""
    own = form.sequences_of(player)
    low, high = (int(bound) for bound in form.ranges[0][player])
    parents = form.parent[low:high].astype(np.int64)
    return np.where(parents < form.players, 0, parents - own.start + 1)
