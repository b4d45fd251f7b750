"""Numbers as tables that other programs read: columns as a DataFrame of pandas, rows as a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import MissingExtra
from pokerlab.writing import replacing

Columns = Mapping[str, Sequence[Any] | np.ndarray]  # all equally long


def frame(columns: Columns) -> Any:
    """A DataFrame of these columns; MissingExtra, with what to install, where there is no pandas."""
    try:
        import pandas
    except ImportError:
        raise MissingExtra("tables need the package pandas; install it with: pip install 'pokerlab[pandas]'") from None
    return pandas.DataFrame(dict(columns))


def write_csv(path: Path | str, heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Rows as a CSV file, numbers with all their digits and nothing for None; how many there were."""
    count = 0
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as target:
        writer = csv.writer(target)
        writer.writerow(heading)
        for row in rows:
            writer.writerow(row)
            count += 1
    return count


def rows_of(columns: Columns) -> Iterable[tuple[Any, ...]]:
    """The same columns row by row."""
    return zip(*columns.values(), strict=True)
