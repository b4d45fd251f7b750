"""How a round of a public tree lies in memory: what its kernels are given."""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.compiled import kernel

# Nothing is allocated in here, so arrays need no counting of references; counted, they cost more than the arithmetic.
outer = kernel(_nrt=False)
inner = kernel(_nrt=False, forceinline=True)


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
    ahead_width: int  # lanes that are compared at showdown
    compatible_from: int  # lanes from here on are weighed by compatible hands
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
    """What a player keeps of a round."""

    regret: object  # [board, block, slot, BLOCK] float32 or int16
    average: object  # the same: the strategy summed over steps
    last: object  # the same, or little: the latest step's regret, for schedules that predict
    regret_scale: object  # [board, block, node] float32: one unit of the whole numbers
    average_scale: object  # [board, block, node] float32


class Tiles(NamedTuple):
    """What passes through a board for one player, flat."""

    lanes: object  # [row + 1, lane]: own reach at the lanes that the opponent's values depend on
    of_card: object  # [card + 1, lane]: the same summed over the hands that hold each card; the last row holds all
    deals: object  # [row + 1, deal]: own reach at each deal
    ahead: object  # [row, lane of the opponent]: own value at showdown for one unit
    worth: object  # [row + 1, deal]: own value of each deal


class Scratch(NamedTuple):
    """Room for one block, and for the sums of a sweep."""

    plain: object  # [row] int16: 0, 1, 2 ...
    reach: object  # [sequence, BLOCK]
    strategy: object  # [slot, BLOCK]
    value: object  # [value lane + node, BLOCK]
    worth: object  # [action, BLOCK]
    turned: object  # [BLOCK, root]
    compatible: object  # [BLOCK, lane]
    swept: object  # [card + 2, lane]: the last rows hold all, and what is being passed


class Step(NamedTuple):
    """The numbers of one step of a schedule, the average's weight as it is stored."""

    keep_positive: float
    keep_negative: float
    floor: bool
    keep_average: float
    average_weight: float
    prediction: float
