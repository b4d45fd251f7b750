"""The betting of a poker game of any number of players as flat arrays, without cards.

Nodes are numbered so that the children of a node are adjacent, and the subtree of each round is contiguous. The numbers
that a solver stores for an infoset (a decision with a bucket) are in the row of that bucket: each round has an array
[bucket, row], and `slot` is the offset of a decision's actions in the row. In a row, the decisions of one player in the
subtree of one round are adjacent and start at a multiple of LINE: in limit hold'em they are the 16 numbers that a walk
of the subtree needs, one cache line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.exchange_buckets import DiscardOption
from pokerlab.errors import TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Action, Betting
from pokerlab.games.poker.betting_count import count_betting
from pokerlab.games.poker.engine import PokerGame

LINE = 16  # four-byte numbers in a cache line
FOLDED, SHOWN = -1, -2  # actors: nobody, since one seat is left or hands are compared
MOST_NODES = 20_000_000


class BettingArrays(NamedTuple):
    """The betting as kernels read it."""

    actor: np.ndarray  # [node] int8: who acts, FOLDED or SHOWN
    round: np.ndarray  # [node] int8: of betting; or the stage, in games with an exchange
    first: np.ndarray  # [node] int32: the first child
    children: np.ndarray  # [node] int8: how many
    moves: np.ndarray  # [node] int8: actions; as many as children, except in an exchange of cards (see exchange.py)
    slot: np.ndarray  # [node] int32: offset of a decision's numbers in the row of a bucket of its round
    put: np.ndarray  # [node, player] int32: chips put in so far, antes included
    pot_first: np.ndarray  # [node + 1] int32: the pots of a showdown
    pot_chips: np.ndarray  # [pot] int32
    pot_seats: np.ndarray  # [pot] int32: bits of the seats that can win it


@dataclass(frozen=True, eq=False)
class BettingForm:
    """The betting of a game: its arrays, and the names of its nodes."""

    game: PokerGame
    arrays: BettingArrays
    rows: tuple[int, ...]  # [round] numbers in the row of a bucket
    histories: list[str]  # [node] in the rule engine's notation: "cr/cr300"
    actions: list[tuple[str, ...]]  # [node] in the game's notation: ("f", "c", "r300"); () at terminal nodes
    alive: np.ndarray  # [node] int64: bits of the seats that have not folded
    decisions: tuple[int, ...]  # [round] the number of decision nodes

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.histories)

    def slots(self, round: int) -> Slots:
        """The slots of a round."""
        arrays = self.arrays
        nodes = decisions_of(arrays, round)
        first, example, which = np.unique(arrays.slot[nodes], return_index=True, return_inverse=True)
        return Slots(nodes, which, first.astype(np.int64), arrays.moves[nodes[example]].astype(np.int64))

    @cached_property
    def node_of(self) -> dict[str, int]:
        """The node of each betting history."""
        return {history: node for node, history in enumerate(self.histories)}


class Slots(NamedTuple):
    """The distinct slots of the decisions of a round in a row."""

    nodes: np.ndarray  # [decision] int64
    which: np.ndarray  # [decision] the slot of each
    first: np.ndarray  # [slot] where its numbers begin
    sizes: np.ndarray  # [slot] how many they are


def betting_form(game: PokerGame, *, watch: Watch = SILENT) -> BettingForm:
    """Build the betting of a game; TooLarge if it has too many nodes."""
    check_nodes(game, "the betting")
    tree = grow(game, watch=watch)
    arrays = arrays_of(game, tree, [state.round for state in tree.states])
    slot, rows, decisions = _slots(arrays, players=game.players, rounds=len(game.rules.rounds))
    return form_of(game, tree, arrays._replace(slot=slot), rows, decisions)


def check_nodes(game: PokerGame, part: str, *, factor: int = 1) -> None:
    """Raise TooLarge, before building anything, if the betting has too many nodes, each counted `factor` times."""
    try:
        count = count_betting(game)
        nodes = factor * (sum(count.decisions.values()) + sum(count.folds.values()) + count.showdowns)
        text = f"{nodes:,} nodes" if factor == 1 else f"up to {nodes:,} nodes"
    except TooLarge:
        nodes, text = MOST_NODES + 1, "too many nodes to count"
    if nodes > MOST_NODES:
        raise TooLarge(
            f"{part} of {game.name} alone has {text}, and at most {MOST_NODES:,} are allowed: choose a menu of fewer "
            'bet sizes, as in --menu "50%,100%,allin" or --menu min, a lower cap on raises, as in '
            "holdem-limit(players=3, raises=(3, 2, 2, 2)), or smaller stacks"
        )


class BettingTree(NamedTuple):
    """Every betting node, level by level: children are adjacent."""

    states: list[Betting]
    first: list[int]  # [node] the first child
    children: list[int]  # [node] how many
    actions: list[tuple[str, ...]]  # [node]


def grow(game: PokerGame, options: Sequence[DiscardOption] = (), *, watch: Watch = SILENT) -> BettingTree:
    """All nodes of the betting; in an exchange, actions are options and there is a child per number of cards."""
    rules = game.betting
    tree = BettingTree([rules.start()], [], [], [])
    names = tuple(option.name for option in options)
    most = max((option.cards for option in options), default=0)
    for node, state in enumerate(tree.states):  # grows meanwhile
        exchanges = state.actor != TERMINAL and state.drawing
        actions: Sequence[Action] = () if state.actor == TERMINAL or exchanges else rules.actions(state)
        tree.actions.append(names if exchanges else tuple(game.action_text(action) for action in actions))
        if exchanges:
            actions = [Action("d", 0, tuple(range(count))) for count in range(most + 1)]
        tree.first.append(len(tree.states))
        tree.children.append(len(actions))
        tree.states.extend([rules.act(state, action) for action in actions])
        if node % 65536 == 0:
            watch.at("building", len(tree.states), None)
    return tree


def arrays_of(game: PokerGame, tree: BettingTree, rounds: Sequence[int]) -> BettingArrays:
    """Nodes as flat arrays, without slots."""
    states, antes = tree.states, np.array(game.betting.antes, np.int32)
    actor = np.array([_actor(state) for state in states], np.int8)
    put = np.array([state.live for state in states], np.int32).reshape(len(states), -1) + antes
    pots = [game.payoffs.pots(state) if seat == SHOWN else [] for state, seat in zip(states, actor, strict=True)]
    return BettingArrays(
        actor=actor,
        round=np.array(rounds, np.int8),
        first=np.array(tree.first, np.int32),
        children=np.array(tree.children, np.int8),
        moves=np.array([len(names) for names in tree.actions], np.int8),
        slot=np.zeros(len(states), np.int32),
        put=put,
        pot_first=np.cumsum([0, *(len(own) for own in pots)]).astype(np.int32),
        pot_chips=np.array([pot.amount for own in pots for pot in own], np.int32),
        pot_seats=np.array([sum(1 << seat for seat in pot.seats) for own in pots for pot in own], np.int32),
    )


def form_of(
    game: PokerGame, tree: BettingTree, arrays: BettingArrays, rows: tuple[int, ...], decisions: tuple[int, ...]
) -> BettingForm:
    """The arrays of a tree with the names of its nodes."""
    alive = np.array([state.alive for state in tree.states], np.int64)
    return BettingForm(game, arrays, rows, [state.history for state in tree.states], tree.actions, alive, decisions)


def _actor(state: Betting) -> int:
    if state.actor != TERMINAL:
        return state.actor
    return FOLDED if state.folded_out else SHOWN


def _slots(arrays: BettingArrays, *, players: int, rounds: int) -> tuple[np.ndarray, tuple[int, ...], tuple[int, ...]]:
    """Offsets of the decisions' numbers in a row; row lengths and decisions by round.  # [node], [round], [round]"""
    group = entries(arrays) * players + arrays.actor
    slot, rows, decisions = np.zeros(len(group), np.int32), [], []
    for round in range(rounds):
        nodes = decisions_of(arrays, round)
        slot[nodes], row = grouped_offsets(group[nodes], arrays.moves[nodes], LINE)
        rows.append(row)
        decisions.append(len(nodes))
    return slot, tuple(rows), tuple(decisions)


