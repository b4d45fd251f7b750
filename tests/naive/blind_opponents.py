"""What a best response wins from an opponent who plays without looking at their cards, from tables of hand strength.

Such an opponent tells nothing of their hand, which stays uniform over what is left. A hand is then worth what its
expected strength says, and a round is solved for each hand on its own: no reach, no showdown against weighed hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, reduce

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.run_outs import extended
from pokerlab.abstraction.features.strength import Strength
from pokerlab.games.poker.betting_tree import Deal, Decision, FoldPayoffs, Node, Showdown
from pokerlab.games.poker.engine import PokerGame
from pokerlab.tree.public.poker import betting_of

AT_ONCE = 20_000  # hands


Put = tuple[float, float]  # each player's chips in the pot where a round begins


class BlindOpponent:
    """An opponent who always raises, if that is possible, or always calls; against a player in a seat."""

    def __init__(self, game: PokerGame, seat: int, *, raises: bool) -> None:
        self.cards, self.seat, self.raises = CardRounds.of(game), seat, raises
        self.root = betting_of(game)
        self.last = self.cards.rounds - 1

    def response(self) -> float:
        """What a best response wins a hand."""
        begun = dict[Put, np.ndarray]()
        for number in range(self.last - 1, -1, -1):
            ends = self.averages(number, begun)
            begun = {node.put: self.value(node, ends) for node in self.starts(number)}
        (won,) = begun.values()
        counts = self.cards.indexer(0).counts(np.arange(len(won)))
        return float(won @ counts / counts.sum())

    def starts(self, number: int) -> list[Node]:
        """The beginnings of a round that differ in the chips in the pot."""
        found = [self.root]
        for _ in range(number):
            following = (deal.child for node in found for deal in self.deals(node))
            found = list({node.put: node for node in following}.values())
        return found

    def deals(self, node: Node) -> Iterator[Deal]:
        """The deals that may end a round."""
        if isinstance(node, Deal):
            yield node
        elif isinstance(node, Decision):
            for child in self.children(node):
                yield from self.deals(child)

    def children(self, node: Decision) -> tuple[Node, ...]:
        """What may follow: any action of the player, one of the opponent."""
        if node.player == self.seat:
            return node.children
        by_code = dict(zip(node.codes, node.children, strict=True))
        raised = [child for code, child in by_code.items() if code.startswith("r")]
        return (raised[0] if self.raises and raised else by_code["c"],)

    def value(self, node: Node, ends: Mapping[Put, np.ndarray], strength: np.ndarray | None = None) -> np.ndarray:
        """The value of each hand from a place of a round on, given those of the ends; in the last one, by strength."""
        if isinstance(node, FoldPayoffs):
            return np.array([node.returns[self.seat]])
        if isinstance(node, Showdown):
            assert strength is not None
            return node.lose[self.seat] + strength * (node.win[self.seat] - node.lose[self.seat])
        if isinstance(node, Deal):
            return ends[node.child.put]
        children = [self.value(child, ends, strength) for child in self.children(node)]
        return reduce(np.maximum, children)

    def averages(self, number: int, begun: Mapping[Put, np.ndarray]) -> dict[Put, np.ndarray]:
        """The mean over the next public cards, for each hand of a round, of each beginning of the next one."""
        indexer, starts = self.cards.indexer(number), self.starts(number + 1)
        means = {node.put: np.empty(indexer.size()) for node in starts}
        added = self.cards.boards[number + 1] - self.cards.boards[number]
        for first in range(0, indexer.size(), AT_ONCE):
            hands = np.arange(first, min(first + AT_ONCE, indexer.size()))
            rows = extended(indexer.unindex_batch(hands), self.cards.deck.size, added)
            after = self.cards.index(number + 1, rows)
            for node in starts:
                is_last = number + 1 == self.last
                found = self.value(node, {}, self.strengths[after]) if is_last else begun[node.put][after]
                means[node.put][hands] = found.reshape(len(hands), -1).mean(axis=1)
        return means

    @cached_property
    def strengths(self) -> np.ndarray:
        """The strength of each hand in the last round."""
        found, feature = np.empty(self.cards.indexer(self.last).size()), Strength()
        for index, sums in feature.sums(self.cards, self.last, threads=2):
            found[index] = feature.features_from(sums, self.cards, self.last)[:, 0]
        return found
