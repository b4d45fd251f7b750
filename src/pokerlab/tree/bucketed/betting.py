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
from typing import NamedTuple, Protocol

import numpy as np

from pokerlab.abstraction.exchange_buckets import DiscardOption
from pokerlab.errors import TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Action, Betting
from pokerlab.games.poker.betting_count import count_betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.pots import Pot
from pokerlab.tree.bucketed.betting_states import Shared, SharedHistories, betting_states, expanded, ragged
from pokerlab.tree.forecast import available_memory, bytes_text
from pokerlab.tree.form import SHARE_OF_MEMORY

LINE = 16  # four-byte numbers in a cache line
FOLDED, SHOWN = -1, -2  # actors: nobody, since one seat is left or hands are compared
MOST_NODES = 2**31 - 1  # nodes are numbered in 32 bits
NODE_BYTES = 240  # at most, while a solver makes its own arrays of them and counts its progress
MOST_LISTED = 20_000_000  # nodes that are built one by one, in games with an exchange of cards
LISTED_BYTES = 600


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
    histories: Histories  # [node] in the rule engine's notation: "cr/cr300"
    actions: Sequence[tuple[str, ...]]  # [node] in the game's notation: ("f", "c", "r300"); () at terminal nodes
    alive: np.ndarray  # [node] bits of the seats that have not folded
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

    def node_of(self, history: str) -> int:
        """The node of a betting history; -1 if there is none."""
        return self.histories.find(history)

    @property
    def bytes(self) -> int:
        """What the arrays take, with those that a solver makes of them."""
        return self.nodes * NODE_BYTES


class Histories(Protocol):
    """The histories of the nodes."""

    def __len__(self) -> int: ...

    def __getitem__(self, node: int) -> str: ...

    def find(self, history: str) -> int:
        """The node of a history; -1 if there is none."""


class ListedHistories(list[str]):
    """Histories that are stored."""

    @cached_property
    def _nodes(self) -> dict[str, int]:
        return {history: node for node, history in enumerate(self)}

    def find(self, history: str) -> int:
        """The node of a history; -1 if there is none."""
        return self._nodes.get(history, -1)


class Slots(NamedTuple):
    """The distinct slots of the decisions of a round in a row."""

    nodes: np.ndarray  # [decision] int64
    which: np.ndarray  # [decision] the slot of each
    first: np.ndarray  # [slot] where its numbers begin
    sizes: np.ndarray  # [slot] how many they are


def betting_form(game: PokerGame, *, watch: Watch = SILENT) -> BettingForm:
    """Build the betting of a game; TooLarge if it has too many nodes."""
    nodes = check_nodes(game, "the betting", most=MOST_NODES, node_bytes=NODE_BYTES)
    states = betting_states(game, watch=watch)
    state, first = expanded(states, nodes)
    own = BettingTree(states.states, [0] * len(states.states), states.count.tolist(), states.actions)
    arrays = _of_nodes(arrays_of(game, own, [one.round for one in states.states]), state, first)
    slot, rows, decisions = _slots(arrays, players=game.players, rounds=len(game.rules.rounds))
    alive = np.array([one.alive for one in states.states], np.int16)[state]
    histories, actions = SharedHistories(states, state, first), Shared(states.actions, state)
    return BettingForm(game, arrays._replace(slot=slot), rows, histories, actions, alive, decisions)


def _of_nodes(own: BettingArrays, state: np.ndarray, first: np.ndarray) -> BettingArrays:
    """The arrays of nodes from those of their states.  # [node] int32 both"""
    pots = np.diff(own.pot_first)[state]
    pot = ragged(own.pot_first[state].astype(np.int64), pots.astype(np.int64))
    return BettingArrays(
        actor=own.actor[state],
        round=own.round[state],
        first=first,
        children=own.children[state],
        moves=own.moves[state],
        slot=own.slot[:1],
        put=own.put[state],
        pot_first=np.concatenate([[0], np.cumsum(pots)]).astype(np.int32),
        pot_chips=own.pot_chips[pot],
        pot_seats=own.pot_seats[pot],
    )


