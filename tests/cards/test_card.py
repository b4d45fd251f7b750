"""Cards and their text, both ways, and the sentence that a wrong text gets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.card import FULL_DECK, SHORT_DECK, Deck
from pokerlab.errors import BadCards

KUHN = Deck.of("JQK")
LEDUC = Deck.of("JQK", "ab")
NUMBERS = Deck.of(str(number) for number in range(1, 501))


@pytest.mark.parametrize("deck", [FULL_DECK, SHORT_DECK, KUHN, LEDUC, NUMBERS])
def test_every_card_reads_back(deck: Deck) -> None:
    for card in range(deck.size):
        assert deck.card(deck.name(card)) == card
    everything = list(range(deck.size))
    assert deck.cards(deck.text(everything)) == everything


@given(st.lists(st.integers(0, 51), unique=True))
def test_text_round_trips(cards: list[int]) -> None:
    text = FULL_DECK.text(cards)
    assert FULL_DECK.cards(text) == cards
    assert FULL_DECK.cards(text.upper()) == cards
    assert FULL_DECK.cards(" , ".join(FULL_DECK.name(card) for card in cards)) == cards


def test_numbers() -> None:
    assert FULL_DECK.cards("2c") == [0]
    assert FULL_DECK.cards("As Td 10d".replace(" Td", "")) == [51, 33]
    assert FULL_DECK.cards("A♠ t♦") == [51, 33]
    assert [deck.size for deck in (KUHN, LEDUC, SHORT_DECK)] == [3, 6, 36]
    assert SHORT_DECK.card("6c") + 16 == FULL_DECK.card("6c")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("AsKx", "'kx' at position 3"),
        ("Zs", "'z' is not a rank"),
        ("As K", "its suit is missing"),
        ("AsAs", "As comes twice"),
        ("♥♥", "is not a card"),
        ("1s", "'1' is not a rank"),
        ("@" * 5000, "is not a card"),
    ],
)
def test_wrong_text_gets_a_sentence(text: str, part: str) -> None:
    with pytest.raises(BadCards) as caught:
        FULL_DECK.cards(text)
    assert part in str(caught.value)
    assert len(str(caught.value)) < 300


def test_one_card_is_one_card() -> None:
    with pytest.raises(BadCards, match="is 2 cards"):
        FULL_DECK.card("AsKs")
    with pytest.raises(BadCards, match="is not a card"):
        FULL_DECK.name(52)
    with pytest.raises(BadCards, match="comes twice"):
        FULL_DECK.check([3, 4, 3])
    with pytest.raises(BadCards, match="different words"):
        Deck.of("AAK")
