"""Groups of starting hands as players think of them: pairs, suited aces, broadway cards, connectors; of five cards,
their category."""

from __future__ import annotations

from functools import lru_cache

from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.cards.rank_hands import HAND
from pokerlab.cards.strength import HIGH
from pokerlab.errors import PokerlabError

_TEN = FULL_DECK.ranks.index("T")
_SIX = FULL_DECK.ranks.index("6")
_ACE = len(FULL_DECK.ranks) - 1


@lru_cache(maxsize=4096)
def hand_group(deck: Deck, text: str) -> str:
    """The group of a hand: of two or five cards of the full deck, or of one card its rank; empty if there is none.

    >>> [hand_group(FULL_DECK, text) for text in ("AhAd", "9h9c", "Ah5h", "KdQs", "8h7h", "9s2h", "Kh??")]
    ['pairs TT+', 'pairs 66-99', 'suited aces', 'offsuit broadway', 'suited connectors', 'other offsuit', '']
    >>> hand_group(FULL_DECK, "9h9c5d5s2h")
    'two pair'
    """
    try:
        cards = deck.cards(text)
    except PokerlabError:
        return ""
    ranks = sorted((deck.rank(card) for card in cards), reverse=True)
    if len(cards) == 1:
        return deck.ranks[ranks[0]]
    if len(cards) == HAND and deck == FULL_DECK and len(set(cards)) == HAND:
        return HIGH().category(HIGH().strength(cards))
    if len(cards) != 2 or deck != FULL_DECK:
        return ""
    high, low = ranks
    if high == low:
        return f"pairs {'TT+' if high >= _TEN else '66-99' if high >= _SIX else '22-55'}"
    suited = deck.suit(cards[0]) == deck.suit(cards[1])
    word = "suited" if suited else "offsuit"
    if low >= _TEN:
        return f"{word} broadway"
    if high == _ACE:
        return f"{word} aces"
    return "suited connectors" if suited and high - low == 1 else f"other {word}"
