"""Results of matches and tournaments, also of served matches: tables, and winnings over time as a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from rich.box import HEAVY_HEAD
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from pokerlab.display.elements.numbers import counted, game_title
from pokerlab.display.elements.table import plain_table
from pokerlab.figure import Figure, Line, Panel
from pokerlab.formats.acpc import number
from pokerlab.lab.play.serving import MOST_NOTES, AtDealer, ServedMatch
from pokerlab.match.run.result import MatchResult
from pokerlab.match.run.tournament import RunOff, Tournament
from pokerlab.match.statistics import Summary, WinningsUnit
from pokerlab.match.table.clock import Decisions

Column = tuple[str, list[str]]  # its heading, and a cell for each row


def interval_text(summary: Summary, unit: WinningsUnit | None = None) -> str:
    """A mean with half of its interval, in a unit or else in whole numbers.

    >>> interval_text(Summary(12.34, 1.0, 100, 10.0, 10.3, 14.4))
    '+12 ± 2'
    """
    summary, digits = (unit.of(summary), unit.digits) if unit is not None else (summary, 0)
    half = f" ± {summary.half_width:,.{digits}f}" if np.isfinite(summary.half_width) else ""
    return f"{summary.mean:+,.{digits}f}{half}"


def _coloured(summary: Summary, text: str) -> str:
    """Green if the interval is above zero, red if below."""
    if summary.low > 0:
        return f"[green]{text}[/green]"
    return f"[red]{text}[/red]" if summary.high < 0 else text


NAME_PART = 3  # agent names take at most this fraction of the width


def print_by_name(
    console: Any, names: Sequence[str], columns: Sequence[Column], *, title: str = "", heading: str = "agent"
) -> None:
    """A table with a row per name; columns that do not fit go into further tables below.

    Long names are wrapped, never cut. Cells are markup, and never wrapped.
    """
    most = max(console.width // NAME_PART, 16)
    name_width = min(max(map(len, [heading, *names])), most)
    widths = [
        max(min(max(map(len, heading.split("\n"))), most), *(Text.from_markup(cell).cell_len for cell in cells))
        for heading, cells in columns
    ]
    first = 0
    while first < len(columns):
        end, used = first + 1, name_width + 4 + widths[first] + 3
        while end < len(columns) and used + widths[end] + 3 <= console.width:
            used += widths[end] + 3
            end += 1
        table = Table(title=title or None, title_justify="left", title_style="")
        table.add_column(heading, width=name_width, overflow="fold")
        for (text, _), width in zip(columns[first:end], widths[first:end], strict=True):
            table.add_column(escape(text), justify="right", width=width, overflow="fold")
        for row, name in enumerate(names):
            table.add_row(escape(name), *(cells[row] for _, cells in columns[first:end]))
        console.print(table)
        first = end


def print_match(result: MatchResult, console: Any) -> None:
    """Print the result of a match."""
    rate = result.hands / result.seconds if result.seconds else 0.0
    deals = f" of {counted(result.deals, 'deal')}" if result.hands != result.deals else ""
    console.print(
        f"\n[bold]{escape(game_title(result.game))}[/bold]  {counted(result.hands, 'hand')}{deals}  "
        f"[dim]{result.seconds:,.1f} s, {rate:,.0f} hands/s[/dim]"
    )
    usual = result.units.usual
    columns = [
        (scale.rate, [_coloured(one, interval_text(one, scale)) for one in result.summaries])
        for scale in result.units.scales
    ]
    if result.adjusted is not None:
        cells = [_coloured(one, interval_text(one, usual)) for one in result.adjusted]
        columns.append((f"{usual.rate},\n{result.estimator.partition('(')[0]}", cells))
    columns.append(("p", [_p_text(p) for p in result.luck]))
    columns += decision_columns(result.decisions)
    print_by_name(console, result.agents, columns)
    _print_positions(result, console)
    if result.categories:
        _print_categories(result, console)
    _print_notes(result, console)


def decision_columns(decisions: Sequence[Decisions]) -> list[Column]:
    """A column with what a decision took, if decisions were timed."""
    return [("ms a\ndecision", [milliseconds_text(one) for one in decisions])] if decisions else []


def milliseconds_text(decisions: Decisions) -> str:
    """Three significant digits, or fewer for less than a microsecond.

    >>> [milliseconds_text(one) for one in (Decisions(4, 0.5), Decisions(3, 0.0001), Decisions())]
    ['125', '0.033', '']
    """
    taken = decisions.milliseconds
    return f"{taken:,.{0 if taken >= 100 else 1 if taken >= 10 else 2 if taken >= 1 else 3}f}" if taken >= 0 else ""


def _print_positions(result: MatchResult, console: Any) -> None:
    usual, columns = result.units.usual, []
    for seat, name in enumerate(result.seat_names):
        summaries = [positions[seat] for positions in result.positions]
        cells = ["" if summary is None else interval_text(summary, usual) for summary in summaries]
        columns.append((name, cells))
    print_by_name(console, result.agents, columns, title=f"by position, {usual.rate}")


def _print_categories(result: MatchResult, console: Any) -> None:
    """How often each agent won with hands of each category as dealt, and how much."""
    usual = result.units.usual
    for agent, own in zip(result.agents, result.categories, strict=True):
        columns = [
            ("hands", [f"{one.winnings.count:,}" for one in own]),
            ("won", [f"{one.won:.1%}" for one in own]),
            (usual.rate, [_coloured(one.winnings, interval_text(one.winnings, usual)) for one in own]),
        ]
        title = f"{escape(agent)} by the hand dealt"
        print_by_name(console, [one.category for one in own], columns, title=title, heading="hand")


def _p_text(p: float) -> str:
    if not np.isfinite(p):
        return "-"
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def _worth_text(result: MatchResult) -> str:
    """How much an estimator helped, for one agent or for each if they differ."""
    times = [result.times_as_many(agent) for agent in range(len(result.agents))]
    name = escape(result.estimator)
    if np.isnan(times).any():
        return f"{name}: nothing to adjust, all results are equal"
    if np.isinf(times).any():
        return f"{name} took out all the luck: every hand has the same estimate"
    if max(times) - min(times) < 0.05 * max(times):
        return f"{name} equals {times[0]:.3g} times as many hands"
    each = (f"{one:.3g} for {escape(agent)}" for one, agent in zip(times, result.agents, strict=True))
    return f"{name} equals, in times as many hands: {', '.join(each)}"


def _print_notes(result: MatchResult, console: Any) -> None:
    notes = ["± is half of the 95 % interval; p: one-tailed t-test, small if the agent wins"]
    if result.hands != result.deals and result.hand_deviation[0] > 0:
        per_hand = result.summaries[0].deviation ** 2 * (result.hands / result.deals)
        if per_hand > 0:
            times = result.hand_deviation[0] ** 2 / per_hand
            notes.append(f"as precise as a match {times:.1f} times as long that plays every deal once (--plain)")
    if result.adjusted is not None:
        notes.append(_worth_text(result))
    if result.variance_test is not None and np.isfinite(result.variance_test[0]):
        ratio, p = result.variance_test
        first, second = (escape(agent) for agent in result.agents)
        seat = result.seat_names[1]
        notes.append(f"variance of winnings, {first} over {second} as {seat}: {ratio:.2f} (F-test p {_p_text(p)})")
    for note in notes:
        console.print(f"[dim]{note}[/dim]")
    for agent, reason, count in result.faults[:8]:
        console.print(f"[yellow]{escape(agent)}: {count:,} illegal actions: {escape(reason)}[/yellow]")
    for agent, text, count in result.remarks[:8]:
        console.print(f"[dim]{escape(agent)}: {count:,} times {escape(text)}[/dim]")


def match_figure(result: MatchResult) -> Figure:
    """Cumulative winnings of each agent in big blinds, or in chips of a spot, with 95 % bands."""
    curve, lines = result.curve, []
    for i, agent in enumerate(result.agents):
        totals = curve.totals[:, i] / result.units.big_blind
        deviation = result.summaries[i].deviation / result.units.big_blind
        spread = 1.96 * deviation * np.sqrt(curve.hands * (result.hands / result.deals))
        low, high = (totals - spread, totals + spread) if np.isfinite(deviation) else (None, None)
        lines.append(Line(curve.hands, totals, label=agent, low=low, high=high))
    title, unit = (
        f"{' v '.join(result.agents)}, {game_title(result.game)}",
        "chips" if result.units.pot else "big blinds",
    )
    panel = Panel(tuple(lines), title, x_label="hands", y_label=f"{unit} won")
    return Figure("match", "Cumulative winnings with 95 % bands.", (panel,))


def _cross_text(mean: float, half: float, digits: int) -> str:
    """A cell of a cross table: empty on the diagonal, coloured if significant."""
    if np.isnan(mean):
        return ""
    colour = "green" if mean > half else "red" if mean < -half else "default"
    return f"[{colour}]{signed_with_half(mean, half, digits)}[/{colour}]"


def signed_with_half(mean: float, half: float, digits: int) -> str:
    """A mean with half of its interval, if that is known."""
    return f"{mean:+,.{digits}f}" + (f" ± {half:,.{digits}f}" if np.isfinite(half) else "")


def print_tournament(result: Tournament, console: Any) -> None:
    """Print the cross table, bankroll ranking and run-off of a round robin."""
    digits = result.unit.digits
    what = f"{counted(result.hands, 'hand')} a pair, {result.unit.rate} of the row's agent"
    console.print(f"\n[bold]{escape(game_title(result.game))}[/bold]  {what}")
    print_cross_table(result.table.agents, result.table.means, result.table.errors, digits=digits, console=console)
    print_rankings(result.ranking, result.runoff, digits=digits, console=console, decisions=result.decisions)


def print_cross_table(
    agents: Sequence[str], means: np.ndarray, errors: np.ndarray, *, digits: int, console: Any
) -> None:
    """Print a row for each agent with what it wins against each other.  # [agent, agent] both"""
    halves = 1.96 * errors
    columns = [
        (name, [_cross_text(means[row][other], halves[row][other], digits) for row in range(len(agents))])
        for other, name in enumerate(agents)
    ]
    print_by_name(console, agents, columns)


