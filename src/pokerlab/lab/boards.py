"""The same spot over many boards: frequencies and EVs in one table, in parallel, resumable.

Boards are given as text ("KsQd7h, 9s8s2d:2"), or as "flops": the 1,755 flops that differ by more than names of suits,
each weighted by how many it stands for. Every finished board is written to the table at once, so an interrupted report
is resumed where it stopped; a table of another spot or of other settings is refused.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab import parallel
from pokerlab.cards.canonical import canonical_flops
from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadCards, BadFile, BadSetting, PokerlabError
from pokerlab.lab.solving import solve
from pokerlab.reading import finite, read_text

LONGEST_LIST = 30_000
UNKNOWN = (None, "", "nan")  # the equity of two ranges that never meet, say
NUMBERS = ("ev_out_of_position", "ev_in_position")  # of every board that was solved


@dataclass(frozen=True)
class WeightedBoard:
    """A board, and how much it counts."""

    board: str
    weight: float


def all_flops() -> list[WeightedBoard]:
    """The flops that differ by more than names of suits, weighted by how many each stands for: 1,755 of 22,100."""
    return [WeightedBoard(FULL_DECK.text(flop[::-1]), count) for flop, count in canonical_flops()]


def read_boards(text: str) -> list[WeightedBoard]:
    """Boards from text: "flops", or boards separated by commas or lines, each with a weight behind a colon or not.

    >>> read_boards("Ks7h2d, Qs Js Ts:2")
    [WeightedBoard(board='Ks7h2d', weight=1.0), WeightedBoard(board='QsJsTs', weight=2.0)]
    """
    if text.strip().lower() == "flops":
        return all_flops()
    boards = []
    for word in re.split(r"[,\n;]+", text[: 40 * LONGEST_LIST]):
        if not word.strip() or word.strip().startswith("#"):
            continue
        cards, _, weight = word.partition(":")
        try:
            share = float(weight) if weight.strip() else 1.0
        except ValueError:
            share = -1.0
        if not 0 < share < 1e9:
            raise BadSetting(f"the weight {weight.strip()[:20]!r} of the board {cards.strip()[:20]!r} is not a number")
        boards.append(WeightedBoard(FULL_DECK.text(FULL_DECK.cards(cards)), share))
    if not boards:
        raise BadCards('name some boards: "Ks7h2d, QsJsTs:2", a file of them, or "flops"')
    return boards


@dataclass(frozen=True)
class BoardTask:
    """One board of a report."""

    settings: Mapping[str, Any]
    board: WeightedBoard
    options: Mapping[str, Any]


def solve_board(task: BoardTask) -> dict[str, Any]:
    """The row of one board; errors a board causes are told in its row."""
    row: dict[str, Any] = {"board": task.board.board, "weight": task.board.weight}
    try:
        solution = solve(dict(task.settings) | {"board": task.board.board}, **task.options)
    except PokerlabError as problem:
        return row | {"problem": str(problem).splitlines()[0]}
    if solution.stopped == "interrupted":  # an unfinished board is not kept
        raise KeyboardInterrupt
    root: Any = solution.root
    row |= {
        "ev_out_of_position": solution.values[0],
        "ev_in_position": solution.values[1],
        "equity_out_of_position": root.equity(0),
        "exploitability_percent": solution.exploitability_percent,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
    }
    shares = root.strategy() if root.player is not None else {}
    return row | {f"frequency {action}": share for action, share in shares.items()}


def report(
    settings: Mapping[str, Any],
    boards: Sequence[WeightedBoard],
    *,
    out: Path | None = None,
    workers: int = 1,
    on_row: Callable[[dict[str, Any], int], None] | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """Solve a spot on every board; rows in the boards' order. With `out`, rows kept there are not solved again."""
    mark = _mark(settings, options)
    kept = read_table(out) if out is not None and out.exists() else []
    if any(row.get("spot") != mark for row in kept):
        raise BadFile(f"{out} is the report of another spot, or of other settings; name another file")
    done = {row["board"]: row for row in kept if "problem" not in row}
    rows: list[dict[str, Any]] = [done[item.board] | {"weight": item.weight} for item in boards if item.board in done]
    todo = [BoardTask(settings, item, options) for item in boards if item.board not in done]
    mode = "processes" if workers > 1 and len(todo) > 1 else "serial"
    for row in _each(todo, mode, workers):
        rows.append(row | {"spot": mark})
        if out is not None:
            write_table(out, rows)
        if on_row:
            on_row(row, len(rows))
    order = {item.board: number for number, item in enumerate(boards)}
    return sorted(rows, key=lambda row: order[row["board"]])


def _mark(settings: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """A short fingerprint of what is solved on every board, and how far."""
    words = {name: value for name, value in settings.items() if name != "board"}
    how = {name: value for name, value in options.items() if name != "threads"}
    return hashlib.blake2b(repr((sorted(words.items()), sorted(how.items()))).encode(), digest_size=4).hexdigest()


def _each(tasks: list[BoardTask], mode: str, workers: int) -> Iterator[dict[str, Any]]:
    yield from parallel.run(solve_board, tasks, mode=mode, workers=workers)


def totals(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The weighted mean of every number over the boards that were solved."""
    good = [row for row in rows if "ev_out_of_position" in row and row["ev_out_of_position"] is not None]
    names = {
        name: None
        for row in good
        for name in row
        if name not in ("board", "weight", "problem", "spot") and isinstance(row[name], float | int)
    }
    total = sum(row["weight"] for row in good) or 1.0
    return {name: sum(row["weight"] * (row.get(name) or 0.0) for row in good) / total for name in names}


def write_table(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """All rows as a CSV file, all or nothing."""
    from pokerlab.writing import replacing

    names = list(dict.fromkeys(name for row in rows for name in row))
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as target:
        writer = csv.DictWriter(target, names)
        writer.writeheader()
        writer.writerows(rows)


def read_table(path: Path) -> list[dict[str, Any]]:
    """The rows of a CSV file that `write_table` wrote."""
    text = read_text(path)
    try:
        rows = list(csv.DictReader(io.StringIO(text)))
        if rows and "board" not in rows[0]:
            raise ValueError
        if any(None in row for row in rows):  # more cells in a line than there are columns
            raise ValueError
        read = [{name: _value(name, text) for name, text in row.items() if text not in UNKNOWN} for row in rows]
        if not all({"board", "weight", *(("problem",) if "problem" in row else NUMBERS)} <= set(row) for row in read):
            raise ValueError
        return read
    except (ValueError, csv.Error) as problem:
        raise BadFile(f"{path} is not a report of boards: a table with a column 'board' and numbers") from problem


def _value(name: str, text: str) -> Any:
    if name in ("board", "problem", "spot"):
        return text
    return int(finite(float(text))) if name == "iterations" else finite(float(text))  # a whole number stays one
