"""How agents play and where they win and lose: tables of rates and of winnings by part."""

from __future__ import annotations

import math
from typing import Any

from rich.markup import escape

from pokerlab.display.elements.numbers import counted, game_title
from pokerlab.display.elements.table import plain_table
from pokerlab.display.play.match import print_by_name
from pokerlab.lab.play.player_stats import RATES, AgentStats, PlayStats, Rate, WinningsPart
from pokerlab.match.statistics import Summary

MOST_COLUMNS = 3  # agents side by side


def print_stats(stats: PlayStats, console: Any) -> None:
    """Print the rates of all agents side by side, then the winnings of each by street, position and hand group."""
    games = ", ".join(game_title(name) for name in stats.games[:3]) + (", ..." if len(stats.games) > 3 else "")
    console.print(f"\n[bold]{escape(games)}[/bold]  {counted(stats.hands, 'hand')}")
    _print_rates(stats, console)
    for agent in stats.agents:
        _print_parts(agent, stats, console)
    console.print(
        f"[dim]± and ranges are 95 % intervals by deals; {stats.unit}: the part of all winnings that comes from these "
        "hands, so that a table sums to the total[/dim]"
    )


def _print_rates(stats: PlayStats, console: Any) -> None:
    """A row for each rate and a column for each agent; the other way round if the agents are many."""
    rows = [[stats.unit, *(_signed(agent.winnings) for agent in stats.agents)]]
    rows += [[rate.name, *(_rate(agent.rates[i]) for agent in stats.agents)] for i, rate in enumerate(RATES)]
    names = [agent.agent for agent in stats.agents]
    if len(names) <= MOST_COLUMNS:
        meanings = ["won", *(rate.what for rate in RATES)]
        explained = [[escape(row[0]), *row[1:], f"[dim]{text}[/dim]"] for row, text in zip(rows, meanings, strict=True)]
        console.print(plain_table(("", *names, "meaning"), explained, left=("", "meaning")))
        return
    print_by_name(console, names, [(row[0], row[1:]) for row in rows])
    for rate in RATES:
        console.print(f"[dim]{escape(rate.name)}: {rate.what}[/dim]")


def _print_parts(agent: AgentStats, stats: PlayStats, console: Any) -> None:
    console.print(f"\n[bold]{escape(agent.agent)}[/bold]  {_signed(agent.winnings)} {stats.unit}")
    for kind, parts in agent.parts.items():
        rows = [_part_row(part, agent) for part in parts]
        console.print(plain_table((f"by {kind}", "hands", "share", stats.unit, "in these hands"), rows))


def _part_row(part: WinningsPart, agent: AgentStats) -> list[str]:
    share = f"{100 * part.hands / agent.hands:.1f} %"
    return [escape(part.name), f"{part.hands:,}", share, _signed(part.winnings), f"{part.mean:+,.1f}"]


def _signed(summary: Summary) -> str:
    """A mean with half of its interval; red or green if the interval excludes zero."""
    half = f" ± {summary.half_width:,.1f}" if math.isfinite(summary.half_width) else ""
    text = f"{summary.mean:+,.1f}{half}"
    if summary.low > 0:
        return f"[green]{text}[/green]"
    return f"[red]{text}[/red]" if summary.high < 0 else text


def _rate(rate: Rate) -> str:
    """A rate and its interval: "23.1 % (21-25)"; a dash if there was nothing to count."""
    if math.isnan(rate.value):
        return "–"
    if rate.is_share:
        return f"{100 * rate.value:.1f} % ({100 * rate.low:.0f}-{100 * rate.high:.0f})"
    interval = f" ({rate.low:.2f}-{rate.high:.2f})" if math.isfinite(rate.high) else ""
    return f"{rate.value:.2f}{interval}"