def print_rankings(
    ranking: Sequence[tuple[str, float, float]],
    runoff: RunOff,
    *,
    digits: int,
    console: Any,
    last_table: str = "",
    decisions: Mapping[str, Decisions] = MappingProxyType({}),
) -> None:
    """Print the ranking by bankroll and the rounds of the run-off; `last_table` says how the last ones are ranked."""
    console.print("\n[bold]By total bankroll[/bold]")
    for place, (agent, mean, half) in enumerate(ranking, start=1):
        taken = milliseconds_text(decisions.get(agent, Decisions()))
        taken = f"  [dim]{taken} ms a decision[/dim]" if taken else ""
        console.print(f"  {place:>2}. {escape(agent):<28} {signed_with_half(mean, half, digits)}{taken}")
    console.print("\n[bold]By instant run-off[/bold]: the worst leaves, and the others are scored again")
    for count, round_ in enumerate(runoff.rounds, start=1):
        worst = round_.agents.index(round_.dropped)
        score, half = round_.scores[worst], round_.half_widths[worst]
        sure = "confidence unknown: a pair played one deal"
        if np.isfinite(round_.confidence):
            sure = f"{100 * round_.confidence:.1f} % confidence"
        left = f"{escape(round_.dropped)} leaves with {signed_with_half(score, half, digits)}"
        console.print(f"  round {count}: {left} [dim]({sure})[/dim]")
    if last_table:
        console.print(f"  {last_table}")
    console.print(f"  winner: [bold green]{escape(runoff.ranking[0])}[/bold green]")


