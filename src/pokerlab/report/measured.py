"""How exploitable players are, in words."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.lab.learned_response import LearnedResponse
from pokerlab.lab.local_response import LocalResponse
from pokerlab.lab.measuring import Measured
from pokerlab.report.match import seat_name
from pokerlab.report.numbers import game_title, value_text

ROUNDING = 1e-12  # of what is won: a gain below this is none
AT_LEAST = "± is half of the 95 % interval; a best response wins at least as much on average"


def show_measured(screen: Any, found: Measured) -> None:
    """What each seat wins, what a best response would, and how exploitable all of them are."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("seat", "agent", "wins", "best response wins", "gain"):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    rows = zip(found.players, found.measure.values, found.measure.best_responses, found.measure.gains, strict=True)
    for seat, (agent, won, best, gain) in enumerate(rows):
        told = gain if abs(gain) > ROUNDING * max(abs(won), abs(best)) else 0.0
        table.add_row(str(seat), escape(agent), *map(value_text, (won, best, told)))
    screen.print(table)
    gap = max(found.measure.exploitability, 0.0)  # below zero by rounding only
    screen.print(
        f"[dim]exploitability[/dim]  [bold]{gap:.6g}[/bold] chips a hand, {100 * gap / found.pot:.3g} % of the pot, "
        f"in {escape(game_title(found.game))}"
    )


def show_local(screen: Any, found: LocalResponse) -> None:
    """What local best response won, by seat, and what that says."""
    _show_won(screen, "local best response wins", found)
    played = f"{found.hands:,} hands, every deal from both seats, all-ins at their expected value"
    screen.print(f"[dim]{played}; bets: {escape(found.menu)}; from round {found.from_round} on[/dim]")
    screen.print(f"[dim]{AT_LEAST}[/dim]")
    for agent, text, count in found.remarks[:8]:
        screen.print(f"[dim]{escape(agent)}: {count:,} times {escape(text)}[/dim]")


def show_learned(screen: Any, found: LearnedResponse) -> None:
    """What a player who learned to beat a blueprint won, by seat, and what that says."""
    _show_won(screen, f"a player who learned for {found.iterations:,} iterations wins", found)
    played = f"{found.hands:,} hands, every deal from every seat; what it learned is in buckets {found.buckets}"
    screen.print(f"[dim]{escape(played)}[/dim]")
    screen.print(f"[dim]{AT_LEAST}[/dim]")
    if found.winnings.low <= 0:
        screen.print("[dim]it has not learned enough to win, which proves nothing yet: learn for more iterations[/dim]")


def _show_won(screen: Any, who: str, found: LocalResponse | LearnedResponse) -> None:
    """What somebody won from an agent, and the same by seat."""
    usual = found.units.usual
    won = usual.of(found.winnings)
    screen.print(
        f"{who} [bold]{won.mean:+,.{usual.digits}f} ± {won.half_width:,.{usual.digits}f}[/bold] "
        f"{usual.name}/hand against {escape(found.agent)} in {escape(game_title(found.game))}"
    )
    for seat, summary in enumerate(found.seats):
        if summary is not None:
            part = usual.of(summary)
            screen.print(
                f"[dim]{seat_name(seat, len(found.seats)):>16}[/dim]  "
                f"{part.mean:+,.{usual.digits}f} ± {part.half_width:,.{usual.digits}f}"
            )
