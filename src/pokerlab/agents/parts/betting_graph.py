"""The bettings that simulations reach, as linked nodes: each is worked out once, however many hands pass it.

A node has what a play-out asks for: who acts, what is legal, the situation, the action for each of fold, call and
raise, and the node after each action. Graphs are shared by the decisions of a game, and start again when they
have grown large.
"""

from __future__ import annotations

from functools import lru_cache

from pokerlab.agents.parts.situations import Situation, situation
from pokerlab.agents.parts.triple import sized_at
from pokerlab.games.poker.action import CALL, FOLD, Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.legality import Betting, Legal

MOST_NODES = 40_000  # about 1 KB each


class Node:
    """One betting."""

    __slots__ = ("actor", "betting", "children", "legal", "moves", "round", "showdowns", "situation")

    def __init__(self, game: PokerGame, betting: Betting, pot_fraction: float) -> None:
        self.betting, self.actor, self.round = betting, betting.actor, betting.round
        self.children: dict[Action, Node] = {}
        self.showdowns: dict[int, tuple[float, ...]] = {}  # results by who of two seats is ahead
        if betting.actor >= 0:
            self.legal: Legal = game.betting.legal(betting)
            self.situation: Situation = situation(game, betting)
            size = sized_at(game, betting, self.legal, pot_fraction) if self.legal.can_raise else CALL
            self.moves = (FOLD, CALL, size)  # of a triple, some of them illegal


class BettingGraph:
    """The nodes of a game whose raises have one size outside fixed limit."""

    def __init__(self, game: PokerGame, pot_fraction: float) -> None:
        self.game, self._pot_fraction = game, pot_fraction
        self._starts: dict[Betting, Node] = {}
        self._count = 0

    def start(self, betting: Betting) -> Node:
        """The node at which a simulation starts."""
        if self._count > MOST_NODES:
            self._starts.clear()
            self._count = 0
        if betting not in self._starts:
            self._starts[betting] = self._made(betting)
        return self._starts[betting]

    def child(self, node: Node, action: Action) -> Node:
        """The node after an action."""
        found = node.children.get(action)
        if found is None:
            found = node.children[action] = self._made(self.game.betting.act(node.betting, action))
        return found

    def _made(self, betting: Betting) -> Node:
        self._count += 1
        return Node(self.game, betting, self._pot_fraction)


@lru_cache(maxsize=8)
def betting_graph(game: PokerGame, pot_fraction: float) -> BettingGraph:
    """The graph of a game, shared."""
    return BettingGraph(game, pot_fraction)
