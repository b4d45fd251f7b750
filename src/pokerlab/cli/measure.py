"""`pokerlab measure`: how exploitable agents are."""

from __future__ import annotations

from typing import Annotated

import typer

from pokerlab.cli._output import Json, announcing_compilation, console, literal, print_json


def command(
    game: Annotated[str, typer.Argument(help='A poker game whose tree fits in memory: "leduc", "kuhn".')],
    agents: Annotated[list[str], typer.Argument(help="One agent for every seat, or one for each: strategy:FILE too.")],
    as_json: Json = False,
) -> None:
    """Measure agents by best responses: what each seat wins, and what an opponent who knows them would gain.

    [dim]pokerlab measure leduc always-call
    pokerlab measure leduc formula random[/dim]
    """
    from rich.table import Table

    from pokerlab.lab.measuring import measure_agents
    from pokerlab.report.numbers import value_text

    with announcing_compilation():
        found = measure_agents(game, agents)
    if as_json:
        print_json(found.as_dict())
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("seat", "agent", "wins", "best response wins", "gain"):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    rows = zip(found.players, found.measure.values, found.measure.best_responses, found.measure.gains, strict=True)
    for seat, (agent, *numbers) in enumerate(rows):
        table.add_row(str(seat), literal(agent), *map(value_text, numbers))
    screen = console()
    screen.print(table)
    gap = found.measure.exploitability
    screen.print(
        f"[dim]exploitability[/dim]  [bold]{gap:.6g}[/bold] a hand, {100 * gap / found.pot:.3g} % of the pot, "
        f"in {literal(found.game)}"
    )
