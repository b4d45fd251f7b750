"""The command line: one file a command in cli/, found by name; each imports what it needs only when it runs.

A command file `cli/equity.py` defines a function `command` whose signature is its options and whose docstring is its
help. The overview of all commands is read from the files as text, so that it appears at once. Errors a user can cause
become one sentence on standard error and exit code 2.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pokerlab.cli._streams import open_streams

_FOLDER = Path(__file__).parent
_ORDER = """demo examples equity range preflop pushfold rollout strength solve compare show verify beliefs thin measure
    exploit game size spot browse compact abstract buckets train report vonneumann icm endgame play match tournament
    hands dealer client paper evolve""".split()
_MISSED = re.compile(r"""cannot read ['"]?(\./)?examples[/\\].*(no file|No such file)""")
_HELP = re.compile(r'^def command\(.*?^\) -> None:\n    """(.*?)(?:"""|\n\n)', re.DOTALL | re.MULTILINE)


def command_names() -> list[str]:
    """Every command, in the order people meet them; files not in the order come last."""
    names = [path.stem for path in _FOLDER.glob("*.py") if not path.stem.startswith("_")]
    return sorted(names, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))


def summaries() -> list[tuple[str, str]]:
    """Every command with what it does in a sentence, read from its file as text."""
    found = {name: _HELP.search((_FOLDER / f"{name}.py").read_text(encoding="utf-8")) for name in command_names()}
    return [
        (name, re.sub(r"\[/?bold\]", "", " ".join(help.group(1).split())) if help else "")
        for name, help in found.items()
    ]


def overview() -> str:
    """What `pokerlab --help` prints: every command with what it does, wrapped to the terminal."""
    import shutil
    import textwrap

    from pokerlab.version import __version__

    width = max(60, min(shutil.get_terminal_size().columns, 110))
    bold, plain = ("\033[1m", "\033[0m") if sys.stdout.isatty() else ("", "")
    lines = [
        f"{bold}pokerlab{plain} {__version__}: a laboratory for computer poker",
        "",
        "Usage: pokerlab COMMAND ...   (pokerlab help COMMAND tells its options)",
        "",
    ]
    for name, summary in summaries():
        first, *rest = textwrap.wrap(summary, width - 16, break_on_hyphens=False) or [""]
        lines.append(f"  {bold}{name:<12}{plain}  {first}")
        lines += [" " * 16 + line for line in rest]
    lines += [
        "",
        "Every command takes --json; where chance enters, --seed.",
        "Tab completes commands, options and names after: pokerlab --install-completion",
        "New here? Try: pokerlab demo",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run the command line; every error a user can cause is one sentence and exit code 2."""
    open_streams()
    words = sys.argv[1:]
    try:
        if "_POKERLAB_COMPLETE" in os.environ:
            from pokerlab.cli._completion import answer

            answer()
            code = 0
        elif words in ([], ["-h"], ["--help"], ["help"]):
            print(overview())
            code = 0
        else:
            with _telling_notices():
                code = _run(["help", *words[1:]] if words[0] in ("-h", "--help") else words)
    except OSError as problem:
        code = _stopped_by(problem, f" ({problem.filename})" if problem.filename else "")
    try:
        sys.stdout.flush()  # here, since the interpreter has only a traceback for what fails as it ends
    except OSError as problem:
        code = code or _stopped_by(problem, " while writing to standard output")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left is not tried again
    sys.exit(code)


def _run(words: list[str]) -> int:
    import typer

    from pokerlab.cli._app import app
    from pokerlab.errors import FAILURES, PokerlabError, shortened
    from pokerlab.events import Cancelled

    try:
        if words[0] in ("--install-completion", "--show-completion"):
            from pokerlab.cli._completion import asked

            print(asked(words))
            return 0
        code = app(words, prog_name="pokerlab", standalone_mode=False)
    except PokerlabError as problem:
        hint = "; `pokerlab examples` writes the examples here" if _MISSED.search(str(problem)) else ""
        return _said(f"{problem}{hint}", 2)
    except (typer.Abort, KeyboardInterrupt, Cancelled):
        return _said("interrupted", 130)
    except MemoryError:  # sizes are forecast before memory is asked for; this is for what another program took since
        return _said("there is not enough memory for this: close other programs, or choose smaller settings", 2)
    except FAILURES as problem:
        if not hasattr(problem, "format_message"):  # not a mistake in how the command was typed
            from pokerlab.own_code import blamed

            if line := blamed(problem):  # in a game or an algorithm of a person's own
                return _said(f"{type(problem).__name__} in {line}: {shortened(str(problem), 200)}", 2)
            raise
        return _said(_mistyped(problem), 2)
    if code == 130:  # so Ctrl-C comes back from the command
        return _said("interrupted", 130)
    return code if isinstance(code, int) else 0


def _mistyped(problem: Any) -> str:
    """What was wrong in how a command was typed, and what would help: the nearest option, an example, or its help."""
    context = getattr(problem, "ctx", None)
    where = context.command_path if context else "pokerlab"
    more = f"{where} --help tells more"
    option = getattr(problem, "option_name", None)
    if option is not None and hasattr(problem, "possibilities"):
        near = list(problem.possibilities or ())[:3]  # the nearest first
        return f"there is no option {option}; " + (f"did you mean {' or '.join(near)}?" if near else more)
    sentence = str(problem.format_message()).rstrip(".")
    sentence = sentence[:1].lower() + sentence[1:]
    example = re.search(rf"({where} [^\n\[]+)", getattr(context and context.command, "help", None) or "")
    if sentence.startswith(("missing argument", "missing option")) and example:
        return f"{sentence}; for example: {example[1]}"
    return sentence if sentence.endswith("?") else f"{sentence}; {more}"


def _stopped_by(problem: OSError, where: str) -> int:
    """Say what the system refused; nothing where results go to a program that has read enough of them."""
    windows = sys.platform == "win32" and problem.errno == errno.EINVAL  # what it calls a pipe that is closed
    if (isinstance(problem, BrokenPipeError) or windows) and not problem.filename:
        return 0
    return _said(f"stopped by the system{where}: {problem.strerror or problem}", 2)


@contextmanager
def _telling_notices() -> Iterator[None]:
    """Each Notice as a sentence on standard error."""
    from pokerlab.errors import Notice

    with warnings.catch_warnings():
        plain = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **rest: Any) -> None:
            if issubclass(category, Notice):
                _said(str(message), 0)
            else:
                plain(message, category, *place, **rest)

        warnings.simplefilter("always", Notice)
        warnings.showwarning = show
        yield


def _said(sentence: str, code: int) -> int:
    from pokerlab.errors import printable

    with suppress(OSError):
        print(printable(f"pokerlab: {sentence}"), file=sys.stderr)
    return code
