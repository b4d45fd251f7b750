"""Any finite game as flat arrays, one entry per history: the reference form.

Nodes are numbered so that the children of a node are adjacent and come after it, and a subtree is stored close together
(depth first, by blocks of siblings). Infosets are numbered by player, each player's in order of appearance, so that
with perfect recall an infoset comes after the one its player last acted in. The actions of all infosets in that order
are the *slots*: a strategy profile is one array of probabilities by slot.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import BadFile, BadGame, TooLarge, quoted
from pokerlab.events import SILENT, Watch
from pokerlab.games.game import (
    CHANCE,
    OF_A_SUM,
    ROUNDING,
    TERMINAL,
    Game,
    action_text,
    check_hashable,
    check_move_count,
    check_stored,
    is_finite,
    outcome_text,
    start_pot,
)
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

if TYPE_CHECKING:
    from pokerlab.tree.sequence import SequenceForm

NO_PARENT = -1  # the parent of the root
NO_LABEL = -1  # the label of a chance node
NO_EDGE = -1  # the edge into the root
NO_SLOT = -1  # of the root and of nodes after chance
_SURE_TO_FIT = 50_000  # nodes that are built before the size is forecast
_WAITING = 1_000  # unexpanded nodes that trigger a forecast at once: the game is very wide or very deep
_FEW = 5_000  # nodes of a poker game that are built one by one


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
    infoset_player: np.ndarray  # [I] int8, nondecreasing
    infoset_names: Sequence[str]  # [I]
    action_names: Sequence[tuple[str, ...]]  # [I]
    edge_names: Sequence[str] = field(default=())
    pot: float = 0.0  # chips in the pot at the start; 0 in games without a pot

    @property
    def nodes(self) -> int:
        """The number of histories, including terminal ones."""
        return len(self.actor)

    @property
    def terminals(self) -> int:
        """The number of terminal histories."""
        return len(self.returns)

    @property
    def infosets(self) -> int:
        """The number of infosets of all players."""
        return len(self.infoset_player)

    @property
    def slots(self) -> int:
        """The number of (infoset, action) pairs."""
        return int(self.start[-1])

    @cached_property
    def first_infoset(self) -> np.ndarray:
        """[P + 1] int64: the infosets of player p are first_infoset[p] .. first_infoset[p + 1] - 1."""
        return np.searchsorted(self.infoset_player, np.arange(self.players + 1))

    @cached_property
    def is_zero_sum(self) -> bool:
        """Whether the game is zero-sum, at every terminal, up to rounding (see games/game.py)."""
        beyond = np.abs(self.returns.sum(axis=1)) - OF_A_SUM * np.abs(self.returns).max(axis=1, initial=0.0)
        return bool(np.all(beyond <= ROUNDING * self.max_abs_payoff))

    def as_form(self) -> SequenceForm:
        """The sequence form of this tree."""
        from pokerlab.tree.sequence import sequence_form

        return sequence_form(self)

    @cached_property
    def max_abs_payoff(self) -> float:
        """The largest absolute payoff: tolerances are fractions of it."""
        return float(np.abs(self.returns).max(initial=0.0))

    @property
    def bytes(self) -> int:
        """Bytes of the arrays, without the names."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    def uniform(self) -> np.ndarray:
        """The uniform profile.  # [A]"""
        counts = np.diff(self.start)
        return np.repeat(1.0 / counts, counts)

    def children(self, nodes: np.ndarray) -> np.ndarray:
        """The direct successors of these nodes, in order.  # int64"""
        counts = self.child_count[nodes].astype(np.int64)
        before = np.cumsum(counts) - counts
        return np.asarray(np.repeat(self.first_child[nodes] - before, counts) + np.arange(counts.sum()))

    @cached_property
    def levels(self) -> list[np.ndarray]:
        """The nodes at each distance from the root, the root first."""
        levels, level = [], np.zeros(1, np.int64)
        while len(level):
            levels.append(level)
            level = self.children(level)
        return levels

    @cached_property
    def slot(self) -> np.ndarray:
        """[N] int64: the slot of the action that led to each node, or NO_SLOT."""
        above = np.maximum(self.parent, 0)
        slots = self.start[np.maximum(self.label[above], 0)] + np.arange(self.nodes) - self.first_child[above]
        by_player = (self.parent != NO_PARENT) & (self.actor[above] >= 0)
        return np.where(by_player, slots, NO_SLOT).astype(np.int64)

    def taken(self, of_slots: np.ndarray) -> np.ndarray:
        """A number of the action that led to each node; 1 where chance did.  # [A] -> [N]"""
        return np.asarray(np.append(of_slots, 1.0)[self.slot])  # NO_SLOT is the last

    def step(self, profile: np.ndarray) -> np.ndarray:
        """The probability of reaching each node from its parent.  # [A] -> [N]"""
        return np.asarray(self.probability * self.taken(profile))

    @cached_property
    def decisions(self) -> np.ndarray:
        """[D] int64: the nodes where a player acts."""
        return np.flatnonzero(self.actor >= 0)

    @cached_property
    def _members(self) -> list[np.ndarray]:
        infosets = self.label[self.decisions]
        order = np.argsort(infosets, kind="stable")
        return np.split(self.decisions[order], np.searchsorted(infosets[order], np.arange(1, self.infosets)))

    def members(self, infoset: int) -> np.ndarray:
        """The nodes of an infoset."""
        return self._members[infoset]

    def path(self, node: int) -> list[str]:
        """The moves that lead to a node."""
        moves: list[str] = []
        while self.parent[node] != NO_PARENT:
            moves.append(self.edge_names[self.edge[node]])
            node = int(self.parent[node])
        return moves[::-1]