# ---- served matches --------------------------------------------------------------------------------------------------


def print_served(result: ServedMatch, console: Any) -> None:
    """Scores by pass and in total, forfeits and notes."""
    total = result.scores
    rows = []
    for place, one in enumerate(result.passes, start=1):
        scores = dict(zip(one.served.names, one.served.scores, strict=True))
        cells = [number(scores[name]) for name in total]
        rows.append((str(place), str(one.served.hands), *cells, escape(str(one.log))))
        for name, reason in one.served.forfeits.items():
            console.print(f"[red]{escape(name)} forfeits: {escape(reason)}[/red]")
        for note in one.served.notes[:MOST_NOTES]:
            console.print(f"[yellow]{escape(note)}[/yellow]")
    if len(result.passes) > 1:
        rows.append(("[bold]all[/]", "", *(f"[bold]{number(chips)}[/]" for chips in total.values()), ""))
    headings = ("pass", "hands", *total, "log")
    console.print(plain_table(headings, rows, left=len(headings), column={"overflow": "fold"}, box=HEAVY_HEAD))
    for name, summary in result.winnings.items():
        won = f"{summary.mean:+.4g} ± {summary.half_width:.3g} chips a hand"
        console.print(f"[dim]{escape(name)}: {won} (95 % interval over {counted(summary.count, 'deal')})[/dim]")


def print_at_dealer(result: AtDealer, console: Any) -> None:
    """The winnings of an agent per hand, with the interval, and its illegal actions."""
    agent, a_hand = escape(result.agent), result.a_hand
    each = "" if a_hand is None else f", {a_hand.mean:+.4g} ± {a_hand.half_width:.3g} a hand (95 % interval)"
    won = "won" if result.won >= 0 else "lost"
    console.print(f"{agent} played {result.hands:,} hands and {won} {abs(result.won):g} chips{each}")
    for reason, count in result.faults.most_common(MOST_NOTES):
        console.print(f"[yellow]{agent}: {count:,} illegal actions: {escape(reason)}[/yellow]")
