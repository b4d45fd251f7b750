"""Where results go: tables on the screen or one JSON object, saved files, CSV tables, pictures and notes.

A command checks the files that it was asked for with `check_outputs` before it starts, and ends with `write_results`.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from os.path import realpath
from pathlib import Path
from typing import Any, TextIO

_spinner: ContextVar[Any] = ContextVar("_spinner", default=None)  # shown while kernels are compiled
Output = tuple[Path | None, Callable[[Path], object] | None]  # a file, and what produces its content


class JsonOutput:
    """Standard output under --json: whatever else is printed, by a user's own bot for example, goes to stderr."""

    def __init__(self) -> None:
        self.results: TextIO = sys.stdout

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr, name)


def wants_json() -> bool:
    """Whether --json was given: standard output is then for one JSON object alone."""
    return isinstance(_standard_output(), JsonOutput)


def _standard_output() -> Any:
    """Standard output, also while Rich has replaced it to draw on the terminal."""
    return sys.stdout if isinstance(sys.stdout, JsonOutput) else getattr(sys.stdout, "rich_proxied_file", sys.stdout)


def console(*, stderr: bool = False) -> Any:
    """The console for results, or on standard error the one for progress and notes, so that results can be piped."""
    from pokerlab.display.elements.screen import Screen

    return Screen(stderr=stderr)


def error_console() -> Any:
    """The console for progress and notes, on standard error."""
    return console(stderr=True)


def literal(value: object) -> str:
    """A name or path from anywhere, escaped for use inside markup."""
    from rich.markup import escape

    return escape(str(value))


def note(text: object) -> None:
    """Print a dim line on standard error."""
    error_console().print(f"[dim]{literal(text)}[/dim]", soft_wrap=True)


def hint(text: object) -> None:
    """Print a note, unless --json was given."""
    if not wants_json():
        note(text)


def note_extra_hands(requested: int | None, played: int) -> None:
    """Say so if more hands were played than requested."""
    if requested is not None and played > requested:
        note(f"played {played:,} hands instead of {requested:,}: every deal is played from every seat")


def print_json(result: Mapping[str, Any]) -> None:
    """Print one JSON object, and nothing else; docs/reference/json.md documents its keys."""
    output = _standard_output()
    results = output.results if isinstance(output, JsonOutput) else sys.stdout
    results.write(json.dumps(_plain(result), allow_nan=False) + "\n")
    results.flush()  # `serve` keeps running while its reader waits for this line


# ---- results ---------------------------------------------------------------------------------------------------------


def write_results(
    result: Mapping[str, Any] | Callable[[], Mapping[str, Any]], show: Callable[[Any], object], **files: Output
) -> None:
    """Write the requested files, then the result: as JSON with the file names, or with `show` and a note per file.

    A file's content is a Figure (drawn), columns or rows (a CSV table) or something with `save`. A function that
    writes the file itself, or None if it is written already, gives a number of rows or a description for the note.
    """
    notes, counts = [], {}
    for option, (path, content) in files.items():
        if path is None:
            continue
        written = _write(path, content(path)) if content is not None else None
        if isinstance(written, int):
            counts[f"{option}_rows"] = written
            notes.append(f"wrote {written:,} rows to {path}")
        else:
            notes.append(f"wrote {path}: {written}" if written else f"wrote {path}")
    if wants_json():
        names = {option: path and str(path) for option, (path, _) in files.items()}
        print_json(dict(result() if callable(result) else result) | names | counts)
        return
    show(console())
    for line in notes:
        note(line)


def list_available(kind: str, *, key: str = "", also: Mapping[str, tuple[str, str]] | None = None) -> None:
    """List the games, papers, methods ... of the registry with their summaries.

    `also` has further kinds to list below, each with its heading and its JSON key.
    """
    from pokerlab.display.elements.table import plain_table
    from pokerlab.registry import available

    kinds = {kind: (kind, key or kind)} | dict(also or {})
    entries = {one: [(entry.name, entry.summary) for entry in available(one)] for one in kinds}

    def show(screen: Any) -> None:
        for one, (heading, _) in kinds.items():
            rows = [(f"[bold]{name}[/bold]", literal(summary)) for name, summary in entries[one]]
            screen.print(plain_table((heading, "summary"), rows, left=2))

    write_results(
        {
            own_key: [{"name": name, "summary": summary} for name, summary in entries[one]]
            for one, (_, own_key) in kinds.items()
        },
        show,
    )


