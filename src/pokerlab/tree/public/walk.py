"""A walk over a public tree: down through the rounds board by board, and up again.

Boards after the first deal are independent, so threads process them in fixed portions whose results are added in order:
the result does not depend on the number of threads. Subclasses define what happens on a board (a step of a solver, a
best response).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from pokerlab import parallel
from pokerlab.compiled import PLAIN_LANES, warn_of_untested_numba
from pokerlab.tree.public._kernels import memory
from pokerlab.tree.public.boards import BLOCK, Hands
from pokerlab.tree.public.layout import PublicRound, PublicTree, slots_of
from pokerlab.tree.public.treeplex import LANES, Treeplex
from pokerlab.tree.resources import aligned

SHARES = 16  # a thread takes this fraction of the remaining boards, and at least one
Tiles = list[np.ndarray]  # what is passed between rounds: flat arrays [row + 1, deal]


def share_out(boards: int) -> np.ndarray:
    """Boards in portions, large ones first so that threads finish together; independent of the number of threads.

    >>> share_out(12).tolist()
    [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 8], [8, 9], [9, 10], [10, 11], [11, 12]]
    >>> share_out(1326)[0].tolist()
    [0, 82]
    """
    ends = [0]
    while ends[-1] < boards:
        ends.append(ends[-1] + max(1, (boards - ends[-1]) // SHARES))
    return np.array([ends[:-1], ends[1:]]).T.copy()


def _portion(first: int, end: int, part: int) -> memory.Portions:
    return memory.Portions(np.zeros(1, np.int64), np.array([[first, end]]), part)


def _one_part(tiles: Tiles) -> Tiles:
    return [tile.reshape(1, -1) for tile in tiles]


class Workspace:
    """The workspace of one thread: tiles and scratch of every round, in one float type."""

    def __init__(self, tree: PublicTree, plexes: list[list[memory.Plex]], dtype: Any) -> None:
        self.levels = [
            memory.Level(level.image_start, level.group_start, level.chance, tree.tokens) for level in tree.rounds
        ]
        self.sides = [
            tuple(_side(level.hands[k], pair[k], pair[1 - k], tree.tokens, dtype) for k in (0, 1))
            for level, pair in zip(tree.rounds, plexes, strict=True)
        ]
        self.scratch = [
            _scratch(pair, level.tokens, dtype) for pair, level in zip(self.sides, self.levels, strict=True)
        ]
        self.facing = [
            [memory.Facing(pair[player], pair[1 - player], level, scratch) for player in (0, 1)]
            for pair, level, scratch in zip(self.sides, self.levels, self.scratch, strict=True)
        ]
        self.best = [
            [memory.Best(np.zeros_like(side.tiles.action_value), np.zeros_like(scratch.value)) for side in pair]
            for pair, scratch in zip(self.sides, self.scratch, strict=True)
        ]


def _side(hands: Hands, own: memory.Plex, other: memory.Plex, tokens: int, dtype: Any) -> memory.Side:
    rows, lanes, deals = hands.rows, len(own.lane_sequence), len(own.deal_sequence)
    tiles = memory.Tiles(
        lanes=aligned((rows + 1) * lanes, dtype),
        of_card=aligned((tokens + 1) * lanes, dtype),
        deals=aligned((rows + 1) * deals, dtype),
        ahead=aligned(rows * other.ahead_width, dtype),
        action_value=aligned((rows + 1) * deals, dtype),
    )
    return memory.Side(own, _record(memory.Seat, hands), tiles)


def _scratch(sides: tuple[memory.Side, ...], tokens: int, dtype: Any) -> memory.Scratch:
    pair = [side.plex for side in sides]
    sequences = max(plex.roots + plex.slots for plex in pair)
    lanes = max(len(plex.lane_sequence) for plex in pair)
    values = max(
        other.ahead_width + len(other.lane_sequence) - other.compatible_from + len(own.deal_sequence) + own.nodes
        for own, other in (pair, pair[::-1])
    )
    return memory.Scratch(
        plain=np.arange(max(sequences, *(side.seat.rows for side in sides)), dtype=np.int16),
        reach=aligned(sequences * BLOCK, dtype),
        strategy=aligned(max(plex.slots for plex in pair) * BLOCK, dtype),
        value=aligned(values * BLOCK, dtype),
        action_value=aligned(max(int(plex.node_actions.max(initial=1)) for plex in pair) * BLOCK, dtype),
        transposed=aligned(pair[0].roots * BLOCK, dtype),
        compatible=aligned(lanes * BLOCK, dtype),
        swept=aligned((tokens + 2) * max(plex.ahead_width for plex in pair), dtype),
    )


def _plex(plex: Treeplex, dtype: Any) -> memory.Plex:
    return _record(memory.Plex, replace(plex, source_factor=plex.source_factor.astype(dtype)))


def _record(kind: Any, source: Any) -> Any:
    """A record of kernels, from the attributes of the same names."""
    return kind(*(getattr(source, name) for name in kind._fields))


def empty_store(level: PublicRound, player: int, *, dtype: Any, predictive: bool) -> memory.Store:
    """A player's arrays in a round, initialised."""
    count = slots_of(level, player)
    scaled = np.dtype(dtype) == np.int16
    scales = len(level.boards) * (level.hands[player].rows // BLOCK) * level.treeplexes[player].nodes if scaled else 1
    return memory.Store(
        regret=aligned(count, dtype),
        average=aligned(count, dtype),
        last=aligned(count if predictive else BLOCK, np.float32),
        regret_scale=aligned(scales, np.float32),
        average_scale=aligned(scales, np.float32),
    )


class Walk(ABC):
    """What all walks share. `from_above` is reach passed down, `to_above` values passed up."""

    def __init__(self, tree: PublicTree, *, dtype: Any, threads: int) -> None:
        warn_of_untested_numba()
        self.tree, self.threads = tree, threads
        self.carried: tuple[int, ...] = (0, 1)  # which of the tiles passed up are needed
        self.last_round = len(tree.rounds) - 1
        self.roots = [self._root(player, dtype) for player in (0, 1)]
        plexes = [[_plex(plex, dtype) for plex in level.treeplexes] for level in tree.rounds]
        self.top = Workspace(tree, plexes, dtype)
        self.spaces = [Workspace(tree, plexes, dtype) for _ in range(threads if self.last_round else 0)]
        self.team = parallel.ThreadTeam(threads if self.last_round else 1)
        self.portions = share_out(len(tree.rounds[1].boards) if self.last_round else 1)
        longest = max(len(side.tiles.action_value) for side in self.top.sides[0])
        self._buffers = [aligned(len(self.portions) * longest, dtype) for _ in range(2)]

    def _root(self, player: int, dtype: Any) -> np.ndarray:
        """The tile above the first round: the weight of each hand."""
        weights = self.tree.weights[player]
        tile = aligned((self.tree.rounds[0].hands[player].rows + 1) * LANES, dtype)
        live = weights[weights > 0]
        tile.reshape(-1, LANES)[: len(live), 0] = live
        return tile

    def _partial(self) -> Tiles:
        """[tile passed up][portion, tile]: each portion's part of the values of the first deal.

        The tiles are those of the player being valued; the two players' differ in length.
        """
        tiles, portions = self.action_value(0, self.top), len(self.portions)
        return [
            buffer[: portions * len(tile)].reshape(portions, len(tile))
            for buffer, tile in zip(self._buffers, tiles, strict=True)
        ]

    def walk(self, from_above: Tiles, to_above: Tiles) -> None:
        """Walk the whole tree once."""
        top, shared = self.top, memory.Portions(np.zeros(1, np.int64), self.portions, memory.WHOLE)
        if not self.last_round:
            self.boards(0, shared, from_above, _one_part(to_above), top)
            return
        self.descend(0, 0, from_above, top)
        deals, partial, left = self.deals(0, top), self._partial(), count()

        def work(member: int) -> None:
            if self.last_round == 1 and not PLAIN_LANES:  # kernels of several threads share an atomic counter
                self.boards(1, shared, deals, partial, self.spaces[member])
                return
            while (number := next(left)) < len(self.portions):
                first, end = self.portions[number].tolist()
                self._below(1, first, end, deals, [tiles[number] for tiles in partial], self.spaces[member])

        self.team.run(work)
        for number in self.carried:
            np.add.reduce(partial[number], axis=0, out=self.action_value(0, top)[number])
        self.ascend(0, 0, from_above, to_above, top)

    def _below(self, number: int, first: int, end: int, from_above: Tiles, to_above: Tiles, space: Workspace) -> None:
        """Walk some boards of a round and everything below them."""
        if number == self.last_round:
            self.boards(number, _portion(first, end, memory.WHOLE), from_above, _one_part(to_above), space)
            return
        for carried in self.carried:
            to_above[carried].fill(0)
        children = self.tree.rounds[number].children
        for board in range(first, end):
            self.descend(number, board, from_above, space)
            bounds = int(children[board]), int(children[board + 1])
            self._below(number + 1, *bounds, self.deals(number, space), self.action_value(number, space), space)
            self.ascend(number, board, from_above, to_above, space)

    @abstractmethod
    def deals(self, number: int, space: Workspace) -> Tiles:
        """The tiles that carry reach to the next round."""

    @abstractmethod
    def action_value(self, number: int, space: Workspace) -> Tiles:
        """The tiles that carry values back from the next round."""

    def descend(self, number: int, board: int, from_above: Tiles, space: Workspace) -> None:
        """Reach on a board before the last round."""
        portion, unused = _portion(board, board + 1, memory.DESCENT), self.action_value(number, space)
        self.boards(number, portion, from_above, _one_part(unused), space)

    def ascend(self, number: int, board: int, from_above: Tiles, to_above: Tiles, space: Workspace) -> None:
        """Values on a board before the last round, given the values of its deals."""
        self.boards(number, _portion(board, board + 1, memory.ASCENT), from_above, _one_part(to_above), space)

    @abstractmethod
    def boards(
        self, number: int, portions: memory.Portions, from_above: Tiles, to_above: Tiles, space: Workspace
    ) -> None:
        """Process boards of a round; each portion has its own part of the tiles passed up."""


class PlayerWalk(Walk):
    """A walk that values one player's sequences against an opponent's strategy, in float64."""

    def __init__(self, tree: PublicTree, *, threads: int = 1) -> None:
        super().__init__(tree, dtype=np.float64, threads=threads)
        self.player = 0
        self._range_weights = [weights[weights > 0] for weights in tree.weights]

    def hand_values(self) -> Tiles:
        """Walk once; the values passed up, by hand of the player's range, each times the weight of opposing hands."""
        result = [np.zeros_like(self.roots[self.player]) for _ in range(2)]
        self.walk([self.roots[1 - self.player]], result)
        count = len(self._range_weights[self.player])
        return [tile.reshape(-1, LANES)[:count, 0] for tile in result]

    def mean(self, values: np.ndarray) -> float:
        """The player's value, from such values by hand."""
        return float(self._range_weights[self.player] @ values) / self.tree.pairs

    def deals(self, number: int, space: Workspace) -> Tiles:
        return [space.sides[number][1 - self.player].tiles.deals]

    def action_value(self, number: int, space: Workspace) -> Tiles:
        return [space.sides[number][self.player].tiles.action_value, space.best[number][self.player].action_value]
