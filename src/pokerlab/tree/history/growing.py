"""A tree under construction: every node expanded, depth first, into compact arrays and the names seen so far."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Any

from pokerlab.errors import BadGame
from pokerlab.games.game import CHANCE, TERMINAL, Game, action_text, outcome_text
from pokerlab.tree.forecast import outcome_count

NO_PARENT = -1  # the parent of the root
NO_LABEL = -1  # the label of a chance node
NO_EDGE = -1  # the edge into the root


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
        self.edge.extend([self.edges.setdefault(text(move), len(self.edges)) for move in moves])
        return first

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
