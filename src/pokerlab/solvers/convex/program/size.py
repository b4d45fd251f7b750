"""The size of the linear program of a poker game, computed without building it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.tree.bucketed.betting import BettingForm


class ProgramSize(NamedTuple):
    """The size of the sequence-form program of Koller, Megiddo and von Stengel for the first player's strategy.

    Rows are the first player's sequences, and an equation for each infoset of the second and their empty sequence;
    columns are the second's sequences, and a value for each infoset of the first and their empty sequence.
    """

    rows: int
    columns: int


def program_size(betting: BettingForm, counts: Sequence[int]) -> ProgramSize:
    """The size of a program with this many hands, or classes of hands, per round."""
    infosets, sequences = [0, 0], [1, 1]
    arrays = betting.arrays
    for player in (0, 1):
        for turn, count in enumerate(counts):
            own = np.flatnonzero((arrays.actor == player) & (arrays.round == turn))
            infosets[player] += count * len(own)
            sequences[player] += count * int(arrays.moves[own].astype(np.int64).sum())
    return ProgramSize(sequences[0] + infosets[1] + 1, sequences[1] + infosets[0] + 1)
