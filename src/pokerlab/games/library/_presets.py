"""Shared by the poker presets: how rules become a named game, the settings and rounds of hold'em, and bet menus."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Annotated, Any, ParamSpec

from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.menu import menus_from
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import declared, whole, whole_numbers

P = ParamSpec("P")
Players = Annotated[int, whole(2, 10)]
Stack = Annotated[Any, whole_numbers(1)]  # one for all seats, or one per seat
Ante = Annotated[int, whole(0)]


def preset(label: str) -> Callable[[Callable[P, Rules]], Callable[P, PokerGame]]:
    """Make a game with checked settings from a function that returns its rules."""

    def declare(rules_of: Callable[P, Rules]) -> Callable[P, PokerGame]:
        @wraps(rules_of)
        def game(name: str, /, *arguments: P.args, **settings: P.kwargs) -> PokerGame:
            return PokerGame(rules_of(*arguments, **settings), name)

        own, name = inspect.signature(rules_of), inspect.Parameter("name", inspect.Parameter.POSITIONAL_ONLY)
        game.__signature__ = own.replace(parameters=[name, *own.parameters.values()])  # type: ignore[attr-defined]
        return declared(label)(game)

    return declare


def small_and_big(name: str, value: Any) -> tuple[int, ...]:
    """Validate blinds: the small one, the big one, then straddles."""
    if isinstance(value, str):
        value = value.replace(",", " ").split()
        value = [int(word) if word.isdecimal() else word for word in value]
    if not isinstance(value, (tuple, list)) or not value:
        raise BadSetting(f"{name} must be small, big, then straddles, as in {name}=(50, 100); got {str(value)[:40]!r}")
    return tuple(whole(0)(f"each of {name}", blind) for blind in value)


Blinds = Annotated[tuple[int, ...], small_and_big]


def holdem_rounds(bets: tuple[int, ...], *, first: int, raises: tuple[int | None, ...]) -> tuple[Round, ...]:
    """Two cards each, then flop, turn and river; from the flop on the seat left of the button acts first."""
    later = zip((3, 1, 1), bets[1:], raises[1:], strict=True)
    return (
        Round(private=2, bet=bets[0], raises=raises[0], first=first),
        *(Round(public=cards, bet=bet, raises=cap) for cards, bet, cap in later),
    )


def seated_blinds(blinds: tuple[int, ...], players: int, *, needed: bool = False) -> tuple[int, ...]:
    """Blinds (small, big and optional straddles) by seat; heads-up the button, seat 1, posts the small one."""
    if needed and not any(blinds):
        raise BadSetting("limit hold'em is played with blinds; got none")
    if len(blinds) > players:
        raise BadSetting(f"{players} players post at most {players} blinds; got {blinds}")
    if players == 2:
        posted = (blinds * 2)[:2]
        return posted[1], posted[0]
    return blinds + (0,) * (players - len(blinds))


def first_after_blinds(blinds: tuple[int, ...]) -> int:
    """The seat that acts first before the flop: the one after the last blind; heads-up the button."""
    players = len(blinds)
    if players == 2:
        return 1
    posted = [seat for seat in range(players) if blinds[seat]]
    return (posted[-1] + 1) % players if posted else 0


def with_menus(rounds: tuple[Round, ...], menu: Any) -> tuple[Round, ...]:
    """Rounds with the menus of a setting: one for all rounds, or one per round; unchanged if it is empty."""
    if menu in ("", None):
        return rounds
    menus = list(menu) if isinstance(menu, list | tuple) else [menu] * len(rounds)
    if len(menus) != len(rounds):
        raise BadSetting(f"menu is one for all rounds, or one for each of the {len(rounds)}; got {len(menus)}")
    return tuple(replace(round_, menu=menus_from(own)) for round_, own in zip(rounds, menus, strict=True))


def rolled_out(first: Round) -> tuple[Round, ...]:
    """A first round of betting, then flop, turn and river without betting."""
    return first, *(Round(public=cards, betting=False) for cards in (3, 1, 1))
