"""The showdown of a game as arrays: every holding (set of private cards) and its strength on complete boards.

Strengths come from the tables of cards/strength.py if these cover the deck; otherwise the game's showdown evaluates
each complete hand once, up to suit isomorphism.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.cards.canonical import HandIndexer
from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.cards.strength import ranking
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.poker.showdown import is_looked_up, strength_of

if TYPE_CHECKING:
    from pokerlab.abstraction.features._kernels.showdown import HoldingKeys, Holdings

_MOST_HOLDINGS = 300_000
_MOST_EVALUATED = 5_000_000  # most complete hands that are evaluated one by one


@dataclass(frozen=True)
class FinalHands:
    """The holdings of a deck and their strengths on boards of the last round."""

    deck: Deck
    private: int
    board: int  # number of cards of a complete board
    showdown: str

    @staticmethod
    @cache
    def of(cards: CardRounds) -> FinalHands:
        """The final hands of a game; BadSetting or TooLarge if they cannot be compared."""
        board = cards.boards[-1]
        if cards.private < 1:
            raise BadSetting("the players of this game hold no cards, and there is nothing to compare")
        if 2 * cards.private + board > cards.deck.size:
            raise BadSetting(f"two hands and a board are more than the {cards.deck.size} cards of the deck")
        count = comb(cards.deck.size, cards.private)
        if count > _MOST_HOLDINGS:
            raise TooLarge(f"{count:,} sets of private cards are too many to compare; {_MOST_HOLDINGS:,} are the most")
        return _final_hands(cards.deck, cards.private, board, cards.showdown)

    @cached_property
    def opponents(self) -> int:
        """The number of holdings an opponent may have on a complete board."""
        return comb(self.deck.size - self.private - self.board, self.private)

    @cached_property
    def holdings(self) -> Holdings:
        """All sets of private cards, with their subsets."""
        from pokerlab.abstraction.features._kernels.showdown import Holdings

        size, private = self.deck.size, self.private
        cards = chosen(size, private)
        # in the order of the higher cards, as in cards/combos.py
        cards = np.ascontiguousarray(cards[np.lexsort(cards.T)])
        positions = [part for length in range(1, private) for part in combinations(range(private), length)]
        names = [part for length in range(1, private) for part in combinations(range(size), length)]
        numbers = {part: number for number, part in enumerate(names)}
        parts = [[numbers[tuple(hand[j] for j in part)] for part in positions] for hand in cards.tolist()]
        return Holdings(
            cards=cards,
            bits=(np.int64(1) << cards.astype(np.int64)).sum(1),
            parts=np.array(parts, np.uint16 if len(names) < 1 << 16 else np.uint32).reshape(len(cards), len(positions)),
            signs=np.array([(-1) ** len(part) for part in positions], np.int64),
            own_sign=(-1) ** private,
            part_count=len(names),
        )

    def strengths(self, boards: np.ndarray) -> np.ndarray:
        """The class of every holding on complete boards [n, board]: [n, holding] uint16, 0 if blocked."""
        from pokerlab.abstraction.features._kernels.showdown import keyed_strengths

        holdings = self.holdings
        out = np.zeros((len(boards), len(holdings.cards)), np.uint16)
        if is_looked_up(self.showdown, self.deck, self.private + self.board):
            keyed_strengths(boards, holdings, self._keyed, out)
            return out
        taken = (np.int64(1) << boards.astype(np.int64)).sum(1)
        free = (taken[:, None] & holdings.bits) == 0
        board, holding = np.nonzero(free)
        rows = np.concatenate([holdings.cards[holding], boards[board]], axis=1)
        out[free] = self._classes[self._indexer.index_batch(rows)]
        return out

    @cached_property
    def _keyed(self) -> HoldingKeys:
        from pokerlab.abstraction.features._kernels.showdown import HoldingKeys

        tables = ranking(self.showdown)
        full = np.array([FULL_DECK.card(self.deck.name(card)) for card in range(self.deck.size)], np.uint8)
        held = full[self.holdings.cards].astype(np.uint64)
        shifts = ((held & np.uint64(3)) << np.uint64(4)) | (held >> np.uint64(2))
        return HoldingKeys(
            full=full,
            keys=tables.keys[held].sum(1, dtype=np.uint64),
            ranks=np.bitwise_or.reduce(np.uint64(1) << shifts, axis=1),
            tables=tables.tables(self.private + self.board),
        )

    @cached_property
    def _indexer(self) -> HandIndexer:
        rounds = (self.private, self.board) if self.board else (self.private,)
        return HandIndexer(rounds, len(self.deck.ranks), len(self.deck.suits))

    @cached_property
    def _classes(self) -> np.ndarray:
        """The class of every complete hand up to suit isomorphism [n] uint16, 1 the strongest."""
        count = self._indexer.size()
        if count > _MOST_EVALUATED:
            raise TooLarge(f"no strength tables for this deck, and {count:,} hands are too many to evaluate one by one")
        strength = strength_of(self.showdown, self.deck, self.private + self.board)
        hands = self._indexer.unindex_batch(np.arange(count)).tolist()
        strengths, classes = np.unique(np.array([strength(hand) for hand in hands]), return_inverse=True)
        if len(strengths) >= np.iinfo(np.uint16).max:
            raise TooLarge(f"{len(strengths):,} different strengths are too many to compare")
        return (classes + 1).astype(np.uint16)


@cache
def _final_hands(deck: Deck, private: int, board: int, showdown: str) -> FinalHands:
    """One instance shared by games with the same cards, so that its arrays are computed once."""
    return FinalHands(deck, private, board, showdown)


@cache
def chosen(size: int, count: int) -> np.ndarray:
    """Every set of `count` indices, as rows: [n, count] uint8."""
    rows = comb(size, count)
    flat = (number for row in combinations(range(size), count) for number in row)
    return np.fromiter(flat, np.uint8, rows * count).reshape(rows, count)
