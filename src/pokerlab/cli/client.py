"""`pokerlab client`: any agent on any dealer of the competition's protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from pokerlab.cli._output import Json


def command(
    host: Annotated[str, typer.Argument(help="Where the dealer is.")],
    port: Annotated[int, typer.Argument(help="The port of this seat.", min=1, max=65535)],
    agent: Annotated[str, typer.Option("--agent", help="Who plays: formula, strategy:FILE, ...")] = "formula",
    game: Annotated[str, typer.Option("--game", help="The game that the dealer deals.")] = "holdem-limit",
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
    from pokerlab.agents.opening import open_agent
    from pokerlab.cli._output import announcing_compilation, console, literal, print_json
    from pokerlab.errors import BadSetting
    from pokerlab.formats.opening import open_game
    from pokerlab.games.poker.engine import PokerGame
    from pokerlab.match.wire.client import play_on_dealer
    from pokerlab.match.wire.dealer import secret_seed

    chosen = open_game(game)
    if not isinstance(chosen, PokerGame):
        raise BadSetting(f"{game[:40]} is not a poker game, so no dealer deals it")
    first = secret_seed() if seed is None else seed
    with announcing_compilation():
        player = open_agent(agent)
        results = [
            play_on_dealer(chosen, player, host, port, seed=first + number, connect_seconds=wait, state_seconds=silence)
            for number in range(matches)
        ]
    hands, won = sum(result.hands for result in results), sum(result.won for result in results)
    if json:
        unknown = sum(result.unknown for result in results)
        found = {"agent": agent, "game": chosen.name, "hands": hands, "won": won, "hands_unseen": unknown}
        print_json(found | {"seed": first})
        return
    console().print(f"{literal(agent)} played {hands} hands and won {won:+g} chips")
