"""Expected values of hands after a few iterations of CFR on a whole game, for abstraction/library/values.py.

The public form solves the game for those iterations, and inside.py evaluates the strategies over every deal. Games too
large for that are refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from pokerlab.abstraction.buckets import lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.method import HandValues
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.poker.engine import PokerGame
from pokerlab.registry import load
from pokerlab.tree.bucketed.betting import BettingArrays, entries, parents
from pokerlab.tree.bucketed.form import bucketed_form
from pokerlab.tree.bucketed.inside import InsideGame, check_size, every_deal
from pokerlab.tree.bucketed.real_game import numbers_of
from pokerlab.tree.form import kind_of
from pokerlab.tree.public.form import public_form
from pokerlab.tree.resources import Resources


@dataclass(frozen=True, eq=False)
class WarmUp:
    """Values of the hands of a game, computed on first use."""

    game: PokerGame

    def __call__(self, cards: CardRounds, round: int, iterations: int) -> HandValues:
        """The values of a round's hands after this many iterations; BadSetting or TooLarge if there are none."""
        if replace(cards, ordered=False) != CardRounds.of(self.game):
            raise BadSetting(f"the cards are those of another game than {self.game.name}, whose values are used")
        self.check()
        inside, by_node = warmed(self.game, iterations)
        arrays = inside.form.betting.arrays
        flat, rows = inside.deals.rows(round)
        hand = cards.index(round, rows)
        weight = (inside.weights[round] * inside.deals.live[round]).reshape(-1)[flat]
        total = np.bincount(hand, weight, minlength=cards.hands(round))
        nodes = [node for node in sorted(by_node) if arrays.round[node] == round]
        means = np.empty((len(total), len(nodes)), np.float32)
        for column, node in enumerate(nodes):
            values = by_node[node].reshape(-1)[flat]
            means[:, column] = np.bincount(hand, weight * values, minlength=len(total)) / total
        return HandValues(means, _depth(arrays)[nodes])

    def check(self) -> None:
        """Raise BadSetting or TooLarge, with the reason, if there can be no values."""
        reason = kind_of("public").why_not(self.game)
        if reason:
            raise BadSetting(f"values of hands need the public form: {reason}")
        try:
            check_size(CardRounds.of(self.game))
        except TooLarge as large:
            raise TooLarge(f"the values of all hands of {self.game.name} cannot be computed: {large}") from None


@lru_cache(maxsize=4)
def warmed(game: PokerGame, iterations: int) -> tuple[InsideGame, dict[int, np.ndarray]]:
    """A game with every deal, and the expected value of hands at each decision.  # by node, [board, hand] float32"""
    cards = CardRounds.of(game, ordered=True)
    inside = InsideGame(bucketed_form(game, lossless(cards)), every_deal(cards))
    tree = public_form(game)
    solver = load("algorithms", "cfr").start(tree, seed=0, resources=Resources(1))
    solver.advance(iterations)
    average = numbers_of(inside.form, tree, solver.average)
    values: dict[int, np.ndarray] = {}
    for player in (0, 1):
        inside.value(average, player, lambda node, value: values.update({node: value.astype(np.float32)}))
    return inside, values


def _depth(arrays: BettingArrays) -> np.ndarray:
    """The number of actions before each decision in its round.  # [node] int64"""
    depth, entry, parent = np.zeros(len(arrays.actor), np.int64), entries(arrays), parents(arrays)
    for node in range(1, len(depth)):
        if entry[node] != node:
            depth[node] = depth[parent[node - 1]] + 1
    return depth
