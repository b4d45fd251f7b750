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

Other keys: raise_cap, all_in_from, merge, rake, rake_cap, limit (one size or one per street), chip, big_blind.

With `big_blind`, in chips, the spot is in big blinds: amounts in chips are divided by it, and "6.5bb" is an amount too.
A spot whose pot and stack are written so needs no `big_blind`.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadFile, BadSetting, Notice
from pokerlab.games.poker.betting_tree import Rake
from pokerlab.games.poker.menu import BetSize, doubtful_sizes, menu_text, read_menu
from pokerlab.games.spot.spot import MOST_AMOUNT, SEATS, STREETS, Menus, Spot, smallest_chip
from pokerlab.reading import read_text, toml_table
from pokerlab.registry import check_names
from pokerlab.settings import number

_WORDS = (
    *("board", "pot", "stack", "out_of_position", "in_position", "raise_cap"),
    *("all_in_from", "merge", "rake", "rake_cap", "limit", "chip", "big_blind", "lock"),
)
_SEAT_WORDS = ("range", "bet", "raise", "donk")
LARGEST_FILE = 1_000_000
SMALLEST_BIG_BLIND = 1e-6  # chips


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
    big_blind = _big_blind(settings)
    amount = partial(_amount, big_blind=big_blind)
    limits = tuple(limit) if isinstance(limit, (list, tuple)) else (limit,)  # checked by the spot
    if len(limits) > len(STREETS):
        raise BadSetting(f"limit is the size of a bet, or one for each of flop, turn and river; got {str(limit)[:40]}")
    cards = tuple(FULL_DECK.cards(board))
    first = STREETS[min(2, max(0, len(cards) - 3))]
    seats = [_seat(settings[seat], seat, first=first, big_blind=big_blind) for seat in SEATS]
    pot, stack = (amount(name, settings[name]) for name in ("pot", "stack"))
    chip = amount("chip", settings.get("chip", 0.0))
    if big_blind is not None and not chip:
        chip = 0.01 if big_blind == 1 else smallest_chip(pot * big_blind, stack * big_blind) / big_blind
    return Spot(
        board=cards,
        pot=pot,
        stack=stack,
        ranges=(seats[0][0], seats[1][0]),
        menus=(seats[0][1], seats[1][1]),
        raise_cap=settings.get("raise_cap"),
        all_in_from=settings.get("all_in_from", 1.0),
        merge=settings.get("merge", 0.0),
        rake=Rake(rake, amount("rake_cap", settings.get("rake_cap", float("inf")))),
        limit=tuple(amount("limit", size) for size in limits),
        chip=chip,
        in_big_blinds=big_blind is not None,
    )


def _big_blind(settings: Mapping[str, Any]) -> float | None:
    """Chips per big blind; None if amounts are not to be in big blinds."""
    if "big_blind" in settings:
        number(SMALLEST_BIG_BLIND, MOST_AMOUNT)("big_blind", settings["big_blind"])
        return float(settings["big_blind"])
    in_blinds = [name for name in ("pot", "stack", "chip", "rake_cap", "limit") if "bb" in str(settings.get(name, ""))]
    if in_blinds and not {"pot", "stack"} <= set(in_blinds):
        raise BadSetting(f"{in_blinds[0]} is in big blinds, and other amounts in chips: state big_blind = 2, in chips")
    return 1.0 if in_blinds else None


def _amount(name: str, value: Any, *, big_blind: float | None) -> Any:
    """A number of chips or, if there is a big blind, of big blinds; the spot checks what is no text."""
    if isinstance(value, str):
        match = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*bb\s*", value.lower(), re.ASCII)
        if not match:
            raise BadSetting(f'{name} must be a number of chips, or of big blinds as "6.5bb", not {value[:40]!r}')
        return float(match[1])
    if big_blind is None:
        return value
    if value != math.inf:  # no cap on the rake
        number(0, MOST_AMOUNT)(name, value)
    return value / big_blind


def _seat(table: Any, seat: str, *, first: str, big_blind: float | None) -> tuple[Range, Menus]:
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
    donks = _menus(donk, f"{seat}.donk", raises=False, big_blind=big_blind)
    menus = Menus(
        bet=_menus(table.get("bet", ""), f"{seat}.bet", raises=False, big_blind=big_blind),
        raises=_menus(table.get("raise", ""), f"{seat}.raise", raises=True, big_blind=big_blind),
        donk={street: sizes for street, sizes in donks.items() if street in later},
    )
    return Range.parse(text), menus


def _menus(value: Any, name: str, *, raises: bool, big_blind: float | None) -> dict[str, tuple[BetSize, ...]]:
    if isinstance(value, str):
        return dict.fromkeys(STREETS, read_menu(value, raises=raises, big_blind=big_blind))
    if not isinstance(value, Mapping):
        raise BadSetting(f"{name} is a menu such as '33%,75%,allin', or one for each street, not {str(value)[:40]!r}")
    for street in value:
        if street not in STREETS:
            raise BadSetting(f"{name} has no street {str(street)[:40]!r}; streets are {', '.join(STREETS)}")
    return {street: read_menu(text, raises=raises, big_blind=big_blind) for street, text in value.items()}


def sizes_by_street(text: str) -> Any:
    """The sizes that one line of text gives, for all streets or by street.

    >>> sizes_by_street("33%,allin"), sizes_by_street("flop 33%; turn 75%,allin")
    ('33%,allin', {'flop': '33%', 'turn': '75%,allin'})
    """
    parts = [part.split(None, 1) for part in text.split(";") if part.strip()]
    if not any(part[0].lower() in STREETS for part in parts):
        return text
    return {part[0].lower(): part[1] if len(part) > 1 else "" for part in parts}


def warn_doubtful_sizes(settings: Mapping[str, Any]) -> None:
    """Issue a Notice for each bet size that was probably meant differently: 0.75 is chips, 75% is of the pot.

    For settings written by a user and already read by `spot_from`.
    """
    big_blind = _big_blind(settings)
    pot = float(_amount("pot", settings["pot"], big_blind=big_blind)) * (big_blind or 1.0)
    doubtful: dict[tuple[float, bool], None] = {}  # sizes, and whether they are for raises
    for seat, kind in product(SEATS, ("bet", "donk", "raise")):
        menu = settings[seat].get(kind, "")
        for text in menu.values() if isinstance(menu, Mapping) else [menu]:
            doubtful |= dict.fromkeys((size, kind == "raise") for size in doubtful_sizes(text, pot))
    for size, is_raise in doubtful:
        meant = f"{100 * size:g}% for {100 * size:g} % of the pot"
        if is_raise and size > 1:
            meant = f"{size:g}x for {size:g} times the bet"
        warnings.warn(
            f"the {'raise' if is_raise else 'bet'} {size:g} is read as {size:g} chips into a pot of {pot:g}; "
            f'write {meant}, or "{size:g} chips" if that is meant',
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
    if spot.in_big_blinds:
        settings["big_blind"] = 1
    return settings
