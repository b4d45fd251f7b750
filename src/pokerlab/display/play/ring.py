"""Results of tournaments at tables of three or more, and of tournaments of freeze-outs."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from pokerlab.display.elements.numbers import counted, game_title
from pokerlab.display.play.match import print_by_name, print_cross_table, print_rankings, signed_with_half
from pokerlab.match.run.ring import RingTournament

MOST_SHOWN = 20  # tables


def print_ring(result: RingTournament, console: Any) -> None:
    """Print how the tables were made up, the cross table, the tables, and both rankings."""
    digits = result.unit.digits
    console.print(f"\n[bold]{escape(game_title(result.game))}[/bold]  {_seating_text(result)}, {result.unit.rate}")
    console.print("[dim]what the row's agent wins at tables where the column's agent sits[/dim]")
    print_cross_table(result.scores.agents, *result.scores.cross(), digits=digits, console=console)
    _print_tables(result, console)
    left = len(result.runoff.ranking) - len(result.runoff.rounds)
    last = f"the last {left} are ranked by the scores of that round" if left > 1 else ""
    print_rankings(
        result.ranking, result.runoff, digits=digits, console=console, last_table=last, decisions=result.decisions
    )
    for agent, reason, count in result.faults[:8]:
        console.print(f"[yellow]{escape(agent)}: {count:,} illegal actions: {escape(reason)}[/yellow]")


def _seating_text(result: RingTournament) -> str:
    """How many tables, orders, rotations and hands there were."""
    played = len(result.tables)
    tables = counted(played, "table")
    if played < result.all_tables:
        tables = f"a balanced sample of {played:,} of {result.all_tables:,} tables"
    orders = f"{counted(result.orders, 'order')} around each"
    rotations = f", {counted(result.rotations, 'rotation')} of every deal" if result.rotations > 1 else ""
    played_there = counted(result.hands, "hand")
    if result.kind:
        what = "freeze-out" if result.kind == "freezeout" else "session"
        played_there = f"{counted(result.contests, what)} ({played_there})"
    return f"{tables} of {result.players}, {orders}{rotations}, {played_there} a table"


def _print_tables(result: RingTournament, console: Any) -> None:
    errors = result.scores.covariances.diagonal(axis1=1, axis2=2) ** 0.5
    columns = []
    shown = range(min(len(result.tables), MOST_SHOWN))
    for agent, name in enumerate(result.scores.agents):
        cells = []
        for row in shown:
            seats = int(result.scores.seats[row, agent])
            won = signed_with_half(result.scores.means[row, agent], 1.96 * errors[row, agent], result.unit.digits)
            cells.append((f"{seats} x " if seats > 1 else "") + won if seats else "")
        columns.append((name, cells))
    rows = [f"table {row + 1}" for row in shown]
    print_by_name(console, rows, columns, title="by table", heading="table")
    if len(result.tables) > MOST_SHOWN:
        console.print(f"[dim]and {len(result.tables) - MOST_SHOWN:,} more tables; --json has all of them[/dim]")
