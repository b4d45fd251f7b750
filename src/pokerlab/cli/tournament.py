"""`pokerlab tournament`: a round robin of agents, its cross table and its winners."""

from __future__ import annotations

from typing import Annotated, Any

from typer import Option

from pokerlab.cli._options import (
    Agents,
    Backend,
    Block,
    GameOption,
    Hands,
    Json,
    KeepMemory,
    Out,
    ResumeFlag,
    Seed,
    Workers,
)
from pokerlab.cli._output import announcing_compilation, write_results
from pokerlab.cli._progress import ProgressBar


def command(
    agents: Agents,
    game: GameOption = None,
    hands: Hands = 10_000,
    plain: Annotated[bool, Option("--plain", help="Play every deal once instead of from both seats.")] = False,
    seed: Seed = 0,
    workers: Workers = None,
    backend: Backend = "processes",
    block: Block = 1000,
    keep_memory: KeepMemory = False,
    out: Out = None,
    resume: ResumeFlag = False,
    as_json: Json = False,
) -> None:
    """Let every agent play every other, heads-up: cross table with intervals, bankroll ranking, instant run-off.

    Example: [bold]pokerlab tournament formula rules random probe --game leduc --hands 20000 --seed 7[/bold]
    """
    from pokerlab.display.play.match import print_tournament
    from pokerlab.lab.play.playing import check_resumable, run_tournament
    from pokerlab.match.run.tournament import pairings

    check_resumable("tournament", resume=resume, out=out)
    with announcing_compilation():
        settings: dict[str, Any] = {"duplicate": not plain, "block": block, "keep_memory": keep_memory}
        matches = pairings(game or "holdem-limit", agents, hands=hands, seed=seed, **settings)
        with ProgressBar() as bar:
            result = run_tournament(
                matches, seed=seed, workers=workers, backend=backend, out=out, resume=resume, on_progress=bar
            )
    write_results(
        lambda: {"seed": seed, **result.as_dict()},
        lambda screen: print_tournament(result, screen),
        as_json=as_json,
        out=(out, None),
    )
