"""A public tree in the memory of a machine: the records that programs read, as portable.h beside this file declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pokerlab.tree.machines import Machine
from pokerlab.tree.public.boards import BLOCK, Hands
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.treeplex import Treeplex

PLEX = (
    *("roots", "used_roots", "slots", "nodes", "node", "sequence", "source_start", "source"),
    *("lanes", "showdowns", "folds_from", "lane_sequence", "deals"),
)
SEAT = ("rows", "rows_above", "rows_twin", "count", "cards", "above", "twin", "group", "row_below")
LEVEL = ("boards", "tokens", "group_start", "parent", "child_image", "image_board", "chance", "padding")
ARRAYS = (
    *("first", "above", "above_first", "above_sequences", "above_deal", "sums", "last", "reach", "ahead", "totals"),
    *("deal_value", "scratch", "root_value", "opposing", "step", "average", "regret_scale", "average_scale", "held"),
    *("best_scratch", "best_root_value", "best_deal_value"),
)
AHEAD, COMPATIBLE, DEAL, NODE = range(4)


def record(machine: Machine, fields: Sequence[str], values: Mapping[str, Any]) -> Any:
    """A record in the memory of a machine: whole numbers, and the addresses of arrays; 0 where nothing is given."""
    words = np.zeros(len(fields), np.int64)
    for place, name in enumerate(fields):
        value = values.get(name, 0)
        if isinstance(value, float | np.floating):
            raise TypeError(name)
        words[place] = value if isinstance(value, int | np.integer) else machine.address(value)
    return machine.array(words)


def used_roots(plexes: Sequence[Treeplex]) -> int:
    """The number of roots of a round that are not padding."""
    used = [np.flatnonzero(np.diff(plex.source_start[: plex.roots + 1])) for plex in plexes]
    return 1 + int(max(places.max(initial=0) for places in used))


def lanes_of(own: Treeplex, other: Treeplex) -> tuple[np.ndarray, int, int]:
    """Own sequences that the opponent's values depend on, how many are compared at showdown, and the first that is
    weighted by compatible hands: the lanes of a treeplex without its padding."""
    values = other.source_value
    ahead = values[values < own.ahead_width]
    folds_from = own.compatible_from
    folds = values[(values >= own.ahead_width) & (values < own.ahead_width + len(own.lane_sequence) - folds_from)]
    showdowns = 1 + int(ahead.max(initial=-1))
    used = [int(fold) - own.ahead_width + folds_from for fold in folds]
    lanes = max(showdowns, 1 + max(used, default=-1))
    return own.lane_sequence[:lanes], showdowns, min([*used, lanes])


def sources_of(own: Treeplex, other: Treeplex) -> tuple[np.ndarray, np.ndarray]:
    """The kind of each source of an own sequence's value, and which lane, deal or infoset's first slot it is."""
    lanes, _, folds_from = lanes_of(other, own)
    value = own.source_value.astype(np.int64)
    ends = np.cumsum([other.ahead_width, len(other.lane_sequence) - other.compatible_from, len(own.deal_sequence)])
    kind = np.searchsorted(ends, value, side="right")
    index = value - np.array([0, *ends])[kind]
    fold, node = kind == COMPATIBLE, kind == NODE
    index[fold] += other.compatible_from - folds_from
    index[node] = own.node_slot[index[node]]
    assert not len(lanes) or (index[fold] < len(lanes) - folds_from).all()
    return kind.astype(np.int32), index.astype(np.int32)


def depths(plex: Treeplex) -> np.ndarray:
    """How many own infosets lie above each infoset of a round.  # [node]"""
    depth = np.zeros(plex.nodes, np.int32)
    node_of = np.repeat(np.arange(plex.nodes), plex.node_actions)
    for node, sequence in enumerate(plex.node_sequence.tolist()):
        if sequence >= plex.roots:
            depth[node] = depth[node_of[sequence - plex.roots]] + 1
    return depth


def steps_of(plex: Treeplex) -> list[tuple[int, int, int, int]]:
    """(first infoset, how many, first slot, how many) of each depth, where infosets are in order of depth."""
    depth = depths(plex)
    nodes = np.bincount(depth)
    slots = np.bincount(depth, plex.node_actions).astype(np.int64)
    starts = np.cumsum(nodes) - nodes, np.cumsum(slots) - slots
    return [tuple(step) for step in np.stack([starts[0], nodes, starts[1], slots], axis=1).tolist()]


