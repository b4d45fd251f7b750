"""A kept strategy, infoset by infoset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.lab.browsing import MOST_COUNTED, Listing

LONGEST_BAR = 5


def show_listing(screen: Any, found: Listing, *, player: int | None, match: str) -> None:
    """What was solved, and its infosets; where there are none, what was asked for."""
    solution = found.solution
    gap = f"{solution.exploitability:.3g}"
    if solution.form == "roles":
        form = solution.strategy.form
        gap = f"{max(solution.exploitability, 0.0) / form.chips:.3g} {form.money}"
    screen.print(
        f"[bold]{escape(solution.strategy.game)}[/bold] by {escape(solution.algorithm_text)}, "
        f"{solution.iterations:,} iterations, exploitability {gap}"
    )
    if not found.lines:
        whose = "" if player is None else f" of player {player}"
        screen.print(f"no infoset{whose} contains {match!r}", markup=False)
        return
    screen.print(line_table(found.lines, screen.width))
    if found.more:
        over = "over " if found.more == MOST_COUNTED else ""
        screen.print(f"[dim]{over}{found.more:,} more; --rows, --player and --match choose[/dim]")


def _shape(lines: Sequence[Mapping[str, Any]], width: int) -> tuple[int, int]:
    """How long bars and how many decimals may be so that every row stays on one line."""
    names = max([len("infoset"), *(len(line["infoset"] or "(start)") for line in lines)])
    room = width - len("player") - names - len("reach") - 3 * 2
    for bar in (*range(LONGEST_BAR, 1, -1), 0):
        added = len(" 100.0%") + (bar + 1 if bar else 0)
        if all(sum(len(action) + added + 2 for action in line["actions"]) - 2 <= room for line in lines):
            return bar, 1
    return 0, 0


def line_table(lines: Sequence[Mapping[str, Any]], width: int) -> Table:
    """A row for each infoset, with bars as long as the width lets them be."""
    longest, decimals = _shape(lines, width)
    table = Table("player", "infoset", "reach", "strategy", box=None, pad_edge=False, header_style="dim")
    for line in lines:
        cells = []
        for action, chance in line["actions"].items():
            style = "bold" if chance >= 0.995 else "dim" if chance < 0.005 else ""
            bar = f" {'█' * round(longest * chance):<{longest}}" if longest else ""
            text = f"{escape(action)} {chance:{4 + 2 * decimals}.{decimals}%}{bar}"
            cells.append(f"[{style}]{text}[/]" if style else text)
        name = escape(line["infoset"]) or "(start)"
        reach = "" if line["reach"] is None else f"{line['reach']:.3f}"
        table.add_row(str(line["player"]), name, reach, "  ".join(cells))
    return table
