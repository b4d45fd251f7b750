"""How the cards of a poker game are dealt, as far as an abstraction is concerned: what a seat holds and sees per round.

A hand of a round is the private cards with the board so far, up to suit isomorphism. The order of the board is
forgotten by default: hold'em then has 169, 1,286,792, 13,960,050 and 123,156,254 hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from pokerlab.cards.canonical import HandIndexer
from pokerlab.cards.card import Deck
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame


@dataclass(frozen=True)
class CardRounds:
    """The cards of a game, round by round.

    >>> from pokerlab.registry import load
    >>> cards = CardRounds.of(load("games", "leduc"))
    >>> cards.private, cards.boards, [cards.hands(round) for round in range(2)]
    (1, (0, 1), [3, 15])
    """

    deck: Deck
    private: int  # cards of a hand
    boards: tuple[int, ...]  # [round] public cards when the round's betting begins
    showdown: str = "high"  # see games/poker/showdown.py
    ordered: bool = False  # whether the order of the board distinguishes hands

    @staticmethod
    def of(game: PokerGame, *, ordered: bool = False) -> CardRounds:
        """The cards of a game; BadSetting, with the reason, if its hands cannot be put into buckets."""
        rules = game.rules
        if any(round_.draw or round_.private for round_ in rules.rounds[1:]) or rules.rounds[0].draw:
            raise BadSetting(
                f"the hands of {game.name} change after the first deal, and no bucket file is made: name buckets in "
                "training, as in `pokerlab train five-card-draw --buckets no-suits`"
            )
        if rules.replacement:
            raise BadSetting(f"{game.name} deals each player from a deck of their own, and buckets are for one deck")
        boards = tuple(accumulate(round_.public for round_ in rules.rounds))
        return CardRounds(rules.deck, rules.rounds[0].private, boards, rules.showdown, ordered)

    @property
    def rounds(self) -> int:
        """The number of betting rounds."""
        return len(self.boards)

    def is_dealt(self, round: int) -> bool:
        """Whether public cards are dealt at the start of a round."""
        return self.boards[round] > (self.boards[round - 1] if round else 0)

    def indexer(self, round: int) -> HandIndexer:
        """The indexer of the hands of a round: private cards first, then the board as it was dealt."""
        return self._indexers[round]

    @cached_property
    def _indexers(self) -> tuple[HandIndexer, ...]:
        indexers = []
        for round, size in enumerate(self.boards):
            steps = np.diff(self.boards[: round + 1], prepend=0).tolist() if self.ordered else [size]
            dealt = (self.private, *(step for step in steps if step))
            indexers.append(HandIndexer(dealt, len(self.deck.ranks), len(self.deck.suits)))
        return tuple(indexers)

    def hands(self, round: int) -> int:
        """The number of hands of a round."""
        return self.indexer(round).size()

    @property
    def private_indexer(self) -> HandIndexer:
        """The indexer of private cards alone."""
        return HandIndexer((self.private,), len(self.deck.ranks), len(self.deck.suits))

    def every_hand(self, round: int) -> np.ndarray:
        """A representative of each hand of a round, in index order.  # [hand, cards] uint8"""
        return self.indexer(round).unindex_batch(np.arange(self.hands(round)))

    def up_to(self, round: int, hands: np.ndarray) -> np.ndarray:
        """Hands as they were in an earlier round.  # [n, cards] -> [n, cards then]"""
        return np.ascontiguousarray(hands[:, : self.private + self.boards[round]])

    def index(self, round: int, cards: np.ndarray) -> np.ndarray:
        """The index of the hand in each row of cards, private cards first.  # [n, cards] -> [n]"""
        return self.indexer(round).index_batch(cards)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "_indexers"}
