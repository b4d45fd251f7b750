"""The command line: one file per command in cli/, found by name; each imports what it needs only when it runs.

A command file `cli/equity.py` defines a function `command` whose signature is its options and whose docstring is its
help. The overview of all commands is read from the files as text, so that it appears at once. User errors become one
sentence on standard error and exit code 2; with --json they are also an object with the key `error` on standard output.
"""

from __future__ import annotations

import errno
import gc
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
GROUPS = {
    "Start here": "demo serve examples",
    "Hands and ranges": "equity range preflop strength",
    "Games and equilibria": "solve nash dynamics compare show verify beliefs thin measure exploit game size",
    "Spots": "spot browse compact report",
    "Before the flop and tournaments": "pushfold rollout icm endgame",
    "Large games": "abstract buckets train learn",
    "Play and matches": "play review stats match tournament hands dealer client",
    "Research": "paper evolve vonneumann",
}
_ORDER = " ".join(GROUPS.values()).split()
_MISSING_EXAMPLE = re.compile(r"""cannot read ['"]?(\./)?examples[/\\].*([Nn]o such file)""")
_HELP = re.compile(r'^def command\(.*?\) -> None:\n    """(.*?)(?:"""|\n\n)', re.DOTALL | re.MULTILINE)


def command_names() -> list[str]:
    """Every command, in teaching order; files not in _ORDER come last."""
    names = [path.stem for path in _FOLDER.glob("*.py") if not path.stem.startswith("_")]
    return sorted(names, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))


def summaries() -> list[tuple[str, str]]:
    """Every command with the first sentence of its help, read from its file as text."""
    helps = {name: _HELP.search((_FOLDER / f"{name}.py").read_text(encoding="utf-8")) for name in command_names()}
    return [(name, " ".join(help.group(1).split()) if help else "") for name, help in helps.items()]


