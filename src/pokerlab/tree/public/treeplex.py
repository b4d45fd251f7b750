"""The betting of one round as two treeplexes, one per player, with the lanes through which they interact.

A player's treeplex has infosets (one for each decision, for each hand) and sequences: the roots of the round, then the
slots, which are the actions of the infosets. The value of a sequence comes from infosets further down, from deals, and
from terminal nodes; a terminal node is worth an amount times a number that depends only on the opponent's sequence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.poker.betting_tree import Deal, Decision, FoldPayoffs, Node

LANES = 16  # lanes are padded to a multiple of this


def padded(count: int, unit: int = LANES) -> int:
    """The smallest multiple of a unit that is at least this."""
    return -(-count // unit) * unit


@dataclass(frozen=True)
class Treeplex:
    """One player's betting in one round, on any board. Sequences: the padded roots of the round, then the slots."""

    roots: int  # padded: the first slot is sequence number `roots`
    node_sequence: np.ndarray  # [node] int32: the sequence that leads to each infoset, parents first
    node_slot: np.ndarray  # [node] int32: first of its slots (a slot is an action of an infoset)
    node_actions: np.ndarray  # [node] int32
    source_start: np.ndarray  # [sequence + 1] int32: where a sequence's value comes from
    source_value: np.ndarray  # [source] int32: a value lane, or the lanes' count + an infoset further down
    source_factor: np.ndarray  # [source] float64: the amount that multiplies the lane
    lane_sequence: np.ndarray  # [lane, padded] int32: OWN sequences that the opponent's values depend on
    ahead_width: int  # how many of those lanes, from the first, are compared at showdown; padded
    compatible_from: int  # lanes from this one on, a multiple of LANES, are weighted by compatible hands
    deal_sequence: np.ndarray  # [root of the next round, padded] int32: own sequence at each deal

    @property
    def nodes(self) -> int:
        """The number of infosets per hand and board."""
        return len(self.node_slot)

    @cached_property
    def slots(self) -> int:
        """The number of actions of all those infosets."""
        return int(self.node_actions.sum())


@dataclass(frozen=True)
class NodePosition:
    """The position of a betting node: its round and, for a decision, infoset and first slot in the treeplex."""

    round: int
    root: int
    sequences: tuple[int, int]
    node: int = -1
    slot: int = -1


@dataclass
class _Draft:
    """One player's treeplex of one round, under construction."""

    nodes: list[tuple[int, int, int]] = field(default_factory=list)  # (own sequence before, first slot, actions)
    sources: list[tuple[int, str, int, float]] = field(default_factory=list)  # (own sequence, kind, which, amount)
    slots: int = 0


def compile_betting(betting: Node, rounds: int) -> tuple[list[tuple[Treeplex, Treeplex]], dict[Node, NodePosition]]:
    """The treeplexes of both players, round by round, and the position of each node."""
    roots: list[Node] = [betting]
    plexes, places = [], dict[Node, NodePosition]()
    for number in range(rounds):
        last = number == rounds - 1
        drafts, deals = _walk_round(roots, number, places, last=last)
        plexes.append(_finish(drafts, padded(len(roots)), [sequences for _, sequences in deals]))
        roots = [node.child for node, _ in deals]
    return plexes, places


