"""Leduc hold'em: one card each and one in the middle, two rounds of limit betting."""

from __future__ import annotations

from pokerlab.cards.card import RANKS, Deck
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules, named, whole


def game(
    *, players: int = 2, ranks: int = 3, suits: int = 2, raises: int = 2, ante: int = 1, bets: tuple[int, int] = (2, 4)
) -> PokerGame:
    """Six cards (J, Q, K in suits a, b), ante 1, bets of 2 then 4, two raises a round; a pair beats a high card."""
    whole("players", players, 2, 10)
    whole("ranks", ranks, 1, 100)
    whole("suits", suits, 1, 26)
    whole("raises", raises, 0)
    if not isinstance(bets, (tuple, list)) or len(bets) != 2:
        raise BadSetting(f"bets are the two sizes, as in bets=(2, 4); got {str(bets)[:40]!r}")
    words = RANKS[12 - ranks : 12] if ranks <= 12 else [str(number + 1) for number in range(ranks)]
    rules = Rules(
        players=players,
        deck=Deck.of(words, "abcdefghijklmnopqrstuvwxyz"[:suits]),
        rounds=(Round(private=1, bet=bets[0], raises=raises), Round(public=1, bet=bets[1], raises=raises)),
        limit="fixed",
        antes=(whole("ante", ante, 0),) * players,
        odd_chips="split",
    )
    name = named(
        "leduc",
        players=(players, 2),
        ranks=(ranks, 3),
        suits=(suits, 2),
        raises=(raises, 2),
        ante=(ante, 1),
        bets=(tuple(bets), (2, 4)),
    )
    return PokerGame(rules, name)
