"""The size of the linear program of a poker game, computed without building it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.tree.bucketed.betting import BettingForm


class ProgramSize(NamedTuple):
    """The size of the sequence-form program, as Koller, Megiddo and von Stengel write it for the first player's
    strategy.

    Rows are the first player's sequences, and an equation for each infoset of the second and for their empty
    sequence; columns are the second's sequences, and a value for each infoset of the first and for their empty
    sequence.
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


def undominated_size(betting: BettingForm, counts: Sequence[int], unbeaten: int) -> ProgramSize:
    """The same without dominated actions in the last round, for a hand in one of this many classes that no hand
    beats.

    Such a class never needs to fold; and where it may raise, it never needs to end the hand by calling or checking
    behind: an opponent who folds to the raise loses as much, one who calls loses more, and a reraise is welcome.
    """
    whole, arrays, dropped = program_size(betting, counts), betting.arrays, [0, 0]
    for node in np.flatnonzero((arrays.actor >= 0) & (arrays.round == len(counts) - 1)).tolist():
        first, moves = int(arrays.first[node]), int(arrays.moves[node])
        ends = int((arrays.actor[first : first + moves] < 0).sum())
        dropped[int(arrays.actor[node])] += unbeaten * (
            ends if ends < moves else ends - 1
        )  # without a raise, a call stays
    return ProgramSize(whole.rows - dropped[0], whole.columns - dropped[1])