def _write(path: Path, content: Any) -> int | str | None:
    from pokerlab.figure import Figure

    if isinstance(content, Figure):
        from pokerlab.display.elements.figure import write_figure

        write_figure(content, path)
    elif isinstance(content, (Mapping, list)):
        from pokerlab.tables import rows_of, write_csv

        columns = (
            content if isinstance(content, Mapping) else {name: [row[name] for row in content] for name in content[0]}
        )
        write_csv(path, list(columns), rows_of(columns))
    elif hasattr(content, "save"):
        content.save(path)
    return content if isinstance(content, (int, str)) else None


# ---- files that may be written ---------------------------------------------------------------------------------------

SAVE = "save a solution"
SAVE_BUCKETS = "save buckets"
SAVE_STRATEGY = "save a strategy"  # cannot be resumed, so it must not replace a file that can
PICTURES = (".png", ".svg", ".pdf")


def check_outputs(
    *, out: Path | None = None, csv: Path | None = None, picture: Path | None = None, purpose: str = SAVE
) -> None:
    """BadFile or BadSetting, before any work is done, for files that cannot or should not be written."""
    from pokerlab.errors import BadFile, BadSetting

    if picture is not None:
        if picture.suffix.lower() not in PICTURES:
            raise BadFile(f"a picture ends in {', '.join(PICTURES)}, and {str(picture)[:60]!r} does not")
        check_writable(picture, "draw a picture")
    if out is not None:
        check_writable(out, purpose)
    if csv is not None:
        check_writable(csv, "write a table")
        if out is not None and realpath(out) == realpath(csv):
            raise BadSetting(f"--csv and --out are both {str(csv)[:80]!r}: name two files")


def check_writable(path: Path, purpose: str) -> None:
    """BadFile for a path that cannot be written, or that holds something else."""
    from pokerlab.errors import BadFile
    from pokerlab.places import is_url

    if not is_url(path) and (path.is_dir() or not path.parent.is_dir()):
        raise BadFile(f"cannot {purpose} in {str(path)[:80]!r}: it is not a file in an existing folder")
    lost = _would_lose(path, purpose)
    if lost:
        raise BadFile(f"cannot {purpose} in {str(path)[:80]!r}: it is {lost}, and would be lost: name another file")


def _would_lose(path: Path, purpose: str) -> str:
    """What overwriting a file would destroy: a game, a spot, code, hands, buckets, a resumable solution; or ""."""
    from pokerlab.places import exists, here, is_url
    from pokerlab.store import is_saved, manifest_of

    if not (exists(path) if is_url(path) else path.is_file()):  # pipes and devices hold nothing
        return ""
    if path.suffix.lower() in (".efg", ".nfg", ".game", ".toml", ".py"):
        return "a game, a spot or a program"
    with here(path).open("rb") as file:
        if file.read(12)[8:] == b"DUCK":
            return "a file of hands"
    if not is_saved(path):
        return ""
    if not purpose.startswith("save"):
        return "a file saved by pokerlab"
    manifest = manifest_of(path)
    if manifest.get("kind") == "buckets" and purpose != SAVE_BUCKETS:
        return "a file of buckets"
    resumable = manifest.get("kind") == "solution" and manifest.get("keeps", "full") == "full"
    return "a resumable solution" if resumable and purpose == SAVE_STRATEGY else ""


# ---- JSON and compilation --------------------------------------------------------------------------------------------


def _plain(value: Any) -> Any:
    """A value as JSON: NumPy and exact numbers as numbers, NaN and infinity as null, anything else as text."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if hasattr(value, "tolist"):  # NumPy
        return _plain(value.tolist())
    if isinstance(value, (Fraction, Decimal)):
        value = float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


@contextmanager
def announcing_compilation() -> Iterator[None]:
    """Note on standard error that kernels are being compiled, and how many so far."""
    from pokerlab.compiled import watching_compilation
    from pokerlab.display.elements.screen import is_drawn_on

    notes = error_console()
    count = 0
    status = notes.status("")

    def started(name: str) -> None:
        nonlocal count
        if not count:
            notes.print("[dim]compiling kernels, once; later runs start immediately[/dim]")
            if notes.is_terminal and not is_drawn_on():
                status.start()
        count += 1
        status.update(f"compiling kernels: {count}")

    spinner = _spinner.set(status)
    try:
        with watching_compilation(started):
            yield
    finally:
        _spinner.reset(spinner)
        status.stop()


def stop_spinner() -> None:
    """Called before a bar is drawn: a terminal shows one or the other."""
    if (spinner := _spinner.get()) is not None:
        spinner.stop()
