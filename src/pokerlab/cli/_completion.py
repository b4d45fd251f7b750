"""Tab completion: names, choices and files for what is being typed, by file listing; no compiled code is imported.

The shells ask through Typer's protocol: they call `pokerlab` with `_POKERLAB_COMPLETE` in the environment. Where
nothing is answered, they complete file names themselves.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

VARIABLE = "_POKERLAB_COMPLETE"
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
# What options take, written here again because where it is declared much is imported; a test compares.
FORMS = ("auto", "sequence", "public", "classes", "pushes", "stochastic", "normal", "bucketed")
STORAGE = ("float32", "int16")
KEPT = ("full", "strategy")
GRIDS = ("strategy", "ev", "equity", "reach")
AXES = ("seconds", "iterations", "nodes", "passes")
ROLE_GAMES = ("von-neumann", "flop-poker", "push-fold")
METHODS = ("populations", "united", "regret", "cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+", "lp")
JUDGED = ("real", "exact")
SCORES = ("bankroll", "squared-loss", "squared-loss-per-game")
ORDERS = ("high", "short-deck", "three-card")
HAND_FORMATS = ("acpc", "phh")
RECALLS = ("imperfect", "perfect")
GAME_FILES = (".efg", ".nfg", ".csv", ".json", ".game", ".toml", ".py")
SOLUTION_FILES = (".solution", ".spot")
ON_THE_FIRST_TAB = '\n\n[[ $funcstack[1] = _pokerlab ]] && _pokerlab_completion "$@"'  # zsh reads the file only then
LONGEST_HELP = 70  # letters of what is told beside a name

Offer = tuple[str, str]  # a word, and what is told beside it
Completer = Callable[[str], list[Offer]]


def choices(*words: str) -> Completer:
    """One of these words."""

    def complete(incomplete: str) -> list[Offer]:
        return _beginning(incomplete, ((word, "") for word in words))

    return complete


def game_names(incomplete: str) -> list[Offer]:
    """A game by name, or a file of this folder that may describe one."""
    return _with_files(_named("games", incomplete), incomplete, GAME_FILES)


def table_names(incomplete: str) -> list[Offer]:
    """A game to sit down at: also a kept solution."""
    return _with_files(_named("games", incomplete), incomplete, (*GAME_FILES, *SOLUTION_FILES))


def algorithm_names(incomplete: str) -> list[Offer]:
    """An algorithm by name."""
    return _named("algorithms", incomplete)


def several_algorithm_names(incomplete: str) -> list[Offer]:
    """Algorithms by name, separated by commas."""
    before, comma, last = incomplete.rpartition(",")
    named = [word.strip() for word in before.split(",")]
    return [(f"{before}{comma}{name}", told) for name, told in _named("algorithms", last.strip()) if name not in named]


def agent_names(incomplete: str) -> list[Offer]:
    """An agent by name, or a kept solution of this folder that plays."""
    found = [offer for offer in _named("agents", incomplete) if offer[0] != "strategy"]  # which needs a file
    kept = ((f"strategy:{name}", "a kept solution plays") for name in _files(SOLUTION_FILES))
    found += _beginning(incomplete, kept)
    return _with_files(found, incomplete, (".py",))


def method_names(incomplete: str) -> list[Offer]:
    """A way of bucketing by name."""
    return _named("abstractions", incomplete)


def several_method_names(incomplete: str) -> list[Offer]:
    """Ways of bucketing, separated by commas."""
    before, comma, last = incomplete.rpartition(",")
    return [(f"{before}{comma}{name}", told) for name, told in _named("abstractions", last.strip())]


def bucket_files(incomplete: str) -> list[Offer]:
    """A file of buckets in this folder."""
    return _beginning(incomplete, ((name, "a file of buckets") for name in _files((".buckets",))))


def paper_names(incomplete: str) -> list[Offer]:
    """A paper by name."""
    return _named("papers", incomplete)


def command_words(incomplete: str) -> list[Offer]:
    """A command by name."""
    from pokerlab.cli import summaries

    return _beginning(incomplete, summaries())


def _named(kind: str, incomplete: str) -> list[Offer]:
    from pokerlab.registry import available

    return _beginning(incomplete, ((entry.name, entry.summary) for entry in available(kind)))


def _beginning(incomplete: str, offers: Iterable[Offer]) -> list[Offer]:
    import textwrap

    return [
        (word, textwrap.shorten(told, LONGEST_HELP, placeholder=" ..."))
        for word, told in offers
        if word.startswith(incomplete)
    ]


def _with_files(found: list[Offer], incomplete: str, endings: Sequence[str]) -> list[Offer]:
    """Names and files; where no name begins so, nothing: the shell then completes files, in folders too."""
    return found + _beginning(incomplete, ((name, "a file") for name in _files(endings))) if found else []


def _files(endings: Sequence[str]) -> list[str]:
    return sorted(path.name for path in Path.cwd().iterdir() if path.suffix.lower() in endings and path.is_file())


# ---- what the shells call --------------------------------------------------------------------------------------------


def answer() -> None:
    """Answer a shell that asks how a line may go on; whatever goes wrong, nothing is said into the line."""
    import contextlib

    os.environ["COLUMNS"] = "1000"  # what is told beside a word is one line
    with (
        open(os.devnull, "w", encoding="utf-8") as nowhere,
        contextlib.redirect_stderr(nowhere),
        contextlib.suppress(Exception),
    ):
        from typer._completion_classes import completion_init

        from pokerlab.cli._app import app

        completion_init()
        app(prog_name="pokerlab")


def asked(words: Sequence[str]) -> str:
    """What `--install-completion [SHELL]` or `--show-completion [SHELL]` prints."""
    from typer._completion_shared import get_completion_script, install

    option, shell = words[0], _shell(words[1:])
    more = ON_THE_FIRST_TAB if shell == "zsh" else ""
    if option == "--show-completion":
        return get_completion_script(prog_name="pokerlab", complete_var=VARIABLE, shell=shell) + more
    _, path = install(shell=shell, prog_name="pokerlab", complete_var=VARIABLE)
    if more:
        path.write_text(path.read_text(encoding="utf-8") + more + "\n", encoding="utf-8", newline="\n")
    return f"completion for {shell} installed in {path}; it works in terminals that are opened from now on"


def _shell(words: Sequence[str]) -> str:
    """The shell that was named, or the one that runs this."""
    from pokerlab.errors import BadSetting, shortened
    from pokerlab.registry import nearest

    if len(words) > 1:
        raise BadSetting(f"name one shell, {' or '.join(SHELLS)}, or none for the one that you type in")
    found = words[0].lower() if words else _this_shell()
    if found not in SHELLS:
        raise BadSetting(f"there is no completion for the shell {shortened(found)!r}; {nearest(found, list(SHELLS))}")
    return found


def _this_shell() -> str:
    import shellingham  # type: ignore[import-untyped]

    from pokerlab.errors import BadSetting

    try:
        return str(shellingham.detect_shell()[0])
    except Exception as problem:  # it reads tables of processes, which differ from system to system
        raise BadSetting(
            f"the shell that you type in cannot be told; name it: {sys.argv[1]} {' or '.join(SHELLS)}"
        ) from problem