class TreeBuilder:
    """A tree under construction: compact growing arrays, and the names seen so far."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.actor, self.parent, self.first_child = array("b", [0]), array("i", [NO_PARENT]), array("i", [0])
        self.child_count, self.label = array("i", [0]), array("i", [NO_LABEL])
        self.probability, self.edge = array("d", [1.0]), array("i", [NO_EDGE])
        self.returns = array("d")
        self.waiting = 0  # nodes discovered but not yet expanded
        self.infosets: dict[tuple[int, str], int] = {}
        self.infoset_actions: list[tuple[str, ...]] = []
        self.edges: dict[str, int] = {}
        self._text, self._outcome_text = cache(partial(action_text, game)), cache(partial(outcome_text, game))
        self.shared: dict[tuple[str, ...], tuple[str, ...]] = {}

    def grow(self) -> Iterator[int]:
        """Expand every node; periodically yields the number of nodes."""
        game, stack = self.game, [(self.game.root(), 0)]
        reported = 0
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
                if len(self.actor) + count > reported + 5_000:  # checked before a long list is built
                    reported, self.waiting = len(self.actor) + count, len(stack) + count
                    yield reported
                moves, chances = self._chance(state, node)
            elif 0 <= actor < game.players:
                moves = list(self._decision(state, node, actor))
            else:
                raise BadGame(f"{game.name} says that player {actor} acts, and its players are 0 to {game.players - 1}")
            if len(self.actor) + len(moves) > reported + 5_000:
                reported, self.waiting = len(self.actor) + len(moves), len(stack) + len(moves)
                yield reported
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
        text = self._text if chances is None else self._outcome_text
        self.edge.extend([self.edges.setdefault(shown, len(self.edges)) for shown in self._texts(text, moves)])
        return first

    def _texts(self, text: Callable[[Any], str], moves: Sequence[Any]) -> list[str]:
        try:
            return [text(move) for move in moves]
        except TypeError:
            check_hashable(self.game, moves)
            raise

    def _end(self, state: Any, node: int) -> None:
        self.label[node] = len(self.returns) // self.game.players
        payoffs = self.game.returns(state)
        if len(payoffs) != self.game.players or not all(map(is_finite, payoffs)):
            shown = quoted(list(payoffs), 120)
            raise BadGame(f"{self.game.name} ends with returns {shown}: one finite number a player is needed")
        self.returns.extend(map(float, payoffs))

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
        check_move_count(self.game, moves)
        texts = tuple(self._texts(self._text, moves))
        self.label[node] = self._infoset_number(actor, self.game.infoset(state, actor), texts)
        return moves

    def _infoset_number(self, actor: int, name: str, texts: tuple[str, ...]) -> int:
        """The number of an infoset, assigned when it is first seen."""
        infoset = self.infosets.setdefault((actor, name), len(self.infosets))
        if infoset == len(self.infoset_actions):
            if not texts or len(set(texts)) < len(texts):
                raise BadGame(f"infoset {name!r} of {self.game.name} has actions {texts}: some, each once, are needed")
            for text, what in ((name, "infoset"), *((text, "action") for text in texts)):
                check_stored(self.game, text, what)
            self.infoset_actions.append(self.shared.setdefault(texts, texts))
        elif self.infoset_actions[infoset] != texts:
            raise BadGame(
                f"infoset {name!r} of {self.game.name} has actions {self.infoset_actions[infoset]} in one history and "
                f"{texts} in another: a player who cannot tell them apart must have the same choices"
            )
        return infoset


def build(
    game: Game, *, memory_limit: float | None = None, watch: Watch = SILENT, most_infosets: int | None = None
) -> HistoryTree:
    """Build the tree of a game. Raises TooLarge, with the size and advice, if it would not fit in memory.

    `memory_limit` is in bytes, by default most of the free memory. `watch` receives the nodes so far and those
    expected. `most_infosets` is the number of infosets of the strategy that the tree is for: BadFile as soon as
    there are more.
    """
    from pokerlab.tree.history.poker import PokerLayout, build_form, can_build

    limit = 0.8 * available_memory() if memory_limit is None else memory_limit
    if can_build(game):
        size = forecast(game)
        if size.nodes > _FEW:  # many histories at a time; small trees are as fast one by one
            check_fits(game, size, memory_limit=limit)
            _check_infosets(game, size.infosets, most_infosets)
            return replace(build_form(PokerLayout(game)), pot=start_pot(game))
    growing, expected = TreeBuilder(game), 0.0
    for nodes in growing.grow():
        if not expected and (nodes > _SURE_TO_FIT or growing.waiting > _WAITING):
            size = forecast(game)
            check_fits(game, size, memory_limit=limit)
            _check_infosets(game, size.infosets, most_infosets)
            expected = size.nodes
        _check_infosets(game, len(growing.infosets), most_infosets)
        if nodes * node_bytes(game.players) > limit or nodes > MOST_NODES:
            raise TooLarge(too_large_text(game, f"over {count_text(nodes)} nodes", limit))
        if expected:
            watch.at("building", nodes, max(expected, float(nodes)))
    tree = replace(_finished(growing), pot=start_pot(game))
    if tree.bytes > limit:
        size_text = f"{count_text(tree.nodes)} nodes, {count_text(tree.infosets)} infosets, {bytes_text(tree.bytes)}"
        raise TooLarge(too_large_text(game, size_text, limit))
    return tree


def _check_infosets(game: Game, count: float | None, most: int | None) -> None:
    if count is not None and most is not None and count > most:
        raise BadFile(
            f"this strategy has {most:,} infosets, and {game.name} has more: it was made for another game or version"
        )


def _finished(growing: TreeBuilder) -> HistoryTree:
    """The finished tree, infosets renumbered by player."""
    owner = np.array([player for player, _ in growing.infosets], dtype=np.int8)
    order = np.argsort(owner, kind="stable")
    columns = "actor", "parent", "first_child", "child_count", "label", "probability", "edge"
    nodes: dict[str, Any] = {name: np.array(getattr(growing, name)) for name in columns}
    acting = nodes["actor"] >= 0
    nodes["label"][acting] = np.argsort(order)[nodes["label"][acting]]
    names = [name for _, name in growing.infosets]
    actions = [growing.infoset_actions[i] for i in order]
    return HistoryTree(
        game=growing.game.name,
        players=growing.game.players,
        **nodes,
        returns=np.array(growing.returns).reshape(-1, growing.game.players),
        start=np.cumsum([0, *map(len, actions)]).astype(np.int32),
        infoset_player=owner[order],
        infoset_names=[names[i] for i in order],
        action_names=actions,
        edge_names=list(growing.edges),
    )
