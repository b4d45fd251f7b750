"""Saved hands: the matches of a file, and a hand step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from pokerlab.display.elements.numbers import cell_text, counted, game_title
from pokerlab.display.elements.table import print_wide_table
from pokerlab.errors import printable
from pokerlab.games.poker.text import action_words, round_name, table_text
from pokerlab.match.hands.imports import ImportedHands
from pokerlab.match.hands.journal import SavedHand
from pokerlab.match.hands.query import HandsFile, MatchRow, QueryResult
from pokerlab.match.run.result import units_of
from pokerlab.match.statistics import WinningsUnit

_NAMES = """
select agent, count(*) as hands, avg(payoff) as mean, 1.96 * stddev_samp(payoff) / sqrt(count(*)) as half
from players where match = {match} group by agent order by mean desc
"""

MOST_REASONS = 10  # why hands were left out


def print_query_result(result: QueryResult, console: Any, *, most: int) -> None:
    """Print at most `most` rows of the result of a query."""
    headings = [printable(column) for column in result.columns]
    rows = [[printable(cell_text(value)) for value in row] for row in result.rows[:most]]
    numeric = [
        all(row[i] is None or isinstance(row[i], (int, float)) for row in result.rows) for i in range(len(headings))
    ]
    is_cut = print_wide_table(console, headings, rows, numeric=numeric)
    if not rows:
        console.print("no rows")
    if is_cut:
        console.print("[dim]texts are cut to fit; --json prints them in full[/dim]")
    if result.more or len(result.rows) > most:
        console.print(f"[dim]the first {min(most, len(result.rows)):,} rows; --rows shows more[/dim]")


def print_import(result: ImportedHands, file: Path, console: Any) -> None:
    """How many hands were imported, and why others were not."""
    console.print(f"imported {counted(result.hands, 'hand')} into {file}", markup=False)
    for reason, count in result.reasons[:MOST_REASONS]:
        first = next((one.line for one in result.left_out if one.reason == reason), None)
        where = "" if first is None else f" (line {first})" if count == 1 else f" (the first in line {first})"
        console.print(f"left out {counted(count, 'hand')}: {reason}{where}", markup=False)
    if len(result.reasons) > MOST_REASONS:
        console.print(f"left out others for {len(result.reasons) - MOST_REASONS:,} more reasons", markup=False)


def print_matches(file: HandsFile, matches: Sequence[MatchRow], console: Any) -> None:
    """Matches of a file, with the winnings of each agent."""
    winnings = {match.number: _winnings(file, match) for match in matches}
    names, numbers = (
        zip(*(row for rows in winnings.values() for row in rows), strict=True) if any(winnings.values()) else ((), ())
    )
    widest, longest = (max(map(cell_len, texts), default=0) for texts in (names, numbers))
    for match in matches:
        count = counted(match.hands, "hand")
        if not match.finished:  # how many hands freeze-outs last is not known in advance
            count = f"{match.hands:,} of {counted(match.wanted, 'hand')}" if match.wanted else f"{count} so far"
        source = "" if match.source == "pokerlab" else f", from {match.source}"
        heading = Text.assemble((f"match {match.number}", "bold"), f"  {game_title(match.game.name)}  {count}{source}")
        console.print(heading, no_wrap=True, overflow="ellipsis")
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=2)
        table.add_column(width=min(widest, max(console.width - longest - 6, 8)), no_wrap=True, overflow="ellipsis")
        table.add_column(justify="right", no_wrap=True, width=longest)
        for agent, won in winnings[match.number]:
            table.add_row("", Text(agent), won)
        console.print(table)
    if not matches:
        console.print("this file has no matches")
        return
    console.print("[dim]± treats hands as independent; the match command groups the hands of one deal[/dim]")


def _winnings(file: HandsFile, match: MatchRow) -> list[tuple[str, str]]:
    """The agents of a match and their winnings, the best first."""
    unit = units_of(match.game).usual
    rows = file.query(_NAMES.format(match=match.number)).rows
    return [(agent or "", "" if mean is None else _won_text(mean, half or 0, unit)) for agent, _, mean, half in rows]


def _won_text(mean: float, half: float, unit: WinningsUnit) -> str:
    return f"{mean * unit.factor:+,.{unit.digits}f} ± {half * unit.factor:,.{unit.digits}f} {unit.rate}"


def hand_scenes(match: MatchRow, hand: SavedHand) -> Iterator[str]:
    """A hand as texts: the table before each action and the action, then the result."""
    names, game = hand.names(match), hand.game(match)
    steps, end = hand.steps(match)
    seen = -1
    for step in steps:
        betting = step.state.betting
        scene = ""
        if betting.round != seen:
            seen = betting.round
            scene = table_text(game, step.state, names=names) + "\n"
        else:
            scene = f"  {round_name(game, seen)} · pot {game.chips(game.pot(betting)):,}\n"
        yield f"{scene}  → {names[step.seat]} {action_words(game, betting, step.action)}"
    shown = game.board(end)
    last = f"  board {game.text(shown)}\n" if shown and min(shown) >= 0 else ""
    hands = hand.cards.split("/")[0].split("|")
    lines = [
        f"  {name}: {chips:+g}" + (f"  {cards}" if end.betting.alive >> seat & 1 else "  folded")
        for seat, (name, chips, cards) in enumerate(zip(names, hand.payoffs, hands, strict=True))
    ]
    yield last + "\n".join(lines)
