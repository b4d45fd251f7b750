"""`pokerlab tournament`: a round robin of agents, its cross table and its winners."""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.cli import _options as options
from pokerlab.cli._options import option
from pokerlab.cli._output import announcing_compilation, check_outputs, write_results
from pokerlab.cli._progress import ProgressBar
from pokerlab.errors import BadSetting


def command(
    agents: options.Agents,
    game: options.GameOption = None,
    players: Annotated[
        int | None,
        option("Seats at a table. Three or more: every table of that many agents plays.", "--players", min=2, max=10),
    ] = None,
    tables: Annotated[int, option("Play at most this many tables of three or more, a balanced sample.", min=1)] = 100,
    hands: Annotated[int, option("Number of hands per pair of agents, or per table.", "--hands", min=1)] = 10_000,
    fewer_hands: Annotated[
        list[str] | None,
        option(
            "Fewer hands for pairs or tables with a slow agent: mcts=100. Repeat for more agents.",
            "--fewer-hands",
            metavar="AGENT=N",
        ),
    ] = None,
    format: options.Format = "cash",
    stack: options.StartingStack = None,
    blinds: options.BlindLevels = None,
    payouts: options.Prizes = None,
    repeat: options.Repeat = 100,
    max_hands: options.MaxHands = 2000,
    when_broke: options.WhenBroke = "rebuy",
    duplicate: options.Duplicate = None,
    seed: options.Seed = 0,
    workers: options.Workers = None,
    backend: options.Backend = "processes",
    cluster: options.Cluster = None,
    block: options.Block = 1000,
    keep_memory: options.KeepMemory = False,
    decision_seconds: options.DecisionSeconds = 300.0,
    out: options.Out = None,
    resume: options.ResumeFlag = False,
    plot: options.Plot = None,
) -> None:
    """Let every agent play every other, heads-up or at larger tables: cross table with intervals, bankroll ranking,
    instant run-off.

    With fewer agents than seats, an agent can take several seats of a table. --plot draws the cross table.

    pokerlab tournament formula rules random probe --game leduc --seed 7
    pokerlab tournament formula rules random probe --players 3 --hands 6000
    pokerlab tournament formula rules mcts --fewer-hands mcts=100 --plot who.png
    pokerlab tournament formula rules --format freezeout --stack 20bb
    """
    from pokerlab.cli._contests import check_format, rules_of
    from pokerlab.display.play.cross_table import tournament_figure
    from pokerlab.display.play.match import print_tournament
    from pokerlab.display.play.ring import print_ring
    from pokerlab.lab.play.playing import check_resumable, run_ring, run_tournament
    from pokerlab.match.run.match import poker_table
    from pokerlab.match.run.ring import plan_contests, plan_ring
    from pokerlab.match.run.tournament import pairings

    backend = options.backend_of(cluster, backend)
    check_resumable("tournament", resume=resume, out=out)
    check_outputs(picture=plot)
    is_contest = check_format(
        format,
        contest={"--stack": stack, "--blinds": blinds, "--payouts": payouts},
        hands_only={"--keep-memory": keep_memory, "--fewer-hands": fewer_hands},
    )
    with announcing_compilation():
        table = poker_table(game or "holdem-limit", players)
        rules: dict[str, Any] = {"seed": seed, "duplicate": duplicate, "decision_seconds": decision_seconds}
        of_hands: dict[str, Any] = {"hands": hands, "block": block, "keep_memory": keep_memory}
        of_hands["fewer"] = _hands_by_agent(fewer_hands or [])
        running: dict[str, Any] = {"workers": workers, "backend": backend, "out": out, "resume": resume}
        result: Any
        if is_contest or table.players > 2:
            if is_contest:
                chips: dict[str, Any] = {"stack": stack, "blinds": blinds, "payouts": payouts, "hands": hands}
                chips |= {"repeat": repeat, "most_hands": max_hands, "when_broke": when_broke}
                contest = rules_of(table, format=format, **chips)
                plan = plan_contests(table, agents, contest, repeat=repeat, most_tables=tables, **rules)
            else:
                plan = plan_ring(table, agents, most_tables=tables, **of_hands, **rules)
            with ProgressBar() as bar:
                result = run_ring(plan, on_progress=bar, **running)
        else:
            matches = pairings(table, agents, **of_hands, **rules)
            with ProgressBar() as bar:
                result = run_tournament(matches, seed=seed, on_progress=bar, **running)
    show = print_ring if is_contest or table.players > 2 else print_tournament
    files: dict[str, Any] = {"out": (out, None), "plot": (plot, lambda _: tournament_figure(result))}
    write_results(lambda: {"seed": seed, **result.as_dict()}, lambda screen: show(result, screen), **files)


def _hands_by_agent(texts: list[str]) -> dict[str, int]:
    """The hands of each agent from texts such as "mcts=100" or "formula(bluff=0.1)=100"."""
    found = {}
    for text in texts:
        agent, _, hands = text.rpartition("=")
        if not agent or not hands.isascii() or not hands.isdigit() or int(hands) < 1:
            raise BadSetting(f"--fewer-hands is an agent and a number of hands, like mcts=100, not {text[:60]!r}")
        found[agent] = int(hands)
    return found
