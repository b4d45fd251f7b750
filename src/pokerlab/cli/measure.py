"""`pokerlab measure`: how exploitable agents are."""

from __future__ import annotations

from typing import Annotated

import typer

from pokerlab.cli._completion import agent_names, game_names
from pokerlab.cli._output import Json, announcing_compilation, console, print_json


def command(
    game: Annotated[
        str, typer.Argument(help='A poker game whose tree fits in memory: "leduc", "kuhn".', autocompletion=game_names)
    ],
    agents: Annotated[
        list[str],
        typer.Argument(
            help="One agent for every seat, or one for each: strategy:FILE too.", autocompletion=agent_names
        ),
    ],
    as_json: Json = False,
) -> None:
    """Measure agents by best responses: what each seat wins, and what an opponent who knows them would gain.

    [dim]pokerlab measure leduc always-call
    pokerlab measure leduc formula random[/dim]
    """
    from pokerlab.lab.measuring import measure_agents
    from pokerlab.report.measured import show_measured

    with announcing_compilation():
        found = measure_agents(game, agents)
    if as_json:
        print_json(found.as_dict())
    else:
        show_measured(console(), found)
