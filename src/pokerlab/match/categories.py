"""Categories of the hands that a draw game deals, by which matches count: pair, two pair, flush."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.strength import HIGH
from pokerlab.games.poker.engine import PokerGame


def category_names(game: PokerGame) -> tuple[str, ...]:
    """The categories of dealt hands, the strongest first; empty unless the game deals whole hands and exchanges cards.

    >>> from pokerlab.formats.opening import open_game
    >>> category_names(open_game("five-card-draw"))[-3:], category_names(open_game("holdem-limit"))
    (('two pair', 'pair', 'high card'), ())
    """
    rules, order = game.rules, HIGH().order
    deals_hands = rules.rounds[0].private == order.hand_size and rules.deck == FULL_DECK and rules.showdown == "high"
    return order.categories if game.dealing.draws and deals_hands else ()


def dealt_categories(game: PokerGame, deals: Sequence[Sequence[int]]) -> np.ndarray | None:
    """The category of the hand that each seat is dealt; None if hands have none.  # [deal, seat] int8"""
    if not category_names(game):
        return None
    slices = [rounds[0] for rounds in game.dealing.hands]
    hands = np.array([[cards[start:end] for start, end in slices] for cards in deals], np.uint8)
    return categories_of(HIGH().strengths(hands.reshape(-1, hands.shape[2]), check=False)).reshape(hands.shape[:2])


def categories_of(strength: np.ndarray) -> np.ndarray:
    """The category of each strength.  # [...] int8"""
    return np.searchsorted(HIGH().category_ends, strength).astype(np.int8)