def decisions_of(arrays: BettingArrays, round: int) -> np.ndarray:
    """The decision nodes of a round.  # [decision] int64"""
    return np.flatnonzero((arrays.round == round) & (arrays.actor >= 0))


def parents(arrays: BettingArrays) -> np.ndarray:
    """The parents of nodes 1, 2, ..., since children are stored in order.  # [node - 1] int64"""
    return np.repeat(np.arange(len(arrays.actor)), arrays.children.astype(np.int64))


def levels(arrays: BettingArrays) -> Iterator[tuple[int, int]]:
    """The node range of each depth, starting with the children of the root."""
    children = arrays.children.astype(np.int64)
    begin, end = 1, 1 + int(children[0])
    while begin < end:
        yield begin, end
        begin, end = end, end + int(children[begin:end].sum())


def entries(arrays: BettingArrays) -> np.ndarray:
    """The node at which the round of each decision starts; a terminal node's is itself.  # [node] int64"""
    parent, rounds = parents(arrays), arrays.round
    entry = np.arange(len(rounds))
    for begin, end in levels(arrays):
        above = parent[begin - 1 : end - 1]
        within = (arrays.actor[begin:end] >= 0) & (rounds[begin:end] == rounds[above])
        entry[begin:end] = np.where(within, entry[above], entry[begin:end])
    return entry


def grouped_offsets(group: np.ndarray, sizes: np.ndarray, align: int) -> tuple[np.ndarray, int]:
    """Offsets of items of these sizes with each group adjacent and starting at a multiple of `align`; and the end."""
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(sizes[order], dtype=np.int64)
    _, starts, counts = np.unique(group[order], return_index=True, return_counts=True)
    before = np.concatenate([[0], ends])[starts]  # of all items before a group
    lengths = -(-np.diff(before, append=ends[-1:]) // align) * align
    offsets = np.empty(len(group), np.int64)
    offsets[order] = ends - sizes[order] + np.repeat(np.cumsum(lengths) - lengths - before, counts)
    return offsets, int(lengths.sum())
