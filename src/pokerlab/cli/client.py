"""`pokerlab client`: any agent on any dealer of the competition's protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from pokerlab.cli._output import Json, Seed


def command(
    host: Annotated[str, typer.Argument(help="Where the dealer is.")],
    port: Annotated[int, typer.Argument(help="The port of this seat.", min=1, max=65535)],
    agent: Annotated[str, typer.Option("--agent", help="Who plays: formula, strategy:FILE, ...")] = "formula",
    game: Annotated[str, typer.Option("--game", help="The game that the dealer deals.")] = "holdem-limit",
    matches: Annotated[int, typer.Option("--matches", min=1, help="Connect again for so many matches in all.")] = 1,
    wait: Annotated[float, typer.Option("--wait", min=0, help="Seconds to wait for a dealer to listen.")] = 5.0,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Seat an agent at a dealer: [bold]pokerlab client --agent formula localhost 18791[/bold]."""
    from pokerlab.agents.loading import open_agent
    from pokerlab.cli._output import announcing_compilation, console, print_json
    from pokerlab.errors import BadSetting
    from pokerlab.games.loading import open_game
    from pokerlab.games.poker import PokerGame
    from pokerlab.match.client import play_on_dealer

    chosen = open_game(game)
    if not isinstance(chosen, PokerGame):
        raise BadSetting(f"{game[:40]} is not a poker game, so no dealer deals it")
    with announcing_compilation():
        player = open_agent(agent)
        results = [
            play_on_dealer(chosen, player, host, port, seed=seed + number, connect_seconds=wait)
            for number in range(matches)
        ]
    hands, won = sum(result.hands for result in results), sum(result.won for result in results)
    if json:
        unknown = sum(result.unknown for result in results)
        print_json({"agent": agent, "game": chosen.name, "hands": hands, "won": won, "hands_unseen": unknown})
        return
    console().print(f"{agent} played {hands} hands and won {won:+g} chips")
