"""Spots: one on many boards as a table, and bet sizes as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.markup import escape

from pokerlab.cards.flop_subsets import ERRORS, REPORT
from pokerlab.display.elements.table import plain_table
from pokerlab.games.poker.menu import menu_words
from pokerlab.games.spot.spot import SEATS, Spot
from pokerlab.lab.spots.boards import FREQUENCY

MOST_SHOWN = 60  # boards


def show_boards(
    screen: Any,
    rows: Sequence[Mapping[str, Any]],
    means: Mapping[str, float],
    *,
    moves: Sequence[str] = (),
    subset: int | None = None,
    money: str = "chips",
) -> None:
    """A row for each of the first boards, and the weighted means."""
    names = [name for name in means if name.startswith(FREQUENCY)]
    headings = ["board", "weight", *(["reach"] if moves else []), "EV oop", "EV ip", "equity oop"]
    headings += [name.removeprefix(FREQUENCY) for name in names]
    lines = [(row["board"], f"{row['weight']:g}", *_cells(row, names, reach=bool(moves))) for row in rows[:MOST_SHOWN]]
    if means:
        weight = sum(row["weight"] for row in rows if "problem" not in row)
        lines.append(("[bold]all[/bold]", f"{weight:g}", *_cells(means, names, reach=bool(moves))))
    if moves:
        screen.print(f"[dim]after[/dim] {escape(', '.join(moves))}")
    screen.print(plain_table(headings, lines))
    if money != "chips":
        screen.print(f"[dim]EV and sizes in {money}[/dim]")
    if len(rows) > MOST_SHOWN:
        screen.print(f"[dim]and {len(rows) - MOST_SHOWN:,} more boards[/dim]")
    for row in rows:
        if "problem" in row:
            screen.print(f"{row['board']}: {escape(row['problem'])}", soft_wrap=True)
    known = [row["exploitability_percent"] for row in rows if _has(row, "exploitability_percent")]
    if "exploitability_percent" in means and known:  # an edited table may have none
        mean, worst = means["exploitability_percent"], max(known)
        screen.print(f"[dim]exploitability[/dim] mean {mean:.2g} % of the pot, at most {worst:.2g} %")
    if subset is not None:
        screen.print(f"[dim]{subset_text(subset)}[/dim]", soft_wrap=True)


def _cells(row: Mapping[str, Any], names: Sequence[str], *, reach: bool) -> list[str]:
    """The numbers of a row, empty where unknown."""
    if "problem" in row:
        return []
    texts = {name: f"{row[name]:.2f}" for name in ("ev_out_of_position", "ev_in_position") if _has(row, name)}
    texts |= {
        name: f"{100 * row[name]:.1f} %" for name in ("reach", "equity_out_of_position", *names) if _has(row, name)
    }
    order = [*(["reach"] if reach else []), "ev_out_of_position", "ev_in_position", "equity_out_of_position", *names]
    return [texts.get(name, "") for name in order]


def _has(row: Mapping[str, Any], name: str) -> bool:
    return row.get(name) is not None


def subset_error(size: int) -> dict[str, Any]:
    """The measured error of a subset of flops, in percentage points, for JSON."""
    return {
        "flops": size,
        "measured_error": asdict(ERRORS[size]),
        "measured_on": f"{REPORT}; equity: 20 pairs of ranges",
    }


def subset_text(size: int) -> str:
    """The same as a sentence."""
    error = ERRORS[size]
    solved = f"{error.frequency:.1f} percentage points of frequency and {error.ev:.2f} % of the pot in EV ({REPORT})"
    equity = f"{error.equity:.2f} percentage points of equity (20 pairs of ranges)"
    return f"{size} flops stand for all 1,755, with an error of {solved}, {equity}"


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
                street: menu_words(menu[street], raises=kind == "raise", money=spot.money)
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
