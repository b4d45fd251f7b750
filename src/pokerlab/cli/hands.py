"""`pokerlab hands`: query, replay, export and import saved hands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from pokerlab.cli._completion import HAND_FORMATS, IMPORTED_FORMATS
from pokerlab.cli._options import LogGame, Rows, argument, option
from pokerlab.cli._output import note, write_results


def command(
    file: Annotated[Path, argument("Hand file, written by a match or filled by --import.")],
    query: Annotated[
        str | None,
        argument("SQL query on the tables players (one row per seat of a hand), actions, hands, matches."),
    ] = None,
    replay: Annotated[int | None, option("Show this hand step by step.", min=0)] = None,
    match: Annotated[int | None, option("Only this match; to replay or export, default: the last.", min=1)] = None,
    export: Annotated[
        tuple[str, Path] | None, option("Export a match as acpc or phh.", metavar="FORMAT FILE", complete=HAND_FORMATS)
    ] = None,
    take_in: Annotated[
        tuple[str, Path] | None,
        option(
            "Import hands from acpc, phh, pokerstars, gg, 888, partypoker or irc (a folder).",
            "--import",
            metavar="FORMAT FILE",
            complete=IMPORTED_FORMATS,
        ),
    ] = None,
    game: LogGame = None,
    rows: Rows = 50,
) -> None:
    """Query, replay, export and import saved hands; without a query, list the matches in the file.

    pokerlab hands m.duckdb
    pokerlab hands m.duckdb "select agent, avg(payoff) from players group by all"
    pokerlab hands m.duckdb --replay 17
    pokerlab hands m.duckdb --export phh m.phhs
    pokerlab hands mine.duckdb --import pokerstars FILE
    """
    from pokerlab.display.play.hands import print_import, print_matches, print_query_result
    from pokerlab.errors import BadSetting
    from pokerlab.lab.play.hands import take_in as import_hands
    from pokerlab.lab.play.hands import write_out
    from pokerlab.match.hands.query import HandsFile

    if match is not None and (take_in is not None or query is not None):
        instead = (
            "an import adds a match" if take_in is not None else f"a query chooses by itself: where match = {match}"
        )
        raise BadSetting(f"leave out --match: {instead}")
    if take_in is not None:
        taken = import_hands(file, take_in[1], take_in[0], game=game)
        write_results({**taken.as_dict(), "file": str(file)}, lambda screen: print_import(taken, file, screen))
        return
    with HandsFile(file) as hands:
        if export is not None:
            chosen = write_out(hands, export[1], export[0], match=match)
            result = {"match": chosen.number, "hands": chosen.hands, "out": str(export[1])}
            done = f"wrote {chosen.hands:,} hands to {export[1]}"
            write_results(result, lambda _: note(done))
        elif replay is not None:
            _replay(hands, match, replay)
        elif query is not None:
            answer = hands.query(query)
            write_results(answer.as_dict, lambda screen: print_query_result(answer, screen, most=rows))
        else:
            matches = hands.matches() if match is None else [hands.match(match)]
            listed = {"file": str(hands.path), "matches": [one.as_dict() for one in matches]}
            write_results(listed, lambda screen: print_matches(hands, matches, screen))


def _replay(hands: Any, match: int | None, number: int) -> None:
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
    write_results(result, show)
