"""Von Neumann poker on cards 1 to N: Player may bet or check, Dealer may call or fold, the higher card wins."""

from __future__ import annotations

from pokerlab.cards.card import Deck
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules, named, whole


def game(*, cards: int = 100, ante: int = 1, bet: int = 2, replacement: bool = True) -> PokerGame:
    """Goykhman's discrete game. Seat 0 is Player, seat 1 Dealer. With replacement the two cards are independent, so
    that both may be the same and tie; without, they come from one deck."""
    if not isinstance(replacement, bool):
        raise BadSetting(f"replacement is true or false; got {str(replacement)[:40]!r}")
    rules = Rules(
        players=2,
        deck=Deck.of(str(number) for number in range(1, whole("cards", cards, 2, 10_000) + 1)),
        rounds=(Round(private=1, bet=bet, raises=1, bettors=(0,)),),
        limit="fixed",
        antes=(whole("ante", ante, 1),) * 2,
        odd_chips="split",
        replacement=replacement,
    )
    name = named("von-neumann", cards=(cards, 100), ante=(ante, 1), bet=(bet, 2), replacement=(replacement, True))
    return PokerGame(rules, name)
