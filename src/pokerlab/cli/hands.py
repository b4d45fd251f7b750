"""`pokerlab hands`: ask a file of hands anything; replay, export and import hands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._completion import HAND_FORMATS, choices, game_names
from pokerlab.cli._output import Json, console, error_console, literal, print_json


def command(
    file: Annotated[Path, typer.Argument(help="A file that a match wrote, or that hands are imported into.")],
    query: Annotated[
        str | None,
        typer.Argument(
            help="A question in SQL to the tables players (a row for each seat of each hand), hands and matches.",
            show_default=False,
        ),
    ] = None,
    replay: Annotated[
        int | None, typer.Option("--replay", min=0, help="Show this hand step by step.", show_default=False)
    ] = None,
    match: Annotated[
        int | None, typer.Option("--match", min=1, help="Which match; the last one by default.", show_default=False)
    ] = None,
    export: Annotated[
        tuple[str, Path] | None,
        typer.Option(
            "--export",
            help="Write a match as 'acpc OUT' or 'phh OUT'.",
            show_default=False,
            autocompletion=choices(*HAND_FORMATS),
        ),
    ] = None,
    take_in: Annotated[
        tuple[str, Path] | None,
        typer.Option(
            "--import",
            help="Take in hands from 'acpc LOG' or 'phh FILE'.",
            show_default=False,
            autocompletion=choices(*HAND_FORMATS),
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game", help="The game of a log that is imported.", show_default=False, autocompletion=game_names
        ),
    ] = None,
    rows: Annotated[int, typer.Option("--rows", min=1, help="Rows to show.")] = 50,
    as_json: Json = False,
) -> None:
    """Ask, replay, export and import kept hands; without a question the matches of the file are listed.

    Example: [bold]pokerlab hands m.duckdb "select agent, seat, avg(payoff) from players group by all"[/bold]
    """
    from pokerlab.lab import hands as use_cases
    from pokerlab.match.hands.query import HandsFile

    if take_in is not None:
        form, source = take_in
        count = use_cases.take_in(file, source, form, game=game)
        if as_json:
            print_json({"hands": count, "file": str(file)})
        else:
            console().print(f"{count:,} hands taken into {literal(file)}")
        return
    with HandsFile(file) as hands:
        if export is not None:
            _export(hands, match, *export, as_json=as_json)
        elif replay is not None:
            _replay(hands, match, replay, as_json=as_json)
        elif query is not None:
            _answer(hands, query, rows=rows, as_json=as_json)
        else:
            _list(hands, as_json=as_json)


def _export(hands: Any, match: int | None, form: str, out: Path, *, as_json: bool) -> None:
    from pokerlab.lab.hands import write_out

    chosen = write_out(hands, out, form, match=match)
    if as_json:
        print_json({"match": chosen.number, "hands": chosen.hands, "out": str(out)})
    else:
        error_console().print(f"[dim]wrote {chosen.hands:,} hands to {literal(out)}[/dim]")


def _replay(hands: Any, match: int | None, number: int, *, as_json: bool) -> None:
    from rich.markup import escape

    from pokerlab.display.play.hands import hand_scenes

    chosen = hands.match(match)
    hand = hands.hand(chosen, number)
    scenes = list(hand_scenes(chosen, hand))
    if as_json:
        told = {"match": chosen.number, "number": number, "cards": hand.cards, "betting": hand.betting}
        print_json(told | {"scenes": scenes})
        return
    shown = console()
    waits = sys.stdin.isatty() and sys.stdout.isatty()
    for i, scene in enumerate(scenes):
        shown.print(escape(scene))
        if waits and i < len(scenes) - 1 and input("  [Enter] next, q leaves: ").strip().lower() == "q":
            return


def _answer(hands: Any, query: str, *, rows: int, as_json: bool) -> None:
    from pokerlab.display.play.query_table import print_answer

    answer = hands.query(query)
    if as_json:
        print_json(answer.as_dict())
    else:
        print_answer(answer, console(), most=rows)


def _list(hands: Any, *, as_json: bool) -> None:
    from pokerlab.display.play.hands import print_matches

    if not as_json:
        print_matches(hands, console())
        return
    print_json({"file": str(hands.path), "matches": [match.as_dict() for match in hands.matches()]})