def rows_below(hands: Hands, image_board: np.ndarray, rows_above: int) -> np.ndarray:
    """Where each image of a board has each row of the board before, -1 if nowhere.  # [image, row above] int16"""
    below = np.full((len(image_board), rows_above), -1, np.int16)
    image, row = np.nonzero(np.arange(hands.rows) < hands.count[image_board][:, None])
    below[image, hands.image_row[image, row]] = row
    return below


class MachineTree:
    """A public tree's records: integers once, and numbers in the types that are computed with."""

    def __init__(self, machine: Machine, tree: PublicTree, *, like: MachineTree | None = None) -> None:
        """`like` is of a tree with the same betting, whose records of it are used again."""
        self.machine, self.tree = machine, tree
        self.kept: list[Any] = []  # arrays whose addresses are in records
        self.lists: dict[tuple[int, int], Any] = {}  # by round and player, as showdowns.py makes them
        numbers = range(len(tree.rounds))
        self.rows_above = [[self._rows(number - 1, player) for player in (0, 1)] for number in numbers]
        if like is None:
            self.roots = [used_roots(level.treeplexes) for level in tree.rounds]
            self.steps = [[steps_of(plex) for plex in pair] for pair in self._plexes]
            self.lanes = [[lanes_of(pair[k], pair[1 - k]) for k in (0, 1)] for pair in self._plexes]
            self._plex_values = [[self._plex(number, player) for player in (0, 1)] for number in numbers]
            self._plex_records: dict[Any, list[list[Any]]] = {}
        else:
            self.kept.append(like)
            self.roots, self.steps, self.lanes = like.roots, like.steps, like.lanes
            self._plex_values, self._plex_records = like._plex_values, like._plex_records
        self._hands: list[tuple[Callable[[PublicTree], np.ndarray], Any]] = []  # what is of a tree's hands
        self._level_values = [self._level(number) for number in numbers]
        self.seats = [self._pair(number) for number in numbers]

    def take_hands(self, tree: PublicTree) -> None:
        """Put the hands of a tree of the same shape, on other boards, in the place of these."""
        for of_tree, array in self._hands:
            self.machine.put_numbers(self.machine.address(array), of_tree(tree))

    @property
    def _plexes(self) -> list[tuple[Treeplex, Treeplex]]:
        return [level.treeplexes for level in self.tree.rounds]

    def deals(self, number: int) -> int:
        """The number of deals that end a round."""
        return self.roots[number + 1] if number + 1 < len(self.roots) else 0

    def in_type(self, real: Any) -> tuple[list[list[Any]], list[Any]]:
        """[round][player] records of treeplexes, and [round] records of rounds."""
        if real not in self._plex_records:
            self._plex_records[real] = [
                [
                    self._keep(PLEX, own | {"source": self.put(self._sources(number, player, real))})
                    for player, own in enumerate(pair)
                ]
                for number, pair in enumerate(self._plex_values)
            ]
        levels = []
        for values, level in zip(self._level_values, self.tree.rounds, strict=True):
            chance = np.zeros(8, np.uint8)
            chance[: np.dtype(real).itemsize] = np.array([level.chance], real).view(np.uint8)
            levels.append(self._keep(LEVEL, values | {"chance": int(chance.view(np.int64)[0])}))
        return self._plex_records[real], levels

    def lone_lane(self) -> Any:
        """The record of a treeplex with one sequence, which is compared at showdown."""
        first = {"roots": 1, "used_roots": 1, "lanes": 1, "showdowns": 1, "folds_from": 1}
        return self._keep(PLEX, first | {"lane_sequence": self.put(np.zeros(1, np.int32))})

    def put(self, values: np.ndarray) -> Any:
        """A copy of an array on the machine, for as long as this tree is used."""
        self.kept.append(self.machine.array(values))
        return self.kept[-1]

    def _keep(self, fields: Sequence[str], values: Mapping[str, Any]) -> Any:
        self.kept.append(record(self.machine, fields, values))
        return self.kept[-1]

    def _rows(self, number: int, player: int) -> int:
        if number >= 0:
            return self.tree.rounds[number].hands[player].rows
        live = int((self.tree.weights[player] > 0).sum())
        return -(-live // BLOCK) * BLOCK

    def _plex(self, number: int, player: int) -> dict[str, Any]:
        own = self._plexes[number][player]
        lane_sequence, showdowns, folds_from = self.lanes[number][player]
        depth = depths(own)
        order = np.argsort(depth, kind="stable")
        nodes = np.stack([own.node_sequence, own.node_slot, own.node_actions, np.arange(own.nodes)], axis=1)[order]
        slots = [own.roots + slot + k for _, slot, actions, _ in nodes.tolist() for k in range(actions)]
        arrays = {"node": nodes, "sequence": np.array([*slots, *range(self.roots[number])])}
        arrays |= {"source_start": own.source_start, "lane_sequence": lane_sequence}
        numbers = {"roots": own.roots, "used_roots": self.roots[number], "nodes": own.nodes, "slots": own.slots}
        numbers |= {"lanes": len(lane_sequence), "showdowns": showdowns, "folds_from": folds_from}
        numbers["deals"] = self.deals(number)
        return numbers | {name: self.put(array.astype(np.int32)) for name, array in arrays.items()}

    def _sources(self, number: int, player: int, real: Any) -> np.ndarray:
        """The sources of each sequence's value, those that are not COMPATIBLE first."""
        own, other = self._plexes[number][player], self._plexes[number][1 - player]
        kind, index = sources_of(own, other)
        sequence = np.repeat(np.arange(len(own.source_start) - 1), np.diff(own.source_start))
        order = np.lexsort((kind == COMPATIBLE, sequence))
        padding = 8 - np.dtype(real).itemsize
        fields: list[Any] = [("kind", np.int32), ("index", np.int32), ("factor", real), ("unused", f"V{padding}")]
        sources = np.zeros(len(kind), fields if padding else fields[:3])
        sources["kind"], sources["index"], sources["factor"] = kind[order], index[order], own.source_factor[order]
        return sources.view(np.uint8)

    def _pair(self, number: int) -> list[Any]:
        """The seats of a round, made once where both players hold the same hands."""
        one, other = self.tree.rounds[number].hands
        first = self._seat(number, 0)
        same = one is other and self.rows_above[number][0] == self.rows_above[number][1]
        return [first, first if same else self._seat(number, 1)]

    def _seat(self, number: int, player: int) -> Any:
        level, above = self.tree.rounds[number], self.rows_above[number][player]
        hands = level.hands[player]

        def of_hands(name: str) -> Callable[[PublicTree], np.ndarray]:
            return lambda tree: np.asarray(getattr(tree.rounds[number].hands[player], name))

        def below(tree: PublicTree) -> np.ndarray:
            level = tree.rounds[number]
            counts, hands = np.diff(level.image_start), level.hands[player]
            if hands.below is not None:
                return hands.below
            return rows_below(hands, np.repeat(np.arange(len(counts)), counts), above)

        arrays = {name: of_hands(name) for name in ("count", "cards", "above", "twin", "group")} | {"row_below": below}
        numbers = {"rows": hands.rows, "rows_above": above, "rows_twin": level.hands[1 - player].rows}
        return self._keep(SEAT, numbers | {name: self._put_hands(of_tree) for name, of_tree in arrays.items()})

    def _put_hands(self, of_tree: Callable[[PublicTree], np.ndarray]) -> Any:
        """What a tree says of its hands, which another tree may replace."""
        self._hands.append((of_tree, self.put(of_tree(self.tree))))
        return self._hands[-1][1]

    def _level(self, number: int) -> dict[str, Any]:
        level = self.tree.rounds[number]
        children = self.tree.rounds[number - 1].children if number else np.array([0, 1])
        arrays = {
            "parent": level.parent,
            "child_image": level.image_start[children],
            "image_board": np.repeat(np.arange(len(level.boards)), np.diff(level.image_start)),
        }
        numbers = {"boards": len(level.boards), "tokens": self.tree.tokens}
        starts = {"group_start": self._put_hands(lambda tree: tree.rounds[number].group_start.astype(np.int32))}
        return numbers | starts | {name: self.put(array.astype(np.int32)) for name, array in arrays.items()}
