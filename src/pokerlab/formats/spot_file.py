"""Spots as text: a TOML file, a table of settings, or keyword arguments, all with the same keys.

    board = "Ks 7h 2d 5c 9s"
    pot = 100
    stack = 300
    [out_of_position]
    range = "random"
    bet = "50%,100%,allin"          # every street; or bet.flop, bet.turn, bet.river, donk.turn ...
    raise = "100%,allin"
    [in_position]
    range = "22+,A2s+,KdQh:0.5"
    bet = "50%,100%,allin"
    raise = "100%,allin"

Other keys: raise_cap, all_in_from, merge, rake, rake_cap, limit (one size or one per street), chip.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadFile, BadSetting, Notice
from pokerlab.games.poker.betting_tree import Rake
from pokerlab.games.poker.menu import BetSize, doubtful_sizes, menu_text, read_menu
from pokerlab.games.spot.spot import SEATS, STREETS, Menus, Spot
from pokerlab.reading import read_text, toml_table
from pokerlab.registry import check_names

_WORDS = (
    *("board", "pot", "stack", "out_of_position", "in_position", "raise_cap"),
    *("all_in_from", "merge", "rake", "rake_cap", "limit", "chip", "lock"),
)
_SEAT_WORDS = ("range", "bet", "raise", "donk")
LARGEST_FILE = 1_000_000


def read_file(path: Path | str) -> dict[str, Any]:
    """The settings in a TOML file; raises BadFile if it is invalid."""
    text = read_text(path, most=LARGEST_FILE)
    try:
        return toml_table(text)
    except BadSetting as problem:
        raise BadFile(f"{path} is not a spot file: {problem}") from problem


def spot_from(settings: Mapping[str, Any]) -> Spot:
    """The spot that a table of settings defines.

    >>> spot = spot_from({"board": "Ks7h2d5c9s", "pot": 100, "stack": 300,
    ...     "out_of_position": {"range": "AA,KQs", "bet": "50%"}, "in_position": {"range": "random", "raise": "3x"}})
    >>> spot.streets, spot.ranges[0].text()
    (('river',), 'AA,KQs')
    """
    check_names("a spot", settings, _WORDS)
    for word in ("board", "pot", "stack", *SEATS):
        if word not in settings:
            raise BadSetting(f"a spot needs {word!r}: its board, pot, stack, out_of_position and in_position")
    board = settings["board"]
    if not isinstance(board, str):
        raise BadSetting(f'the board is a text such as "Ks 7h 2d", not {str(board)[:40]!r}')
    rake, limit = settings.get("rake", 0.0), settings.get("limit", ())
    if isinstance(rake, str):
        try:
            text = rake.strip()
            rake = float(text[:-1]) / 100 if text.endswith("%") else float(text)
        except ValueError:
            raise BadSetting(f'rake is a part such as 0.05 or "5%", not {rake[:40]!r}') from None
    limits = tuple(limit) if isinstance(limit, (list, tuple)) else (limit,)  # checked by the spot
    if len(limits) > len(STREETS):
        raise BadSetting(f"limit is the size of a bet, or one for each of flop, turn and river; got {str(limit)[:40]}")
    cards = tuple(FULL_DECK.cards(board))
    seats = [_seat(settings[seat], seat, first=STREETS[min(2, max(0, len(cards) - 3))]) for seat in SEATS]
    return Spot(
        board=cards,
        pot=settings["pot"],
        stack=settings["stack"],
        ranges=(seats[0][0], seats[1][0]),
        menus=(seats[0][1], seats[1][1]),
        raise_cap=settings.get("raise_cap"),
        all_in_from=settings.get("all_in_from", 1.0),
        merge=settings.get("merge", 0.0),
        rake=Rake(rake, settings.get("rake_cap", float("inf"))),
        limit=limits,
        chip=settings.get("chip", 0.0),
    )


def _seat(table: Any, seat: str, *, first: str) -> tuple[Range, Menus]:
    """The range and the menus of a player in a spot that starts on the street `first`."""
    if not isinstance(table, Mapping):
        raise BadSetting(f"{seat} is a table with a range, bet and raise, not {str(table)[:40]!r}")
    check_names(seat, table, _SEAT_WORDS)
    text = table.get("range")
    if not isinstance(text, str):
        raise BadSetting(f'{seat} needs a range, a text such as "22+,A2s+" or "random"')
    donk = table.get("donk", {})
    if donk and seat != SEATS[0]:
        raise BadSetting(f"{seat} makes no donk bets: only {SEATS[0]} does; give sizes in bet")
    later = STREETS[STREETS.index(first) + 1 :]
    for street in donk if isinstance(donk, Mapping) else ():
        if street in STREETS and street not in later:
            raise BadSetting(
                f"{seat}.donk.{street} is never used in a spot that starts on the {first}: a donk bet is into the "
                f"player who bet last on the previous street; give sizes in bet.{first}"
            )
    donks = _menus(donk, f"{seat}.donk", raises=False)
    menus = Menus(
        bet=_menus(table.get("bet", ""), f"{seat}.bet", raises=False),
        raises=_menus(table.get("raise", ""), f"{seat}.raise", raises=True),
        donk={street: sizes for street, sizes in donks.items() if street in later},
    )
    return Range.parse(text), menus


def _menus(value: Any, name: str, *, raises: bool) -> dict[str, tuple[BetSize, ...]]:
    if isinstance(value, str):
        return dict.fromkeys(STREETS, read_menu(value, raises=raises))
    if not isinstance(value, Mapping):
        raise BadSetting(f"{name} is a menu such as '33%,75%,allin', or one for each street, not {str(value)[:40]!r}")
    for street in value:
        if street not in STREETS:
            raise BadSetting(f"{name} has no street {str(street)[:40]!r}; streets are {', '.join(STREETS)}")
    return {street: read_menu(text, raises=raises) for street, text in value.items()}


def tell_doubtful_sizes(settings: Mapping[str, Any]) -> None:
    """Issue a Notice for each bet size that was probably meant differently: 0.75 is chips, 75% is of the pot.

    For settings written by a user and already read by `spot_from`.
    """
    pot = float(settings["pot"])
    doubtful: dict[tuple[float, bool], None] = {}  # sizes, and whether they are for raises
    for seat, kind in product(SEATS, ("bet", "donk", "raise")):
        menu = settings[seat].get(kind, "")
        for text in menu.values() if isinstance(menu, Mapping) else [menu]:
            doubtful |= dict.fromkeys((number, kind == "raise") for number in doubtful_sizes(text, pot))
    for number, is_raise in doubtful:
        meant = f"{100 * number:g}% for {100 * number:g} % of the pot"
        if is_raise and number > 1:
            meant = f"{number:g}x for {number:g} times the bet"
        warnings.warn(
            f"the {'raise' if is_raise else 'bet'} {number:g} is read as {number:g} chips into a pot of {pot:g}; "
            f'write {meant}, or "{number:g} chips" if that is meant',
            Notice,
            stacklevel=3,
        )


def settings_of(spot: Spot) -> dict[str, Any]:
    """The settings from which `spot_from` rebuilds the same spot."""
    settings: dict[str, Any] = {"board": FULL_DECK.text(spot.board), "pot": spot.pot, "stack": spot.stack}
    for seat, held, menus in zip(SEATS, spot.ranges, spot.menus, strict=True):
        settings[seat] = {"range": held.text()}
        for kind, by_street in (("bet", menus.bet), ("raise", menus.raises), ("donk", menus.donk)):
            if by_street or kind != "donk":
                settings[seat][kind] = {street: menu_text(sizes) for street, sizes in by_street.items()}
    settings |= {"all_in_from": spot.all_in_from, "merge": spot.merge, "chip": spot.chip}
    if spot.rake.part:
        settings["rake"] = spot.rake.part
        if spot.rake.cap != float("inf"):
            settings["rake_cap"] = spot.rake.cap
    if spot.raise_cap is not None:
        settings["raise_cap"] = spot.raise_cap
    if spot.limit:
        settings["limit"] = list(spot.limit)
    return settings
