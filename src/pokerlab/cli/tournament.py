"""`pokerlab tournament`: a round robin of agents, its cross table and its winners."""

from __future__ import annotations

from typing import Any

from pokerlab.cli import _options as options
from pokerlab.cli._output import announcing_compilation, write_results
from pokerlab.cli._progress import ProgressBar


def command(
    agents: options.Agents,
    game: options.GameOption = None,
    hands: options.Hands = 10_000,
    duplicate: options.Duplicate = None,
    seed: options.Seed = 0,
    workers: options.Workers = None,
    backend: options.Backend = "processes",
    block: options.Block = 1000,
    keep_memory: options.KeepMemory = False,
    decision_seconds: options.DecisionSeconds = 300.0,
    out: options.Out = None,
    resume: options.ResumeFlag = False,
) -> None:
    """Let every agent play every other, heads-up: cross table with intervals, bankroll ranking, instant run-off.

    pokerlab tournament formula rules random probe --game leduc --seed 7
    """
    from pokerlab.display.play.match import print_tournament
    from pokerlab.lab.play.playing import check_resumable, run_tournament
    from pokerlab.match.run.tournament import pairings

    check_resumable("tournament", resume=resume, out=out)
    with announcing_compilation():
        settings: dict[str, Any] = {"duplicate": duplicate, "block": block, "keep_memory": keep_memory}
        settings["decision_seconds"] = decision_seconds
        matches = pairings(game or "holdem-limit", agents, hands=hands, seed=seed, **settings)
        with ProgressBar() as bar:
            result = run_tournament(
                matches, seed=seed, workers=workers, backend=backend, out=out, resume=resume, on_progress=bar
            )
    write_results(
        lambda: {"seed": seed, **result.as_dict()}, lambda screen: print_tournament(result, screen), out=(out, None)
    )
