"""Rhode Island hold'em: one card each and two in the middle, three rounds of limit betting, three-card hands."""

from __future__ import annotations

from pokerlab.cards.card import RANKS, SUITS, Deck
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules, named, whole, whole_numbers


def game(
    *, ranks: int = 13, suits: int = 4, ante: int = 5, bets: tuple[int, int, int] = (10, 20, 20), raises: int = 3
) -> PokerGame:
    """Ante 5, bets of 10, 20 and 20, three bets a round (Shi and Littman 2001); smaller decks keep the top ranks."""
    if not isinstance(bets, (tuple, list)):
        raise BadSetting(f"bets are the three sizes, as in bets=(10, 20, 20); got {str(bets)[:40]!r}")
    sizes = whole_numbers("bets", bets, 3, least=1)
    words = RANKS[13 - whole("ranks", ranks, 1, 13) :]
    rules = Rules(
        players=2,
        deck=Deck.of(words, SUITS[: whole("suits", suits, 1, 4)]),
        rounds=(
            Round(private=1, bet=sizes[0], raises=raises),
            Round(public=1, bet=sizes[1], raises=raises),
            Round(public=1, bet=sizes[2], raises=raises),
        ),
        limit="fixed",
        antes=(whole("ante", ante, 0),) * 2,
        showdown="three_card",
        odd_chips="split",
    )
    name = named(
        "rhode-island",
        ranks=(ranks, 13),
        suits=(suits, 4),
        ante=(ante, 5),
        bets=(tuple(bets), (10, 20, 20)),
        raises=(raises, 3),
    )
    return PokerGame(rules, name)
