"""A tree under construction: every node expanded, depth first, into compact arrays and the names seen so far."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.errors import BadGame
from pokerlab.games.game import CHANCE, TERMINAL, Game, action_text, outcome_text
from pokerlab.tree.forecast import outcome_count

NO_PARENT = -1  # the parent of the root
NO_LABEL = -1  # the label of a chance node
NO_EDGE = -1  # the edge into the root
_INDICES = ("parent", "first_child", "child_count", "label", "edge")


@dataclass(frozen=True, eq=False)
class Growth:
    """A tree grown from one state, as arrays: nodes are numbered from its root, names in order of appearance."""

    actor: np.ndarray  # [N] int8
    parent: np.ndarray  # [N] int32
    first_child: np.ndarray  # [N] int32
    child_count: np.ndarray  # [N] int32
    label: np.ndarray  # [N] int32
    probability: np.ndarray  # [N] float64
    edge: np.ndarray  # [N] int32
    returns: np.ndarray  # [T * P] float64
    infosets: list[tuple[int, str]]  # (player, name)
    infoset_actions: list[tuple[str, ...]]
    edges: list[str]


class Growing:
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
        self.texts: dict[Any, str] = {}
        self.outcome_texts: dict[Any, str] = {}
        self.shared: dict[tuple[str, ...], tuple[str, ...]] = {}

    def grow(
        self, root: Any = None, *, cut: int | None = None, grafts: Iterator[Growth] | None = None
    ) -> Iterator[int]:
        """Expand every node from the root (the game's, or another state); periodically yields the number of
        nodes.

        Nodes `cut` moves below the root are not expanded: each is replaced by the next graft.
        """
        game, stack = self.game, [(self.game.root() if root is None else root, 0)]
        told = 0
        while stack:
            state, node = stack.pop()
            if cut is not None and self._depth(node) == cut:
                assert grafts is not None
                self._graft(node, next(grafts))
                yield len(self.actor)
                continue
            actor = game.player(state)
            self.actor[node] = actor
            if actor == TERMINAL:
                self._end(state, node)
                continue
            chances: list[float] | None = None
            if actor == CHANCE:
                count = outcome_count(game, state) or 0
                if len(self.actor) + count > told + 5_000:  # checked before a long list is built
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

    def growth(self) -> Growth:
        """The tree so far, to be grafted elsewhere."""
        ints = {name: np.array(getattr(self, name), np.int32) for name in _INDICES}
        return Growth(
            actor=np.array(self.actor, np.int8),
            probability=np.array(self.probability),
            returns=np.array(self.returns),
            infosets=list(self.infosets),
            infoset_actions=self.infoset_actions,
            edges=list(self.edges),
            **ints,
        )

    def _depth(self, node: int) -> int:
        depth = 0
        while (node := self.parent[node]) != NO_PARENT:
            depth += 1
        return depth

    def _graft(self, node: int, growth: Growth) -> None:
        """Replace a node by a tree grown elsewhere, numbered as if it had grown here."""
        base = len(self.actor) - 1  # its nodes but the root come next
        infosets = np.array(
            [
                self._met(player, name, actions)
                for (player, name), actions in zip(growth.infosets, growth.infoset_actions, strict=True)
            ],
            np.int32,
        )
        edges = np.array([self.edges.setdefault(edge, len(self.edges)) for edge in growth.edges], np.int32)
        label = growth.label.copy()
        label[growth.actor >= 0] = infosets[label[growth.actor >= 0]]
        label[growth.actor == TERMINAL] += len(self.returns) // self.game.players
        first_child = np.where(growth.child_count > 0, growth.first_child + base, 0).astype(np.int32)
        self.actor[node], self.label[node] = int(growth.actor[0]), int(label[0])
        self.first_child[node], self.child_count[node] = int(first_child[0]), int(growth.child_count[0])
        self.parent.frombytes(np.where(growth.parent == 0, node, growth.parent + base)[1:].astype(np.int32).tobytes())
        self.actor.frombytes(growth.actor[1:].tobytes())
        self.first_child.frombytes(first_child[1:].tobytes())
        self.child_count.frombytes(growth.child_count[1:].tobytes())
        self.label.frombytes(label[1:].tobytes())
        self.probability.frombytes(growth.probability[1:].tobytes())
        self.edge.frombytes(edges[growth.edge[1:]].tobytes())
        self.returns.frombytes(growth.returns.tobytes())

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
        texts = tuple(self._text(move) for move in moves)
        self.label[node] = self._met(actor, self.game.infoset(state, actor), texts)
        return moves

    def _met(self, actor: int, name: str, texts: tuple[str, ...]) -> int:
        """The number of an infoset, assigned when it is first seen."""
        infoset = self.infosets.setdefault((actor, name), len(self.infosets))
        if infoset == len(self.infoset_actions):
            if not texts or len(set(texts)) < len(texts):
                raise BadGame(f"infoset {name!r} of {self.game.name} has actions {texts}: some, each once, are needed")
            self.infoset_actions.append(self.shared.setdefault(texts, texts))
        elif self.infoset_actions[infoset] != texts:
            raise BadGame(
                f"infoset {name!r} of {self.game.name} has actions {self.infoset_actions[infoset]} in one history and "
                f"{texts} in another: a player who cannot tell them apart must have the same choices"
            )
        return infoset
