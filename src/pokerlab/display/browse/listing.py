"""A kept strategy, infoset by infoset; hands at one public place are one table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.display.browse.node import show_view
from pokerlab.display.elements.numbers import game_title, gap_text, reach_text
from pokerlab.display.solve.solution import show_solution
from pokerlab.lab.browsing import MOST_COUNTED, Listing
from pokerlab.strategy.policy import StrategyLine
from pokerlab.strategy.shipped import name_of
from pokerlab.strategy.solution import Solution

LONGEST_BAR = 5


def show_listing(screen: Any, found: Listing, *, player: int | None, match: str, file: Path | None = None) -> None:
    """What was solved, and its infosets; where there are none, what was asked for.

    Of a solution over buckets, the first place instead, unless infosets of a player or of some text are asked for.
    """
    solution = found.solution
    if solution.form == "bucketed":
        show_solution(screen, solution, kept=file)
        if player is None and not match:
            screen.print()
            show_view(screen, solution.root)
            name = "FILE" if file is None else name_of(file)
            example = next(solution.strategy.lines()).hand
            words = f'pokerlab browse {name} walks on; --match "{example}:" lists infosets'
            screen.print(words, markup=False, style="dim")
            return
    else:
        _show_heading(screen, solution)
    if not found.lines:
        whose = "" if player is None else f" of player {player}"
        screen.print(f"no infoset{whose} contains {match!r}", markup=False)
        return
    _show_lines(screen, found)


def _show_heading(screen: Any, solution: Solution) -> None:
    gap = gap_text(solution.exploitability)
    if solution.form == "classes":
        form = solution.strategy.form
        gap = f"{max(solution.exploitability, 0.0) / form.chips:.3g} {form.money}"
    screen.print(
        f"[bold]{escape(game_title(solution.strategy.game))}[/bold] by {escape(solution.algorithm_text)}, "
        f"{solution.iterations:,} iterations, exploitability {gap}"
    )


def _show_lines(screen: Any, found: Listing) -> None:
    if found.lines[0].hand:
        seats = found.solution.root.seats
        for (board, moves, seat), lines in groupby(found.lines, key=lambda line: (line.board, line.moves, line.player)):
            screen.print(
                "\n" + "  ".join(filter(None, (f"{seats[seat]} to act", board, moves or "(start)"))), markup=False
            )
            screen.print(place_table(tuple(lines)))
    else:
        screen.print(line_table(found.lines, screen.width))
    if found.more:
        over = "over " if found.more == MOST_COUNTED else ""
        screen.print(f"[dim]{over}{found.more:,} more; --rows, --player and --match choose[/dim]")


def place_table(lines: Sequence[StrategyLine]) -> Table:
    """A row for each hand at a place and a column for each action."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("hand")
    reached = lines[0].reach is not None
    for heading in (*(["reach"] * reached), *lines[0].actions):
        table.add_column(escape(heading), justify="right", min_width=5)
    for line in lines:
        shares = [_styled(f"{chance:.1%}", chance) for chance in line.actions.values()]
        table.add_row(escape(line.hand), *([] if line.reach is None else [f"{line.reach:.3f}"]), *shares)
    return table


def _shape(lines: Sequence[StrategyLine], width: int) -> tuple[int, int]:
    """How long bars and how many decimals may be so that every row stays on one line."""
    names = max([len("infoset"), *(len(line.infoset or "(start)") for line in lines)])
    room = width - len("player") - names - len("reach") - 3 * 2
    for bar in (*range(LONGEST_BAR, 1, -1), 0):
        added = len(" 100.0%") + (bar + 1 if bar else 0)
        if all(sum(len(action) + added + 2 for action in line.actions) - 2 <= room for line in lines):
            return bar, 1
    return 0, 0


def line_table(lines: Sequence[StrategyLine], width: int) -> Table:
    """A row for each infoset, with bars as long as the width lets them be."""
    longest, decimals = _shape(lines, width)
    table = Table("player", "infoset", "reach", "strategy", box=None, pad_edge=False, header_style="dim")
    for line in lines:
        cells = []
        for action, chance in line.actions.items():
            bar = f" {'█' * round(longest * chance):<{longest}}" if longest else ""
            cells.append(_styled(f"{escape(action)} {chance:{4 + 2 * decimals}.{decimals}%}{bar}", chance))
        table.add_row(str(line.player), escape(line.infoset) or "(start)", reach_text(line.reach), "  ".join(cells))
    return table


def _styled(text: str, chance: float) -> str:
    """What is always done stands out, and what is never done steps back."""
    style = "bold" if chance >= 0.995 else "dim" if chance < 0.005 else ""
    return f"[{style}]{text}[/]" if style else text
