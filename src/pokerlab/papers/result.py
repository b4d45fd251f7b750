"""The result of rerunning a paper: tables of numbers beside the printed ones, figures as data, findings with evidence.

A paper is a file papers/NAME.py with a function `paper(*, full=False, quick=False, seed=0, on_progress=None,
cancel=None) -> PaperResult`. It computes and returns; the report layer draws and prints. `full` is the scale of the
paper, `quick` a run of seconds that previews the tables and will not match the paper. `on_progress` is called with an
Event: the current stage, and the share of the whole that is done. Once `cancel` is set, Cancelled is raised.

The papers here are written as a function of a `Rerun`, and `rerunnable` makes the above of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.figure import Figure

Value = float | int | str | Fraction | None
Scale = TypeVar("Scale")
QUICK_NOTE = "A quick run is a preview: its numbers will not match the paper."


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
    rows: Sequence[Row]
    note: str = ""
    digits: int = 6  # after the point

    def columns(self, by_method: str = "ours") -> list[str]:
        """The methods in one of the mappings of its rows ("ours", "errors", "times"), in order of first appearance."""
        return list(dict.fromkeys(method for row in self.rows for method in getattr(row, by_method)))


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
                {"claim": one.claim, "holds": one.holds, "verdict": one.verdict, "evidence": one.evidence}
                for one in self.findings
            ],
            "notes": list(self.notes),
            "settings": {name: plain(value) for name, value in self.settings.items()},
            "seconds": round(self.seconds, 3),
        }


def _row_dict(row: Row) -> dict[str, Any]:
    values = {name: plain(value) for name, value in vars(row).items()}
    for name in ("printed", "exact"):
        value = getattr(row, name)
        values[f"{name}_fraction"] = str(value) if isinstance(value, Fraction) else None
    return values


def plain(value: Any) -> Any:
    """A JSON-compatible value: fractions and NumPy numbers as numbers, non-finite ones as None, mappings as dicts."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


@dataclass(frozen=True)
class Rerun:
    """One rerun of a paper: its scale, its seed, and where it reports progress."""

    full: bool
    quick: bool
    seed: int
    watch: Watch

    def choose(self, *, quick: Scale, usual: Scale, full: Scale) -> Scale:
        """What belongs to the scale of this run."""
        return quick if self.quick else full if self.full else usual

    def quick_notes(self, *more: str) -> tuple[str, ...]:
        """The notes that a quick run adds."""
        return (QUICK_NOTE, *more) if self.quick else ()

    def result(
        self,
        *,
        title: str,
        source: str,
        tables: Sequence[Table],
        figures: Sequence[Figure] = (),
        findings: Sequence[Finding] = (),
        notes: Sequence[str] = (),
        **settings: Any,
    ) -> PaperResult:
        """The result of this run; `settings` are those that a rerun needs besides the seed and the scale."""
        return PaperResult(
            name=self.watch.job,
            title=title,
            source=source,
            tables=tuple(tables),
            figures=tuple(figures),
            findings=tuple(findings),
            notes=tuple(notes),
            settings={"seed": self.seed, "full": self.full, **settings},
            seconds=perf_counter() - self.watch.began,
        )


def rerunnable(function: Callable[[Rerun], PaperResult]) -> Callable[..., PaperResult]:
    """Make the entry point of a paper, with the arguments listed above, from a function of a `Rerun`."""

    def paper(
        *,
        full: bool = False,
        quick: bool = False,
        seed: int = 0,
        on_progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
    ) -> PaperResult:
        name = function.__module__.rpartition(".")[2]
        return function(Rerun(full and not quick, quick, seed, Watch(name, on_progress, cancel)))

    paper.__doc__, paper.__module__ = function.__doc__, function.__module__
    return paper


def decided(holds: bool, fails: bool) -> bool | None:
    """The verdict of a finding: undecided if it neither holds nor fails."""
    return True if holds else False if fails else None


@dataclass(frozen=True)
class Interval:
    """A mean over seeds and the half-width of its 95 % interval (Student's t)."""

    mean: float
    half_width: float
    count: int

    @property
    def low(self) -> float:
        """Lower end."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """Upper end."""
        return self.mean + self.half_width

    def __str__(self) -> str:
        if not np.isfinite(self.half_width):
            return f"{self.mean:.5g}"
        digits = 4 if self.half_width == 0 else min(6, max(1, 1 - int(np.floor(np.log10(self.half_width)))))
        return f"{self.mean:.{digits}f} ± {self.half_width:.{digits}f}"


def interval(values: Sequence[float] | np.ndarray) -> Interval:
    """The 95 % interval of a mean.

    >>> str(interval([1.0, 2.0, 3.0]))
    '2.0 ± 2.5'
    """
    from scipy import stats

    sample = np.asarray(values, float)
    if len(sample) < 2:
        return Interval(float(sample.mean()), float("nan"), len(sample))
    error = float(sample.std(ddof=1) / np.sqrt(len(sample)))
    return Interval(float(sample.mean()), float(stats.t.ppf(0.975, len(sample) - 1)) * error, len(sample))
