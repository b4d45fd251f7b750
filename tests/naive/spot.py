"""A spot worked out hand by hand: the plain twin of the public form of hold'em, with float64 and no lanes, blocks or
symmetries. Every quantity is an array over the hands of a player's range, and every pair of hands is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from naive.public import row_sums
from pokerlab.cards.combos import COMBOS
from pokerlab.games.poker.betting_tree import Deal, Decision, FoldPayoffs, Node, Showdown
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.spot import strength

Table = np.ndarray  # [hand of the player to act, action]
Tables = dict[tuple[Node, tuple[int, ...]], Table]  # by decision and board


@dataclass(frozen=True)
class WalkResult:
    """What one walk found: the player's values, and by decision the instant regrets and the reach of the player."""

    values: np.ndarray  # [hand]
    regrets: Tables
    reach: Tables  # [hand, 1]


class PlainSpot:
    """A public tree without symmetries, its ranges as lists of hands."""

    def __init__(self, tree: PublicTree) -> None:
        self.tree = tree
        self.live = [np.flatnonzero(weights > 0) for weights in tree.weights]
        self.cards = [COMBOS[hands].astype(int) for hands in self.live]
        self.weights = [weights[hands] for weights, hands in zip(tree.weights, self.live, strict=True)]
        one, other = self.cards
        self.compatible = ~(one[:, None, :, None] == other[None, :, None, :]).any(axis=(2, 3))  # [hand 0, hand 1]
        self.pairs = float(self.weights[0] @ self.compatible @ self.weights[1])
        self.powers: dict[tuple[int, ...], np.ndarray] = {}

    def tables(self, sums: Any) -> Tables:
        """Stored numbers of a solver, by decision and board; 0 for hands that the board meets."""
        found: Tables = {}
        rows = [[row_sums(self.tree, number, player, sums) for player in (0, 1)] for number in range(self.rounds)]
        for node, place in self.tree.places.items():
            if not isinstance(node, Decision):
                continue
            level, player = self.tree.rounds[place.round], node.player
            for number, board in enumerate(level.boards):
                of_hand = np.zeros((len(COMBOS), len(node.actions)))
                count = int(level.hands[player].count[number])
                numbers = rows[place.round][player][number, :count, place.slot : place.slot + len(node.actions)]
                of_hand[level.hands[player].hand[number, :count]] = numbers
                found[node, board] = of_hand[self.live[player]]
        return found

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return len(self.tree.rounds)

    def _free(self, player: int, card: int) -> np.ndarray:
        return ~(self.cards[player] == card).any(axis=1)

    def _end(self, node: FoldPayoffs | Showdown, board: tuple[int, ...], player: int, reach: np.ndarray) -> np.ndarray:
        compatible = self.compatible if player == 0 else self.compatible.T
        if isinstance(node, FoldPayoffs):
            return node.returns[player] * (compatible @ reach)
        if board not in self.powers:
            self.powers[board] = strength(board)
        mine, theirs = (self.powers[board][self.live[seat]] for seat in (player, 1 - player))
        ahead = np.sign(mine[:, None] - theirs[None, :])
        win, lose = node.win[player], node.lose[player]
        payoff = np.where(ahead > 0, win, np.where(ahead < 0, lose, (win + lose) / 2))
        return (compatible * payoff) @ reach

    def walk(self, player: int, plays: Tables, *, best: bool = False, held: Tables | None = None) -> WalkResult:
        """Counterfactual values of a player when all play these strategies, or when this player plays best.

        held: by decision and board [hand, 1], how likely a player who plays best must play as said all the same.
        """
        regrets: Tables = {}
        reached: Tables = {}

        def visit(node: Node, board: tuple[int, ...], own: np.ndarray, opposing: np.ndarray) -> np.ndarray:
            if isinstance(node, Deal):
                left = 52 - len(board) - 4
                total = np.zeros(len(own))
                for card in range(52):
                    if card not in board:
                        mine, theirs = self._free(player, card), self._free(1 - player, card)
                        total += visit(node.child, (*board, card), own * mine, opposing * theirs) * mine / left
                return total
            if not isinstance(node, Decision):
                return self._end(node, board, player, opposing)
            play = plays[node, board]
            if node.player != player:
                return sum(
                    visit(child, board, own, opposing * play[:, number]) for number, child in enumerate(node.children)
                )
            values = np.stack(
                [visit(child, board, own * play[:, number], opposing) for number, child in enumerate(node.children)], 1
            )
            mean = values.max(axis=1) if best else (play * values).sum(axis=1)
            if held is not None:
                share = held[node, board][:, 0]
                mean = share * (play * values).sum(axis=1) + (1 - share) * mean
            regrets[node, board], reached[node, board] = values - mean[:, None], own[:, None]
            return mean

        values = visit(
            self.tree.betting, self.tree.rounds[0].boards[0], *(self.weights[p] for p in (player, 1 - player))
        )
        return WalkResult(values, regrets, reached)

    def measure(self, averages: Tables) -> tuple[list[float], list[float]]:
        """Values of the average strategies, and of best responses to them."""
        plays = {place: in_proportion(table) for place, table in averages.items()}
        walked = [[self.walk(player, plays, best=best).values for player in (0, 1)] for best in (False, True)]
        values, answers = (
            [float(self.weights[player] @ found) / self.pairs for player, found in enumerate(pair)] for pair in walked
        )
        return values, answers

    def step(
        self, player: int, schedule: Schedule, iteration: int, regrets: Tables, averages: Tables, last: Tables
    ) -> tuple[Tables, Tables]:
        """A player's regrets and averages after one step of a schedule."""
        keep_positive, keep_negative, floor, keep, weight, prediction = schedule.table(iteration, 1)[0]
        plays = {place: in_proportion(table + prediction * last[place]) for place, table in regrets.items()}
        walked = self.walk(player, plays)
        new_regrets, new_averages = {}, {}
        for place, instant in walked.regrets.items():
            old = regrets[place]
            new = old * np.where(old > 0, keep_positive, keep_negative) + instant
            new_regrets[place] = np.maximum(new, 0) if floor else new
            new_averages[place] = averages[place] * keep + weight * walked.reach[place] * plays[place]
        return new_regrets, new_averages


def in_proportion(table: Table) -> Table:
    """Strategies in proportion to what is positive, uniform where nothing is."""
    positive = np.maximum(table, 0)
    total = positive.sum(axis=1, keepdims=True)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / table.shape[1])
