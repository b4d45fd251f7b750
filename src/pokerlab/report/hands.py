"""Kept hands for people: answers to queries as tables, the matches of a file, and a hand step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pokerlab.games.poker.text import action_words, round_name, table_text
from pokerlab.match.hands.query import Answer, HandRow, HandsFile, MatchRow
from pokerlab.match.run.result import units_of
from pokerlab.match.statistics import WinningsUnit
from pokerlab.report.numbers import cell_text

_WIDEST = 300  # letters of a name that are shown
_NAMES = """
select agent, count(*) as hands, avg(payoff) as mean, 1.96 * stddev_samp(payoff) / sqrt(count(*)) as half
from players where match = {match} group by agent order by mean desc
"""


def print_answer(answer: Answer, console: Any, *, most: int) -> None:
    """The rows of an answer, at most so many."""
    from rich.markup import escape
    from rich.table import Table

    table = Table()
    for i, column in enumerate(answer.columns):
        numbers = all(isinstance(row[i], (int, float)) or row[i] is None for row in answer.rows)
        table.add_column(escape(column), justify="right" if numbers else "left")
    for row in answer.rows[:most]:
        table.add_row(*(escape(cell_text(value)) for value in row))
    console.print(table)
    if answer.more or len(answer.rows) > most:
        console.print(f"[dim]the first {min(most, len(answer.rows)):,} rows; --rows shows more[/dim]")


def print_matches(file: HandsFile, console: Any) -> None:
    """Every match of a file, with what each agent won in plain hands."""
    from rich.markup import escape
    from rich.table import Table

    table = Table()
    for heading, side in (("match", "right"), ("game", "left"), ("hands", "right"), ("agent", "left")):
        table.add_column(heading, justify=side, overflow="fold")  # type: ignore[arg-type]
    table.add_column("mbb/hand", justify="right", no_wrap=True)
    table.add_column("from", justify="left", overflow="fold")
    for match in file.matches():
        unit = units_of(match.game).usual
        rows = file.query(_NAMES.format(match=match.number)).rows
        cells = [str(match.number), escape(match.game.name[:_WIDEST]), f"{match.hands:,}"]
        if not match.finished:
            cells[2] += f" of {match.wanted:,}"
        for agent, _, mean, half in rows or [("", 0, None, None)]:
            won = "" if mean is None else _won_text(mean, half or 0, unit)
            table.add_row(*cells, escape((agent or "")[:_WIDEST]), won, escape(match.source[:_WIDEST]))
            cells = ["", "", ""]
    console.print(table)
    console.print("[dim]± counts every hand by itself; the match command knows which hands are of one deal[/dim]")


def _won_text(mean: float, half: float, unit: WinningsUnit) -> str:
    told = f"{mean * unit.factor:+,.{unit.digits}f} ± {half * unit.factor:,.{unit.digits}f}"
    return told if unit.key == "mbb" else f"{told} {unit.name}"


def hand_scenes(match: MatchRow, hand: HandRow) -> Iterator[str]:
    """The hand as a series of texts: the table before each action with the action in words, then the end."""
    names = hand.names(match)
    steps, end = hand.steps(match)
    seen = -1
    for step in steps:
        betting = step.state.betting
        scene = ""
        if betting.round != seen:
            seen = betting.round
            scene = table_text(match.game, step.state, names=names) + "\n"
        else:
            scene = f"  {round_name(match.game, seen)} · pot {match.game.chips(match.game.pot(betting)):,}\n"
        yield f"{scene}  → {names[step.seat]} {action_words(match.game, betting, step.action)}"
    shown = match.game.board(end)
    last = f"  board {match.game.text(shown)}\n" if shown and min(shown) >= 0 else ""
    hands = hand.cards.split("/")[0].split("|")
    lines = [
        f"  {name}: {chips:+g}" + (f"  {cards}" if end.betting.alive >> seat & 1 else "  folded")
        for seat, (name, chips, cards) in enumerate(zip(names, hand.payoffs, hands, strict=True))
    ]
    yield last + "\n".join(lines)
