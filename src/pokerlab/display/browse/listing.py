"""A saved strategy, infoset by infoset; the hands at one public node are one table."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.display.browse.node import show_view
from pokerlab.display.elements.numbers import counted, game_title, gap_text, reach_text
from pokerlab.display.elements.table import plain_table
from pokerlab.display.solve.solution import show_solution
from pokerlab.lab.analyse.browsing import MOST_COUNTED, Listing
from pokerlab.strategy.files.shipped import name_of
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.policy import StrategyLine
from pokerlab.strategy.views.exchange import MOST_OPTIONS

LONGEST_BAR = 5
WORTH_A_ROW = 0.005  # options below this probability are shown as one row


def show_listing(screen: Any, listing: Listing, *, player: int | None, match: str, file: Path | None = None) -> None:
    """The game and its infosets, or that none match.

    For a blueprint, the root instead, unless the infosets of a player or with some text are requested.
    """
    solution = listing.solution
    if solution.strategy.has_buckets:
        show_solution(screen, solution, saved=file)
        if player is None and not match:
            screen.print()
            show_view(screen, solution.root)
            name = "FILE" if file is None else name_of(file)
            example = next(solution.strategy.lines()).hand
            words = f'pokerlab browse {shlex.quote(name)} shows more; --containing "{example}:" lists infosets'
            screen.print(words, markup=False, style="dim")
            return
    else:
        _show_heading(screen, solution)
    if not listing.lines:
        whose = "" if player is None else f" of player {player}"
        screen.print(f"no infoset{whose} contains {match!r}", markup=False)
        return
    _show_lines(screen, listing)


def _show_heading(screen: Any, solution: Solution) -> None:
    gap = gap_text(solution.exploitability)
    if solution.strategy.money:
        form = solution.strategy.form
        gap = f"{max(solution.exploitability, 0.0) / form.chips:.3g} {form.money}"
    screen.print(
        f"[bold]{escape(game_title(solution.strategy.game))}[/bold] by {escape(solution.algorithm_text)}, "
        f"{counted(solution.iterations, 'iteration')}, exploitability {gap}"
    )


def _show_lines(screen: Any, listing: Listing) -> None:
    if listing.lines[0].hand:
        seats = listing.solution.root.seats
        for (board, moves, seat), lines in groupby(
            listing.lines, key=lambda line: (line.board, line.moves, line.player)
        ):
            screen.print(
                "\n" + "  ".join(filter(None, (f"{seats[seat]} to act", board, moves or "(start)"))), markup=False
            )
            node = tuple(lines)
            screen.print(discard_table(node) if len(node[0].discards) > MOST_OPTIONS else node_table(node))
        if any(line.trained is False for line in listing.lines):
            screen.print("[dim]untrained: training never visited these infosets; all actions are equally likely[/dim]")
    else:
        screen.print(line_table(listing.lines, screen.width))
    if listing.more:
        over = "over " if listing.more == MOST_COUNTED else ""
        screen.print(f"[dim]{over}{listing.more:,} more; select with --rows, --player and --containing[/dim]")


def node_table(lines: Sequence[StrategyLine]) -> Table:
    """A row per hand at a node and a column per action."""
    rows = []
    for line in lines:
        shares = [_styled(f"{chance:.1%}", chance) for chance in line.actions.values()]
        rows.append((escape(line.hand), *([] if line.reach is None else [f"{line.reach:.3f}"]), *shares, _mark(line)))
    reach = [] if lines[0].reach is None else ["reach"]
    headings, marked = ("hand", *reach, *lines[0].actions), any(row[-1] for row in rows)
    rows = rows if marked else [row[:-1] for row in rows]
    return plain_table((*headings, *([""] if marked else [])), rows, column={"min_width": 5})


def discard_table(lines: Sequence[StrategyLine]) -> Table:
    """A row for each discard option that a hand uses, by the cards that it discards: too many options for columns."""
    rows: list[tuple[str, ...]] = []
    for line in lines:
        ordered = sorted(line.actions.items(), key=lambda item: -item[1])
        shown = [item for item in ordered if item[1] >= WORTH_A_ROW] if line.trained is not False else []
        hand = escape(line.hand)
        for option, chance in shown:
            rows.append((hand, option, line.discards[option] or "nothing", _styled(f"{chance:.1%}", chance)))
            hand = ""
        others = f"{len(ordered) - len(shown)} {'others' if shown else 'options'}"
        rest = sum(chance for _, chance in ordered[len(shown) :])
        if len(shown) < len(ordered):
            rows.append((hand, f"[dim]{others}[/dim]", _mark(line), f"[dim]{rest:.1%}[/dim]"))
    return plain_table(("hand", "option", "discards", "probability"), rows, left=3)


def _mark(line: StrategyLine) -> str:
    return "[dim]untrained[/dim]" if line.trained is False else ""


def _shape(lines: Sequence[StrategyLine], width: int) -> tuple[int, int]:
    """Length of bars and number of decimals with which every row fits on one line."""
    names = max([len("infoset"), *(len(line.infoset or "(start)") for line in lines)])
    available = width - len("player") - names - len("reach") - 3 * 2
    for bar in (*range(LONGEST_BAR, 1, -1), 0):
        added = len(" 100.0%") + (bar + 1 if bar else 0)
        if all(sum(len(action) + added + 2 for action in line.actions) - 2 <= available for line in lines):
            return bar, 1
    return 0, 0


def line_table(lines: Sequence[StrategyLine], width: int) -> Table:
    """A row per infoset, with bars as long as the width allows."""
    longest, decimals = _shape(lines, width)
    rows = []
    for line in lines:
        cells = []
        for action, chance in line.actions.items():
            bar = f" {'█' * round(longest * chance):<{longest}}" if longest else ""
            cells.append(_styled(f"{escape(action)} {chance:{4 + 2 * decimals}.{decimals}%}{bar}", chance))
        rows.append((str(line.player), escape(line.infoset) or "(start)", reach_text(line.reach), "  ".join(cells)))
    return plain_table(("player", "infoset", "reach", "strategy"), rows, left=4)


def _styled(text: str, chance: float) -> str:
    """Bold for actions always taken, dim for actions never taken."""
    style = "bold" if chance >= 0.995 else "dim" if chance < 0.005 else ""
    return f"[{style}]{text}[/]" if style else text
