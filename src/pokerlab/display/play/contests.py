"""Results of freeze-outs and of match play."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from pokerlab.display.elements.numbers import counted, game_title
from pokerlab.display.play.match import decision_columns, interval_text, print_by_name
from pokerlab.match.run.contest_result import ContestResult
from pokerlab.match.statistics import Summary, WinningsUnit

PLACE = WinningsUnit("place", "place", 1.0, 2)
FEWEST = 5  # observations for an interval


def print_contests(result: ContestResult, console: Any) -> None:
    """Print a row for each agent, and what the numbers rest on."""
    what = "freeze-out" if result.is_freezeout else "session"
    blinds = "" if result.rules.schedule is None else f", blinds {result.rules.schedule}"
    console.print(
        f"\n[bold]{escape(game_title(result.game))}[/bold]  {counted(result.contests, what)} of "
        f"{unsigned(result.hands, 1)} hands{escape(blinds)}  "
        f"[dim]{result.seconds:,.1f} s[/dim]"
    )
    if result.is_freezeout:
        _print_freezeouts(result, console)
    else:
        _print_sessions(result, console)
    for note in _notes(result, what):
        console.print(f"[dim]{note}[/dim]")
    for agent, reason, count in result.faults[:8]:
        console.print(f"[yellow]{escape(agent)}: {count:,} illegal actions: {escape(reason)}[/yellow]")
    for agent, text, count in result.remarks[:8]:
        console.print(f"[dim]{escape(agent)}: {count:,} times {escape(text)}[/dim]")


def _print_freezeouts(result: ContestResult, console: Any) -> None:
    shares, model = result.chip_shares, result.model_prizes
    columns = [
        ("stack", [f"{stack:,}" for stack in result.rules.stacks]),
        ("wins, %", [f"{100 * one.share:.1f} ({100 * one.low:.1f} to {100 * one.high:.1f})" for one in result.wins]),
        ("of the chips, %", [f"{100 * share:.1f}" for share in shares]),
        ("place", [unsigned(one, 2) for one in result.places]),
        ("prizes, %", [unsigned(one.scaled(100), 1) for one in result.prizes]),
        ("by the chip model, %", [f"{100 * prize:.1f}" for prize in model]),
        *decision_columns(result.decisions),
    ]
    print_by_name(console, result.agents, columns)
    places = [
        (f"{place + 1}.", [f"{count:,.4g}" for count in result.place_counts[:, place]])
        for place in range(len(result.agents))
    ]
    print_by_name(console, result.agents, places, title="how often in each place")


def _print_sessions(result: ContestResult, console: Any) -> None:
    columns = [(scale.rate, [interval_text(one, scale) for one in result.winnings]) for scale in result.units.scales]
    again = "stacks bought" if result.rules.when_broke == "rebuy" else "times broke"
    columns.append((f"{again}, a session", [unsigned(one, 2) for one in result.buy_ins]))
    columns += decision_columns(result.decisions)
    print_by_name(console, result.agents, columns)


def unsigned(summary: Summary, digits: int) -> str:
    """A mean with half of its interval, which fewer than five observations do not show."""
    half = f"{summary.half_width:,.{digits}f}" if summary.count >= FEWEST else "–"
    return f"{summary.mean:,.{digits}f} ± {half}"


def _notes(result: ContestResult, what: str) -> list[str]:
    rotations = result.contests // result.groups
    together = f"; {rotations} rotations of the seats with the same cards count as one observation"
    notes = [f"95 % intervals; a {what} is one observation" + (together if rotations > 1 else "")]
    if result.is_freezeout:
        notes.append("between equal players, the chance to win is the share of the chips")
    if result.capped:
        notes.append(f"{result.capped:,} were decided by chips after {result.rules.most_hands:,} hands (--max-hands)")
    return notes
