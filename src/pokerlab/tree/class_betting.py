"""The betting of the classes form: each player's decisions, their sequences, and the terminal nodes.

Arrays over sequences and hands are [S, hand]; row 0 is the empty sequence, before the player's first action.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pokerlab.games.poker.betting_tree import Decision, FoldPayoffs, Node, Showdown
from pokerlab.tree.public.reading import past_deals

EMPTY = 0  # the sequence before a player's first action
Terminal = FoldPayoffs | Showdown


@dataclass(frozen=True, eq=False)
class PlayerDecisions:
    """The decisions of a player, parents first; their actions are the player's sequences."""

    nodes: tuple[Decision, ...]
    parent: np.ndarray  # [node] int64: the player's sequence before it
    start: np.ndarray  # [node + 1] int64: its sequences are start[node] .. start[node + 1] - 1

    @property
    def sequences(self) -> int:
        """The number of sequences, including the empty one."""
        return int(self.start[-1])

    def of(self, node: int) -> slice:
        """The sequences of a node."""
        return slice(int(self.start[node]), int(self.start[node + 1]))

    def uniform(self, hands: int) -> np.ndarray:
        """The uniform behaviour. [S, hand]"""
        counts = np.diff(self.start)
        return np.repeat(np.concatenate([[1.0], np.repeat(1.0 / counts, counts)])[:, None], hands, axis=1)

    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        """The realization plan of a behaviour: the player's own reach of each sequence with each hand. [S, hand]"""
        plan = behaviour.copy()
        plan[EMPTY] = 1.0
        for node, parent in enumerate(self.parent.tolist()):
            plan[self.of(node)] *= plan[parent]
        return plan

    def behaviour(self, weights: np.ndarray, otherwise: np.ndarray | None = None) -> np.ndarray:
        """Weights normalised at each node; if all are zero, those of `otherwise` or uniform. [S, hand]"""
        result = (self.uniform(weights.shape[1]) if otherwise is None else otherwise).copy()
        result[EMPTY] = 1.0
        if self.nodes:
            totals = np.add.reduceat(weights[1:], self.start[:-1] - 1, axis=0)
            total = np.repeat(totals, np.diff(self.start), axis=0)
            np.divide(weights[1:], total, out=result[1:], where=total > 0)
        return result

    def best_values(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The best value of each sequence, and the behaviour that attains it. [S, hand] each"""
        total, choice = values.copy(), np.zeros_like(values)
        choice[EMPTY] = 1.0
        hands = np.arange(values.shape[1])
        for node in range(len(self.nodes) - 1, -1, -1):
            part = self.of(node)
            best = part.start + total[part].argmax(0)
            choice[best, hands] = 1.0
            total[self.parent[node]] += total[best, hands]
        return total, choice


def sequences_of(betting: Node) -> tuple[tuple[PlayerDecisions, PlayerDecisions], list[tuple[int, int, Terminal]]]:
    """The decisions of both players, and each terminal node with the last sequence of each player before it."""
    nodes: tuple[list[Decision], list[Decision]] = ([], [])
    parents: tuple[list[int], list[int]] = ([], [])
    starts: tuple[list[int], list[int]] = ([1], [1])
    terminals: list[tuple[int, int, Terminal]] = []

    def visit(node: Node, last: tuple[int, int]) -> None:
        node = past_deals(node)
        if not isinstance(node, Decision):
            assert isinstance(node, FoldPayoffs | Showdown)
            terminals.append((*last, node))
            return
        player = node.player
        first = starts[player][-1]
        nodes[player].append(node)
        parents[player].append(last[player])
        starts[player].append(first + len(node.actions))
        for action, child in enumerate(node.children):
            visit(child, (first + action, last[1]) if player == 0 else (last[0], first + action))

    visit(betting, (EMPTY, EMPTY))
    own = [
        PlayerDecisions(tuple(decisions), np.array(parent, np.int64), np.array(start, np.int64))
        for decisions, parent, start in zip(nodes, parents, starts, strict=True)
    ]
    return (own[0], own[1]), terminals


def payment(node: Terminal) -> tuple[float, float]:
    """The payoff of a terminal node to player 0: a fixed part, and the part that the showdown decides."""
    if isinstance(node, FoldPayoffs):
        return node.returns[0], 0.0
    return (node.win[0] + node.lose[0]) / 2, (node.win[0] - node.lose[0]) / 2


def decides_once(betting: Node) -> bool:
    """Whether each player decides once, yes or no; the second has no decision if they are all-in with the blind."""
    first = past_deals(betting)
    if not isinstance(first, Decision) or len(first.actions) != 2:
        return False
    declined, accepted = map(past_deals, first.children)
    if isinstance(declined, Decision):
        return False
    if isinstance(accepted, Decision):
        if accepted.player == first.player or len(accepted.actions) != 2:
            return False
        folded, called = map(past_deals, accepted.children)
        return isinstance(folded, FoldPayoffs) and isinstance(called, Showdown)
    return isinstance(declined, FoldPayoffs) and isinstance(accepted, Showdown)


def in_words(betting: Node, *, push: bool) -> Node:
    """The betting of a game of one decision each, its actions named in words: fold or push, check or bet, call."""
    first = past_deals(betting)
    assert isinstance(first, Decision)
    declined, accepted = first.children[0], past_deals(first.children[1])
    if isinstance(accepted, Decision):
        accepted = replace(accepted, actions=("fold", "call"))
    folds = isinstance(past_deals(declined), FoldPayoffs)
    actions = "fold" if folds else "check", "push" if push else "bet"
    return replace(first, actions=actions, children=(declined, accepted))
