"""`pokerlab browse`: walk a solution."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

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
        typer.Option("--exploit", help="Let oop or ip (of a game: 0, 1) exploit the other, by a best response."),
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
    from pokerlab.strategy.solution_file import load

    exploits = _seat(exploit)  # complains before the work
    with announcing_compilation():
        solution, told = load(file), {}
        if exploits is not None:
            before = solution.values
            solution = solution.best_response(exploits)
            gain = max(0.0, solution.values[exploits] - before[exploits])
            told = {"exploits": exploits, "gain": gain}
            error_console().print(f"[dim]{exploit} plays a best response, and wins {gain:.3f} chips more[/dim]")
        view = solution.at(*(moves or []))
        if csv_file is not None:
            write_csv(view, player, csv_file)
        if as_json:
            print_json(_plain(view, player, hand) | told)
        elif hand is not None:
            _show_hand(view, hand, player)
        else:
            from pokerlab.report.place import hand_table, show_view

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


def write_csv(view: Any, player: int | None, path: Path) -> None:
    """The hands of one player or of both as a CSV file."""
    from pokerlab.errors import BadFile
    from pokerlab.report.place import csv_rows
    from pokerlab.writing import replacing

    if path.is_dir() or not path.parent.is_dir():
        raise BadFile(f"cannot write {str(path)[:80]!r}: it is not a file in a folder that exists")
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as target:
        csv.writer(target).writerows(csv_rows(view, player))


def _write_json(view: Any, path: Path) -> None:
    import json

    from pokerlab.writing import replacing

    with replacing(path) as temporary:
        temporary.write_text(json.dumps(_plain(view, None, None)), encoding="utf-8")


def _plain(view: Any, player: int | None, hand: str | None) -> dict[str, Any]:
    if hand is None:
        seats = range(len(view.seats)) if player is None else (player,)
        return dict(view.summary()) | {"hands": {str(seat): view.table(seat) for seat in seats}}
    whose = _whose(view, player)
    _check_hands(view)
    numbers = {"ev_hand": view.ev(whose, hand), "equity_hand": view.equity(whose, hand)}
    result = (
        dict(view.summary())
        | {"hand": hand, "player_of_hand": whose}
        | {name: _known(n) for name, n in numbers.items()}
    )
    if view.player == whose:
        result["strategy"] = view.strategy(hand)
        result["action_ev_hand"] = {action: _known(value) for action, value in view.action_ev(hand).items()}
    return result


def _check_hands(view: Any) -> None:
    """BadSetting where a solution knows no single hands."""
    from pokerlab.errors import BadSetting

    if not hasattr(view, "equity"):
        raise BadSetting("--hand asks for one hand of the public form; here --csv and --hands tell all of them")


def _known(number: float) -> float | None:
    """NaN is not JSON."""
    return number if number == number else None


def _whose(view: Any, player: int | None) -> int:
    return player if player is not None else (view.player if view.player is not None else 0)


def _show_hand(view: Any, hand: str, player: int | None) -> None:
    from pokerlab.report.place import chips

    _check_hands(view)
    screen, whose = console(), _whose(view, player)
    ev, equity = view.ev(whose, hand), view.equity(whose, hand)
    if view.player == whose:
        values = view.action_ev(hand)
        for action, share in view.strategy(hand).items():
            screen.print(f"{action:14} {100 * share:5.1f} %   EV {chips(values[action], 3)}")
    screen.print(f"{view.seats[whose]}: EV {chips(ev, 3)}   equity {chips(100 * equity, 1)} %")


def _walk(view: Any) -> None:
    """Read moves from the terminal until the end."""
    from pokerlab.errors import PokerlabError
    from pokerlab.report.place import hand_table, has_grid, range_grid, show_view

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
                _show_hand(path[-1], rest, None)
                continue
            elif verb == "hands":
                for player in range(len(path[-1].seats)):
                    screen.print(hand_table(path[-1], player))
                continue
            elif verb == "range" and has_grid(path[-1]):
                for player in (0, 1):
                    screen.print(range_grid(path[-1], player))
                continue
            elif verb == "csv":
                write_csv(path[-1], None, Path(rest))
                continue
            elif verb == "json":
                _write_json(path[-1], Path(rest))
                continue
            elif verb in ("help", "?"):
                screen.print(HELP)
                continue
            else:
                path.append(path[-1].at(words))
            show_view(screen, path[-1])
        except PokerlabError as problem:
            error_console().print(literal(problem))
