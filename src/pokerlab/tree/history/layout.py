"""Any finite game as flat arrays, one entry a history: the reference form.

Nodes are numbered so that the children of a node are neighbours and come after it, and a subtree lies close together
(depth first, by blocks of siblings). Infosets are numbered by player, each player's in the order met, so that with
perfect recall an infoset comes after the one its player last acted in. The actions of all infosets in that order are
the *slots*: a profile of strategies is one array of probabilities by slot.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.errors import BadFile, BadGame, TooLarge
from pokerlab.games.game import CHANCE, OF_A_SUM, ROUNDING, TERMINAL, Game, action_text, outcome_text, start_pot
from pokerlab.tree.forecast import (
    MOST_NODES,
    available_memory,
    bytes_text,
    check_fits,
    count_text,
    forecast,
    node_bytes,
    outcome_count,
    too_large_text,
)

NO_PARENT = -1  # the parent of the root
NO_LABEL = -1  # the label of a chance node
NO_EDGE = -1  # the edge into the root

_SURE_TO_FIT = 50_000  # nodes that are laid out before the size is forecast
_WAITING = 1_000  # unexpanded nodes at which it is forecast at once: the game is very wide or very deep
_FEW = 5_000  # nodes of a poker game that are laid out one by one


@dataclass(frozen=True, eq=False)
class HistoryTree:
    """The tree of a game. N nodes, T terminals, I infosets, A slots, P players."""

    game: str  # the game's name with its settings
    players: int
    actor: np.ndarray  # [N] int8: a player, CHANCE or TERMINAL
    parent: np.ndarray  # [N] int32: NO_PARENT at the root
    first_child: np.ndarray  # [N] int32: children are first_child, first_child + 1, ...
    child_count: np.ndarray  # [N] int32
    label: np.ndarray  # [N] int32: infoset where a player acts, row of `returns` at a terminal, NO_LABEL at chance
    probability: np.ndarray  # [N] float64: of chance taking this node from its parent; 1 where a player did
    edge: np.ndarray  # [N] int32: the move that led here, an index into `edge_names`; NO_EDGE at the root
    returns: np.ndarray  # [T, P] float64
    start: np.ndarray  # [I + 1] int32: the slots of infoset i are start[i] .. start[i + 1] - 1
    infoset_player: np.ndarray  # [I] int8, never falling
    infoset_names: Sequence[str]  # [I]
    action_names: Sequence[tuple[str, ...]]  # [I]
    edge_names: Sequence[str] = field(default=())
    pot: float = 0.0  # chips in the middle at the start; 0 in games without a pot

    @property
    def nodes(self) -> int:
        """How many histories there are, terminal ones too."""
        return len(self.actor)

    @property
    def terminals(self) -> int:
        """How many histories end the game."""
        return len(self.returns)

    @property
    def infosets(self) -> int:
        """How many infosets there are, of all players."""
        return len(self.infoset_player)

    @property
    def slots(self) -> int:
        """How many (infoset, action) pairs there are."""
        return int(self.start[-1])

    @cached_property
    def first_infoset(self) -> np.ndarray:
        """[P + 1] int64: the infosets of player p are first_infoset[p] .. first_infoset[p + 1] - 1."""
        return np.searchsorted(self.infoset_player, np.arange(self.players + 1))

    @cached_property
    def is_zero_sum(self) -> bool:
        """Whether what one wins the others lose, at every terminal, to rounding (see games/game.py)."""
        beyond = np.abs(self.returns.sum(axis=1)) - OF_A_SUM * np.abs(self.returns).max(axis=1, initial=0.0)
        return bool(np.all(beyond <= ROUNDING * self.stakes))

    @cached_property
    def stakes(self) -> float:
        """The largest payoff of anyone, won or lost: tolerances are shares of it."""
        return float(np.abs(self.returns).max(initial=0.0))

    @property
    def bytes(self) -> int:
        """Bytes of the arrays (the names come on top)."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    def uniform(self) -> np.ndarray:
        """The uniform profile.  # [A]"""
        counts = np.diff(self.start)
        return np.repeat(1.0 / counts, counts)

    def path(self, node: int) -> list[str]:
        """The moves that lead to a node."""
        moves: list[str] = []
        while self.parent[node] != NO_PARENT:
            moves.append(self.edge_names[self.edge[node]])
            node = int(self.parent[node])
        return moves[::-1]


