"""`pokerlab learn`: agents that learn from hand histories, or by evolution."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pokerlab.cli import _options as options
from pokerlab.cli._completion import agent_names
from pokerlab.cli._options import Seed, argument, option
from pokerlab.cli._output import check_outputs, write_results


def command(
    agent: Annotated[
        str,
        argument(
            "casper, manzana or sartre, which learn from hands; nicolai or noble, which evolve; or your own file.",
            complete=agent_names,
        ),
    ],
    out: Annotated[Path, option("Save what was learned to this file.", "--out")],
    file: Annotated[
        Path | None, option("Hand file of a match, log of `play`, ACPC log or PHH file.", "--from-hands", default="")
    ] = None,
    player: Annotated[
        list[str] | None, option("Learn only from this player; may be repeated.", "--agent", default="all")
    ] = None,
    game: options.GameOption = None,
    match: Annotated[int | None, option("Match number; default: the last.", min=1)] = None,
    generations: Annotated[int | None, option("Evolved agents: number of generations.", min=0, default="30")] = None,
    members: Annotated[int | None, option("Evolved agents: size of each population.", min=4, default="18")] = None,
    seed: Seed = 0,
) -> None:
    """Let an agent learn from saved hands, or by evolution; AGENT:FILE then plays what was learned.

    Only decisions of players whose cards are known count. The agents nicolai and noble evolve and need no hands.

    pokerlab match blueprint blueprint --hands 2000 --out m.duckdb
    pokerlab learn sartre --from-hands m.duckdb --out mine.learned
    pokerlab match sartre:mine.learned formula
    pokerlab learn nicolai --generations 10 --out mine.evolved
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.play.learning import show_evolved, show_learned
    from pokerlab.lab.play.evolution import evolve, settings_for
    from pokerlab.lab.play.learning import check_source, learn_from

    check_outputs(out=out)
    evolves = check_source(agent, file, generations=generations, members=members)
    with ProgressBar(f"{agent} learns", after=1.0) as progress:
        if evolves:
            settings = settings_for(agent, generations=generations, members=members, seed=seed)
            evolved = evolve(settings, on_progress=progress)
        else:
            assert file is not None
            learned = learn_from(agent, file, players=player or (), game=game, match=match, on_progress=progress)
    if evolves:
        write_results(evolved.as_dict, lambda screen: show_evolved(screen, evolved, out), out=(out, lambda _: evolved))
    else:
        write_results(learned.as_dict, lambda screen: show_learned(screen, learned, out), out=(out, lambda _: learned))
