"""Strategies over buckets followed deal by deal, one at a time, by the game's own rules."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import numpy as np

from pokerlab.tree.bucketed.form import BucketedForm


class WholeTwin:
    """All deals of two players, each with its probability."""

    def __init__(self, form: BucketedForm) -> None:
        self.form, self.game = form, form.game
        self.cards = form.buckets.cards
        self.steps = np.diff([0, *self.cards.boards]).tolist()

    def boards(self, left: list[int], steps: list[int]) -> list[tuple[int, ...]]:
        if not steps:
            return [()]
        return [
            (*dealt, *rest)
            for dealt in combinations(left, steps[0])
            for rest in self.boards([card for card in left if card not in dealt], steps[1:])
        ]

    def deals(self) -> list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
        deck, found = range(self.cards.deck.size), []
        for one in combinations(deck, self.cards.private):
            left = [card for card in deck if card not in one]
            for other in combinations(left, self.cards.private):
                rest = [card for card in left if card not in other]
                found += [(one, other, board) for board in self.boards(rest, self.steps)]
        return found

    def played(self, average: np.ndarray, node: int, hand: tuple[int, ...], board: tuple[int, ...]) -> np.ndarray:
        form, arrays = self.form, self.form.betting.arrays
        turn, moves = int(arrays.round[node]), int(arrays.children[node])
        bucket = int(form.buckets.at(turn, np.array([hand], np.uint8), board[: self.cards.boards[turn]])[0])
        first = int(form.base[turn]) + bucket * form.betting.rows[turn] + int(arrays.slot[node])
        numbers = average[first : first + moves]
        return numbers / numbers.sum() if numbers.sum() > 0 else np.full(moves, 1 / moves)

    def told(self, average: np.ndarray) -> tuple[float, dict[tuple[int, tuple[int, ...], tuple[int, ...]], float]]:
        """The value to seat 0, and what a hand wins at each decision of its own against who comes there.

        # by node, own hand, board
        """
        total, sums, deals = 0.0, defaultdict(lambda: np.zeros(2)), self.deals()
        arrays = self.form.betting.arrays
        rules = self.game.betting
        strength = self.game.payoffs

        def value(state, node, deal, reach):
            """To both seats; adds up what is told on the way."""
            if not arrays.children[node]:
                return np.array(strength.returns(state, self.strengths(state, deal)))
            actor, board = int(arrays.actor[node]), deal[2]
            shares = self.played(average, node, deal[actor], board)
            found = np.zeros(2)
            for index, action in enumerate(rules.actions(state)):
                passed = reach * np.where(np.arange(2) == actor, shares[index], 1.0)
                child = int(arrays.first[node]) + index
                found += shares[index] * value(rules.act(state, action), child, deal, passed)
            lying = board[: self.cards.boards[int(arrays.round[node])]]
            sums[(node, deal[actor], lying)] += reach[1 - actor] * np.array([found[actor], 1.0])
            return found

        for deal in deals:
            total += value(rules.start(), 0, deal, np.ones(2))[0] / len(deals)
        return total, {key: won / weight if weight else 0.0 for key, (won, weight) in sums.items()}

    def strengths(self, state, deal):
        from pokerlab.games.poker.showdown import strength_of

        held = self.cards.private + self.cards.boards[-1]
        strength = strength_of(self.cards.showdown, self.cards.deck, held)
        return [strength((*deal[seat], *deal[2])) for seat in (0, 1)]
