"""`pokerlab learn`: agents that learn from hand histories."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli import _options as options
from pokerlab.cli._completion import agent_names
from pokerlab.cli._options import argument, option
from pokerlab.cli._output import check_outputs, write_results


def command(
    agent: Annotated[str, argument("An agent that learns, such as casper or sartre.", complete=agent_names)],
    file: Annotated[Path, option("Hand file of a match, log of `play`, ACPC log or PHH file.", "--from")],
    out: Annotated[Path, option("Save what was learned to this file.", "--out")],
    player: Annotated[
        list[str] | None, option("Learn only from this player; may be repeated.", "--player", default="all")
    ] = None,
    game: options.GameOption = None,
    match: Annotated[int | None, option("Match number; default: the last.", min=1)] = None,
) -> None:
    """Let an agent learn from saved hands: from its own file it then plays as AGENT:FILE.

    Only decisions of players whose cards are known count.

    [dim]pokerlab match blueprint blueprint --hands 2000 --out m.duckdb
    pokerlab learn sartre --from m.duckdb --out mine.learned
    pokerlab match sartre:mine.learned formula[/dim]
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.play.learning import show_learned
    from pokerlab.lab.play.learning import learn_from

    check_outputs(out=out)
    with ProgressBar(f"{agent} learns from {file}", after=1.0) as progress:
        learned = learn_from(agent, file, players=player or (), game=game, match=match, on_progress=progress)
    write_results(learned.as_dict, lambda screen: show_learned(screen, learned, out), out=(out, lambda _: learned))
