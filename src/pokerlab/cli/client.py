"""`pokerlab client`: any agent on any dealer of the competition's protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from pokerlab.cli._completion import agent_names, game_names
from pokerlab.cli._output import Json


def command(
    host: Annotated[str, typer.Argument(help="Where the dealer is.")],
    port: Annotated[int, typer.Argument(help="The port of this seat.", min=1, max=65535)],
    agent: Annotated[
        str,
        typer.Option("--agent", help="Who plays: formula, strategy:FILE, ./mybot.py, ...", autocompletion=agent_names),
    ] = "formula",
    game: Annotated[
        str, typer.Option("--game", help="The game that the dealer deals.", autocompletion=game_names)
    ] = "holdem-limit",
    matches: Annotated[int, typer.Option("--matches", min=1, help="Connect again for so many matches in all.")] = 1,
    wait: Annotated[float, typer.Option("--wait", min=0, help="Seconds to wait for a dealer to listen.")] = 5.0,
    silence: Annotated[
        float, typer.Option("--t-state", min=0.001, max=1e9, help="Seconds without a state that lose the dealer.")
    ] = 3600.0,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, help="Seed of the agent's choices; unless told, nobody can guess it."),
    ] = None,
    json: Json = False,
) -> None:
    """Seat an agent at a dealer: [bold]pokerlab client --agent formula localhost 18791[/bold]."""
    from pokerlab.cli._output import announcing_compilation, console, print_json
    from pokerlab.display.play.serving import print_at_dealer
    from pokerlab.lab.playing import open_poker
    from pokerlab.lab.serving import play_at_dealer

    chosen = open_poker(game, ", so no dealer deals it")
    with announcing_compilation():
        result = play_at_dealer(chosen, agent, host, port, matches=matches, wait=wait, silence=silence, seed=seed)
    if json:
        print_json(result.as_dict())
        return
    print_at_dealer(result, console())
