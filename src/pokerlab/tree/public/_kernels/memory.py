"""The memory layout of a round of a public tree: the arguments of its kernels."""

from __future__ import annotations

from functools import wraps
from typing import NamedTuple

import numba
import numpy as np

from pokerlab.compiled import PLAIN_LANES, kernel

# Kernels with these decorators allocate nothing but plain lanes, so array references need not be counted, which would
# cost more than the arithmetic.
if numba.config.DISABLE_JIT:

    def outer(function):
        """The function without NumPy's warnings: unused lanes may divide by zero, as in compiled code."""

        @wraps(function)
        def quiet(*arguments):
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                return function(*arguments)

        return quiet

    def inner(function):
        """The function itself."""
        return function

elif PLAIN_LANES:
    outer = inner = kernel
else:
    outer = kernel(allocates=False)
    inner = kernel(allocates=False, forceinline=True)


class Plex(NamedTuple):
    """A player's betting in a round; see tree.public.treeplex.Treeplex."""

    roots: int
    nodes: int
    slots: int
    node_sequence: object  # [node] int32
    node_slot: object  # [node] int32
    node_actions: object  # [node] int32
    source_start: object  # [sequence + 1] int32
    source_value: object  # [source] int32
    source_factor: object  # [source] float of the kind computed with
    lane_sequence: object  # [lane] int32
    ahead_width: int  # lanes compared at showdown
    compatible_from: int  # lanes from here on are weighted by compatible hands
    deal_sequence: object  # [deal] int32


class Seat(NamedTuple):
    """A player's hands on the boards of a round; see tree.public.boards.Hands."""

    rows: int
    count: object  # [board] int32
    cards: object  # [board, row, 2] int16
    above: object  # [board, row] int16
    twin: object  # [board, row] int16
    image_row: object  # [image, row] int16
    group: object  # [group] int32


class Level(NamedTuple):
    """What both players share in a round; see tree.public.layout.PublicRound."""

    image_start: object  # [board + 1] int32
    group_start: object  # [board + 1] int32
    chance: float
    tokens: int


class Store(NamedTuple):
    """A player's arrays in a round."""

    regret: object  # [board, block, slot, BLOCK] float32 or int16
    average: object  # the same: the strategy summed over steps
    last: object  # the same, or tiny: the latest step's regret, for predictive schedules
    regret_scale: object  # [board, block, node] float32: the unit of the integers
    average_scale: object  # [board, block, node] float32


class Tiles(NamedTuple):
    """The data of a board for one player, flat."""

    lanes: object  # [row + 1, lane]: own reach at the lanes that the opponent's values depend on
    of_card: object  # [card + 1, lane]: the same summed over the hands that hold each card; the last row holds all
    deals: object  # [row + 1, deal]: own reach at each deal
    ahead: object  # [row, lane of the opponent]: own value at showdown for one unit
    action_value: object  # [row + 1, deal]: own value of each deal


class Scratch(NamedTuple):
    """Buffers for one block, and for the sums of a sweep."""

    plain: object  # [row] int16: 0, 1, 2 ...
    reach: object  # [sequence, BLOCK]
    strategy: object  # [slot, BLOCK]
    value: object  # [value lane + node, BLOCK]
    action_value: object  # [action, BLOCK]
    transposed: object  # [BLOCK, root]
    compatible: object  # [BLOCK, lane]
    swept: object  # [card + 2, lane]: the last rows hold the total and the group being passed


class Side(NamedTuple):
    """One player in a round: betting, hands, and board data."""

    plex: Plex
    seat: Seat
    tiles: Tiles


class Facing(NamedTuple):
    """A player and the opponent in a round, and the buffers for the player's block."""

    own: Side
    other: Side
    level: Level
    scratch: Scratch


class Sweeping(NamedTuple):
    """What the sweep over a board's hands, sorted by strength, reads and writes; see Tiles and Scratch."""

    lanes: object  # the opponent's
    of_card: object  # the opponent's
    width: int  # lanes of one hand in these two
    swept: object
    ahead: object  # own
    narrow: int  # lanes of one hand in these two: those that are compared at showdown
    tokens: int


DESCENT, ASCENT = 1, 2  # the parts of a walk: reach downwards, values upwards
WHOLE = DESCENT + ASCENT


class Portions(NamedTuple):
    """Boards to process, a portion at a time.

    Boards of the last round are processed as a WHOLE, and their values replace what the tiles held. On boards of
    earlier rounds, the rounds below are walked between DESCENT and ASCENT, which adds to the tiles.
    """

    counter: object  # [1] int64: how many portions have been taken; shared by threads
    boards: object  # [portion, 2] int64: first and end
    part: int  # DESCENT, ASCENT or WHOLE


class Moves(NamedTuple):
    """Steps of a schedule, and who updates in each."""

    players: object  # [k] int64: 1 player 0 updates, 2 player 1, 3 both simultaneously
    steps: object  # [k, 6] float64: see solvers.schedule


class InfosetRow(NamedTuple):
    """Where the numbers of an infoset are stored on a block."""

    actions: int
    first: int  # of its numbers in a store
    following: int  # offset to its numbers on the next block
    scale: int  # its unit, if numbers are stored as integers
    slot: int  # of its numbers in a block's strategy


class ResponseRequest(NamedTuple):
    """A player's average strategy, and the outputs requested of the best response."""

    sums: object  # [board, block, slot, BLOCK]: the average strategy is in proportion to it
    held: object  # like sums, the probability of being held to it, at an infoset's first action; read where `holding`
    holding: bool
    choice: object  # like sums, float32: the best response, written where `choosing`
    choosing: bool
    sequence_values: object  # [block, sequence, BLOCK]: own value of every sequence of this board, if `valuing`
    valuing: bool


class Best(NamedTuple):
    """Buffers for the values of a best response, in addition to those of the average strategy."""

    action_value: object  # [row + 1, deal]: own value of each deal; like Tiles.worth
    value: object  # [value lane + node, BLOCK]; like Scratch.value


@kernel(allocates=False)
def copy_hands(to, source, slots, stride, stored):
    """Overwrite the numbers of some hands by those of others: `slots` numbers each, `stride` apart.

    to and source [hand] int64: the offset of the first number; stored is flat
    """
    for hand in range(len(to)):
        one, other = to[hand], source[hand]
        for _ in range(slots):
            stored[one] = stored[other]
            one += stride
            other += stride
