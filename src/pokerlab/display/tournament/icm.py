"""Values of tournament stacks, as tables and a figure."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from rich.table import Table

from pokerlab.display.elements.numbers import bar
from pokerlab.display.elements.table import plain_table
from pokerlab.figure import Figure, Line, Panel
from pokerlab.lab.tournament.chip_values import ChipValues

BAR = 16  # characters
MOST_ROWS = 60
MOST_PLACES = 6  # columns of places
MOST_FACTORS = 10  # players whose pairs are shown


def show_chip_values(screen: Any, result: ChipValues) -> None:
    """Values, places, deals and bubble factors."""
    screen.print()
    screen.print(_values_table(result))
    if len(result.stacks) > MOST_ROWS:
        screen.print(f"[dim]the first {MOST_ROWS} of {len(result.stacks)} players; --csv writes all[/dim]")
    if result.pressure is not None and len(result.stacks) <= MOST_FACTORS:
        screen.print()
        screen.print(_pressure_table(result))
        screen.print(
            "[dim]all-in of the row against the column: cost of losing / gain of winning, and the equity needed[/dim]"
        )
    how = "exact, in rationals" if result.exact_prizes is not None else "by integration, to 1e-9 of the prizes"
    screen.print(f"\n[dim]independent chip model, {how}; prizes in play {_money(result.in_play)}[/dim]")
    for note in result.notes:
        screen.print(f"[dim]{note}[/dim]")


def _values_table(result: ChipValues) -> Table:
    places = min(len(result.stacks), MOST_PLACES, max(len(result.payouts), 2))
    with_bars = result.bounty_prizes is None and places <= MOST_PLACES // 2  # as they fit a narrow terminal
    headings = ["player", "chips", *([""] if with_bars else ()), "value"]
    headings += [] if result.bounty_prizes is None else ["prize", "bounties"]
    headings += ["chip chop", *(f"{_ordinal(place + 1)} %" for place in range(places))]
    total, rows = sum(result.stacks), []
    for player in range(min(len(result.stacks), MOST_ROWS)):
        cells = [str(player + 1), f"{float(result.stacks[player]):,.6g}"]
        if with_bars:
            cells.append(f"[cyan]{bar(float(result.stacks[player] / total), BAR)}[/cyan]")
        cells.append(f"[bold]{_money(result.values[player])}[/bold]")
        if result.bounty_prizes is not None:
            cells += [_money(result.prizes[player]), _money(result.bounty_prizes[player])]
        cells.append(_money(result.chip_chop[player]))
        rows.append((*cells, *(f"{100 * result.places[player, place]:.2f}" for place in range(places))))
    return plain_table(headings, rows, left=("",), column={"no_wrap": True})


def _ordinal(place: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")


def _pressure_table(result: ChipValues) -> Table:
    assert result.pressure is not None
    rows = []
    for player in range(len(result.stacks)):
        pairs = zip(result.pressure.bubble_factor[player], result.pressure.needed_equity[player], strict=True)
        rows.append((str(player + 1), *(_factor(factor, needed) for factor, needed in pairs)))
    return plain_table(["bubble factor", *(f"v {row[0]}" for row in rows)], rows, left=0)


def _factor(factor: float, needed: float) -> str:
    if math.isnan(factor):
        return "–"
    return f"{'∞' if math.isinf(factor) else f'{factor:.2f}'} [dim]{100 * needed:.1f} %[/dim]"


def _money(value: float | Fraction | np.floating[Any]) -> str:
    number = float(value)
    return f"{number:,.4f}" if number < 1000 else f"{number:,.2f}"


def value_figure(result: ChipValues) -> Figure:
    """The value of the first player's stack against its chips, and the players as they are."""
    sizes, equities = result.curve()
    prizes = result.prizes if result.bounty_prizes is None else result.values
    by_chips = float(result.prize_array[len(result.stacks) - 1]) if len(result.payouts) >= len(result.stacks) else 0.0
    rest = float(result.in_play) - by_chips * len(result.stacks)
    chips = np.array(result.stacks, float)
    lines = (
        Line(sizes, equities, "chip model, player 1 with these chips"),
        Line(sizes, by_chips + rest * sizes / sizes[-1], "chip chop"),
        Line(chips, np.asarray(prizes, float), "the players as they are", style="points"),
    )
    panel = Panel(lines=lines, title="Value of chips", x_label="chips", y_label="prize money")
    return Figure("icm", "Value against chips, the other players keeping their proportions.", (panel,))
