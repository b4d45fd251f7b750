"""The bet sizes of a spot as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pokerlab.games.poker.menu import menu_words
from pokerlab.games.spot.spot import SEATS, Spot

KINDS = ("bet", "raise", "donk")
NAMES = {"bet": "bets", "raise": "raises", "donk": "donk bets"}
SHORT = {"out_of_position": "oop", "in_position": "ip"}


def sizes_read(spot: Spot) -> dict[str, dict[str, dict[str, str]]]:
    """The menu as text, by player, kind (bet, raise, donk) and street; nothing for an empty menu."""
    sizes: dict[str, dict[str, dict[str, str]]] = {}
    for seat, menus in zip(SEATS, spot.menus, strict=True):
        of_kind = dict(zip(KINDS, (menus.bet, menus.raises, menus.donk), strict=True))
        sizes[seat] = {
            kind: {
                street: menu_words(menu[street], raises=kind == "raise")
                for street in spot.streets
                if menu.get(street) or (kind == "donk" and street in menu)
            }
            for kind, menu in of_kind.items()
        }
    return sizes


def size_lines(spot: Spot) -> list[str]:
    """A line per kind of bet, or one per player where they differ.

    >>> from pokerlab.formats.spot_file import spot_from
    >>> one, other = ({"range": "random", "bet": bet, "raise": "3x"} for bet in ("50%", "75,allin"))
    >>> table = {"board": "Ks7h2d5c9s", "pot": 100, "stack": 300, "out_of_position": one, "in_position": other}
    >>> size_lines(spot_from(table))
    ['bets oop: 50 % of the pot', 'bets ip: 75 chips, all-in', 'raises: to 3 times the bet']
    """
    if spot.limit:
        return ["bets and raises: fixed limit"]
    read = sizes_read(spot)
    lines = []
    for kind in KINDS:
        words = {seat: _streets(read[seat][kind], len(spot.streets)) for seat in SEATS}
        same = words[SEATS[0]] == words[SEATS[1]] and kind != "donk"
        plural = NAMES[kind]
        texts = {plural: words[SEATS[0]]} if same else {f"{plural} {SHORT[seat]}": words[seat] for seat in SEATS}
        lines += [f"{name}: {text or 'none'}" for name, text in texts.items() if text or kind != "donk"]
    return lines


def _streets(menus: Mapping[str, str], played: int) -> str:
    """The menus of one player; streets with equal menus are named together, and not at all if all are equal."""
    if len(menus) == played and len(set(menus.values())) == 1:
        return next(iter(menus.values()))
    together: dict[str, list[str]] = {}
    for street, text in menus.items():
        together.setdefault(text, []).append(street)
    return "; ".join(f"{' and '.join(streets)} {text}" for text, streets in together.items())


def show_sizes(screen: Any, spot: Spot) -> None:
    """Print the lines, dim."""
    for line in size_lines(spot):
        screen.print(f"[dim]{line}[/dim]", soft_wrap=True)