def check_nodes(
    game: PokerGame, part: str, *, factor: int = 1, most: int = MOST_LISTED, node_bytes: int = LISTED_BYTES
) -> int:
    """The number of nodes of the betting, each counted `factor` times.

    Raises TooLarge, before building anything, if they are too many or do not fit in memory.
    """
    hint = (
        'choose a menu of fewer bet sizes, as in --menu "50%,100%,allin" or --menu min, a lower cap on raises, as in '
        "holdem-limit(players=3, raises=(3, 2, 2, 2)), or smaller stacks"
    )
    try:
        count = count_betting(game)
    except TooLarge as problem:
        raise TooLarge(f"{part} of {game.name} alone has too many nodes to count: {hint}") from problem
    nodes = factor * (sum(count.decisions.values()) + sum(count.folds.values()) + count.showdowns)
    text = f"{nodes:,} nodes" if factor == 1 else f"up to {nodes:,} nodes"
    if nodes > most:
        raise TooLarge(f"{part} of {game.name} alone has {text}, and at most {most:,} are allowed: {hint}")
    limit = SHARE_OF_MEMORY * available_memory()
    if nodes * node_bytes > limit:
        needed, free = bytes_text(nodes * node_bytes), bytes_text(limit)
        raise TooLarge(
            f"{part} of {game.name} alone has {text}, which take {needed} of memory, and {free} can be used: {hint}"
        )
    return nodes


class BettingTree(NamedTuple):
    """Every betting node, level by level: children are adjacent."""

    states: list[Betting]
    first: list[int]  # [node] the first child
    children: list[int]  # [node] how many
    actions: list[tuple[str, ...]]  # [node]


def grow(game: PokerGame, options: Sequence[DiscardOption] = (), *, watch: Watch = SILENT) -> BettingTree:
    """All nodes of the betting; in an exchange, actions are options and there is a child per number of cards.

    Rules are asked once about equal chips, which many exchanges lead to.
    """
    rules = game.betting
    tree = BettingTree([rules.start()], [], [], [])
    names = tuple(option.name for option in options)
    most = max((option.cards for option in options), default=0)
    known: dict[Betting | None, tuple[tuple[str, ...], list[tuple[Betting, str]]]] = {None: ((), [])}
    for node, state in enumerate(tree.states):  # grows meanwhile
        key = None if state.actor == TERMINAL else rules.forgetting(state)
        if key not in known:
            if state.drawing:
                actions: Sequence[Action] = [Action("d", 0, tuple(range(count))) for count in range(most + 1)]
            else:
                actions = rules.actions(state)
            texts = names if state.drawing else tuple(game.action_text(action) for action in actions)
            following = [rules.act(state, action) for action in actions]
            known[key] = texts, [(after, after.history[len(state.history) :]) for after in following]
        texts, ways = known[key]
        tree.actions.append(texts)
        tree.first.append(len(tree.states))
        tree.children.append(len(ways))
        tree.states.extend([after._replace(history=state.history + word) for after, word in ways])
        if node % 65536 == 0:
            watch.at("building", len(tree.states), None)
    return tree


def arrays_of(game: PokerGame, tree: BettingTree, rounds: Sequence[int]) -> BettingArrays:
    """Nodes as flat arrays, without slots."""
    states, antes = tree.states, np.array(game.betting.antes, np.int32)
    actor = np.array([_actor(state) for state in states], np.int8)
    put = np.array([state.live for state in states], np.int32).reshape(len(states), -1) + antes
    pots = _pots(game, states, actor == SHOWN)
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


def _pots(game: PokerGame, states: Sequence[Betting], shown: np.ndarray) -> list[list[Pot]]:
    """The pots of each showdown, computed once for equal chips; none for other nodes.  # [node]"""
    known: dict[tuple[tuple[int, ...], int], list[Pot]] = {}
    pots: list[list[Pot]] = [[] for _ in states]
    for node in np.flatnonzero(shown).tolist():
        state = states[node]
        own = known.get((state.live, state.alive))
        if own is None:
            own = known[state.live, state.alive] = game.payoffs.pots(state)
        pots[node] = own
    return pots


def form_of(
    game: PokerGame, tree: BettingTree, arrays: BettingArrays, rows: tuple[int, ...], decisions: tuple[int, ...]
) -> BettingForm:
    """The arrays of a tree with the names of its nodes."""
    alive = np.array([state.alive for state in tree.states], np.int64)
    histories = ListedHistories(state.history for state in tree.states)
    return BettingForm(game, arrays, rows, histories, tree.actions, alive, decisions)


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
