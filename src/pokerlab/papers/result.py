"""The result of rerunning a paper: tables of numbers beside the printed ones, figures as data, findings with evidence.

A paper is a file papers/NAME.py with a function `paper(*, full=False, quick=False, seed=0, on_progress=None,
cancel=None) -> PaperResult`. It computes and returns; the report layer draws and prints. `full` is the scale of the
paper, `quick` a run of seconds that previews the tables and will not match the paper. `on_progress` is called with an
Event: the current stage, and the share of the whole that is done. Once `cancel` is set, Cancelled is raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from pokerlab.figure import Figure

Value = float | int | str | Fraction | None
QUICK_NOTE = "A quick run, to see what there is: far too small for its numbers to mean anything."


@dataclass(frozen=True)
class Row:
    """One number of a paper: its name, the printed value, the exact one if it can be known, and ours by each method."""

    what: str
    printed: Value = None
    exact: Value = None
    ours: Mapping[str, Value] = field(default_factory=dict)  # by method; the table's columns in first-seen order
    error: float | None = None  # of ours (the first method) from exact, or from printed if there is no exact value
    seconds: float | None = None
    errors: Mapping[str, float] = field(default_factory=dict)  # by method, if each has its own
    times: Mapping[str, float] = field(default_factory=dict)  # seconds by method
    note: str = ""


@dataclass(frozen=True)
class Table:
    """Rows under one title; empty columns are not shown."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""
    digits: int = 6  # after the point

    @property
    def methods(self) -> list[str]:
        """The names of our columns, in order of first appearance."""
        return list(dict.fromkeys(method for row in self.rows for method in row.ours))

    @property
    def judged(self) -> list[str]:
        """The methods that have their own errors."""
        return list(dict.fromkeys(method for row in self.rows for method in row.errors))

    @property
    def timed(self) -> list[str]:
        """The methods that have their own times."""
        return list(dict.fromkeys(method for row in self.rows for method in row.times))


@dataclass(frozen=True)
class Finding:
    """A claim, whether our measurements support it, and the measurements in a sentence."""

    claim: str
    holds: bool | None  # None: undecided
    evidence: str
    words: str = ""  # the verdict, if holds alone does not say it

    @property
    def verdict(self) -> str:
        """The verdict as text."""
        return self.words or {True: "holds", False: "does not hold", None: "undecided"}[self.holds]


@dataclass(frozen=True)
class PaperResult:
    """Everything that one run of a paper returns."""

    name: str  # as in papers/NAME.py
    title: str
    source: str  # authors, where and when published
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)  # seed, full, and anything else that a rerun needs
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Tables, findings and settings as plain values; figures by name and caption only."""
        return {
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "tables": [
                {"title": table.title, "note": table.note, "rows": [_row_dict(row) for row in table.rows]}
                for table in self.tables
            ],
            "figures": [{"name": figure.name, "caption": figure.caption} for figure in self.figures],
            "findings": [
                {
                    "claim": finding.claim,
                    "holds": finding.holds,
                    "verdict": finding.verdict,
                    "evidence": finding.evidence,
                }
                for finding in self.findings
            ],
            "notes": list(self.notes),
            "settings": {name: plain(value) for name, value in self.settings.items()},
            "seconds": round(self.seconds, 3),
        }


def _row_dict(row: Row) -> dict[str, Any]:
    return {
        "what": row.what,
        "printed": plain(row.printed),
        "exact": plain(row.exact),
        "printed_fraction": str(row.printed) if isinstance(row.printed, Fraction) else None,
        "exact_fraction": str(row.exact) if isinstance(row.exact, Fraction) else None,
        "ours": {method: plain(value) for method, value in row.ours.items()},
        "error": plain(row.error),
        "seconds": plain(row.seconds),
        "errors": {method: plain(value) for method, value in row.errors.items()},
        "times": {method: plain(value) for method, value in row.times.items()},
        "note": row.note,
    }


def plain(value: Any) -> Any:
    """A JSON-compatible value: fractions and NumPy numbers as numbers, non-finite ones as None."""
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
