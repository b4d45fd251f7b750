"""The plans of a player as rows of a linear program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def plan_rows(form: SequenceForm, player: int) -> csr_matrix:
    """The rows that define a plan: the empty sequence is 1, and each infoset's sequences sum to its parent's."""
    own = form.sequences_of(player)
    low, high = (int(bound) for bound in form.ranges[0][player])
    return rows_of(form.start[low : high + 1].astype(np.int64) - own.start + 1, parent_columns(form, player))


def rows_of(start: np.ndarray, parent: np.ndarray) -> csr_matrix:
    """The same for a treeplex: its infosets' sequences, and those before them, numbered from the empty one, 0.

    start [infoset + 1], parent [infoset]
    """
    from scipy.sparse import csr_matrix

    infosets, sequences = np.arange(1, len(parent) + 1), np.arange(1, int(start[-1]))
    row = np.r_[0, np.repeat(infosets, np.diff(start)), infosets]
    column = np.r_[0, sequences, parent]
    sign = np.r_[1.0, np.ones(len(sequences)), -np.ones(len(parent))]
    return csr_matrix((sign, (row, column)), shape=(len(parent) + 1, int(start[-1])))


def parent_columns(form: SequenceForm, player: int) -> np.ndarray:
    """The sequence before each of a player's infosets, numbered from the empty one, 0.  # [own infosets] int64"""
    own = form.sequences_of(player)
    low, high = (int(bound) for bound in form.ranges[0][player])
    parents = form.parent[low:high].astype(np.int64)
    return np.where(parents < form.players, 0, parents - own.start + 1)
