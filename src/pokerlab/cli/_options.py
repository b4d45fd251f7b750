"""Options and arguments that several commands have, each declared once with its help text."""

from __future__ import annotations

from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated

from typer import Argument, Context, Option
from typer.models import OptionInfo

from pokerlab.cli._completion import FORMS, KEPT, STORAGE, agent_names, algorithm_names, choices, game_names
from pokerlab.cli._output import JsonOutput

GAME_HELP = 'Game: "leduc", "kuhn(players=3)", or a .efg, .nfg, .csv, .json, .game or .toml file'


def target_option(unit: str, *, least: float | None = None) -> OptionInfo:
    """`--target`, in the unit of one command."""
    option: OptionInfo = Option("--target", min=least, help=f"Stop at this exploitability, {unit}.")
    return option


def _redirect(context: Context, wanted: bool) -> bool:
    """With --json, send all other output to standard error."""
    if wanted:
        context.with_resource(redirect_stdout(JsonOutput()))
    return wanted


# ---- what is computed ------------------------------------------------------------------------------------------------

Game = Annotated[str, Argument(help=f"{GAME_HELP}.", autocompletion=game_names)]
OptionalGame = Annotated[str | None, Argument(help=f"{GAME_HELP}.", autocompletion=game_names)]
GameOption = Annotated[
    str | None,
    Option("--game", help="Poker game, by name or file; matches: holdem-limit by default.", autocompletion=game_names),
]
Solution = Annotated[Path, Argument(help="Solution file, as saved by --out.")]
SpotFile = Annotated[Path | None, Argument(help="Spot, as a TOML file.")]
Agents = Annotated[
    list[str],
    Argument(help="Agents: formula, 'formula(bluff=0.1)', strategy:FILE, ./mybot.py.", autocompletion=agent_names),
]
Board = Annotated[str, Option("--board", help='Board cards: "Td7s2c".')]
Stack = Annotated[str | None, Option("--stack", help="Stack of each player, in chips, or in big blinds as 200bb.")]
Blinds = Annotated[str | None, Option("--blinds", help="Small and big blind: 50,100.")]
Ante = Annotated[str | None, Option("--ante", help="Ante of each player, in big blinds: 0.1 or 1/8.")]
SmallBlind = Annotated[str, Option("--small-blind", help="Small blind, in big blinds: 0.5, 1/3.")]
Menu = Annotated[
    str | None, Option("--menu", help='Bet sizes: "50%,100%,allin"; per round: "allin / 50%,allin / allin / allin".')
]
Locks = Annotated[
    list[str] | None,
    Option(
        "--lock",
        help='Fix part of a strategy and solve the rest: "check, bet 50: fold 50%, call 50% with 22-99", or play as an '
        'agent: "check: as formula". Repeatable.',
    ),
]
Hands = Annotated[int, Option("--hands", min=1, help="Number of hands (per pair of agents in a tournament).")]
KeepMemory = Annotated[
    bool, Option("--keep-memory", help="Let agents remember across blocks; one process plays the whole match.")
]
Block = Annotated[int, Option("--block", min=1, help="Deals per block; agents forget everything between blocks.")]

# ---- how it is computed ----------------------------------------------------------------------------------------------

Algorithm = Annotated[
    str | None,
    Option(
        "--with",
        help='Algorithm: "dcfr", "cfr+", "dcfr(gamma=4)", "lp", ..., or your own, ./mine.py.',
        autocompletion=algorithm_names,
    ),
]
Target = Annotated[str | None, target_option("in the game's units, or as a percentage of the pot: 0.1%")]
PotTarget = Annotated[str | None, target_option("as a percentage of the pot: 0.3%")]
Iterations = Annotated[int | None, Option("--iterations", help="Stop after this many iterations.")]
Seconds = Annotated[
    float | None,
    Option("--seconds", help="Stop after this many seconds, per algorithm, seat or board. Setup time does not count."),
]
Form = Annotated[
    str, Option("--form", help=f"Form: {', '.join(FORMS[1:])}; auto: by size.", autocompletion=choices(*FORMS))
]
Threads = Annotated[int, Option("--threads", min=1, max=256, help="Threads, where the form can use them.")]
AllThreads = Annotated[int | None, Option("--threads", min=1, max=256, help="Threads.", show_default="all cores")]
Storage = Annotated[
    str,
    Option("--storage", help="float32, or int16 for half the memory (public form).", autocompletion=choices(*STORAGE)),
]
Backend = Annotated[
    str, Option("--backend", help="Back end of the workers: processes, threads, serial, or an installed one.")
]
Workers = Annotated[
    int | None, Option("--workers", min=1, help="Processes; does not change the result.", show_default="all cores")
]
Seed = Annotated[int, Option("--seed", min=0, help="Random seed: same seed, same result.")]
FreshSeed = Annotated[int | None, Option("--seed", min=0, help="Random seed; random by default, printed at the end.")]

# ---- what is shown and written ---------------------------------------------------------------------------------------

Player = Annotated[int | None, Option("--player", min=0, help="Only this player, from 0 (0 is out of position).")]
Match = Annotated[str, Option("--match", help="Only infosets whose text contains this.")]
Rows = Annotated[int, Option("--rows", min=1, help="Most rows to print.")]
WithEv = Annotated[bool, Option("--ev", help="Also show the EV of each hand.")]
Bins = Annotated[int, Option("--bins", min=1, max=100, help="Bars of the histogram.")]
Limit = Annotated[int, Option("--limit", min=1, help="Most nodes to traverse.")]
Forecast = Annotated[bool, Option("--forecast", help="Only estimate size and time.")]
Out = Annotated[Path | None, Option("--out", help="Save the result to this file.")]
Resume = Annotated[
    Path | None,
    Option("--resume", help="Resume this file, to the same result bit for bit; saves to it unless --out is given."),
]
ResumeFlag = Annotated[bool, Option("--resume", help="Continue an interrupted run from its --out file.")]
Keep = Annotated[
    str,
    Option(
        "--keep",
        help="What --out saves: full (resumable), or strategy: in the public form a tenth of the size or less, with "
        "probabilities accurate to 0.001.",
        autocompletion=choices(*KEPT),
    ),
]
Csv = Annotated[Path | None, Option("--csv", help="Write the table to this CSV file.")]
Plot = Annotated[Path | None, Option("--plot", "--picture", help="Draw a picture to this .png, .svg or .pdf file.")]
Json = Annotated[
    bool, Option("--json", help="Print one JSON object on standard output and nothing else.", callback=_redirect)
]
