"""What stacks of a tournament are worth, in tables and a picture."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from rich.table import Table

from pokerlab.display.elements.numbers import bar
from pokerlab.figure import Figure, Line, Panel
from pokerlab.lab.chip_values import ChipValues

BAR = 16  # characters
MOST_ROWS = 60
MOST_PLACES = 6  # columns of places
MOST_FACTORS = 10  # players whose pairs are shown


def show_chip_values(screen: Any, found: ChipValues) -> None:
    """Values, places, deals, and how much more a lost chip costs than a won one brings."""
    screen.print()
    screen.print(_values_table(found))
    if len(found.stacks) > MOST_ROWS:
        screen.print(f"[dim]the first {MOST_ROWS} of {len(found.stacks)} players; --csv writes all[/dim]")
    if found.pressure is not None and len(found.stacks) <= MOST_FACTORS:
        screen.print()
        screen.print(_pressure_table(found))
        screen.print(
            "[dim]all-in of the row against the column: how much more losing costs than winning brings, and the chance "
            "of winning that it needs[/dim]"
        )
    how = "exact, in fractions" if found.exact_prizes is not None else "by integration, to 1e-9 of the prizes"
    screen.print(f"\n[dim]independent chip model, {how}; prizes in play {_money(found.in_play)}[/dim]")
    for note in found.notes:
        screen.print(f"[dim]{note}[/dim]")


def _values_table(found: ChipValues) -> Table:
    table = Table(box=None, pad_edge=False)
    places = min(len(found.stacks), MOST_PLACES, max(len(found.payouts), 2))
    with_bars = found.bounty_prizes is None and places <= MOST_PLACES // 2  # they fit a narrow terminal
    for heading in ("player", "chips", *([""] if with_bars else ()), "value"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    if found.bounty_prizes is not None:
        table.add_column("prize", justify="right", no_wrap=True)
        table.add_column("bounties", justify="right", no_wrap=True)
    table.add_column("chip chop", justify="right", no_wrap=True)
    for place in range(places):
        table.add_column(f"{_ordinal(place + 1)} %", justify="right", no_wrap=True)
    total = sum(found.stacks)
    for player in range(min(len(found.stacks), MOST_ROWS)):
        cells = [str(player + 1), f"{float(found.stacks[player]):,.6g}"]
        if with_bars:
            cells.append(f"[cyan]{bar(float(found.stacks[player] / total), BAR)}[/cyan]")
        cells.append(f"[bold]{_money(found.values[player])}[/bold]")
        if found.bounty_prizes is not None:
            cells += [_money(found.prizes[player]), _money(found.bounty_prizes[player])]
        cells.append(_money(found.chip_chop[player]))
        table.add_row(*cells, *(f"{100 * found.places[player, place]:.2f}" for place in range(places)))
    return table


def _ordinal(place: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")


def _pressure_table(found: ChipValues) -> Table:
    assert found.pressure is not None
    table = Table(box=None, pad_edge=False)
    table.add_column("bubble factor", justify="right")
    for player in range(len(found.stacks)):
        table.add_column(f"v {player + 1}", justify="right")
    for player in range(len(found.stacks)):
        pairs = zip(found.pressure.bubble_factor[player], found.pressure.needed_equity[player], strict=True)
        table.add_row(str(player + 1), *(_factor(factor, needed) for factor, needed in pairs))
    return table


def _factor(factor: float, needed: float) -> str:
    if math.isnan(factor):
        return "–"
    return f"{'∞' if math.isinf(factor) else f'{factor:.2f}'} [dim]{100 * needed:.1f} %[/dim]"


def _money(value: float | Fraction | np.floating[Any]) -> str:
    number = float(value)
    return f"{number:,.4f}" if number < 1000 else f"{number:,.2f}"


def value_figure(found: ChipValues) -> Figure:
    """Value against chips: what the first player's stack would be worth, and where everybody stands."""
    sizes, worth = found.curve()
    prizes = found.prizes if found.bounty_prizes is None else found.values
    by_chips = float(found.prize_array[len(found.stacks) - 1]) if len(found.payouts) >= len(found.stacks) else 0.0
    rest = float(found.in_play) - by_chips * len(found.stacks)
    chips = np.array(found.stacks, float)
    lines = (
        Line(sizes, worth, "chip model, player 1 with so many chips"),
        Line(sizes, by_chips + rest * sizes / sizes[-1], "chip chop"),
        Line(chips, np.asarray(prizes, float), "the players as they are", style="points"),
    )
    panel = Panel(lines=lines, title="What chips are worth", x_label="chips", y_label="prize money")
    return Figure("icm", "Value against chips, the other players keeping their proportions.", (panel,))
