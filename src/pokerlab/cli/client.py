"""`pokerlab client`: connect an agent to a dealer of the ACPC protocol."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from pokerlab.cli._completion import agent_names
from pokerlab.cli._options import FreshSeed, GameOption, Json
from pokerlab.cli._output import announcing_compilation, write_results


def command(
    host: Annotated[str, Argument(help="Host of the dealer.")],
    port: Annotated[int, Argument(help="Port of this seat.", min=1, max=65535)],
    agent: Annotated[
        str, Option(help="Agent: formula, strategy:FILE, ./mybot.py, ...", autocompletion=agent_names)
    ] = "formula",
    game: GameOption = None,
    matches: Annotated[int, Option(min=1, help="Number of matches; reconnects after each.")] = 1,
    wait: Annotated[float, Option(min=0, help="Seconds to wait for the dealer to listen.")] = 5.0,
    silence: Annotated[
        float, Option("--t-state", min=0.001, max=1e9, help="Disconnect after this many seconds of silence.")
    ] = 3600.0,
    seed: FreshSeed = None,
    as_json: Json = False,
) -> None:
    """Connect an agent to a dealer: [bold]pokerlab client --agent formula localhost 18791[/bold]."""
    from pokerlab.display.play.serving import print_at_dealer
    from pokerlab.lab.play.playing import open_poker
    from pokerlab.lab.play.serving import play_at_dealer

    poker = open_poker(game or "holdem-limit", ", so no dealer deals it")
    with announcing_compilation():
        result = play_at_dealer(poker, agent, host, port, matches=matches, wait=wait, silence=silence, seed=seed)
    write_results(result.as_dict, lambda screen: print_at_dealer(result, screen), as_json=as_json)
