"""`pokerlab match`: agents play each other, with honest statistics."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pokerlab.cli import _options as options
from pokerlab.cli._completion import estimator_names
from pokerlab.cli._options import option
from pokerlab.cli._output import announcing_compilation, check_outputs, note_extra_hands, write_results
from pokerlab.cli._progress import ProgressBar


def command(
    agents: options.Agents,
    game: options.GameOption = None,
    from_: Annotated[Path | None, option("Play a spot: its TOML file, or a saved solution of it.", "--from")] = None,
    hands: options.Hands = 10_000,
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
    adjust: Annotated[
        str,
        option(
            "Also report winnings with less variance, without bias: aivat, mivat, divat, imaginary or all-in.",
            "--adjust",
            complete=estimator_names,
        ),
    ] = "",
    out: options.Out = None,
    resume: options.ResumeFlag = False,
    plot: options.Plot = None,
    compiled: Annotated[
        bool,
        option(
            "Play in compiled code, up to millions of hands a second: saved solutions of small games; in draw games, "
            "blueprints and agents with fixed rules.",
            "--compiled",
        ),
    ] = False,
) -> None:
    """Let agents play: winnings with 95 % intervals, by position, with tests; the same seed gives the same match.

    --out saves every hand to a DuckDB file; --plot draws cumulative winnings; --adjust also takes luck out of the
    winnings, and shows how many times as many hands would be as precise.

    pokerlab match formula rules --hands 100000 --seed 7
    pokerlab match ./mybot.py formula --game leduc --out m.duckdb
    pokerlab match formula rules --from examples/turn.toml
    pokerlab match draw-basic draw-article --game five-card-draw --compiled
    pokerlab match formula rules random --format freezeout --stack 20bb
    """
    from pokerlab.cli._contests import check_format
    from pokerlab.display.play.match import match_figure, print_match
    from pokerlab.errors import BadSetting
    from pokerlab.formats.opening import open_spot
    from pokerlab.lab.play.playing import check_resumable, run_compiled_match, run_match
    from pokerlab.match.run.match import MatchSettings

    if from_ is not None and game is not None:
        raise BadSetting("--from FILE names the game: leave out --game")
    if compiled and cluster is not None:
        raise BadSetting("--compiled plays in this process: leave out --cluster")
    backend = options.backend_of(cluster, backend)
    check_resumable("match", resume=resume, out=out)
    check_outputs(picture=plot)
    unusual = {"--adjust": adjust, "--compiled": compiled, "--keep-memory": keep_memory, "--plot": plot}
    if check_format(
        format,
        contest={"--stack": stack, "--blinds": blinds, "--payouts": payouts},
        hands_only={**unusual, "--from": from_},
    ):
        chips: dict[str, Any] = {"stack": stack, "blinds": blinds, "payouts": payouts, "hands": hands}
        chips |= {"repeat": repeat, "most_hands": max_hands, "when_broke": when_broke, "format": format}
        running: dict[str, Any] = {"workers": workers, "backend": backend, "out": out, "resume": resume}
        settled: dict[str, Any] = {"duplicate": duplicate, "decision_seconds": decision_seconds, "seed": seed}
        _play_contests(game or "holdem-limit", agents, chips, settled, running)
        return
    with announcing_compilation():
        table = open_spot(from_) if from_ is not None else game or "holdem-limit"
        rules: dict[str, Any] = {"duplicate": duplicate, "block": block, "adjust": adjust, "keep_memory": keep_memory}
        rules["decision_seconds"] = decision_seconds
        settings = MatchSettings.of(table, agents, hands=hands, seed=seed, **rules)
        with ProgressBar() as bar:
            if compiled:
                result = run_compiled_match(settings, workers=workers, keeps=out is not None, on_progress=bar)
            else:
                result = run_match(settings, workers=workers, backend=backend, out=out, resume=resume, on_progress=bar)

    def show(screen: Any) -> None:
        print_match(result, screen)
        note_extra_hands(hands, result.hands)

    files: dict[str, Any] = {"out": (out, None), "plot": (plot, lambda _: match_figure(result))}
    write_results(lambda: {"seed": seed, **result.as_dict()}, show, **files)


def _play_contests(
    game: str, agents: list[str], chips: dict[str, Any], settled: dict[str, Any], running: dict[str, Any]
) -> None:
    """Freeze-outs or sessions of match play, shown and written."""
    from pokerlab.cli._contests import rules_of
    from pokerlab.display.play.contests import print_contests
    from pokerlab.lab.play.contests import run_contests
    from pokerlab.match.run.contests import ContestSettings
    from pokerlab.match.run.match import open_table, poker_table

    with announcing_compilation():
        table = poker_table(game, len(agents) if len(agents) > 2 else None)
        rules = rules_of(open_table(table, len(agents), "agents"), **chips)
        settings = ContestSettings.of(table, agents, rules, repeat=chips["repeat"], **settled)
        with ProgressBar() as bar:
            result = run_contests(settings, on_progress=bar, **running)
    write_results(
        lambda: {"seed": settled["seed"], **result.as_dict()},
        lambda screen: print_contests(result, screen),
        out=(running["out"], None),
    )
