"""No-limit Leduc hold'em: Leduc's cards and ante with stacks instead of a limit; every legal bet, or a menu of bets."""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.cards.card import RANKS, Deck
from pokerlab.games.library._presets import preset, with_menus
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import or_none, per_seat, whole, whole_numbers


@preset("leduc-nolimit")
def game(
    *,
    players: Annotated[int, whole(2, 10)] = 2,
    ranks: Annotated[int, whole(1, 12)] = 3,
    suits: Annotated[int, whole(1, 26)] = 2,
    stack: Annotated[Any, whole_numbers(1)] = 4,
    ante: Annotated[int, whole(0)] = 1,
    bet: Annotated[int, whole(1)] = 1,
    raises: Annotated[int | None, or_none(whole(0))] = None,
    menu: Any = "",
) -> Rules:
    """Six cards, ante 1, stacks of 4, bets from 1; menu="50%,100%,allin" for pot-fraction bets."""
    return Rules(
        players=players,
        deck=Deck.of(RANKS[12 - ranks : 12], "abcdefghijklmnopqrstuvwxyz"[:suits]),
        rounds=with_menus((Round(private=1, bet=bet, raises=raises), Round(public=1, bet=bet, raises=raises)), menu),
        limit="no",
        antes=(ante,) * players,
        stacks=per_seat("stack", stack, players),
        odd_chips="split",
    )
