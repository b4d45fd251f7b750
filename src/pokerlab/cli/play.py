"""`pokerlab play`: play in the terminal."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cli._completion import agent_names, table_names
from pokerlab.cli._options import FreshSeed, argument, option
from pokerlab.cli._output import announcing_compilation, console, print_json, wants_json


def command(
    game: Annotated[
        str,
        argument(
            "Poker game (holdem-nolimit, leduc ...), TOML file of a spot, or saved solution.", complete=table_names
        ),
    ],
    against: Annotated[
        list[str] | None, option("An agent for each other seat, or one for all.", complete=agent_names)
    ] = None,
    hands: Annotated[int, option("Stop after this many hands; 0 plays until you quit.", min=0)] = 0,
    seed: FreshSeed = None,
    log: Annotated[str, option("Hand history file; by default a new file, printed at the end.")] = "",
    review: Annotated[bool, option("Review your decisions at the end, if there is a solution.")] = True,
) -> None:
    """Play poker against agents.

    To play a spot, give its TOML file or a saved solution of it, which then plays the other seat unless you give
    --against.

    Type f, c, r 300, 3bb, pot, half, 75%, allin; ? for help, q to quit. Every finished hand is saved. At the end your
    decisions are reviewed by the solution that an opponent plays, or by a blueprint; `pokerlab review` shows each of
    them. Kernels for the opponents are compiled before the first hand.

    pokerlab play holdem-nolimit --against formula
    pokerlab play examples/river.toml
    """
    from pokerlab.agents.library.human import Human
    from pokerlab.display.play.session import TableScreen
    from pokerlab.lab.play.playing import play_at_table, seat_opponents
    from pokerlab.lab.play.reviewing import review_session
    from pokerlab.match.table.rehearsal import rehearse

    with announcing_compilation():
        seating = seat_opponents(game, against or [])
        drawn = TableScreen(seating.game, console(stderr=wants_json()))
        drawn.rehearse(rehearse(seating.game, seating.opponents))
    drawn.welcome()
    person = Human(ask=drawn.ask, show=drawn.print_line)
    result = play_at_table(seating, person, hands=hands, seed=seed, log=log, on_event=drawn.show)
    drawn.goodbye(result, wanted=hands, seed_given=seed is not None)
    reviewed = review_session(seating, result.played) if review else None
    if result.hands and review:
        drawn.review(reviewed, result)
    if wants_json():
        print_json(result.as_dict() | {"review": reviewed and reviewed.as_dict()})
