"""`pokerlab client`: connect an agent to a dealer of the ACPC protocol."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cli._completion import agent_names, game_names
from pokerlab.cli._options import FreshSeed, argument, option
from pokerlab.cli._output import announcing_compilation, note, write_results


def command(
    host: Annotated[str, argument("Host of the dealer.")],
    port: Annotated[int, argument("Port of this seat.", min=1, max=65535)],
    agent: Annotated[str, option("Agent: formula, strategy:FILE, ./mybot.py, ...", complete=agent_names)] = "formula",
    game: Annotated[
        str | None,
        option("Poker game, by name or file; pokerlab dealers name theirs.", "--game", complete=game_names),
    ] = None,
    matches: Annotated[int, option("Number of matches; reconnects after each.", min=1)] = 1,
    wait: Annotated[float, option("Seconds to wait for the dealer to listen.", min=0, max=1e9)] = 5.0,
    silence: Annotated[
        float, option("Disconnect after this many seconds of silence.", "--t-state", min=0.001, max=1e9)
    ] = 3600.0,
    seed: FreshSeed = None,
) -> None:
    """Connect an agent to a dealer.

    A dealer of another program does not name its game: give it with --game. Stops if the dealer deals another game.
    If the dealer vanishes in the middle of a match, the exit code is 2.

    pokerlab client --agent formula localhost 18791
    pokerlab client --agent ./mybot.py --game leduc localhost 18791
    """
    from typer import Exit

    from pokerlab.display.play.match import print_at_dealer
    from pokerlab.lab.play.playing import open_poker
    from pokerlab.lab.play.serving import play_at_dealer

    poker = None if game is None else open_poker(game, ", so no dealer deals it")
    with announcing_compilation():
        result = play_at_dealer(poker, agent, host, port, matches=matches, wait=wait, silence=silence, seed=seed)
    write_results(result.as_dict, lambda screen: print_at_dealer(result, screen))
    if result.lost:
        note(result.lost)
        raise Exit(2)
