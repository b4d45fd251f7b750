"""`pokerlab browse`: walk a solution."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._completion import GRIDS, choices
from pokerlab.cli._output import Json, announcing_compilation, console, error_console, literal, print_json

SEATS = {"oop": 0, "ip": 1}


def command(
    file: Annotated[Path, typer.Argument(help="A solution that `spot --out`, `solve --out` or `train --out` kept.")],
    moves: Annotated[list[str] | None, typer.Argument(help='Moves to make: check "bet 50" call Td.')] = None,
    grid: Annotated[
        str,
        typer.Option(
            "--grid",
            help="What the grid of hands shows: strategy, ev, equity or reach.",
            autocompletion=choices(*GRIDS),
        ),
    ] = "strategy",
    hand: Annotated[str | None, typer.Option("--hand", help="Only this hand or class: AhKh, AKs.")] = None,
    hands: Annotated[bool, typer.Option("--hands", help="A line for every hand: reach, EV, equity, actions.")] = False,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="Write every hand here to this file.")] = None,
    player: Annotated[
        int | None, typer.Option("--player", min=0, help="Whose hands: 0 out of position, 1 in position.")
    ] = None,
    exploit: Annotated[
        str | None,
        typer.Option(
            "--exploit",
            help="Let oop or ip (of a game: 0, 1) exploit the other, by a best response.",
            autocompletion=choices("oop", "ip"),
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a place of a solution; at a terminal, walk on by arrow keys, or by typing actions, their numbers and cards.

    [dim]pokerlab browse turn.spot
    pokerlab browse leduc.solution r c Ka
    pokerlab browse turn.spot check "bet 50" call Td --hand AhKh
    pokerlab browse leduc.blueprint r c Ka --hand Qb
    pokerlab browse draw-blueprint call check --hand AsAdKh7c2d
    pokerlab browse turn.spot check --grid ev --player 0
    pokerlab browse turn.spot check --csv after_check.csv
    pokerlab browse turn.spot --exploit ip[/dim]
    """
    from pokerlab.display.browse.node_file import write_csv
    from pokerlab.lab.browsing import check_grid, check_player, place_dict
    from pokerlab.lab.browsing import exploit as exploited
    from pokerlab.strategy.shipped import path_of
    from pokerlab.strategy.solution_file import load

    exploits = _seat(exploit)  # complains before the work
    with announcing_compilation():
        solution = load(path_of(file))
        told: dict[str, Any] = {}
        if exploits is not None:
            solution, gain = exploited(solution, exploits)
            told = {"exploits": exploits, "gain": gain}
            error_console().print(f"[dim]{exploit} plays a best response, and wins {gain:.3f} chips more[/dim]")
        view = solution.at(*(moves or []))
        check_player(view, player)
        check_grid(view, grid)
        if csv_file is not None:
            rows, words = write_csv(view, player, csv_file)
            told |= {"csv": str(csv_file), "csv_rows": rows}
            if not as_json:
                console().print(literal(words), soft_wrap=True)
        if as_json:
            print_json(place_dict(view, player=player, hand=hand) | told)
        elif hand is not None:
            _show_hand(view, hand, player)
        else:
            _show(view, grid, player, hands=hands)
            if sys.stdin.isatty() and moves is None and csv_file is None and not hands:
                _walk(view, grid, player)


def _show(view: Any, grid: str, player: int | None, *, hands: bool) -> None:
    from pokerlab.display.browse.node import hand_table, show_view

    show_view(console(), view, grid=grid, player=player)
    for seat in range(len(view.seats)) if hands else ():
        if player in (None, seat) and view.table(seat):
            console().print(hand_table(view, seat))


def _walk(view: Any, grid: str, player: int | None) -> None:
    """Walk on, by keys where they can be read. Ctrl-C ends the walk, at the prompt or while a place is drawn."""
    from pokerlab.cli._keys import are_there, keyboard
    from pokerlab.cli._walk import Walk, by_keys, by_lines

    walk = Walk([view], grid, player)
    try:
        if not are_there():
            by_lines(walk)
            return
        with keyboard() as read:
            by_keys(walk, read)
    except KeyboardInterrupt:
        walk.screen.print()


def _seat(text: str | None) -> int | None:
    """Who exploits: oop, ip, or the number of a player."""
    from pokerlab.errors import BadSetting

    if text is None:
        return None
    if text.lower() in SEATS:
        return SEATS[text.lower()]
    if not text.isdecimal() or len(text) > 2:
        raise BadSetting(f"who exploits is oop (out of position) or ip (in position), or 0, 1 ..., not {text[:40]!r}")
    return int(text)


def _show_hand(view: Any, hand: str, player: int | None) -> None:
    from pokerlab.display.browse.node import show_hand
    from pokerlab.lab.browsing import hand_at

    show_hand(console(), view, hand_at(view, hand, player=player))
