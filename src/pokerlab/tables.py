"""Numbers as tables for other programs: columns as a pandas DataFrame, rows as a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import MissingExtra
from pokerlab.writing import replacing

Columns = Mapping[str, Sequence[Any] | np.ndarray]  # all of equal length


def frame(columns: Columns) -> Any:
    """A DataFrame of these columns; raises MissingExtra if pandas is not installed."""
    try:
        import pandas
    except ImportError:
        raise MissingExtra("tables need the package pandas; install it with: pip install 'pokerlab[pandas]'") from None
    return pandas.DataFrame(dict(columns))


def write_csv(path: Path | str, heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Write rows to a CSV file, numbers in full precision and None as an empty cell; return the number of rows."""
    count = 0
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as target:
        writer = csv.writer(target)
        writer.writerow(heading)
        for row in rows:
            writer.writerow(row)
            count += 1
    return count


def csv_text(heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """The same as a text.

    >>> csv_text(["hand", "ev"], [["AA", 1.5], ["KK", None]]).splitlines()
    ['hand,ev', 'AA,1.5', 'KK,']
    """
    text = io.StringIO()
    csv.writer(text).writerows([heading, *rows])
    return text.getvalue()


def rows_of(columns: Columns) -> Iterable[tuple[Any, ...]]:
    """The same columns row by row."""
    return zip(*columns.values(), strict=True)


def records(columns: Columns) -> list[dict[str, Any]]:
    """The same as a list of rows by name, with plain numbers."""
    plain = {name: np.asarray(values).tolist() for name, values in columns.items()}
    return [dict(zip(plain, row, strict=True)) for row in rows_of(plain)]