def _walk_round(
    roots: list[Node], number: int, places: dict[Node, NodePosition], *, last: bool
) -> tuple[tuple[_Draft, _Draft], list[tuple[Deal, tuple[int, int]]]]:
    drafts = _Draft(), _Draft()
    deals: list[tuple[Deal, tuple[int, int]]] = []
    first_slot = padded(len(roots))

    def visit(node: Node, root: int, sequences: tuple[int, int]) -> None:
        if isinstance(node, Decision):
            player, draft = node.player, drafts[node.player]
            index, slot = len(draft.nodes), draft.slots
            places[node] = NodePosition(number, root, sequences, index, slot)
            draft.sources.append((sequences[player], "node", index, 1.0))
            draft.nodes.append((sequences[player], slot, len(node.actions)))
            draft.slots += len(node.actions)
            for k, child in enumerate(node.children):
                own = first_slot + slot + k
                visit(child, root, (own, sequences[1]) if player == 0 else (sequences[0], own))
            return
        places[node] = NodePosition(number, root, sequences)
        if isinstance(node, Deal):
            if last:
                raise BadSetting("the betting deals more rounds than there are cards for")
            for player in (0, 1):
                drafts[player].sources.append((sequences[player], "deal", len(deals), 1.0))
            deals.append((node, sequences))
            return
        for player in (0, 1):
            own, other = sequences[player], sequences[1 - player]
            if isinstance(node, FoldPayoffs):
                drafts[player].sources.append((own, "compatible", other, node.returns[player]))
                continue
            if not last:
                raise BadSetting("hands are compared before all public cards are dealt")
            half = (node.win[player] - node.lose[player]) / 2
            mean = (node.win[player] + node.lose[player]) / 2
            drafts[player].sources.append((own, "ahead", other, half))
            if mean:
                drafts[player].sources.append((own, "compatible", other, mean))

    for root, node in enumerate(roots):
        visit(node, root, (root, root))
    return drafts, deals


def _finish(drafts: tuple[_Draft, _Draft], roots: int, deals: list[tuple[int, int]]) -> tuple[Treeplex, Treeplex]:
    lanes = []  # of each player's sequences, as the other's values need them
    for player in (0, 1):
        needed = drafts[1 - player].sources
        ahead = {which for _, kind, which, _ in needed if kind == "ahead"}
        compatible = {which for _, kind, which, _ in needed if kind == "compatible"}
        lanes.append((sorted(ahead - compatible), sorted(ahead & compatible), sorted(compatible - ahead)))
    first, second = (
        _treeplex(drafts[k], roots, deals=[pair[k] for pair in deals], own=lanes[k], other=lanes[1 - k]) for k in (0, 1)
    )
    return first, second


_Lanes = tuple[list[int], list[int], list[int]]  # sequences: ahead only, both, compatible only


def _treeplex(draft: _Draft, roots: int, *, deals: list[int], own: _Lanes, other: _Lanes) -> Treeplex:
    ahead_width, first_compatible, width = _extent(other)
    order = {sequence: lane for lane, sequence in enumerate(other[0] + other[1] + other[2])}
    compatible_from = ahead_width - first_compatible  # value lanes: ahead, compatible, deals, infosets
    deals_from = ahead_width + width - first_compatible
    nodes_from = deals_from + padded(len(deals))
    sources: list[list[tuple[int, float]]] = [[] for _ in range(roots + draft.slots)]
    for sequence, kind, which, amount in draft.sources:
        start = {"ahead": 0, "compatible": compatible_from, "deal": deals_from, "node": nodes_from}[kind]
        value = start + (order[which] if kind in ("ahead", "compatible") else which)
        sources[sequence].append((value, amount))
    flat = [source for group in sources for source in group]
    own_ahead, own_first, own_width = _extent(own)
    own_lanes = own[0] + own[1] + own[2]
    nodes = np.array(draft.nodes, np.int32).reshape(-1, 3)
    return Treeplex(
        roots=roots,
        node_sequence=nodes[:, 0].copy(),
        node_slot=nodes[:, 1].copy(),
        node_actions=nodes[:, 2].copy(),
        source_start=np.cumsum([0] + [len(group) for group in sources], dtype=np.int32),
        source_value=np.array([value for value, _ in flat], np.int32),
        source_factor=np.array([amount for _, amount in flat], np.float64),
        lane_sequence=np.array(own_lanes + [0] * (own_width - len(own_lanes)), np.int32),
        ahead_width=own_ahead,
        compatible_from=own_first,
        deal_sequence=np.array(deals + [0] * (padded(len(deals)) - len(deals)), np.int32),
    )


def _extent(lanes: _Lanes) -> tuple[int, int, int]:
    """(lanes compared at showdown, first lane weighted by compatible hands, all lanes), padded to whole vectors."""
    ahead_only, both, compatible_only = (len(group) for group in lanes)
    width = padded(ahead_only + both + compatible_only)
    first = ahead_only // LANES * LANES if both or compatible_only else width
    return padded(ahead_only + both), first, width