def build(
    game: Game,
    *,
    memory_limit: float | None = None,
    on_progress: Callable[[int, float], None] | None = None,
    most_infosets: int | None = None,
) -> HistoryTree:
    """Lay a game out as a tree. TooLarge, with the size and advice, when it would not fit in memory.

    `memory_limit` in bytes, by default most of what is free. `on_progress` is told (nodes so far, nodes expected).
    `most_infosets` are those of a strategy that the tree is wanted for: BadFile as soon as there are more.
    """
    from pokerlab.tree.history.poker import PokerLayout, can_lay_out, lay_out

    limit = 0.8 * available_memory() if memory_limit is None else memory_limit
    if can_lay_out(game):
        size = forecast(game)
        if size.nodes > _FEW:  # many histories at a time; fewer are as quickly made one by one
            check_fits(game, size, memory_limit=limit)
            _check_infosets(game, size.infosets, most_infosets)
            return replace(lay_out(PokerLayout(game)), pot=start_pot(game))
    layout = _Layout(game)
    expected = 0.0
    for nodes in layout.grow():
        if not expected and (nodes > _SURE_TO_FIT or layout.waiting > _WAITING):
            size = forecast(game)
            check_fits(game, size, memory_limit=limit)
            _check_infosets(game, size.infosets, most_infosets)
            expected = size.nodes
        _check_infosets(game, len(layout.infosets), most_infosets)
        if nodes * node_bytes(game.players) > limit or nodes > MOST_NODES:
            raise TooLarge(too_large_text(game, f"over {count_text(nodes)} nodes", limit))
        if on_progress and expected:
            on_progress(nodes, max(expected, float(nodes)))
    tree = replace(layout.tree(), pot=start_pot(game))
    if tree.bytes > limit:
        raise TooLarge(too_large_text(game, size_text(tree), limit))
    return tree


def _check_infosets(game: Game, count: float | None, most: int | None) -> None:
    if count is not None and most is not None and count > most:
        raise BadFile(
            f"this strategy has {most:,} infosets, and {game.name} has more: it was made for another game or version"
        )


