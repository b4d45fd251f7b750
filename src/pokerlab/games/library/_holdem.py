"""What the hold'em presets share: the four rounds, and where the blinds sit."""

from __future__ import annotations

from typing import Any

from pokerlab.errors import BadSetting
from pokerlab.games.poker.rules import Round, whole, whole_numbers


def holdem_rounds(bets: tuple[int, ...], *, first: int, raises: tuple[int | None, ...]) -> tuple[Round, ...]:
    """Two cards each, then the flop, the turn and the river; the seat left of the button begins from the flop on."""
    return (
        Round(private=2, bet=bets[0], raises=raises[0], first=first),
        Round(public=3, bet=bets[1], raises=raises[1]),
        Round(public=1, bet=bets[2], raises=raises[2]),
        Round(public=1, bet=bets[3], raises=raises[3]),
    )


def seated_blinds(blinds: Any, players: int) -> tuple[int, ...]:
    """Blinds (small, big and perhaps straddles) by seat; heads-up the button, seat 1, posts the small one."""
    if isinstance(blinds, str):
        blinds = blinds.replace(",", " ").split()
    if not isinstance(blinds, (tuple, list)) or not 1 <= len(blinds) <= players:
        raise BadSetting(
            f"blinds are the small and the big one, then straddles, as in blinds=(50, 100); got {blinds!r}"
        )
    posted = whole_numbers("blinds", list(blinds), len(blinds))
    if players == 2:
        posted = (posted * 2)[:2]
        return posted[1], posted[0]
    return posted + (0,) * (players - len(posted))


def first_after_blinds(blinds: tuple[int, ...]) -> int:
    """The seat that acts first before the flop: the one after the last blind; heads-up the button."""
    players = len(blinds)
    if players == 2:
        return 1
    posted = [seat for seat in range(players) if blinds[seat]]
    return (posted[-1] + 1) % players if posted else 0


def checked_players(players: int, most: int = 10) -> int:
    """The number of players."""
    return whole("players", players, 2, most)
