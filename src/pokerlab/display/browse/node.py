"""A node of a solution: the strategy of each hand or class, grids and totals in the terminal, and files."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.color_triplet import ColorTriplet
from rich.markup import escape

from pokerlab import tables
from pokerlab.cards.card import FULL_DECK, SUIT_SYMBOLS
from pokerlab.cards.combos import CLASS_COUNT, COMBO_CLASS
from pokerlab.cards.ranges import class_averages
from pokerlab.display.elements import palette
from pokerlab.display.elements.grid import EQUITY, WEIGHT, MixGrid, NumberGrid, Scale, mark_of
from pokerlab.display.elements.numbers import card_text, counted
from pokerlab.display.elements.table import plain_table
from pokerlab.errors import BadFile
from pokerlab.writing import replacing

if TYPE_CHECKING:
    from rich.table import Table

    from pokerlab.lab.analyse.browsing import HandAt
    from pokerlab.strategy.views.hands import HandNode

HEADINGS = {"reach": "reach", "bucket": "bucket", "ev": "EV", "equity": "equity"}


def show_view(screen: Any, view: Any, *, grid: str = "strategy", player: int | None = None) -> None:
    """Print a node: the history, the player to act, the strategy of each hand, and the totals.

    `grid` is what a grid of starting hands shows; `player` is whose, by default the player to act.
    """
    screen.print(_heading(view))
    if view.is_deal:
        screen.print(_next_cards(view))
    elif view.player is None:
        screen.print("the hand is over")
    else:
        screen.print(f"[bold]{view.seats[view.player]}[/bold] to act")
    if view.has_starting_hands:
        _show_grid(screen, view, grid, player)
    elif view.player is not None:
        screen.print(row_table(view, width=screen.width))
        if view.note:
            screen.print(f"[dim]{view.note}[/dim]")
    _show_values(screen, view)


def _next_cards(view: Any) -> str:
    """The number of cards to be dealt, and how to type them."""
    count = view.coming
    if count == 1:
        card = view.actions[0] if view.actions else view.deck.name(view.deck.size - 3)
        return f"a card is dealt: type it, for example {escape(card)}"
    free = [card for card in range(view.deck.size - 3, -1, -1) if card not in view.board]
    example = view.deck.text(free[:: max(1, len(free) // 9)][:count])
    return f"{count} cards are dealt: type them, for example {escape(example)}"


def _heading(view: Any) -> str:
    moves = escape(" · ".join(view.moves)) or "start"
    board = card_text(FULL_DECK.text(view.board)) + "   " if view.has_starting_hands and view.board else ""
    money = f" {view.money}" if view.money else ""
    pot = "" if view.pot is None else f"pot {view.pot:g}{money}   "
    return f"{board}{pot}[dim]{moves}[/dim]"


def _show_grid(screen: Any, view: HandNode, grid: str, player: int | None) -> None:
    """The requested grid and a row per action; before a card is dealt, EV and actions after each card."""
    whose = player if player is not None else (view.player or 0)
    if grid not in view.grids:
        screen.print(f"[dim]{grid} is unknown here[/dim]")
        grid = "strategy"
    if grid == "strategy" and view.player is None:
        if view.is_deal and view.coming == 1 and (children := view.cards()):
            screen.print(card_table(children))
            for table in card_action_tables(children):
                screen.print(table)
        return
    if grid == "strategy" and whose != view.player:
        screen.print(f"[dim]{view.seats[whose]} is not to act here: the grid shows reach[/dim]")
        grid = "reach"
    if grid == "strategy":
        mixed = strategy_grid(view)
        screen.print(mixed)
        if mixed.key(screen):
            screen.print(f"[dim]{mixed.key(screen)}[/dim]", soft_wrap=True)
        screen.print(action_table(screen, view, mixed))
        return
    numbers = number_grid(view, grid, whose)
    screen.print(numbers)
    screen.print(f"[dim]{number_words(view, grid, whose)}[/dim]", soft_wrap=True)
    screen.print(numbers.legend(screen), soft_wrap=True)
    if view.player is not None:
        screen.print(action_table(screen, view, None))


def _show_values(screen: Any, view: Any) -> None:
    values = view.summary()
    money = f" {view.money}" if view.money else ""
    width = max(16, *map(len, view.seats))
    for player, seat in enumerate(view.seats):
        texts = [f"EV {chips(values['ev'][player], 3)}{money}"] if "ev" in values else []
        texts += [f"equity {percent_text(values['equity'][player])}"] if "equity" in values else []
        if texts:
            screen.print(f"[dim]{seat:{width}}[/dim] {'   '.join(texts)}")


def show_hand(screen: Any, view: Any, chosen: HandAt) -> None:
    """One hand at a node: its action probabilities and, if known, EV, equity and bucket."""
    for action, share in (chosen.strategy or {}).items():
        ev = f"   EV {chips(chosen.action_ev[action], 3)}" if chosen.action_ev else ""
        discards = f"   discards {chosen.thrown[action]}" if chosen.thrown.get(action) else ""
        screen.print(f"{action:14} {100 * share:5.1f} %{ev}{discards}")
    for option, played in chosen.options.items() if len(chosen.options) > 1 else ():
        shares = ", ".join(f"{action} {100 * share:.1f} %" for action, share in played.items())
        screen.print(f"[dim]after {option}:[/dim] {shares}", soft_wrap=True)
    texts = [] if chosen.ev is None else [f"EV {chips(chosen.ev, 3)}"]
    texts += [] if chosen.equity is None else [f"equity {percent_text(chosen.equity)}"]
    if texts:
        screen.print(f"{view.seats[chosen.player]}: {'   '.join(texts)}")
    if chosen.buckets:
        hands = int(np.count_nonzero(view.is_present(chosen.player)))
        for one in chosen.buckets:
            part = f"{one.hands:,} of the {hands:,} possible hands"
            screen.print(f"bucket {one.bucket} of {view.bucket_count:,} (from 0): {part}", soft_wrap=True)


def row_table(view: Any, *, width: int, rows: int = 60) -> Table:
    """A row per hand of the player to act; if there are many, the likeliest first."""
    chosen = view.table(view.player)
    shown = chosen if len(chosen) <= rows else sorted(chosen, key=lambda row: -row["likelihood"])[:rows]
    plain = [name for name in ("bucket", "ev") if chosen and name in chosen[0]]
    headings = ("hand", "likely", *(HEADINGS[name] for name in plain), *view.actions)
    lines: list[Sequence[str]] = []
    digits = _digits(view.actions, 12 + max((len(row["hand"]) for row in shown), default=0) + 9 * len(plain), width)
    for row in shown:
        shares = [_share(row["strategy"].get(action), digits) for action in view.actions]
        numbers = [_cell(row, name, 3) for name in plain]
        lines.append((escape(row["hand"]) or "(start)", f"{100 * row['likelihood']:.1f} %", *numbers, *shares))
    shares = [_share(share, digits) for share in view.strategy().values()]
    every = "[bold]all[/bold]" if len(shown) == len(chosen) else f"all {len(chosen):,}"
    lines.append((every, "", *([""] * len(plain)), *shares))
    return plain_table(headings, lines)


def _cell(row: dict[str, Any], name: str, digits: int = 2) -> str:
    """One number of a hand in a table."""
    value = row[name]
    if name == "bucket":
        return f"{value}"
    if name == "reach":
        return f"{value:.3f}"
    return percent_text(value) if name == "equity" else chips(value, digits)


def _share(share: float | None, digits: int) -> str:
    return "" if share is None else f"{100 * share:.{digits}f}{' ' * digits}%"


def _digits(actions: Sequence[str], before: int, width: int) -> int:
    """Decimals of percentages: none if the table would be too wide with one."""
    return 1 if before + sum(max(len(action), len("100.0 %")) + 2 for action in actions) <= width else 0


def card_table(children: Sequence[HandNode]) -> Table:
    """The EV out of position after each card: a row per rank and a column per suit."""
    evs = {after.moves[-1]: chips(after.ev(0)) for after in children}
    return _by_card(evs, "EV out of position by card")


def card_action_tables(children: Sequence[HandNode]) -> list[Table]:
    """How often the player to act after each card takes each action: a table per action; none if nobody acts."""
    shares: dict[str, dict[str, float]] = {}  # by action, then by card
    for after in children:
        for action, share in (after.strategy() if after.player is not None else {}).items():
            shares.setdefault(action, {})[after.moves[-1]] = share
    seat = next((after.seats[after.player] for after in children if after.player is not None), "")
    return [
        _by_card({card: f"{100 * share:.0f} %" for card, share in by_card.items()}, f"{seat}: {action}, by card")
        for action, by_card in shares.items()
    ]


def _by_card(texts: Mapping[str, str], title: str) -> Table:
    """A text for each card: a row per rank and a column per suit."""
    headings = ("", *(f"{SUIT_SYMBOLS[suit]:>7}" for suit in "shdc"))
    rows = [(rank, *(texts.get(rank + suit, "") for suit in "shdc")) for rank in "AKQJT98765432"]
    return plain_table(headings, rows, title=title, title_justify="left")


def show_categories(screen: Any, view: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    """A line per category of hands: how many hands, their share of the range, EV, equity, and what they do."""
    if not rows:
        screen.print("no hand of the range is of this category")
        return
    known = [name for name in ("ev", "equity") if name in rows[0]]
    headings = ("category", "hands", "share", *(HEADINGS[name] for name in known), *rows[0]["strategy"])
    lines = [
        (
            row["category"],
            str(row["hands"]),
            f"{100 * row['share']:.1f} %",
            *(chips(row[name]) if name == "ev" else percent_text(row[name]) for name in known),
            *(f"{100 * share:.0f} %" for share in row["strategy"].values()),
        )
        for row in rows
    ]
    screen.print(_heading(view))
    screen.print(plain_table(headings, lines, left=1))


def show_hands(screen: Any, view: Any, player: int | None) -> None:
    """A table of the hands of one player, or of each."""
    for seat in range(len(view.seats)):
        if player in (None, seat) and view.table(seat):
            screen.print(hand_table(view, seat))


def hand_table(view: Any, player: int) -> Table:
    """A row per hand with which a player reaches this node, the most valuable first."""
    acting = player == view.player
    rows = view.table(player)
    plain = [name for name in ("reach", "bucket", "ev", "equity") if rows and name in rows[0]]
    headings = ("hand", *(HEADINGS[name] for name in plain), *(view.actions if acting else ()))
    held = "reach" if "reach" in plain else "likelihood"
    least = 1e-6 * max((row[held] for row in rows), default=0.0)  # rarer hands are not shown
    rows = [row for row in rows if row[held] > least]
    lines = []
    ranked_by = next((name for name in ("ev", "equity") if name in plain), "")
    for row in sorted(rows, key=lambda row: -np.inf if row.get(ranked_by) is None else row[ranked_by], reverse=True):
        shares = [f"{100 * row['strategy'].get(action, 0.0):.0f} %" for action in view.actions] if acting else []
        lines.append((escape(row["hand"]), *(_cell(row, name) for name in plain), *shares))
    return plain_table(headings, lines, title=view.seats[player], title_justify="left")


# ---- grids -----------------------------------------------------------------------------------------------------------


PASSIVE: dict[str, ColorTriplet] = {"fold": palette.FOLD, "check": palette.CALL, "call": palette.CALL}


def action_colours(actions: Sequence[str]) -> list[ColorTriplet]:
    """A colour per action: blue for folds, green for checks and calls, yellow to dark red for bets."""
    bets = [action for action in actions if action.split()[0] not in PASSIVE]
    sizes = Scale(0.0, max(1.0, len(bets) - 1.0), palette.BETS)
    places = {bet: float(number) if len(bets) > 1 else 0.5 for number, bet in enumerate(bets)}
    return [PASSIVE.get(action.split()[0]) or sizes.colour(places[action]) for action in actions]


def strategy_grid(view: HandNode) -> MixGrid:
    """The strategy of each class, its hands weighted by their likelihood."""
    player = view.player
    assert player is not None
    likely, frequencies = view.likelihood(player), np.nan_to_num(view.frequencies)
    total = np.bincount(COMBO_CLASS, likely, CLASS_COUNT)
    shares = np.stack(
        [np.bincount(COMBO_CLASS, likely * frequencies[:, k], CLASS_COUNT) for k in range(len(view.actions))], axis=1
    )
    shares = np.divide(shares, total[:, None], out=np.zeros_like(shares), where=total[:, None] > 0)
    return MixGrid(shares.reshape(13, 13, -1), action_colours(view.actions))


def number_grid(view: HandNode, kind: str, player: int) -> NumberGrid:
    """EV of each class in chips, or its equity or reach in percent, its hands weighted by their likelihood."""
    if kind == "reach":
        present = view.is_present(player)
        held = class_averages(np.where(present, view.range(player), 0.0), present)
        numbers = np.bincount(COMBO_CLASS, present, CLASS_COUNT).reshape(13, 13)
        return NumberGrid(np.where(numbers > 0, 100 * held, np.nan), Scale(0.0, 100.0, WEIGHT.colours))
    values = view.values(player) if kind == "ev" else 100 * view.equities(player)
    known = np.where(np.isnan(values), 0.0, view.likelihood(player))
    total = np.bincount(COMBO_CLASS, known, CLASS_COUNT)
    summed = np.bincount(COMBO_CLASS, known * np.nan_to_num(values), CLASS_COUNT)
    means = np.divide(summed, total, out=np.full(CLASS_COUNT, np.nan), where=total > 0)
    return ev_grid(means) if kind == "ev" else NumberGrid(means.reshape(13, 13), Scale(0.0, 100.0, EQUITY.colours))


def ev_grid(evs: np.ndarray) -> NumberGrid:
    """EV by class as a grid of numbers, coloured from the lowest to the highest."""
    known = evs[~np.isnan(evs)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    return NumberGrid(evs.reshape(13, 13), Scale(low, high, EQUITY.colours))


def number_words(view: HandNode, kind: str, player: int) -> str:
    """What the numbers of a grid mean, and their total."""
    seat = view.seats[player]
    if kind == "ev":
        share = f", {percent_text(view.ev(player) / view.pot)} of the pot" if view.pot else ""
        return f"EV {seat}, in {view.money or 'chips'}; mean {chips(view.ev(player))}{share}"
    if kind == "equity":
        return f"equity {seat}, in percent of the pot; mean {percent_text(view.equity(player))}"
    present = view.is_present(player)
    here, at_start = (float(weights[present].sum()) for weights in (view.range(player), view.holdings.weights[player]))
    return f"reach {seat}, in percent of each class; {chips(here, 1)} of {chips(at_start, 1)} combos"


def action_rows(view: HandNode) -> list[dict[str, Any]]:
    """Frequency and combos of each action and, if known, EV and equity over the hands that take it."""
    player = view.player
    assert player is not None
    likely, equities = view.likelihood(player), view.equities(player)
    values = view.action_ev() if "ev" in view.grids else {}
    rows: list[dict[str, Any]] = []
    for number, action in enumerate(view.actions):
        weight = np.nan_to_num(likely * view.frequencies[:, number])
        known = np.where(np.isnan(equities), 0.0, weight)
        equity = float(known @ np.nan_to_num(equities) / known.sum()) if known.sum() > 0 else float("nan")
        combos = float(np.nan_to_num(view.range(player) * view.frequencies[:, number]).sum())
        row = {"action": action, "frequency": float(weight.sum()), "combos": combos}
        row |= {"ev": values[action]} if "ev" in view.grids else {}
        rows.append(row | ({"equity": equity} if "equity" in view.grids else {}))
    return rows


def action_table(screen: Any, view: HandNode, grid: MixGrid | None) -> Table:
    """A row per action: its number and colour, frequency, combos, EV and equity."""
    known = [name for name in ("ev", "equity") if name in view.grids]
    rows = [
        (
            mark_of(number) if grid is None else grid.mark(screen, number),
            escape(row["action"]),
            f"{100 * row['frequency']:.1f} %",
            chips(row["combos"], 1),
            *(chips(row[name]) if name == "ev" else percent_text(row[name]) for name in known),
        )
        for number, row in enumerate(action_rows(view))
    ]
    return plain_table(("", "action", "frequency", "combos", *(HEADINGS[name] for name in known)), rows, left=2)


def chips(number: float | None, digits: int = 2) -> str:
    """A rounded number: a dash for none, and 0 instead of -0."""
    if number is None or number != number:
        return "–"
    return f"{round(number, digits) + 0.0:.{digits}f}"


def percent_text(share: float | None) -> str:
    """A share in percent."""
    return f"{chips(None if share is None else 100 * share, 1)} %"


# ---- files -----------------------------------------------------------------------------------------------------------


PLAIN = ("hand", "reach", "likelihood", "ev", "equity", "bucket")


def csv_rows(view: Any, player: int | None) -> list[list[Any]]:
    """The hands of one player or of all as rows of a CSV file, the headings first."""
    seats = range(len(view.seats)) if player is None else (player,)
    tables = {seat: view.table(seat) for seat in seats}
    plain = [name for name in PLAIN if any(name in row for rows in tables.values() for row in rows)]
    heading = ["player", *plain]
    heading += [f"{action} frequency" for action in view.actions]
    if any("action_ev" in row for rows in tables.values() for row in rows):
        heading += [f"{action} ev" for action in view.actions]
    lines: list[list[Any]] = [heading]
    for seat, rows in tables.items():
        for row in rows:
            line = [seat, *(row.get(name) for name in plain)]
            if "strategy" in row:
                line += [row["strategy"].get(action) for action in view.actions]
                line += [row["action_ev"].get(action) for action in view.actions] if "action_ev" in row else []
            lines.append(line + [""] * (len(heading) - len(line)))
    return lines


def write_csv(view: Any, player: int | None, path: Path) -> tuple[int, str]:
    """Write the hands of one player or of all as a CSV file; return their number and a description."""
    heading, *rows = csv_rows(view, player)
    _check(path, _is_such_csv, "a table of hands")
    count = tables.write_csv(path, heading, rows)
    of_whom = "" if player is None else f" of {view.seats[player]}"
    return count, f"wrote {path}: {_hands(view, count)}{of_whom} {_where(view)}, {len(heading)} columns"


def write_json(view: Any, place: Any, path: Path) -> str:
    """Write a node as one JSON object; return a description."""
    _check(path, _is_such_json, "a node of a solution")
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(place), encoding="utf-8", newline="\n")
    return f"wrote {path}: {_hands(view, sum(len(rows) for rows in place['hands'].values()))} {_where(view)}"


def _check(path: Path, is_such: Callable[[str], bool], what: str) -> None:
    """BadFile for a path that cannot be written, and for a file that contains something else."""
    if not path.name or path.is_dir() or not path.parent.is_dir():
        raise BadFile(f"cannot write {str(path)[:80]!r}: it is not a file in an existing folder")
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as file:
            opening = file.read(4096).decode("utf-8", "replace")
        if not is_such(opening):
            raise BadFile(f"{str(path)[:80]!r} is not {what}, and would be lost: name another file")


def _is_such_csv(opening: str) -> bool:
    heading: Sequence[str] = next(csv.reader(opening.splitlines()[:1]), [""])
    return heading[0] == "player" and all(name in PLAIN or name.endswith((" frequency", " ev")) for name in heading[1:])


def _is_such_json(opening: str) -> bool:
    return opening.startswith(('{"board": ', '{"moves": '))


def _hands(view: Any, number: int) -> str:
    return f"{number:,} classes of hands" if view.has_hand_classes else counted(number, "hand")


def _where(view: Any) -> str:
    return f"after {', '.join(view.moves)}" if view.moves else "at the start"
