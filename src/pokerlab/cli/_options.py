"""Options and arguments that several commands have, each declared once with its help text."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Context, Option
from typer.models import ArgumentInfo, OptionInfo

from pokerlab.cli._completion import FORMS, KEPT, STORAGE, Completer, agent_names, algorithm_names, choices, game_names
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
    """`--target`, in the unit of one command."""
    return option(f"Stop at this exploitability, {unit}.", "--target", min=least)


def _redirect(context: Context, wanted: bool) -> bool:
    """With --json, send all other output to standard error."""
    if wanted:
        context.with_resource(redirect_stdout(JsonOutput()))
    return wanted


# ---- what is computed ------------------------------------------------------------------------------------------------

Game = Annotated[str, argument(f"{GAME_HELP}.", complete=game_names)]
OptionalGame = Annotated[str | None, argument(f"{GAME_HELP}.", complete=game_names)]
GameOption = Annotated[
    str | None, option("Poker game, by name or file; matches: holdem-limit by default.", "--game", complete=game_names)
]
Solution = Annotated[Path, argument("Solution file, as saved by --out.")]
Agents = Annotated[
    list[str], argument("Agents: formula, 'formula(bluff=0.1)', strategy:FILE, ./mybot.py.", complete=agent_names)
]
Board = Annotated[str, option('Board cards: "Td7s2c".', "--board")]
Stack = Annotated[str | None, option("Stack of each player, in chips, or in big blinds as 200bb.", "--stack")]
Blinds = Annotated[str | None, option("Small and big blind: 50,100.", "--blinds")]
Ante = Annotated[str | None, option("Ante of each player, in big blinds: 0.1 or 1/8.", "--ante")]
SmallBlind = Annotated[str, option("Small blind, in big blinds: 0.5, 1/3.", "--small-blind")]
Menu = Annotated[
    str | None, option('Bet sizes: "50%,100%,allin"; per round: "allin / 50%,allin / allin / allin".', "--menu")
]
Locks = Annotated[
    list[str] | None,
    option(
        'Fix part of a strategy and solve the rest: "check, bet 50: fold 50%, call 50% with 22-99", or play as an '
        'agent: "check: as formula". Repeatable.',
        "--lock",
    ),
]
Hands = Annotated[int, option("Number of hands (per pair of agents in a tournament).", "--hands", min=1)]
KeepMemory = Annotated[
    bool, option("Let agents remember across blocks; one process plays the whole match.", "--keep-memory")
]
DecisionSeconds = Annotated[
    float,
    option("Most seconds per decision; an agent that takes longer stops the match.", "--decision-seconds", min=0.001),
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
    option("Stop after this many seconds, per algorithm, seat or board. Setup time does not count.", "--seconds"),
]
Form = Annotated[str, option(f"Form: {', '.join(FORMS[1:])}; auto: by size.", "--form", complete=FORMS)]
Threads = Annotated[int, option("Threads, where the form can use them.", "--threads", min=1, max=256)]
AllThreads = Annotated[int | None, option("Threads.", "--threads", min=1, max=256, default="all cores")]
Storage = Annotated[str, option("float32, or int16 for half the memory (public form).", "--storage", complete=STORAGE)]
Backend = Annotated[
    str, option("Back end of the workers: processes, threads, serial, or an installed one.", "--backend")
]
Workers = Annotated[
    int | None, option("Processes; does not change the result.", "--workers", min=1, default="all cores")
]
Seed = Annotated[int, option("Random seed: same seed, same result.", "--seed", min=0)]
FreshSeed = Annotated[int | None, option("Random seed; random by default, printed at the end.", "--seed", min=0)]

# ---- what is shown and written ---------------------------------------------------------------------------------------

Player = Annotated[int | None, option("Only this player, from 0 (0 is out of position).", "--player", min=0)]
Match = Annotated[str, option("Only infosets whose text contains this.", "--match")]
Rows = Annotated[int, option("Most rows to print.", "--rows", min=1, max=10**9)]
WithEv = Annotated[bool, option("Also show the EV of each hand.", "--ev")]
Bins = Annotated[int, option("Bars of the histogram.", "--bins", min=1, max=100)]
Limit = Annotated[int, option("Most nodes to traverse.", "--limit", min=1)]
Forecast = Annotated[bool, option("Only estimate size and time.", "--forecast")]
Out = Annotated[Path | None, option("Save the result to this file.", "--out")]
Resume = Annotated[
    Path | None,
    option("Resume this file, to the same result bit for bit; saves to it unless --out is given.", "--resume"),
]
ResumeFlag = Annotated[bool, option("Continue an interrupted run from its --out file.", "--resume")]
Keep = Annotated[
    str,
    option(
        "What --out saves: full (resumable), or strategy: in the public form a tenth of the size or less, with "
        "probabilities accurate to 0.001.",
        "--keep",
        complete=KEPT,
    ),
]
Csv = Annotated[Path | None, option("Write the table to this CSV file.", "--csv")]
Plot = Annotated[Path | None, option("Draw a picture to this .png, .svg or .pdf file.", "--plot", "--picture")]
Json = Annotated[
    bool, option("Print one JSON object on standard output and nothing else.", "--json", callback=_redirect)
]
