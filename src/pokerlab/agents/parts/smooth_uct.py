"""Information-set tree search: all seats search together, each in a tree of what it knows; UCT or Smooth UCT.

A simulation samples a complete deal; every seat then selects its actions in its own tree, whose nodes are information
sets, and is paid its result (multiple-observer information-set search: Cowling, Powley and Whitehouse, 2012). Selected
actions are counted, and the *average strategy* plays each as often as it was selected.

Plain UCT selects the action of highest upper bound, mean + c * sqrt(ln N / n). In poker it does not converge: all seats
chase each other. Smooth UCT (Heinrich and Silver, "Smooth UCT search in computer poker", 2015) selects so only with
probability eta_N = max(gamma, eta / (1 + d * sqrt(N))), and otherwise by the average strategy, as fictitious play does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import log, sqrt
from typing import NamedTuple

from pokerlab.agents.parts.betting_graph import Node
from pokerlab.agents.parts.play_outs import PlayOuts, SampledDeal
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.legality import Legal


class Smoothing(NamedTuple):
    """How often a seat searches rather than plays its average strategy: max(gamma, eta / (1 + d * sqrt(N)))."""

    gamma: float = 0.1
    eta: float = 0.9
    decay: float = 0.001

    def rate(self, visits: int) -> float:
        """The probability of a selection by upper bound."""
        return max(self.gamma, self.eta / (1 + self.decay * sqrt(visits)))


PLAIN = Smoothing(1.0, 1.0, 0.0)  # plain UCT


class InfosetNode:
    """What a seat knows at a decision, and how its actions did."""

    __slots__ = ("actions", "count", "totals", "visits")

    def __init__(self, actions: Sequence[Action]) -> None:
        self.actions = actions
        self.count = 0
        self.visits, self.totals = [0] * len(actions), [0.0] * len(actions)

    def select(self, exploration: float, rate: float, random: Callable[[], float]) -> int:
        """An untried action, the highest upper bound, or one drawn from the average strategy."""
        if self.count < len(self.actions):
            return self.visits.index(0)
        if rate < 1 and random() >= rate:
            point = random() * self.count
            for number, visits in enumerate(self.visits):
                point -= visits
                if point < 0:
                    return number
        spread = log(self.count)
        bounds = [
            total / visits + exploration * sqrt(spread / visits)
            for total, visits in zip(self.totals, self.visits, strict=True)
        ]
        return bounds.index(max(bounds))


class SelfPlaySearch:
    """The trees of all seats."""

    def __init__(
        self,
        plays: PlayOuts,
        private: Callable[[Node, SampledDeal], Hashable],
        *,
        exploration: float,
        smoothing: Smoothing,
    ) -> None:
        self._plays, self._private = plays, private
        self._exploration, self._smoothing = exploration, smoothing
        self.nodes: dict[tuple[str, Hashable], InfosetNode] = {}

    def run(self, deals: Sequence[SampledDeal]) -> None:
        """A simulation for each deal."""
        for deal in deals:
            self._simulate(deal)

    def _simulate(self, deal: SampledDeal) -> None:
        plays, node, path = self._plays, self._plays.start, list[tuple[InfosetNode, int, int]]()
        while node.actor >= 0:
            key = node.betting.history, self._private(node, deal)
            at = self.nodes.get(key)
            if at is None:
                at = self.nodes[key] = InfosetNode(actions_of(node.legal, node.moves))
            chosen = at.select(self._exploration, self._smoothing.rate(at.count), plays.random)
            path.append((at, chosen, node.actor))
            action = at.actions[chosen]
            node = node.children.get(action) or plays.graph.child(node, action)
        results = plays.returns(node, deal)
        for at, chosen, seat in path:
            at.count += 1
            at.visits[chosen] += 1
            at.totals[chosen] += results[seat]

    def average(self, history: str, private: Hashable) -> dict[Action, float]:
        """How often each action was selected; empty where the search has not been."""
        at = self.nodes.get((history, private))
        if at is None or not at.count:
            return {}
        return {action: visits / at.count for action, visits in zip(at.actions, at.visits, strict=True) if visits}


def actions_of(legal: Legal, moves: Sequence[Action]) -> list[Action]:
    """The legal ones among fold, call and a raise."""
    allowed = (legal.fold, legal.call >= 0, legal.can_raise)
    return [action for action, is_allowed in zip(moves, allowed, strict=True) if is_allowed]


def cards_seen(node: Node, deal: SampledDeal, public: Sequence[int]) -> Hashable:
    """The hand of the seat to act and the board, exactly."""
    return tuple(sorted(deal.hands[node.actor])), tuple(sorted(deal.board[: public[node.round]]))
