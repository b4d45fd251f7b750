"""Tab completion of names, choices and files, without importing compiled code.

The shells use Typer's protocol: they call `pokerlab` with `_POKERLAB_COMPLETE` in the environment. If the answer is
empty, they complete file names themselves.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

VARIABLE = "_POKERLAB_COMPLETE"
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
# Values of options, repeated here because the modules that declare them import too much; a test compares them.
FORMS = ("auto", "sequence", "classes", "public", "pushes", "stochastic", "normal", "bucketed")
STORAGE = ("float32", "int16")
KEEP = ("full", "strategy")
GRIDS = ("strategy", "ev", "equity", "reach")
AXES = ("seconds", "iterations", "nodes", "passes")
NASH_METHODS = ("auto", "vertices", "supports", "lemke-howson", "sequence", "pure")
LEARNERS = ("regret-matching", "internal", "exponential", "fictitious-play")
ROLE_GAMES = ("von-neumann", "flop-poker", "push-fold")
METHODS = ("populations", "united", "regret", "cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+", "lp")
JUDGED = ("real", "exact")
SCORES = ("bankroll", "squared-loss", "squared-loss-per-game")
ORDERS = ("high", "short-deck", "three-card")
HAND_FORMATS = ("acpc", "phh")
IMPORTED_FORMATS = ("acpc", "phh", "pokerstars", "gg", "888", "partypoker", "irc")
RECALLS = ("imperfect", "perfect")
GAME_FILES = (".efg", ".nfg", ".csv", ".json", ".game", ".toml", ".py")
SOLUTION_FILES = (".solution", ".spot")
ON_THE_FIRST_TAB = '\n\n[[ $funcstack[1] = _pokerlab ]] && _pokerlab_completion "$@"'  # zsh loads the file only then
LONGEST_HELP = 70  # characters beside a name

Offer = tuple[str, str]  # a word, and its help
Completer = Callable[[str], list[Offer]]


def choices(*words: str) -> Completer:
    """One of these words."""

    def complete(incomplete: str) -> list[Offer]:
        return _beginning(incomplete, ((word, "") for word in words))

    return complete


def names(kind: str, files: Sequence[str] = ()) -> Completer:
    """A name in the registry, or a file with one of these endings."""
    return lambda incomplete: _with_files(_named(kind, incomplete), incomplete, files)


def several_names(kind: str, *, once: bool = False) -> Completer:
    """Names in the registry, separated by commas; with `once`, each at most once."""

    def complete(incomplete: str) -> list[Offer]:
        before, comma, last = incomplete.rpartition(",")
        used = [word.strip() for word in before.split(",")] if once else []
        offers = _named(kind, last.strip())
        return [(f"{before}{comma}{name}", help) for name, help in offers if name not in used]

    return complete


def agent_names(incomplete: str) -> list[Offer]:
    """An agent, by name, solution file or Python file."""
    offers = [offer for offer in _named("agents", incomplete) if offer[0] != "strategy"]  # which needs a file
    saved = ((f"strategy:{name}", "a saved solution") for name in _files(SOLUTION_FILES))
    return _with_files(offers + _beginning(incomplete, saved), incomplete, (".py",))


def estimator_names(incomplete: str) -> list[Offer]:
    """An estimator that takes luck out of results."""
    return _named("estimators", incomplete)


def bucket_files(incomplete: str) -> list[Offer]:
    """A bucket file in this folder."""
    return _beginning(incomplete, ((name, "a bucket file") for name in _files((".buckets",))))


def help_words(incomplete: str) -> list[Offer]:
    """A command or a help topic."""
    from pokerlab.cli import summaries
    from pokerlab.cli._topics import topic_titles

    return _beginning(incomplete, [*summaries(), *topic_titles()])


def _named(kind: str, incomplete: str) -> list[Offer]:
    from pokerlab.registry import available

    return _beginning(incomplete, ((entry.name, entry.summary) for entry in available(kind)))


def _beginning(incomplete: str, offers: Iterable[Offer]) -> list[Offer]:
    import textwrap

    return [
        (word, textwrap.shorten(help, LONGEST_HELP, placeholder=" ..."))
        for word, help in offers
        if word.startswith(incomplete)
    ]


def _with_files(offers: list[Offer], incomplete: str, endings: Sequence[str]) -> list[Offer]:
    """Names and files; without a matching name nothing, so that the shell completes files, also in folders."""
    return offers + _beginning(incomplete, ((name, "a file") for name in _files(endings))) if offers else []


game_names = names("games", GAME_FILES)
table_names = names("games", (*GAME_FILES, *SOLUTION_FILES))
algorithm_names = names("algorithms")
several_algorithm_names = several_names("algorithms", once=True)
method_names = names("abstractions")
several_method_names = several_names("abstractions")
paper_names = names("papers")


def _files(endings: Sequence[str]) -> list[str]:
    return sorted(path.name for path in Path.cwd().iterdir() if path.suffix.lower() in endings and path.is_file())


def complete_line() -> None:
    """Complete the line that a shell passes in the environment; errors must not print into that line."""
    import contextlib

    os.environ["COLUMNS"] = "1000"  # help stays on one line
    with (
        open(os.devnull, "w", encoding="utf-8") as nowhere,
        contextlib.redirect_stderr(nowhere),
        contextlib.suppress(Exception),
    ):
        from typer._completion_classes import completion_init

        from pokerlab.cli._app import app

        completion_init()
        app(prog_name="pokerlab")


def completion_script(words: Sequence[str]) -> str:
    """The output of `--install-completion [SHELL]` or `--show-completion [SHELL]`."""
    from typer._completion_shared import get_completion_script, install

    option, shell = words[0], _shell(words[1:])
    more = ON_THE_FIRST_TAB if shell == "zsh" else ""
    if option == "--show-completion":
        return get_completion_script(prog_name="pokerlab", complete_var=VARIABLE, shell=shell) + more
    _, path = install(shell=shell, prog_name="pokerlab", complete_var=VARIABLE)
    if more:
        path.write_text(path.read_text(encoding="utf-8") + more + "\n", encoding="utf-8", newline="\n")
    return f"installed completion for {shell} in {path}; open a new terminal to use it"


def _shell(words: Sequence[str]) -> str:
    """The named shell, or the current one."""
    from pokerlab.errors import BadSetting, shortened
    from pokerlab.registry import nearest

    if len(words) > 1:
        raise BadSetting(f"name one shell, {' or '.join(SHELLS)}, or none for the current one")
    shell = words[0].lower() if words else _this_shell()
    if shell not in SHELLS:
        raise BadSetting(f"there is no completion for the shell {shortened(shell)!r}; {nearest(shell, list(SHELLS))}")
    return shell


def _this_shell() -> str:
    import shellingham  # type: ignore[import-untyped]

    from pokerlab.errors import BadSetting

    try:
        return str(shellingham.detect_shell()[0])
    except Exception as problem:  # process tables differ between systems
        raise BadSetting(
            f"the current shell is not recognized; name it: {sys.argv[1]} {' or '.join(SHELLS)}"
        ) from problem
