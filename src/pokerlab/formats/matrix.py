"""A payoff table: any strategic game, as matrix(payoffs=[[1, -1], [-1, 1]]) or from a .csv, .json or .nfg file.

In a .csv file the first line names the columns and the first cell of each later line names a row; a cell is the row
player's payoff, or both payoffs as in "3;-1". Names may be omitted. In a .json file "payoffs" is such a table (a cell
is a number or a list with one number per player) and "actions" may list the names of each player's actions; tables for
three or more players are nested deeper.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.gambit import LARGEST, LARGEST_TABLE, number
from pokerlab.games.strategic import StrategicGame
from pokerlab.reading import json_value, read_text
from pokerlab.specs import spec_text

_MOST_BYTES = 16 * LARGEST_TABLE


def game(*, payoffs: Sequence[Any] = (), path: str = "") -> StrategicGame:
    """The game of a table (nested lists of numbers) or of a file."""
    if bool(payoffs) == bool(path):
        raise BadSetting("matrix needs either payoffs, as in matrix(payoffs=[[1, -1], [-1, 1]]), or the path of a file")
    path = str(path)
    if payoffs:
        return _nested(payoffs, name=spec_text("matrix", {"payoffs": _as_lists(payoffs)}), names=None)
    if path.lower().endswith(".nfg"):
        from pokerlab.formats.gambit import read_nfg

        return read_nfg(path)
    return read_table(path)


def read_table(path: str | Path) -> StrategicGame:
    """The game of a .csv or .json file."""
    text, name = read_text(path, most=_MOST_BYTES), spec_text("file", {"path": str(path)})
    try:
        return _from_json(text, name) if str(path).lower().endswith(".json") else _from_csv(text, name)
    except BadSetting as problem:
        raise BadFile(f"{str(path)[:60]!r}: {problem}") from None


def _from_csv(text: str, name: str) -> StrategicGame:
    try:
        lines = list(csv.reader(io.StringIO(text), skipinitialspace=True, strict=True))
    except csv.Error as problem:
        raise BadSetting(f"not a table of comma-separated values ({problem})") from None
    _check_size(2 * sum(map(len, lines)))
    cells = [(i, [cell.strip() for cell in line]) for i, line in enumerate(lines, 1) if any(map(str.strip, line))]
    if not cells:
        raise BadSetting("the file is empty; it needs at least one row of payoffs")
    first, corner = cells[0][0], cells[0][1][0]
    named = _cell(corner) is None  # the corner is empty or text
    if named and _is_beyond(corner):
        raise BadSetting(f"line {first}: payoffs are from -10^100 to 10^100, and {corner[:30]!r} is beyond")
    columns = cells.pop(0)[1][1:] if named else [str(j + 1) for j in range(len(cells[0][1]))]
    if not cells:
        raise BadSetting("there is no row of payoffs under the column names")
    rows = [words.pop(0) if named else str(position) for position, (_, words) in enumerate(cells, 1)]
    table = []
    for line, words in cells:
        table.append([_cell(word) for word in words])
        if None in table[-1]:
            raise BadSetting(f"line {line}: {words[table[-1].index(None)][:30]!r} is not a payoff; write 3 or 3;-1")
        if len(words) != len(columns):
            raise BadSetting(f"line {line}: {len(words)} payoffs where there are {len(columns)} columns")
    return _nested(table, name=name, names=(rows, columns))


def _cell(text: str) -> float | list[float] | None:
    """One or two payoffs, or None if the text is neither."""
    parts = [number(part) for part in re.split(r"[;|\s]+", text.strip("() "))]
    exact = [float(part) for part in parts if part is not None]
    if len(exact) != len(parts) or len(exact) not in (1, 2):
        return None
    return exact[0] if len(exact) == 1 else exact


def _is_beyond(text: str) -> bool:
    """Whether a text that is not a valid payoff looks like one anyway: 1e150, inf.

    Treated as a name, it would turn the whole line into names and silently change the game.
    """
    try:
        for part in re.split(r"[;|\s]+", text.strip("() ")):
            float(part)
    except ValueError:
        return False
    return True


def _from_json(text: str, name: str) -> StrategicGame:
    content = json_value(text)
    if isinstance(content, list):
        content = {"payoffs": content}
    if not isinstance(content, dict) or "payoffs" not in content:
        raise BadSetting('a game in JSON is an object with a table "payoffs", and may have "actions" and "title"')
    names = content.get("actions")
    if names is not None and not (isinstance(names, list) and all(isinstance(own, list) for own in names)):
        raise BadSetting('"actions" must be a list with one list of names per player')
    return _nested(content["payoffs"], name=name, names=names, title=str(content.get("title", "")))


def _nested(payoffs: Any, *, name: str, names: Sequence[Sequence[Any]] | None, title: str = "") -> StrategicGame:
    """A game from nested lists: numbers at depth two (zero sum), or lists of one number per player at any depth."""
    shape, cell = [], payoffs
    while isinstance(cell, (list, tuple)) and cell:
        shape.append(len(cell))
        cell = cell[0]
    if len(shape) >= 3 and shape[-1] == len(shape) - 1:
        shape.pop()  # the innermost lists are payoffs, one per player
        zero_sum = False
    elif len(shape) == 2:
        zero_sum = True
    else:
        raise BadSetting("payoffs must be a table of numbers (two players, zero sum) or of lists, a number per player")
    _check_size(prod(shape) * len(shape))
    if names is None:
        names = [[str(i + 1) for i in range(size)] for size in shape]
    if [len(own) for own in names] != shape:
        raise BadSetting(f"names are given for {[len(own) for own in names]} actions, but the table is {shape}")
    action_names = tuple(tuple(str(word) for word in own) for own in names)
    indices = product(*(range(size) for size in shape))
    cells = (_payoffs(payoffs, index, shape, zero_sum=zero_sum) for index in indices)
    return StrategicGame(name, action_names, dict(zip(product(*action_names), cells, strict=True)), title)


def _check_size(count: int) -> None:
    if count > LARGEST_TABLE:
        raise BadSetting(f"a table of {count:,} payoffs is more than the {LARGEST_TABLE:,} we read")


def _payoffs(payoffs: Any, index: Sequence[int], shape: Sequence[int], *, zero_sum: bool) -> tuple[float, ...]:
    cell = payoffs
    for depth, i in enumerate(index):
        if not isinstance(cell, (list, tuple)) or len(cell) != shape[depth]:
            raise BadSetting(f"the table is ragged: not every row at depth {depth + 1} has {shape[depth]} entries")
        cell = cell[i]
    if zero_sum and _is_number(cell):
        return float(cell), 0.0 - float(cell)
    if isinstance(cell, (list, tuple)) and len(cell) == len(shape) and all(map(_is_number, cell)):
        return tuple(float(value) for value in cell)
    wanted = "a number" if zero_sum else f"a list of {len(shape)} numbers"
    raise BadSetting(f"the payoff at {list(index)} must be {wanted}, not {str(cell)[:30]!r}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST


def _as_lists(payoffs: Any) -> Any:
    return [_as_lists(row) for row in payoffs] if isinstance(payoffs, (list, tuple)) else payoffs
