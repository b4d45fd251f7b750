"""The hands at a node of a solution as a CSV or JSON file."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pokerlab import tables
from pokerlab.errors import BadFile
from pokerlab.writing import replacing

PLAIN = ("hand", "reach", "likelihood", "ev", "equity", "bucket")


def csv_rows(view: Any, player: int | None) -> list[list[Any]]:
    """The hands of one player or of all as rows of a CSV file, the headings first."""
    seats = range(len(view.seats)) if player is None else (player,)
    tables = {seat: view.table(seat) for seat in seats}
    plain = [name for name in PLAIN if any(name in row for rows in tables.values() for row in rows)]
    heading = ["player", *plain]
    heading += [f"{action} frequency" for action in view.actions]
    if any("action_ev" in row for rows in tables.values() for row in rows):
        heading += [f"{action} ev" for action in view.actions]
    lines: list[list[Any]] = [heading]
    for seat, rows in tables.items():
        for row in rows:
            line = [seat, *(row.get(name) for name in plain)]
            if "strategy" in row:
                line += [row["strategy"].get(action) for action in view.actions]
                line += [row["action_ev"].get(action) for action in view.actions] if "action_ev" in row else []
            lines.append(line + [""] * (len(heading) - len(line)))
    return lines


def write_csv(view: Any, player: int | None, path: Path) -> tuple[int, str]:
    """Write the hands of one player or of all as a CSV file; return their number and a description."""
    heading, *rows = csv_rows(view, player)
    _check(path, _is_such_csv, "a table of hands")
    count = tables.write_csv(path, heading, rows)
    of_whom = "" if player is None else f" of {view.seats[player]}"
    return count, f"wrote {path}: {_hands(view, count)}{of_whom} {_where(view)}, {len(heading)} columns"


def write_json(view: Any, place: Any, path: Path) -> str:
    """Write a node as one JSON object; return a description."""
    _check(path, _is_such_json, "a node of a solution")
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(place), encoding="utf-8", newline="\n")
    return f"wrote {path}: {_hands(view, sum(len(rows) for rows in place['hands'].values()))} {_where(view)}"


def _check(path: Path, is_such: Callable[[str], bool], what: str) -> None:
    """BadFile for a path that cannot be written, and for a file that contains something else."""
    if not path.name or path.is_dir() or not path.parent.is_dir():
        raise BadFile(f"cannot write {str(path)[:80]!r}: it is not a file in an existing folder")
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as file:
            opening = file.read(4096).decode("utf-8", "replace")
        if not is_such(opening):
            raise BadFile(f"{str(path)[:80]!r} is not {what}, and would be lost: name another file")


def _is_such_csv(opening: str) -> bool:
    heading: Sequence[str] = next(csv.reader(opening.splitlines()[:1]), [""])
    return heading[0] == "player" and all(name in PLAIN or name.endswith((" frequency", " ev")) for name in heading[1:])


def _is_such_json(opening: str) -> bool:
    return opening.startswith(('{"board": ', '{"moves": '))


def _hands(view: Any, number: int) -> str:
    if view.has_hand_classes:
        return f"{number:,} classes of hands"
    return "1 hand" if number == 1 else f"{number:,} hands"


def _where(view: Any) -> str:
    return f"after {', '.join(view.moves)}" if view.moves else "at the start"
