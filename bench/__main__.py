"""Run every bench, or those named on the command line, and print one table each."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.table import Table

from bench import Row, quick_form


def _ratio(row: Row) -> str:
    if row.ratio is None:
        return "" if row.reached else "[red]no peer[/]"
    return f"[{'green' if row.reached else 'red'}]{row.ratio:,.{1 if row.ratio >= 0.1 else 4}f}x[/]"


def _rows(module: ModuleType, *, quick: bool) -> Iterator[Row]:
    with quick_form(module) if quick else nullcontext():
        yield from module.measure()


def main(words: list[str]) -> int:
    """Print the tables; exit code 1 when a ratio asked for is not reached, or its peer is not installed.

    With --quick, sizes are small, and ratios are not looked at.
    """
    quick = "--quick" in words
    words = [word for word in words if word != "--quick"]
    known = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    for word in words:
        if word not in known:
            print(f"there is no bench {word!r}; known: {', '.join(known)}")
            return 2
    missed, console = 0, Console()
    if not console.is_terminal:
        console = Console(width=150)
    for name in words or known:
        module = importlib.import_module(f"bench.bench_{name}")
        table = Table(title=(module.__doc__ or name).splitlines()[0])
        for heading in ("what", "ours", "peer", "theirs", "ratio", "asked", "note"):
            table.add_column(heading, justify="right" if heading in ("ours", "theirs", "ratio", "asked") else "left")
        for row in _rows(module, quick=quick):
            missed += not row.reached and not quick
            table.add_row(
                row.what,
                f"{row.ours:,.4g} {row.unit}",
                row.peer,
                "" if row.theirs is None else f"{row.theirs:,.4g} {row.unit}",
                _ratio(row),
                "" if row.asked is None else f"{row.asked:g}x",
                row.note,
            )
        console.print(table)
    return 1 if missed else 0


sys.exit(main(sys.argv[1:]))
