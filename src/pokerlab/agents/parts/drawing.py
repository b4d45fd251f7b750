"""Which cards to exchange in a draw: a short list of standard rules of draw poker.

Hold what is made: a straight or better stands pat; pairs, trips and quads hold their equal cards. Without a pair, draw
one card to a four-card flush or open-ended straight, otherwise hold the high cards, as few as the rules allow.
"""

from __future__ import annotations

from collections import Counter

from pokerlab.games.poker.betting import STAND_PAT, Action, discard
from pokerlab.games.poker.state import View

_PAT = 5  # cards of a complete hand


def exchange(view: View) -> Action:
    """The discards of the player to act."""
    return _without(view, _kept(*_seen(view)))


def keep_made(view: View) -> Action:
    """The discards of a player who holds only the current highest hand: what is made, or else the highest card."""
    cards, suits, ranks = _seen(view)
    return _without(view, _made(cards, suits, ranks) or cards[:1])


def _seen(view: View) -> tuple[list[int], int, int]:
    deck = view.game.deck
    return sorted(view.cards, reverse=True), len(deck.suits), len(deck.ranks)


def _without(view: View, kept: list[int]) -> Action:
    """Exchange all cards but these, or the lowest if not all may be exchanged."""
    most = min(view.legal.discards, len(view.cards))
    thrown = [card for card in sorted(view.cards) if card not in kept][:most]
    return discard(*sorted(thrown, reverse=True)) if thrown else STAND_PAT


def _made(cards: list[int], suits: int, ranks: int) -> list[int]:
    """Equal cards, or all cards of a straight or better; empty for a high-card hand."""
    counts = Counter(card // suits for card in cards)
    paired = [card for card in cards if counts[card // suits] > 1]
    if len(cards) >= _PAT and not paired and (_flush(cards, suits, len(cards)) or _straight(cards, suits, ranks)):
        return cards
    return paired


def _kept(cards: list[int], suits: int, ranks: int) -> list[int]:
    made = _made(cards, suits, ranks)
    if made:
        return made
    if len(cards) == _PAT:
        four = _flush(cards, suits, 4) or _open_straight(cards, suits)
        if four:
            return four
    return cards[:2] if cards and cards[1:] and cards[1] // suits >= ranks - 4 else cards[:1]


def _flush(cards: list[int], suits: int, needed: int) -> list[int]:
    """The cards of the suit that has this many, empty if no suit has."""
    for suit in range(suits):
        same = [card for card in cards if card % suits == suit]
        if len(same) >= needed:
            return same
    return []


def _straight(cards: list[int], suits: int, ranks: int) -> bool:
    """Whether the cards, all of different ranks, are consecutive; the ace also ranks below the lowest rank."""
    held = sorted(card // suits for card in cards)
    return held[-1] - held[0] == len(held) - 1 or held == [*range(len(held) - 1), ranks - 1]


def _open_straight(cards: list[int], suits: int) -> list[int]:
    """Four consecutive cards, open at both ends."""
    for start in range(len(cards) - 3):
        row = cards[start : start + 4]
        if row[0] // suits - row[3] // suits == 3:
            return row
    return []
