"""What commands share: printing results or one JSON object, progress bars, and word of compilation."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from pokerlab.cli._completion import KEPT, choices


class _Diverted:
    """Standard output while a result is JSON: what a person's own bot prints, say, goes to standard error."""

    def __init__(self) -> None:
        self.results: TextIO = sys.stdout

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr, name)


def _diverted(context: typer.Context, wanted: bool) -> bool:
    """Let nothing but the result onto standard output, where JSON is asked for."""
    if wanted:
        context.with_resource(redirect_stdout(_Diverted()))
    return wanted


Json = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object on standard output and nothing else.", callback=_diverted),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of everything random: same seed, same result.")]
Keep = Annotated[
    str,
    typer.Option(
        "--keep",
        help="What --out keeps at the end: full, to be resumed; or the strategy alone, which takes a tenth or less of "
        "the space in the public form, every probability right to a thousandth.",
        autocompletion=choices(*KEPT),
    ),
]
Backend = Annotated[
    str,
    typer.Option("--backend", help="Where workers run: processes, threads, serial, or a back end that is installed."),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        help="Processes; all cores by default, one where a person or a waiting program plays. "
        "The result does not depend on it.",
    ),
]


def console() -> Any:
    """The console of results, on standard output."""
    from pokerlab.display.elements.screen import Screen

    return Screen()


def error_console() -> Any:
    """The console of progress and notes, on standard error, so that results can be piped."""
    from pokerlab.display.elements.screen import Screen

    return Screen(stderr=True)


def tell_more_hands(asked: int | None, played: int) -> None:
    """Say where more hands were played than were asked for."""
    if asked is not None and played > asked:
        error_console().print(
            f"[dim]{played:,} hands for the {asked:,} asked for: every deal is played from every seat[/dim]"
        )


def literal(value: object) -> str:
    """A name or path of any origin inside a text with markup, shown letter by letter."""
    from rich.markup import escape

    return escape(str(value))


def print_json(result: dict[str, Any]) -> None:
    """One JSON object, and nothing else; its keys are told in docs/json.md."""
    results = sys.stdout.results if isinstance(sys.stdout, _Diverted) else sys.stdout
    results.write(json.dumps(_plain(result), allow_nan=False) + "\n")


ALONE = "keep a strategy alone"  # what cannot be resumed must not take the place of what can


def check_writable(path: Path, purpose: str) -> None:
    """BadFile, before any work is done, for a file that could not be written."""
    from pokerlab.errors import BadFile

    if path.is_dir() or not path.parent.is_dir():
        raise BadFile(f"cannot {purpose} in {str(path)[:80]!r}: it is not a file in a folder that exists")
    lost = _lost(path, purpose)
    if lost:
        raise BadFile(f"cannot {purpose} in {str(path)[:80]!r}: it is {lost}, and would be lost: name another file")


def _lost(path: Path, purpose: str) -> str:
    """What a file holds that nobody means to write over: games, spots, programs, hands, buckets; "" where nothing."""
    from pokerlab.store import is_kept, manifest_of

    if not path.is_file():
        return ""
    if path.suffix.lower() in (".efg", ".nfg", ".game", ".toml", ".py"):
        return "a file of a game, a spot or a program"
    with path.open("rb") as file:
        if file.read(12)[8:] == b"DUCK":
            return "a file of hands"
    if not is_kept(path):
        return ""
    if not purpose.startswith("keep"):
        return "a file of pokerlab's own"
    manifest = manifest_of(path)
    if manifest.get("kind") == "buckets" and purpose != "keep buckets":
        return "a file of buckets"
    resumable = manifest.get("kind") == "solution" and manifest.get("keeps", "full") == "full"
    return "a solution that may be resumed" if resumable and purpose == ALONE else ""


def check_table(path: Path, purpose: str, *, out: Path | None = None) -> None:
    """The same for a table; and it takes the place of no kept file, nor of the one that the command keeps."""
    from pokerlab.errors import BadSetting

    check_writable(path, purpose)
    if out is not None and out.resolve() == path.resolve():
        raise BadSetting(f"cannot {purpose} in {str(path)[:80]!r}, where the solution is kept: name another file")


def _plain(value: Any) -> Any:
    """A value as JSON has it: numbers stay numbers, what is not finite is null, what is neither is text."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if hasattr(value, "tolist"):  # of NumPy
        return _plain(value.tolist())
    if isinstance(value, (Fraction, Decimal)):
        value = float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


@contextmanager
def announcing_compilation() -> Iterator[None]:
    """Say on standard error, once, that kernels are being compiled, and how many were so far."""
    from pokerlab.compiled import watching_compilation

    notes = error_console()
    count = 0
    status = notes.status("")

    def started(name: str) -> None:
        nonlocal count
        if not count:
            notes.print("[dim]compiling kernels, once: later runs start at once[/dim]")
            if notes.is_terminal:
                status.start()
        count += 1
        status.update(f"compiling kernels: {count}")

    try:
        with watching_compilation(started):
            yield
    finally:
        status.stop()
