"""`pokerlab play`: a person plays in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from pokerlab.cli._completion import agent_names, table_names
from pokerlab.cli._output import Json, announcing_compilation, console, error_console, print_json


def command(
    game: Annotated[
        str,
        typer.Argument(
            help="A poker game (holdem-nolimit, leduc ...), a spot's TOML file, or a kept solution of one.",
            autocompletion=table_names,
        ),
    ],
    against: Annotated[
        list[str] | None,
        typer.Option("--against", help="An agent for each other seat; one serves for all.", autocompletion=agent_names),
    ] = None,
    hands: Annotated[
        int, typer.Option("--hands", min=0, help="Stop after so many hands; 0 plays until you leave.")
    ] = 0,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            help="Deal the cards of this seed; unless told, they are different each time, and it is told at the end.",
            show_default=False,
        ),
    ] = None,
    log: Annotated[
        str,
        typer.Option("--log", help="Where to keep the hand history; a file is chosen and told.", show_default=False),
    ] = "",
    json: Json = False,
) -> None:
    """Play poker against programs: [bold]pokerlab play holdem-nolimit --against formula[/bold].

    A spot is played from its TOML file, in its chips and with its bets: [bold]pokerlab play examples/river.toml[/bold]
    A kept solution of a spot (play FILE) sits in the other seat itself, unless --against says otherwise.

    Type f, c, r 300, 3bb, pot, half, 75%, allin; ? helps and q leaves. Every finished hand is kept, and taken in by
    hands --import acpc. What the opponents need is compiled before the first hand.
    """
    from pokerlab.agents.library.human import Human
    from pokerlab.display.play.session import TableScreen
    from pokerlab.lab.playing import play_at_table, seat_opponents
    from pokerlab.match.table.rehearsal import rehearse

    with announcing_compilation():
        seating = seat_opponents(game, against or [])
        drawn = TableScreen(seating.game, error_console() if json else console())
        drawn.rehearse(rehearse(seating.game, seating.opponents))
    drawn.welcome()
    person = Human(ask=drawn.ask, tell=drawn.tell)
    result = play_at_table(seating, person, hands=hands, seed=seed, log=log, on_event=drawn.show)
    drawn.goodbye(result, wanted=hands, told_seed=seed is not None)
    if json:
        print_json(result.as_dict())
