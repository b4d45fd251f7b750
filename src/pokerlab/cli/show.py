"""`pokerlab show`: the strategy in a solution file, infoset by infoset."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._output import Json, console, literal, print_json

if TYPE_CHECKING:
    from pokerlab.strategy.policy import StrategyLine

LONGEST_BAR = 5
MOST_COUNTED = 100_000  # infosets beyond those shown


def command(
    file: Annotated[
        Path,
        typer.Argument(
            help="A solution kept by `solve --out`, `spot --out` or `evolve --checkpoint`.", show_default=False
        ),
    ],
    player: Annotated[
        int | None, typer.Option("--player", help="Only this player, from 0.", show_default=False)
    ] = None,
    match: Annotated[str, typer.Option("--match", help="Only infosets whose text contains this.")] = "",
    rows: Annotated[int, typer.Option("--rows", min=1, help="The most infosets to print.")] = 40,
    as_json: Json = False,
) -> None:
    """Print a kept strategy by infoset: who acts, how likely he comes there by his own choices, and what he does.

    Example: [bold]pokerlab show leduc.solution --match Kb --rows 20[/bold]
    """
    from pokerlab.errors import BadSetting
    from pokerlab.strategy.solution_file import load

    solution = load(file)
    strategy = solution.strategy
    if player is not None and not 0 <= player < strategy.players:
        raise BadSetting(f"{strategy.game} has players 0 to {strategy.players - 1}, not {player}")
    matching = (
        line for line in strategy.lines() if match in line.infoset and (player is None or line.player == player)
    )
    lines = [_plain(line) for line in islice(matching, rows)]
    more = sum(1 for _ in islice(matching, MOST_COUNTED))
    if as_json:
        print_json(solution.summary() | {"matching": len(lines) + more, "strategy": lines})
        return
    screen = console()
    screen.print(
        f"[bold]{literal(strategy.game)}[/bold] by {literal(solution.algorithm_text)}, "
        f"{solution.iterations:,} iterations, exploitability {solution.exploitability:.3g}"
    )
    if not lines:
        whose = "" if player is None else f" of player {player}"
        screen.print(f"no infoset{whose} contains {match!r}", markup=False)
        return
    screen.print(_table(lines, screen.width))
    if more:
        over = "over " if more == MOST_COUNTED else ""
        screen.print(f"[dim]{over}{more:,} more; --rows, --player and --match choose[/dim]")


def _plain(line: StrategyLine) -> dict[str, Any]:
    return {"infoset": line.infoset, "player": line.player, "reach": line.reach, "actions": dict(line.actions)}


def _shape(lines: list[dict[str, Any]], width: int) -> tuple[int, int]:
    """How long bars and how many decimals may be so that every row stays on one line."""
    names = max([len("infoset"), *(len(line["infoset"] or "(start)") for line in lines)])
    room = width - len("player") - names - len("reach") - 3 * 2
    for bar in (*range(LONGEST_BAR, 1, -1), 0):
        added = len(" 100.0%") + (bar + 1 if bar else 0)
        if all(sum(len(action) + added + 2 for action in line["actions"]) - 2 <= room for line in lines):
            return bar, 1
    return 0, 0


def _table(lines: list[dict[str, Any]], width: int) -> Any:
    from rich.markup import escape
    from rich.table import Table

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
