"""`pokerlab hands`: query, replay, export and import saved hands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from pokerlab.cli._completion import HAND_FORMATS, choices
from pokerlab.cli._options import GameOption, Json, Rows
from pokerlab.cli._output import note, write_results


def command(
    file: Annotated[Path, Argument(help="Hand file, written by a match or filled by --import.")],
    query: Annotated[
        str | None, Argument(help="SQL query on the tables players (a row per seat of each hand), hands and matches.")
    ] = None,
    replay: Annotated[int | None, Option(min=0, help="Show this hand step by step.")] = None,
    match: Annotated[int | None, Option(min=1, help="Match number; default: the last.")] = None,
    export: Annotated[
        tuple[str, Path] | None,
        Option(help="Export a match as 'acpc OUT' or 'phh OUT'.", autocompletion=choices(*HAND_FORMATS)),
    ] = None,
    take_in: Annotated[
        tuple[str, Path] | None,
        Option("--import", help="Import hands from 'acpc LOG' or 'phh FILE'.", autocompletion=choices(*HAND_FORMATS)),
    ] = None,
    game: GameOption = None,
    rows: Rows = 50,
    as_json: Json = False,
) -> None:
    """Query, replay, export and import saved hands; without a query, list the matches in the file.

    Example: [bold]pokerlab hands m.duckdb "select agent, seat, avg(payoff) from players group by all"[/bold]
    """
    from pokerlab.display.play.hands import print_answer, print_matches
    from pokerlab.lab.play import hands as use_cases
    from pokerlab.match.hands.query import HandsFile

    if take_in is not None:
        count = use_cases.take_in(file, take_in[1], take_in[0], game=game)
        done = f"imported {count:,} hands into {file}"
        write_results(
            {"hands": count, "file": str(file)}, lambda screen: screen.print(done, markup=False), as_json=as_json
        )
        return
    with HandsFile(file) as hands:
        if export is not None:
            chosen = use_cases.write_out(hands, export[1], export[0], match=match)
            result = {"match": chosen.number, "hands": chosen.hands, "out": str(export[1])}
            done = f"wrote {chosen.hands:,} hands to {export[1]}"
            write_results(result, lambda _: note(done), as_json=as_json)
        elif replay is not None:
            _replay(hands, match, replay, as_json=as_json)
        elif query is not None:
            answer = hands.query(query)
            write_results(answer.as_dict, lambda screen: print_answer(answer, screen, most=rows), as_json=as_json)
        else:
            matches = [one.as_dict() for one in hands.matches()]
            write_results(
                {"file": str(hands.path), "matches": matches},
                lambda screen: print_matches(hands, screen),
                as_json=as_json,
            )


def _replay(hands: Any, match: int | None, number: int, *, as_json: bool) -> None:
    from pokerlab.display.play.hands import hand_scenes

    chosen = hands.match(match)
    hand = hands.hand(chosen, number)
    scenes = list(hand_scenes(chosen, hand))

    def show(screen: Any) -> None:
        waits = sys.stdin.isatty() and sys.stdout.isatty()
        for i, scene in enumerate(scenes):
            screen.print(scene, markup=False)
            if waits and i < len(scenes) - 1 and input("  [Enter] next, q quits: ").strip().lower() == "q":
                return

    result = {"match": chosen.number, "number": number, "cards": hand.cards, "betting": hand.betting, "scenes": scenes}
    write_results(result, show, as_json=as_json)
