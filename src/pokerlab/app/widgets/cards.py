"""Cards as they are drawn, and a deck to pick them from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from pokerlab.cards.card import FULL_DECK, SUIT_SYMBOLS, Deck

SUIT_WORDS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def card_html(deck: Deck, card: int, *, kind: str = "") -> str:
    """A card as HTML; its name is from the deck, never from a visitor."""
    name = deck.name(card)
    suit = name[-1] if len(deck.suits) > 1 else ""
    rank, symbol = name[: len(name) - len(suit)], SUIT_SYMBOLS.get(suit, suit)
    word = f"{rank} of {SUIT_WORDS[suit]}" if suit in SUIT_WORDS else name
    colour = suit if suit in SUIT_WORDS else "s"
    return f'<span class="card {colour} {kind}" role="img" aria-label="{word}">{rank}{symbol}</span>'


def cards_html(deck: Deck, cards: Sequence[int], *, hidden: int = 0, kind: str = "") -> str:
    """Cards side by side, then hidden ones."""
    back = f'<span class="card back {kind}" role="img" aria-label="a hidden card">?</span>'
    return " ".join([card_html(deck, card, kind=kind) for card in cards] + [back] * hidden)


def show_cards(deck: Deck, cards: Sequence[int], *, hidden: int = 0, kind: str = "") -> Any:
    """An element with cards."""
    return ui.html(cards_html(deck, cards, hidden=hidden, kind=kind), sanitize=False, tag="span")


class BoardPicker:
    """A deck of 52 buttons; the picked cards are the board, in the order of picking."""

    def __init__(self, cards: Sequence[int], *, on_change: Callable[[tuple[int, ...]], Any], most: int = 5) -> None:
        self.cards, self._on_change, self._most = list(cards), on_change, most
        self._buttons: dict[int, Any] = {}
        with ui.element("div").classes("deck").props('role="group" aria-label="Board: pick three to five cards"'):
            for suit in (3, 2, 1, 0):
                for rank in range(12, -1, -1):
                    self._add(4 * rank + suit)
        self._draw()

    def _add(self, card: int) -> None:
        name = FULL_DECK.name(card)
        button = ui.element("button").classes(f"card {name[1]}")
        button.props(f'type="button" aria-label="{name[0]} of {SUIT_WORDS[name[1]]}"')
        with button:
            ui.label(name[0] + SUIT_SYMBOLS[name[1]]).classes("plain")
        button.on("click", lambda: self._toggle(card))
        self._buttons[card] = button

    def _toggle(self, card: int) -> None:
        if card in self.cards:
            self.cards.remove(card)
        elif len(self.cards) < self._most:
            self.cards.append(card)
        self._draw()
        self._on_change(tuple(self.cards))

    def set(self, cards: Sequence[int]) -> None:
        """Show other cards, without calling back."""
        self.cards = list(cards)
        self._draw()

    def _draw(self) -> None:
        full = len(self.cards) >= self._most
        for card, button in self._buttons.items():
            picked = card in self.cards
            pressed, disabled = str(picked).lower(), full and not picked
            if (button.props.get("aria-pressed"), button.props.get("disabled", False)) == (pressed, disabled):
                continue
            button.props["aria-pressed"] = pressed
            button.props["disabled"] = disabled
            button.update()
