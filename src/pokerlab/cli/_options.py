"""Options and arguments that several commands have, each declared once with its help text.

One word has one meaning and one unit in all commands; RENAMED has the earlier spellings, which still work, with a
notice.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Context, Option
from typer.models import ArgumentInfo, OptionInfo

from pokerlab.cli._completion import FORMS, KEEP, STORAGE, Completer, agent_names, algorithm_names, choices, game_names
from pokerlab.cli._output import JsonOutput

GAME_HELP = 'Game: "leduc", "kuhn(players=3)", or a .efg, .nfg, .csv, .json, .game or .toml file'


def option(
    help: str, *names: str, complete: Sequence[str] | Completer = (), default: str = "", **settings: Any
) -> OptionInfo:
    """An option: `complete` has the words or the function for tab completion, `default` is what its help shows."""
    completer = _completer(complete)
    declared: OptionInfo = Option(*names, help=help, autocompletion=completer, show_default=default or True, **settings)
    return declared


def argument(help: str, *, complete: Sequence[str] | Completer = (), **settings: Any) -> ArgumentInfo:
    """An argument, with the words or the function for tab completion."""
    declared: ArgumentInfo = Argument(help=help, autocompletion=_completer(complete), **settings)
    return declared


def _completer(complete: Sequence[str] | Completer) -> Completer | None:
    return complete if callable(complete) else choices(*complete) if complete else None


def target_option(unit: str, *, least: float | None = None) -> OptionInfo:
    """`--target`: a number is in the units of the game, as the command names them, and 0.1% is a part of a pot."""
    return option(f"Stop at this exploitability, {unit}.", "--target", min=least)


FORMATS = ("cash", "freezeout", "match-play")
SEATS = {"oop": 0, "ip": 1}  # out of position, in position


def backend_of(cluster: str | None, backend: str = "processes", *, cores: int = 1) -> str:
    """The back end of `--cluster` and `--backend`; an error if the cluster cannot be reached.

    >>> backend_of(None), backend_of(None, "threads")
    ('processes', 'threads')
    """
    from pokerlab import parallel, specs
    from pokerlab.errors import BadSetting

    if cluster is None:
        return backend
    if backend != "processes":
        raise BadSetting("--cluster names where workers run: leave out --backend")
    address, settings = specs.read(cluster)
    chosen = specs.spec_text("ray", {"address": address} | ({"cores": cores} if cores > 1 else {}) | settings)
    parallel.check_usable(chosen)
    return chosen


def player_number(text: str) -> int:
    """A player: by number from 0, or as oop or ip.

    >>> player_number("ip"), player_number("2")
    (1, 2)
    """
    from pokerlab.errors import BadSetting

    word = text.strip().lower()
    if word in SEATS:
        return SEATS[word]
    if not (word.isascii() and word.isdecimal()) or len(word) > 2:
        raise BadSetting(f"a player is oop (out of position), ip (in position), or 0, 1 ..., not {text[:40]!r}")
    return int(word)


@dataclass(frozen=True)
class RenamedOption:
    """An earlier spelling of an option, in some commands or in all."""

    old: str
    new: str
    commands: tuple[str, ...] = ()
    times: float = 1  # the new unit in the old one

    def is_of(self, command: str) -> bool:
        """Whether a command had the earlier spelling."""
        return not self.commands or command in self.commands


RENAMED = (
    RenamedOption("--picture", "--plot"),
    RenamedOption("--method", "--with", ("evolve", "endgame")),
    RenamedOption("--minutes", "--seconds", ("train",), times=60),
    RenamedOption("--every", "--checkpoint-seconds", ("train",), times=60),
    RenamedOption("--hands", "--by-hand", ("browse",)),
    RenamedOption("--match", "--containing", ("show", "beliefs")),
    RenamedOption("--limit", "--most-nodes", ("game", "size")),
    RenamedOption("--player", "--bets", ("vonneumann",)),
    RenamedOption("--dealer", "--calls", ("vonneumann",)),
    RenamedOption("--adjust-all-in", "--adjust=all-in", ("match",)),
    RenamedOption("--from", "--from-hands", ("learn",)),
    RenamedOption("--player", "--agent", ("learn",)),
    RenamedOption("--most-hands", "--max-hands", ("match", "tournament")),
)


def with_new_names(command: str, words: Sequence[str]) -> list[str]:
    """The words of a command line with earlier spellings replaced, each with a notice.

    >>> with_new_names("solve", ["kuhn", "--seconds=1"])
    ['kuhn', '--seconds=1']
    """
    earlier = {one.old: one for one in RENAMED if one.is_of(command)}
    rewritten: list[str] = []
    scale = 1.0  # of the next word
    for position, word in enumerate(words):
        if word == "--":
            return [*rewritten, *words[position:]]
        name, sign, value = word.partition("=")
        renamed = earlier.get(name)
        if renamed is None:
            rewritten.append(_times(word, scale))
            scale = 1.0
            continue
        _notify_renamed(command, renamed)
        rewritten.append(renamed.new + sign + _times(value, renamed.times))
        scale = 1.0 if sign else renamed.times
    return rewritten


def _notify_renamed(command: str, renamed: RenamedOption) -> None:
    from pokerlab.store import notify

    unit = ", in seconds" if renamed.times != 1 else ""
    notify(
        f"{renamed.old} of `pokerlab {command}` is now {renamed.new}{unit}; "
        "the earlier spelling works until the next version"
    )


def _times(text: str, factor: float) -> str:
    """A number times a factor; other text unchanged, for the option itself to refuse."""
    try:
        return text if factor == 1 else f"{float(text) * factor:g}"
    except ValueError:
        return text


def _redirect(context: Context, wanted: bool) -> bool:
    """With --json, send all other output to standard error."""
    if wanted:
        context.with_resource(redirect_stdout(JsonOutput()))
    return wanted


# ---- what is computed ------------------------------------------------------------------------------------------------

Game = Annotated[str, argument(f"{GAME_HELP}.", metavar="GAME", complete=game_names)]
OptionalGame = Annotated[str | None, argument(f"{GAME_HELP}.", metavar="GAME", complete=game_names)]
GameOption = Annotated[
    str | None, option("Poker game, by name or file.", "--game", complete=game_names, default="holdem-limit")
]
LogGame = Annotated[str | None, option("Poker game of an ACPC log, by name or file.", "--game", complete=game_names)]
Solution = Annotated[Path, argument("Solution file, as saved by --out.")]
Agents = Annotated[
    list[str], argument("Agents: formula, 'formula(bluff=0.1)', strategy:FILE, ./mybot.py.", complete=agent_names)
]
Board = Annotated[str, option('Board cards: "Td7s2c".', "--board")]
Stack = Annotated[str | None, option("Stack of each player, in chips, or in big blinds as 200bb.", "--stack")]
Blinds = Annotated[str | None, option("Small and big blind, in chips: 50,100.", "--blinds")]
BigBlind = Annotated[
    float | None, option("Chips in a big blind: amounts and results are then in big blinds.", "--big-blind")
]
Ante = Annotated[str | None, option("Ante of each player, in big blinds: 0.1 or 1/8.", "--ante")]
BigBlindAnte = Annotated[
    str, option("Ante that the big blind posts for the whole table, in big blinds.", "--big-blind-ante")
]
SmallBlind = Annotated[str, option("Small blind, in big blinds: 0.5, 1/3.", "--small-blind")]
Menu = Annotated[
    str | None,
    option(
        'Bet sizes: "50%,100%,allin"; "min": only the minimum; per round: "allin / 50%,allin / allin / allin".',
        "--menu",
    ),
]
Locks = Annotated[
    list[str] | None,
    option(
        'Fix part of a strategy and solve the rest: "check, bet 50: fold 50%, call 50% with 22-99", or play as an '
        'agent: "check: as formula". Repeatable.',
        "--lock",
    ),
]
Hands = Annotated[int, option("Number of hands.", "--hands", min=1)]
Format = Annotated[
    str,
    option(
        "cash: every hand with the game's own stacks; freezeout: until one has all the chips; match-play: sessions in "
        "which stacks are carried over.",
        "--format",
        complete=FORMATS,
    ),
]
StartingStack = Annotated[
    str | None,
    option('Freeze-outs and match play: stack of each agent, "1500", "50bb", or one each: "900,1500".', "--stack"),
]
BlindLevels = Annotated[
    str | None,
    option(
        'Freeze-outs and match play: blinds by level with the number of hands, "10/20x20, 15/30/3x20, 25/50" '
        "(small/big/ante), or a file.",
        "--blinds",
        default="the game's own",
    ),
]
Prizes = Annotated[
    str | None,
    option("Freeze-outs: prizes from the first place down, 50,30,20.", "--payouts", default="winner takes all"),
]
Repeat = Annotated[
    int, option("Number of freeze-outs, or of sessions that divide --hands, per table.", "--repeat", min=1)
]
MaxHands = Annotated[int, option("Hands after which a freeze-out is decided by chips.", "--max-hands", min=1)]
WhenBroke = Annotated[
    str,
    option(
        "Match play: a player without chips buys a stack (rebuy), or everybody starts again (reset).",
        "--when-broke",
        complete=("rebuy", "reset"),
    ),
]
Duplicate = Annotated[
    bool | None,
    option(
        "Play every deal from every seat (agents forget in between), or once.",
        "--duplicate/--plain",
        default="duplicate, unless a seat is human or remote",
    ),
]
KeepMemory = Annotated[
    bool, option("Let agents remember across blocks; one process plays the whole match.", "--keep-memory")
]
DecisionSeconds = Annotated[
    float,
    option(
        "Time limit per decision, in seconds; an agent that takes longer stops the match.",
        "--decision-seconds",
        min=0.001,
    ),
]
Block = Annotated[int, option("Deals per block; agents forget everything between blocks.", "--block", min=1)]

# ---- how it is computed ----------------------------------------------------------------------------------------------

Algorithm = Annotated[
    str | None,
    option(
        'Algorithm: "dcfr", "cfr+", "dcfr(gamma=4)", "lp", ..., or your own, ./mine.py.',
        "--with",
        complete=algorithm_names,
    ),
]
Target = Annotated[str | None, target_option("in the game's units, or as a percentage of the pot: 0.1%")]
PotTarget = Annotated[str | None, target_option("as a percentage of the pot: 0.3%")]
Iterations = Annotated[int | None, option("Stop after this many iterations.", "--iterations")]
Seconds = Annotated[
    float | None,
    option("Stop after this many seconds, not counting setup.", "--seconds"),
]
SECONDS_EACH = "Stop after this many seconds per {}, not counting setup."
SecondsPerAlgorithm = Annotated[float | None, option(SECONDS_EACH.format("algorithm"), "--seconds")]
SecondsPerBoard = Annotated[float | None, option(SECONDS_EACH.format("board"), "--seconds")]
SecondsPerSeat = Annotated[float | None, option(SECONDS_EACH.format("seat"), "--seconds")]
Form = Annotated[
    str, option(f"How the game is represented: {', '.join(FORMS[1:])}; auto: by size.", "--form", complete=FORMS)
]
Threads = Annotated[int, option("Number of threads, where the form can use them.", "--threads", min=1, max=256)]
AllThreads = Annotated[int | None, option("Number of threads.", "--threads", min=1, max=256, default="all cores")]
Storage = Annotated[
    str, option("Numbers: float32, or int16 for half the memory (public form).", "--storage", complete=STORAGE)
]
Backend = Annotated[
    str, option("Back end of the workers: processes, threads, serial, or an installed one.", "--backend")
]
Workers = Annotated[
    int | None, option("Number of processes; does not change the result.", "--workers", min=1, default="all cores")
]
Cluster = Annotated[
    str | None,
    option(
        "Run on a Ray cluster: auto (that of this machine), HOST:6379, ray://HOST:10001 (from outside), or local.",
        "--cluster",
        metavar="ADDRESS",
        complete=("auto", "local"),
    ),
]
Seed = Annotated[int, option("Random seed: same seed, same result.", "--seed", min=0)]
FreshSeed = Annotated[int | None, option("Random seed; random by default, printed at the end.", "--seed", min=0)]

# ---- what is shown and written ---------------------------------------------------------------------------------------

Player = Annotated[
    int | None,
    option(
        "Only this player: 0 or oop, 1 or ip (out of or in position), 2 ...",
        "--player",
        parser=player_number,
        metavar="PLAYER",
        complete=tuple(SEATS),
    ),
]
Category = Annotated[
    str | None,
    option('Show hands by category: sets, "top pair", "flush draws", air ...; all: a line per category.', "--category"),
]
Containing = Annotated[str, option("Only infosets whose text contains this.", "--containing")]
Rows = Annotated[int, option("Print at most this many rows.", "--rows", min=1, max=10**9)]
WithEv = Annotated[bool, option("Also show the EV of each hand.", "--ev")]
Bins = Annotated[int, option("Number of bars in the histogram.", "--bins", min=1, max=100)]
MostNodes = Annotated[int, option("Traverse at most this many nodes.", "--most-nodes", min=1)]
Forecast = Annotated[bool, option("Only estimate size and time.", "--forecast")]
Out = Annotated[Path | None, option("Save the result to this file.", "--out")]
OutFolder = Annotated[Path | None, option("Save figures to this folder.", "--out", metavar="FOLDER")]
Resume = Annotated[
    Path | None,
    option("Continue the run saved in this file, to the same result; saves to it unless --out is given.", "--resume"),
]
ResumeFlag = Annotated[bool, option("Continue an interrupted run from its --out file.", "--resume")]
Keep = Annotated[
    str,
    option(
        "What --out saves: full (resumable), or strategy (small, accurate to 0.001).",
        "--keep",
        complete=KEEP,
    ),
]
Csv = Annotated[Path | None, option("Write the table to this CSV file.", "--csv")]
Plot = Annotated[Path | None, option("Draw a picture to this .png, .svg or .pdf file.", "--plot")]
Json = Annotated[
    bool, option("Print one JSON object on standard output and nothing else.", "--json", callback=_redirect)
]
