"""One-card poker: Kuhn poker with a deck of any size, with one bet size, or no limit and stacks."""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.cards.card import RANKS, Deck
from pokerlab.errors import BadSetting
from pokerlab.games.library._presets import preset, with_menus
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import or_none, per_seat, whole, whole_numbers


@preset("one-card")
def game(
    *,
    cards: Annotated[int, whole(2, 10_000)] = 13,
    ante: Annotated[int, whole(0)] = 1,
    bet: Annotated[int, whole(1)] = 1,
    stack: Annotated[Any, or_none(whole_numbers(1))] = None,
    raises: Annotated[int | None, or_none(whole(0))] = 1,
    menu: Any = "",
) -> Rules:
    """Two players, one card each from a deck of `cards`, an ante and one bet; with a stack, of any size up to it."""
    if stack is None and menu not in ("", None):
        raise BadSetting("a menu of bets is for one-card poker without a limit: give a stack, too")
    names = RANKS[13 - cards :] if cards <= 13 else [str(number) for number in range(1, cards + 1)]
    return Rules(
        players=2,
        deck=Deck.of(names),
        rounds=with_menus((Round(private=1, bet=bet, raises=raises),), menu),
        limit="fixed" if stack is None else "no",
        antes=(ante,) * 2,
        stacks=None if stack is None else per_seat("stack", stack, 2),
        odd_chips="split",
    )