class _Layout:
    """A tree while it grows: compact growing arrays, and the names met so far."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.actor, self.parent, self.first_child = array("b", [0]), array("i", [NO_PARENT]), array("i", [0])
        self.child_count, self.label = array("i", [0]), array("i", [NO_LABEL])
        self.probability, self.edge = array("d", [1.0]), array("i", [NO_EDGE])
        self.returns = array("d")
        self.waiting = 0  # nodes that were met and not yet looked at
        self.infosets: dict[tuple[int, str], int] = {}
        self.infoset_actions: list[tuple[str, ...]] = []
        self.edges: dict[str, int] = {}
        self.texts: dict[Any, str] = {}
        self.outcome_texts: dict[Any, str] = {}
        self.shared: dict[tuple[str, ...], tuple[str, ...]] = {}

    def grow(self) -> Any:
        """Expand every node; yields the number of nodes from time to time."""
        game, stack = self.game, [(self.game.root(), 0)]
        told = 0
        while stack:
            state, node = stack.pop()
            actor = game.player(state)
            self.actor[node] = actor
            if actor == TERMINAL:
                self._end(state, node)
                continue
            chances: list[float] | None = None
            if actor == CHANCE:
                count = outcome_count(game, state) or 0
                if len(self.actor) + count > told + 5_000:  # asked before a long list is made
                    told, self.waiting = len(self.actor) + count, len(stack) + count
                    yield told
                moves, chances = self._chance(state, node)
            elif 0 <= actor < game.players:
                moves = list(self._decision(state, node, actor))
            else:
                raise BadGame(f"{game.name} says that player {actor} acts, and its players are 0 to {game.players - 1}")
            if len(self.actor) + len(moves) > told + 5_000:
                told, self.waiting = len(self.actor) + len(moves), len(stack) + len(moves)
                yield told
            first = self._open(node, moves, chances)
            stack.extend((game.child(state, moves[i]), first + i) for i in range(len(moves) - 1, -1, -1))

    def _open(self, node: int, moves: Sequence[Any], chances: list[float] | None) -> int:
        first, count = len(self.actor), len(moves)
        self.first_child[node], self.child_count[node] = first, count
        self.actor.extend([0] * count)
        self.parent.extend([node] * count)
        self.first_child.extend([0] * count)
        self.child_count.extend([0] * count)
        self.label.extend([NO_LABEL] * count)
        self.probability.extend(chances if chances is not None else [1.0] * count)
        text = self._text if chances is None else self._outcome
        self.edge.extend([self.edges.setdefault(text(move), len(self.edges)) for move in moves])
        return first

    def _text(self, move: Any) -> str:
        text = self.texts.get(move)
        if text is None:
            text = self.texts[move] = action_text(self.game, move)
        return text

    def _outcome(self, outcome: Any) -> str:
        text = self.outcome_texts.get(outcome)
        if text is None:
            text = self.outcome_texts[outcome] = outcome_text(self.game, outcome)
        return text

    def _end(self, state: Any, node: int) -> None:
        self.label[node] = len(self.returns) // self.game.players
        payoffs = [float(payoff) for payoff in self.game.returns(state)]
        if len(payoffs) != self.game.players or not all(map(math.isfinite, payoffs)):
            raise BadGame(f"{self.game.name} ends with returns {payoffs}: one finite number a player is needed")
        self.returns.extend(payoffs)

    def _chance(self, state: Any, node: int) -> tuple[list[Any], list[float]]:
        outcomes = self.game.outcomes(state)
        chances = [float(chance) for _, chance in outcomes]
        if not outcomes or min(chances) < 0 or abs(sum(chances) - 1) > 1e-9:
            raise BadGame(
                f"{self.game.name} has a chance node whose probabilities are {chances[:6]}: they must sum to 1"
            )
        return [outcome for outcome, _ in outcomes], chances

    def _decision(self, state: Any, node: int, actor: int) -> Sequence[Any]:
        moves = self.game.actions(state)
        name = self.game.infoset(state, actor)
        texts = tuple(self._text(move) for move in moves)
        infoset = self.infosets.setdefault((actor, name), len(self.infosets))
        if infoset == len(self.infoset_actions):
            if not moves or len(set(texts)) < len(texts):
                raise BadGame(f"infoset {name!r} of {self.game.name} has actions {texts}: some, each once, are needed")
            self.infoset_actions.append(self.shared.setdefault(texts, texts))
        elif self.infoset_actions[infoset] != texts:
            raise BadGame(
                f"infoset {name!r} of {self.game.name} has actions {self.infoset_actions[infoset]} in one history and "
                f"{texts} in another: a player who cannot tell them apart must have the same choices"
            )
        self.label[node] = infoset
        return moves

    def tree(self) -> HistoryTree:
        """The finished tree, infosets renumbered by player."""
        owner = np.array([player for player, _ in self.infosets], dtype=np.int8)
        order = np.argsort(owner, kind="stable")
        place = np.empty(len(order), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        actor = np.array(self.actor, np.int8)
        label = np.array(self.label, np.int32)
        label[actor >= 0] = place[label[actor >= 0]]
        names = [name for _, name in self.infosets]
        actions = [self.infoset_actions[i] for i in order]
        return HistoryTree(
            game=self.game.name,
            players=self.game.players,
            actor=actor,
            parent=np.array(self.parent, np.int32),
            first_child=np.array(self.first_child, np.int32),
            child_count=np.array(self.child_count, np.int32),
            label=label,
            probability=np.array(self.probability),
            edge=np.array(self.edge, np.int32),
            returns=np.array(self.returns).reshape(-1, self.game.players),
            start=np.cumsum([0, *map(len, actions)]).astype(np.int32),
            infoset_player=owner[order],
            infoset_names=[names[i] for i in order],
            action_names=actions,
            edge_names=list(self.edges),
        )


def size_text(tree: HistoryTree) -> str:
    """The size of a built tree in a few words."""
    return f"{count_text(tree.nodes)} nodes, {count_text(tree.infosets)} infosets, {bytes_text(tree.bytes)}"
