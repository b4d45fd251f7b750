"""Tables for other programs: CSV files with every digit, DataFrames, and a sentence where pandas is missing."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

from pokerlab.errors import BadFile, MissingExtra
from pokerlab.lab.solve.solving import solve
from pokerlab.tables import frame, rows_of, write_csv


def test_numbers_come_back_from_csv_as_they_were(tmp_path: Path) -> None:
    columns = {"name": ['a "b", c', "é\n♠", ""], "number": [0.1 + 0.2, 1e-300, -1 / 3], "count": [1, None, 2**60]}
    assert write_csv(tmp_path / "a.csv", list(columns), rows_of(columns)) == 3
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == columns["name"]
    assert [float(row["number"]) for row in rows] == columns["number"]
    assert [row["count"] for row in rows] == ["1", "", str(2**60)]


def test_what_stood_there_stays_where_writing_fails(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("before")

    def rows():
        yield (1,)
        raise KeyError

    with pytest.raises(KeyError):
        write_csv(tmp_path / "a.csv", ["x"], rows())
    assert (tmp_path / "a.csv").read_text() == "before"
    with pytest.raises(BadFile):
        write_csv(tmp_path, ["x"], [])


def test_pandas_is_asked_for_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve("kuhn", iterations=3)
    monkeypatch.setitem(sys.modules, "pandas", None)
    for ask in (solution.to_pandas, solution.convergence, solution.root.to_pandas, solution.strategy.to_pandas):
        with pytest.raises(MissingExtra, match=r"pip install 'pokerlab\[pandas\]'"):
            ask()


def test_columns_have_their_types() -> None:
    table = frame({"player": [0, 1], "reach": [0.5, 1.0], "action": ["c", "r"]})
    assert [table[name].dtype.kind for name in ("player", "reach")] == ["i", "f"]
