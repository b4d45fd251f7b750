"""`pokerlab browse`: walk a solved spot."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._output import Json, announcing_compilation, console, error_console, print_json

if TYPE_CHECKING:
    from pokerlab.strategy.spot_view import SpotView

SEATS = {"oop": 0, "ip": 1}
HELP = "an action or a card; up, top, hand AhKh, range, csv FILE, json FILE, quit"


def command(
    file: Annotated[Path, typer.Argument(help="A solution that `pokerlab spot --out` kept.")],
    moves: Annotated[list[str] | None, typer.Argument(help='Moves to make: check "bet 50" call Td.')] = None,
    hand: Annotated[str | None, typer.Option("--hand", help="Only this hand or class: AhKh, AKs.")] = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="Write every hand here to this file.")] = None,
    player: Annotated[int | None, typer.Option("--player", min=0, max=1, help="Whose hands; else who acts.")] = None,
    exploit: Annotated[
        str | None,
        typer.Option("--exploit", help="Let oop or ip exploit the other as much as can be, by a best response."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a place of a solved spot, and walk on by typing actions and cards when at a terminal.

    [dim]pokerlab browse turn.spot
    pokerlab browse turn.spot check "bet 50" call Td --hand AhKh
    pokerlab browse turn.spot check --csv after_check.csv
    pokerlab browse turn.spot --exploit ip[/dim]
    """
    from pokerlab.errors import BadSetting
    from pokerlab.strategy.spot_solution import load_spot

    if exploit is not None and exploit.lower() not in SEATS:
        raise BadSetting(f"who exploits is oop (out of position) or ip (in position), not {exploit[:40]!r}")
    with announcing_compilation():
        solution = load_spot(file)
        if exploit is not None:
            before = solution.values
            solution = solution.best_response(SEATS[exploit.lower()])
            won = solution.values[SEATS[exploit.lower()]] - before[SEATS[exploit.lower()]]
            error_console().print(f"[dim]{exploit.lower()} plays a best response, and wins {won:.3f} chips more[/dim]")
        view = solution.at(*(moves or []))
        whose = player if player is not None else (view.player if view.player is not None else 0)
        if csv_file is not None:
            write_csv(view, whose, csv_file)
        if as_json:
            print_json(_plain(view, whose, hand))
            return
        if hand is not None:
            _show_hand(view, hand)
            return
        from pokerlab.report.spot import show_view

        show_view(console(), view)
        if sys.stdin.isatty() and moves is None and csv_file is None:
            _walk(view)


def write_csv(view: SpotView, player: int, path: Path) -> None:
    """The hands of a player as a CSV file."""
    from pokerlab.errors import BadFile
    from pokerlab.report.spot import csv_rows
    from pokerlab.store import replacing

    if path.is_dir() or not path.parent.is_dir():
        raise BadFile(f"cannot write {str(path)[:80]!r}: it is not a file in a folder that exists")
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as target:
        csv.writer(target).writerows(csv_rows(view, player))


def _plain(view: SpotView, player: int, hand: str | None) -> dict[str, Any]:
    if hand is None:
        return view.summary() | {"hands": {str(seat): view.table(seat) for seat in (0, 1)}}
    numbers = {"ev_hand": view.ev(player, hand), "equity_hand": view.equity(player, hand)}
    known = {name: number if number == number else None for name, number in numbers.items()}  # NaN is not JSON
    result = view.summary() | {"hand": hand} | known
    return result | ({"strategy": view.strategy(hand)} if view.player == player else {})


def _show_hand(view: SpotView, hand: str) -> None:
    from pokerlab.errors import IllegalAction

    screen = console()
    if view.player is None:
        raise IllegalAction("nobody acts here: go to a place where a player does")
    for action, share in view.strategy(hand).items():
        screen.print(f"{action:14} {100 * share:5.1f} %")
    screen.print(f"EV {view.ev(view.player, hand):.3f}   equity {100 * view.equity(view.player, hand):.1f} %")


def _walk(view: SpotView) -> None:
    """Read moves from the terminal until the end."""
    from pokerlab.errors import PokerlabError
    from pokerlab.report.spot import range_grid, show_view

    screen, path = console(), [view]
    screen.print(f"[dim]{HELP}[/dim]")
    while True:
        try:
            words = input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            screen.print()
            return
        verb, _, rest = words.partition(" ")
        try:
            if verb in ("", "quit", "q", "exit"):
                return
            if verb == "up":
                path = path[:-1] or path
            elif verb == "top":
                path = path[:1]
            elif verb == "hand":
                _show_hand(path[-1], rest)
                continue
            elif verb == "range":
                for player in (0, 1):
                    screen.print(range_grid(path[-1], player))
                continue
            elif verb == "csv":
                whose = path[-1].player
                write_csv(path[-1], whose if whose is not None else 0, Path(rest))
                continue
            elif verb == "json":
                import json

                Path(rest).write_text(json.dumps(_plain(path[-1], 0, None)), encoding="utf-8")
                continue
            elif verb in ("help", "?"):
                screen.print(HELP)
                continue
            else:
                path.append(path[-1].at(words))
            show_view(screen, path[-1])
        except (PokerlabError, OSError) as problem:
            error_console().print(str(problem))
