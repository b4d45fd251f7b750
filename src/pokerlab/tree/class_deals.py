"""How hands are dealt in the classes form: the classes, the probability of each pair, and which one wins.

A class is a set of hands that the rules do not distinguish: a card of a one-card deck, or one of the 169 classes of two
cards. Probabilities of winning are read from a table; a pair of classes is weighted by its number of combinations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES, COMBO_COUNT, combo_name
from pokerlab.games.poker.engine import PokerGame

BOARD_SIZES = (3, 5)  # with a table of the probabilities of winning


@dataclass(frozen=True)
class NumberDeal:
    """Each player gets one of `count` numbers, the higher wins; with `replacement` both may get the same and tie."""

    count: int
    replacement: bool = True


@dataclass(frozen=True)
class CardDeal:
    """Each player gets two cards of the full deck, and the best five-card hand with a board of this size wins."""

    board_size: int


class DealTable(NamedTuple):
    """The hands, and the data of every pair of them. Both players are dealt from the same hands."""

    hands: tuple[str, ...]
    chance: np.ndarray  # [hand of 0, hand of 1] probability of the two hands
    win: np.ndarray  # [hand, other hand] probability that the hand beats the other at a showdown
    tie: np.ndarray  # [hand, other hand]


def deal_of(game: PokerGame) -> NumberDeal | CardDeal:
    """How a game deals its hands."""
    if game.rules.rounds[0].private == 1:
        return NumberDeal(game.deck.size, game.rules.replacement)
    return CardDeal(board_size(game))


def deal_table(game: PokerGame) -> DealTable:
    """The classes of a game's hands."""
    deal = deal_of(game)
    if isinstance(deal, CardDeal):
        return class_table(deal.board_size)
    order, tie = np.arange(deal.count), np.eye(deal.count)
    pairs = np.ones_like(tie) if deal.replacement else 1 - tie
    names = tuple(game.deck.name(card) for card in range(deal.count))
    return DealTable(names, pairs / pairs.sum(), (order[:, None] > order).astype(float), tie)


@cache
def class_table(board_size: int) -> DealTable:
    """The 169 classes of two cards."""
    from pokerlab.cards.preflop import preflop_table

    table = preflop_table(board_size)
    return DealTable(tuple(CLASS_NAMES), table.class_pairs / table.class_pairs.sum(), table.class_win, table.class_tie)


@cache
def combo_table(board_size: int) -> DealTable:
    """All 1,326 hands of two cards, for strategies that distinguish suits; equilibria need only the classes."""
    from pokerlab.cards.preflop import fits, preflop_table

    table, possible = preflop_table(board_size), fits()
    names = tuple(map(combo_name, range(COMBO_COUNT)))
    return DealTable(names, possible / possible.sum(), table.wins / table.boards, table.ties / table.boards)


def board_size(game: PokerGame) -> int:
    """The total number of public cards dealt."""
    return sum(round_.public for round_ in game.rules.rounds)


def is_ordered(game: PokerGame) -> bool:
    """Whether each card beats every card of a lower number."""
    powers = [game.strength((card,)) for card in range(game.deck.size)]  # smaller is stronger
    return all(one > other for one, other in pairwise(powers))
