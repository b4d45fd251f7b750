"""Results of matches and tournaments for people: tables in the terminal, and the course of a match as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.match.result import MatchResult
from pokerlab.match.statistics import Summary
from pokerlab.match.tournament import Tournament
from pokerlab.papers.result import Figure, Line, Panel


def interval_text(summary: Summary, *, digits: int = 0) -> str:
    """A mean with half of its interval.

    >>> interval_text(Summary(12.34, 1.0, 100, 10.0, 10.3, 14.4))
    '+12 ± 2'
    """
    if not np.isfinite(summary.half_width):
        return f"{summary.mean:+,.{digits}f}"
    return f"{summary.mean:+,.{digits}f} ± {summary.half_width:,.{digits}f}"


def _coloured(summary: Summary, text: str) -> str:
    """Green where the interval lies above zero, red where below."""
    if summary.low > 0:
        return f"[green]{text}[/green]"
    return f"[red]{text}[/red]" if summary.high < 0 else text


def seat_name(seat: int, players: int) -> str:
    """What a seat is called: the button is the last one; heads-up the other is the big blind's."""
    if seat == players - 1:
        return "button"
    return "other seat" if players == 2 else f"seat {seat + 1}"


def print_match(result: MatchResult, console: Any) -> None:
    """What a match came to, on a rich console."""
    from rich.markup import escape
    from rich.table import Table

    rate = result.hands / result.seconds if result.seconds else 0.0
    deals = f" of {result.deals:,} deals" if result.hands != result.deals else ""
    console.print(
        f"\n[bold]{escape(result.game)}[/bold]  {result.hands:,} hands{deals}  "
        f"[dim]{result.seconds:,.1f} s, {rate:,.0f} hands/s[/dim]"
    )
    units = result.units
    table = Table()
    table.add_column("agent")
    for heading in ("mbb/hand", "small bets/hand", *(["mbb/hand, all-ins at EV"] if result.adjusted else []), "p"):
        table.add_column(heading, justify="right", no_wrap=True)
    for i, agent in enumerate(result.agents):
        summary = result.summaries[i]
        cells = [
            _coloured(summary, interval_text(units.millibigblinds(summary))),
            _coloured(summary, interval_text(units.small_bets(summary), digits=3)),
        ]
        if result.adjusted is not None:
            adjusted = result.adjusted[i]
            cells.append(_coloured(adjusted, interval_text(units.millibigblinds(adjusted))))
        table.add_row(escape(agent), *cells, _p_text(result.luck[i]))
    console.print(table)
    _print_positions(result, console)
    _print_notes(result, console)


def _print_positions(result: MatchResult, console: Any) -> None:
    from rich.markup import escape
    from rich.table import Table

    players = len(result.agents)
    table = Table(title="by position, mbb/hand", title_justify="left", title_style="")
    table.add_column("agent")
    for seat in range(players):
        table.add_column(seat_name(seat, players), justify="right", no_wrap=True)
    for agent, positions in zip(result.agents, result.positions, strict=True):
        cells = [
            "" if summary is None else interval_text(result.units.millibigblinds(summary)) for summary in positions
        ]
        table.add_row(escape(agent), *cells)
    console.print(table)


def _p_text(p: float) -> str:
    if not np.isfinite(p):
        return "-"
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def _print_notes(result: MatchResult, console: Any) -> None:
    from rich.markup import escape

    notes = ["± is half of the 95 % interval; p: t-test, one tail, that the agent does not win in the long run"]
    if result.hands != result.deals and result.hand_deviation[0] > 0:
        per_hand = result.summaries[0].deviation ** 2 * (result.hands / result.deals)
        if per_hand > 0:
            times = result.hand_deviation[0] ** 2 / per_hand
            notes.append(f"playing every deal from every seat was worth {times:.1f} times the hands")
    if result.variance_test is not None and np.isfinite(result.variance_test[0]):
        ratio, p = result.variance_test
        first, second = (escape(agent) for agent in result.agents)
        notes.append(f"variance with {first} on the button over that with {second}: {ratio:.2f}, F-test p {_p_text(p)}")
    for note in notes:
        console.print(f"[dim]{note}[/dim]")
    for agent, reason, count in result.faults[:8]:
        console.print(f"[yellow]{escape(agent)}: {count:,} times not allowed: {escape(reason)}[/yellow]")
    for agent, text, count in result.remarks[:8]:
        console.print(f"[dim]{escape(agent)}: {count:,} times {escape(text)}[/dim]")


def match_figure(result: MatchResult) -> Figure:
    """Cumulative winnings of each agent in big blinds, with the band that the interval of its mean spans."""
    curve, lines = result.curve, []
    for i, agent in enumerate(result.agents):
        totals = curve.totals[:, i] / result.units.big_blind
        deviation = result.summaries[i].deviation / result.units.big_blind
        hands_per_deal = result.hands / result.deals
        spread = 1.96 * deviation * np.sqrt(curve.hands * hands_per_deal)
        band = np.isfinite(deviation)
        lines.append(
            Line(
                curve.hands,
                totals,
                label=agent,
                low=totals - spread if band else None,
                high=totals + spread if band else None,
            )
        )
    panel = Panel(
        tuple(lines),
        title=f"{' v '.join(result.agents)}, {result.game}",
        x_label="hands",
        y_label="big blinds won",
    )
    return Figure("match", "Cumulative winnings; bands are 95 % of luck around the course.", (panel,))


def print_tournament(result: Tournament, console: Any) -> None:
    """Cross table, bankroll ranking and run-off of a round robin, on a rich console."""
    from rich.markup import escape
    from rich.table import Table

    console.print(f"\n[bold]{escape(result.game)}[/bold]  {result.hands:,} hands a pair, mbb/hand of the row's agent")
    cross = Table()
    cross.add_column("")
    for agent in result.table.agents:
        cross.add_column(escape(agent), justify="right")
    for i, agent in enumerate(result.table.agents):
        cells = []
        for mean, error in zip(result.table.means[i], result.table.errors[i], strict=True):
            if np.isnan(mean):
                cells.append("")
                continue
            text = f"{mean:+,.0f} ± {1.96 * error:,.0f}"
            colour = "green" if mean > 1.96 * error else "red" if mean < -1.96 * error else "default"
            cells.append(f"[{colour}]{text}[/{colour}]")
        cross.add_row(escape(agent), *cells)
    console.print(cross)
    console.print("\n[bold]By total bankroll[/bold]")
    for place, (agent, mean, half) in enumerate(result.ranking, start=1):
        console.print(f"  {place:>2}. {escape(agent):<28} {mean:+,.0f} ± {half:,.0f}")
    console.print("\n[bold]By instant run-off[/bold]: the worst leaves, and the others are scored anew")
    for number, round_ in enumerate(result.runoff.rounds, start=1):
        worst = round_.agents.index(round_.dropped)
        score, half = round_.scores[worst], round_.half_widths[worst]
        console.print(
            f"  round {number}: {escape(round_.dropped)} leaves with {score:+,.0f} ± {half:,.0f} "
            f"[dim](sure at {100 * round_.confidence:.1f} %)[/dim]"
        )
    console.print(f"  winner: [bold green]{escape(result.runoff.ranking[0])}[/bold green]")