def overview() -> str:
    """The text of `pokerlab --help`: every command in its group, with the first clause of its summary."""
    import shutil
    import textwrap

    from pokerlab.cli._topics import TOPICS
    from pokerlab.version import __version__

    width = max(60, min(shutil.get_terminal_size().columns, 110))
    bold, plain = ("\033[1m", "\033[0m") if sys.stdout.isatty() else ("", "")
    lines = [
        f"{bold}pokerlab{plain} {__version__}: a laboratory for computer poker",
        "",
        "Usage: pokerlab COMMAND ...   (pokerlab help COMMAND shows its options)",
    ]
    headings = {names.split()[0]: heading for heading, names in GROUPS.items()}
    for name, summary in summaries():
        if name in headings:
            lines += ["", f"{bold}{headings[name]}{plain}"]
        short = re.split(r"[:;]|\. ", summary)[0].rstrip(".")
        first, *rest = textwrap.wrap(short, width - 16, break_on_hyphens=False) or [""]
        lines.append(f"  {bold}{name:<12}{plain}  {first}")
        lines += [" " * 16 + line for line in rest]
    topics = textwrap.wrap(", ".join(TOPICS), width - 16)
    lines += ["", f"{bold}Topics{plain} (pokerlab help TOPIC)", *(f"  {line}" for line in topics)]
    lines += [
        "",
        "Every command takes --json; commands with random numbers take --seed.",
        "For tab completion of commands, options and names: pokerlab --install-completion",
        "New here? Try: pokerlab demo",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run the command line; a user error is one sentence and exit code 2."""
    _start_quickly()
    open_streams()
    if os.environ.get("COLUMNS", "").strip("0 ") == "":
        os.environ.pop("COLUMNS", None)  # 0 means unknown, and Rich would print nothing
    words = sys.argv[1:]
    try:
        if "_POKERLAB_COMPLETE" in os.environ:
            from pokerlab.cli._completion import complete_line

            complete_line()
            code = 0
        elif words in ([], ["-h"], ["--help"], ["help"]):
            print(overview())
            code = 0
        else:
            with _printing_notices():
                code = _run(["help", *words[1:]] if words[0] in ("-h", "--help") else words)
    except OSError as problem:
        code = _system_error(problem, f" ({problem.filename})" if problem.filename else "")
    try:
        sys.stdout.flush()  # here, because a failure at interpreter exit prints a traceback
    except OSError as problem:
        code = code or _system_error(problem, " while writing to standard output")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # do not try again
    sys.exit(code)


def _start_quickly() -> None:
    """Save CPU time that imports and compilation would waste."""
    gc.set_threshold(50_000, 20, 20)  # they allocate a million objects that stay
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "20")  # its idle threads spin for 2**20 cycles; by default 2**26


def _run(words: list[str]) -> int:
    import typer

    from pokerlab.cli._app import app
    from pokerlab.errors import FAILURES, PokerlabError, shortened
    from pokerlab.events import Cancelled

    try:
        if words[0] in ("--install-completion", "--show-completion"):
            from pokerlab.cli._completion import completion_script

            print(completion_script(words))
            return 0
        code = app(words, prog_name="pokerlab", standalone_mode=False)
    except PokerlabError as problem:
        hint = "; `pokerlab examples` copies the examples here" if _MISSING_EXAMPLE.search(str(problem)) else ""
        return _print_error(f"{problem}{hint}", 2)
    except (typer.Abort, KeyboardInterrupt, Cancelled):
        return _print_error("interrupted", 130)
    except MemoryError:  # memory is estimated first; another program may have taken it since
        return _print_error("not enough memory: close other programs, or choose smaller settings", 2)
    except FAILURES as problem:
        if isinstance(problem.__context__, BrokenPipeError):  # Rich exits where the reader of a pipe has read enough
            return 0
        if not hasattr(problem, "format_message"):  # not a usage error
            from pokerlab.own_code import failed_line

            if line := failed_line(problem):  # in the user's own game or algorithm
                reason = f": {shortened(str(problem), 200)}" if str(problem) else ""
                return _print_error(f"{type(problem).__name__} in {line}{reason}", 2)
            if sys.stdout.closed:  # by the user's own code
                return _print_error("standard output was closed before the end", 2)
            raise
        return _print_error(_usage_error(problem), 2)
    if code == 130:  # Ctrl-C inside a command
        return _print_error("interrupted", 130)
    return code if isinstance(code, int) else 0


def _usage_error(problem: Any) -> str:
    """A usage error as a sentence, with help: the nearest option, an example, or where the options are listed."""
    context = getattr(problem, "ctx", None)
    where = context.command_path if context else "pokerlab"
    more = f"see {where} --help"
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


def _system_error(problem: OSError, where: str) -> int:
    """Report a system error; a closed pipe is not an error, because its reader has read enough."""
    windows = sys.platform == "win32" and problem.errno == errno.EINVAL  # a closed pipe
    if (isinstance(problem, BrokenPipeError) or windows) and not problem.filename:
        return 0
    return _print_error(f"stopped by the system{where}: {problem.strerror or problem}", 2)


@contextmanager
def _printing_notices() -> Iterator[None]:
    """Print each Notice as a sentence on standard error."""
    from pokerlab.errors import Notice

    with warnings.catch_warnings():
        plain = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **rest: Any) -> None:
            if issubclass(category, Notice):
                _print_error(str(message), 0)
            else:
                plain(message, category, *where, **rest)

        warnings.simplefilter("always", Notice)
        warnings.showwarning = show
        yield


def _print_error(sentence: str, code: int) -> int:
    from pokerlab.errors import printable

    with suppress(OSError):
        print(printable(f"pokerlab: {sentence}"), file=sys.stderr)
    if code and _asks_for_json(sys.argv[1:]):
        import json

        with suppress(OSError):
            print(json.dumps({"error": printable(sentence), "code": code}))
    return code


def _asks_for_json(words: list[str]) -> bool:
    """Whether --json is among the options, also of a command line that cannot be parsed."""
    return "--json" in words[: words.index("--")] if "--" in words else "--json" in words
