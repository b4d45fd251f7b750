"""`pokerlab browse`: walk a solution."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._completion import choices
from pokerlab.cli._output import Json, announcing_compilation, console, error_console, literal, print_json

SEATS = {"oop": 0, "ip": 1}
HELP = "an action or a card; up, top, hand AhKh, hands, range, csv FILE, json FILE, quit"


def command(
    file: Annotated[Path, typer.Argument(help="A solution that `spot --out` or `solve --out` kept.")],
    moves: Annotated[list[str] | None, typer.Argument(help='Moves to make: check "bet 50" call Td.')] = None,
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
    """Show a place of a solution, and walk on by typing actions and cards when at a terminal.

    [dim]pokerlab browse turn.spot
    pokerlab browse leduc.solution r c Ka
    pokerlab browse turn.spot check "bet 50" call Td --hand AhKh
    pokerlab browse turn.spot check --csv after_check.csv
    pokerlab browse turn.spot --exploit ip[/dim]
    """
    from pokerlab.lab.browsing import exploit as exploited
    from pokerlab.lab.browsing import place_dict
    from pokerlab.report.place import hand_table, show_view, write_csv
    from pokerlab.strategy.solution_file import load

    exploits = _seat(exploit)  # complains before the work
    with announcing_compilation():
        solution, told = load(file), {}
        if exploits is not None:
            solution, gain = exploited(solution, exploits)
            told = {"exploits": exploits, "gain": gain}
            error_console().print(f"[dim]{exploit} plays a best response, and wins {gain:.3f} chips more[/dim]")
        view = solution.at(*(moves or []))
        if csv_file is not None:
            write_csv(view, player, csv_file)
        if as_json:
            print_json(place_dict(view, player=player, hand=hand) | told)
        elif hand is not None:
            _show_hand(view, hand, player)
        else:
            show_view(console(), view)
            for seat in range(len(view.seats)) if hands else ():
                if player in (None, seat) and view.table(seat):
                    console().print(hand_table(view, seat))
            if sys.stdin.isatty() and moves is None and csv_file is None and not hands:
                _walk(view)


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


def _write_json(view: Any, path: Path) -> None:
    import json

    from pokerlab.lab.browsing import place_dict
    from pokerlab.writing import replacing

    with replacing(path) as temporary:
        temporary.write_text(json.dumps(place_dict(view)), encoding="utf-8", newline="\n")


def _show_hand(view: Any, hand: str, player: int | None) -> None:
    from pokerlab.lab.browsing import hand_at
    from pokerlab.report.place import show_hand

    show_hand(console(), view, hand_at(view, hand, player=player))


def _walk(view: Any) -> None:
    """Read moves from the terminal until the end."""
    from pokerlab.errors import PokerlabError
    from pokerlab.report.place import show_view

    screen, path = console(), [view]
    screen.print(f"[dim]{HELP}[/dim]")
    while True:
        try:
            words = input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            screen.print()
            return
        verb, _, rest = words.partition(" ")
        if verb in ("", "quit", "q", "exit"):
            return
        try:
            if _answered(path[-1], verb, rest):
                continue
            if verb == "up":
                path = path[:-1] or path
            elif verb == "top":
                path = path[:1]
            else:
                path.append(path[-1].at(words))
            show_view(screen, path[-1])
        except PokerlabError as problem:
            error_console().print(literal(problem))


def _answered(view: Any, verb: str, rest: str) -> bool:
    """Do what a word asks of the place where one is; whether it was such a word, and no move."""
    from pokerlab.report.place import hand_table, has_grid, range_grid, write_csv

    if verb == "hand":
        _show_hand(view, rest, None)
    elif verb == "hands":
        for player in range(len(view.seats)):
            console().print(hand_table(view, player))
    elif verb == "range" and has_grid(view):
        for player in (0, 1):
            console().print(range_grid(view, player))
    elif verb == "csv":
        write_csv(view, None, Path(rest))
    elif verb == "json":
        _write_json(view, Path(rest))
    elif verb in ("help", "?"):
        console().print(HELP)
    else:
        return False
    return True
