"""Cards as small integers, and their text.

In a deck of R ranks and S suits a card is rank * S + suit. In the full deck that is 0..51 with ranks 2..A and suits c,
d, h, s: "2c" is 0 and "As" is 51. Ranks and suits are arbitrary words, so Kuhn's three cards, Leduc's six and a deck of
500 numbers are ordinary decks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pokerlab.errors import BadCards, shortened

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@dataclass(frozen=True)
class Deck:
    """Every rank in every suit, weakest rank first.

    >>> FULL_DECK.cards("As Td")
    [51, 33]
    >>> FULL_DECK.text([51, 33])
    'AsTd'
    """

    ranks: tuple[str, ...]
    suits: tuple[str, ...]

    @staticmethod
    def of(ranks: Iterable[str], suits: Iterable[str] = ("",)) -> Deck:
        """A deck from arbitrary words; without suits a card is written as its rank alone."""
        deck = Deck(tuple(ranks), tuple(suits))
        for what, words in (("ranks", deck.ranks), ("suits", deck.suits)):
            if not words or len(set(words)) != len(words):
                raise BadCards(f"the {what} of a deck must be different words, at least one; got {list(words)}")
        return deck

    @cached_property
    def size(self) -> int:
        """The number of cards."""
        return len(self.ranks) * len(self.suits)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {self.name(card).lower(): card for card in range(self.size)}

    def rank(self, card: int) -> int:
        """The rank of a card, 0 for the weakest."""
        return card // len(self.suits)

    def suit(self, card: int) -> int:
        """The suit of a card, 0 for the first."""
        return card % len(self.suits)

    def name(self, card: int) -> str:
        """The text of one card."""
        if not 0 <= card < self.size:
            raise BadCards(f"{card} is not a card: the cards of this deck are 0 to {self.size - 1}")
        return self.ranks[card // len(self.suits)] + self.suits[card % len(self.suits)]

    def text(self, cards: Iterable[int]) -> str:
        """The text of several cards, readable by `cards`; words longer than two letters are separated by spaces."""
        return self._separator.join(self.name(int(card)) for card in cards)

    @cached_property
    def _separator(self) -> str:
        return "" if len({len(name) for name in self._numbers}) == 1 else " "

    def card(self, text: str) -> int:
        """The one card in a text."""
        cards = self.cards(text)
        if len(cards) != 1:
            raise BadCards(f"{shortened(text)!r} is {len(cards)} cards where one is needed")
        return cards[0]

    def cards(self, text: str) -> list[int]:
        """The cards in a text, in order: "AsTd", "As Td", "as,td" and "10d" all work.

        BadCards names the text that is not a card, and where it starts, or the duplicate card.
        """
        cards: list[int] = []
        position = 0
        longest = max(len(name) for name in self._numbers)
        lowered = _plain(text)
        while position < len(lowered):
            if lowered[position] in " ,\t\n|":
                position += 1
                continue
            for length in range(longest, 0, -1):
                card = self._numbers.get(lowered[position : position + length])
                if card is not None:
                    break
            else:
                raise BadCards(self._complaint(text, lowered, position))
            if card in cards:
                raise BadCards(f"the card {self.name(card)} comes twice in {shortened(text)!r}")
            cards.append(card)
            position += length
        return cards

    def _complaint(self, text: str, lowered: str, position: int) -> str:
        width = max(len(name) for name in self._numbers)
        offending = lowered[position : position + width].split()[0]
        example = f"cards are written {self.name(self.size - 1)!r}, {self.name(0)!r}"
        detail = ""
        if len(self.suits) > 1 and all(len(word) == 1 for word in self.ranks + self.suits):
            if lowered[position] not in "".join(self.ranks).lower():
                detail = f": {lowered[position]!r} is not a rank ({''.join(self.ranks)})"
            else:
                suit = lowered[position + 1 : position + 2].strip()
                detail = f": {suit!r} is not a suit ({''.join(self.suits)})" if suit else ": its suit is missing"
        return f"{offending!r} at position {position + 1} of {shortened(text)!r} is not a card{detail}; {example}"

    def check(self, cards: Sequence[int]) -> None:
        """Raise BadCards unless these are distinct cards of this deck."""
        for card in cards:
            self.name(int(card))
        if len({int(card) for card in cards}) != len(cards):
            twice = next(card for card in cards if list(cards).count(card) > 1)
            raise BadCards(f"the card {self.name(int(twice))} comes twice")


def _plain(text: str) -> str:
    lowered = text.lower().replace("10", "t") if "10" in text and not text.replace(" ", "").isdigit() else text.lower()
    for letter, symbol in SUIT_SYMBOLS.items():
        lowered = lowered.replace(symbol, letter)
    return lowered


FULL_DECK = Deck.of(RANKS, SUITS)
SHORT_DECK = Deck.of(RANKS[4:], SUITS)  # six and up; card c is card c + 16 of the full deck
