"""The betting of a poker game of any number of players as flat arrays, without cards.

Nodes are numbered so that the children of a node are adjacent, and the subtree of each round is contiguous. The numbers
that a solver stores for an infoset (a decision with a bucket) are in the row of that bucket: each round has an array
[bucket, row], and `slot` is the offset of a decision's actions in the row. In a row, the decisions of one player in the
subtree of one round are adjacent and start at a multiple of LINE: in limit hold'em they are the 16 numbers that a walk
of the subtree needs, one cache line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pokerlab.errors import TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Betting
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
        own = np.flatnonzero((arrays.round == round) & (arrays.actor >= 0))
        first, example, which = np.unique(arrays.slot[own], return_index=True, return_inverse=True)
        return Slots(own, which, first.astype(np.int64), arrays.moves[own[example]].astype(np.int64))

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


def places_of(game: PokerGame) -> int:
    """The number of betting nodes of a game, counted without building them; TooLarge if even that is too much."""
    found = count_betting(game)
    return sum(found.decisions.values()) + sum(found.folds.values()) + found.showdowns


def _check(game: PokerGame) -> None:
    """Raise TooLarge, before building anything, if the betting has too many nodes."""
    try:
        places = places_of(game)
        many = f"{places:,} places"
    except TooLarge:
        places, many = MOST_NODES + 1, "too many places to count"
    if places > MOST_NODES:
        raise TooLarge(
            f"the betting of {game.name} alone has {many}, and there may be {MOST_NODES:,}: choose a menu of fewer bet "
            "sizes, a lower cap on raises, as in holdem-limit(players=3, raises=(3, 2, 2, 2)), or smaller stacks"
        )


def betting_form(game: PokerGame, *, watch: Watch = SILENT) -> BettingForm:
    """Build the betting of a game; TooLarge if it has too many nodes."""
    _check(game)
    rules = game.betting

    def following(betting: Betting) -> Following:
        actions = () if betting.actor == TERMINAL else rules.actions(betting)
        return tuple(game.action_text(action) for action in actions), [rules.act(betting, action) for action in actions]

    grown = grow(rules.start(), following, watch=watch)
    actor = np.array([_actor(state) for state in grown.states], np.int8)
    rounds = np.array([state.round for state in grown.states], np.int8)
    slot, rows = _slots(actor, rounds, grown, players=game.players, total=len(game.rules.rounds))
    acting = actor >= 0
    decisions = tuple(int(np.count_nonzero(acting & (rounds == round))) for round in range(len(rows)))
    return packed(game, grown, rounds=rounds, slot=slot, rows=rows, decisions=decisions)


Following = tuple[tuple[str, ...], list[Betting]]  # legal actions, and the states that follow


class Grown(NamedTuple):
    """Every betting node, level by level: children are adjacent."""

    states: list[Betting]
    first: list[int]  # [node] the first child
    children: list[int]  # [node] how many
    actions: list[tuple[str, ...]]  # [node]


def grow(start: Betting, following: Callable[[Betting], Following], *, watch: Watch = SILENT) -> Grown:
    """Everything below a start."""
    found = Grown([start], [], [], [])
    states, node = found.states, 0
    while node < len(states):
        names, after = following(states[node])
        found.first.append(len(states))
        found.children.append(len(after))
        found.actions.append(names)
        states += after
        if node % 65536 == 0:
            watch.at("building", len(states), None)
        node += 1
    return found


def packed(
    game: PokerGame,
    grown: Grown,
    *,
    rounds: np.ndarray,
    slot: np.ndarray,
    rows: tuple[int, ...],
    decisions: tuple[int, ...],
) -> BettingForm:
    """Nodes as flat arrays."""
    states, antes = grown.states, game.betting.antes
    actor = np.array([_actor(state) for state in states], np.int8)
    put = np.array([state.live for state in states], np.int32).reshape(len(states), -1) + np.array(antes, np.int32)
    pots = [game.payoffs.pots(state) if one == SHOWN else [] for state, one in zip(states, actor, strict=True)]
    arrays = BettingArrays(
        actor=actor,
        round=rounds,
        first=np.array(grown.first, np.int32),
        children=np.array(grown.children, np.int8),
        moves=np.array([len(names) for names in grown.actions], np.int8),
        slot=slot,
        put=put,
        pot_first=np.cumsum([0, *(len(own) for own in pots)]).astype(np.int32),
        pot_chips=np.array([pot.amount for own in pots for pot in own], np.int32),
        pot_seats=np.array([sum(1 << seat for seat in pot.seats) for own in pots for pot in own], np.int32),
    )
    alive = np.array([state.alive for state in states], np.int64)
    return BettingForm(game, arrays, rows, [state.history for state in states], grown.actions, alive, decisions)


def _actor(state: Betting) -> int:
    if state.actor != TERMINAL:
        return state.actor
    return FOLDED if state.folded_out else SHOWN


def _slots(
    actor: np.ndarray, rounds: np.ndarray, grown: Grown, *, players: int, total: int
) -> tuple[np.ndarray, tuple[int, ...]]:
    """The offset of each decision's numbers in the row of a bucket, and the row lengths.  # [node], [round]"""
    entry = np.zeros(len(actor), np.int64)  # the node at which the subtree of a node's round begins
    for node, names in enumerate(grown.actions):
        for child in range(grown.first[node], grown.first[node] + len(names)):
            entry[child] = entry[node] if rounds[child] == rounds[node] else child
    sizes = np.array([len(names) for names in grown.actions])
    slot = np.zeros(len(actor), np.int32)
    rows = []
    for round in range(total):
        own = np.flatnonzero((rounds == round) & (actor >= 0))
        group = entry[own] * players + actor[own]
        order = np.argsort(group, kind="stable")
        row, last = 0, -1
        for place in order:
            if group[place] != last:
                row, last = -(-row // LINE) * LINE, group[place]
            slot[own[place]] = row
            row += sizes[own[place]]
        rows.append(int(-(-row // LINE) * LINE))
    return slot, tuple(rows)
