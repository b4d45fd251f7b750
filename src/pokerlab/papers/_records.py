"""The last recorded run of every paper: what is printed, what we found, the verdicts and how long it took.

Papers take from seconds to hours, so the table of all of them (`pokerlab paper`, docs/papers/index.md) is made from
runs that were recorded in `_records.json`; `python -m docs.papers.record NAME` runs papers and records them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab.papers.result import PaperResult
from pokerlab.writing import replacing

FILE = Path(__file__).with_name("_records.json")
SCALES = ("quick", "usual", "full")


@dataclass(frozen=True)
class PrintedNumber:
    """A number as printed, and ours by the first method that has one (or the exact one)."""

    table: str
    what: str
    printed: Any
    ours: Any
    method: str  # "exact" where the exact value is ours


@dataclass(frozen=True)
class Experiment:
    """A recorded run of a paper."""

    name: str
    title: str
    source: str
    scale: str  # of SCALES
    seconds: float
    numbers: tuple[PrintedNumber, ...]
    findings: tuple[Mapping[str, Any], ...]  # claim, holds, verdict, evidence
    notes: tuple[str, ...]

    def count(self, holds: bool | None) -> int:
        """How many findings have this verdict."""
        return sum(one["holds"] is holds for one in self.findings)

    def as_dict(self) -> dict[str, Any]:
        """The summary, for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "scale": self.scale,
            "seconds": self.seconds,
            "printed": len(self.numbers),
            "holds": self.count(True),
            "fails": self.count(False),
            "undecided": self.count(None),
        }


def experiment_of(name: str, result: PaperResult, scale: str) -> Experiment:
    """What is recorded of a run."""
    facts = result.as_dict()
    numbers = []
    for table in facts["tables"]:
        for row in table["rows"]:
            if row["printed"] is None:
                continue
            ours = next(iter(row["ours"].items()), ("exact", row["exact"]))
            numbers.append(PrintedNumber(table["title"], row["what"], row["printed"], ours[1], ours[0]))
    return Experiment(
        name,
        facts["title"],
        facts["source"],
        scale,
        round(facts["seconds"], 1),
        tuple(numbers),
        tuple(facts["findings"]),
        tuple(facts["notes"]),
    )


def recorded(file: Path = FILE) -> dict[str, Experiment]:
    """Every recorded run, by the name of its paper."""
    if not file.exists():
        return {}
    content = json.loads(file.read_text(encoding="utf-8"))
    return {
        name: Experiment(
            name=name,
            **{key: one[key] for key in ("title", "source", "scale", "seconds")},
            numbers=tuple(PrintedNumber(*number) for number in one["numbers"]),
            findings=tuple(one["findings"]),
            notes=tuple(one["notes"]),
        )
        for name, one in content.items()
    }


def save(experiments: Mapping[str, Experiment], file: Path = FILE) -> None:
    """Write all records, in the order of their names."""
    content = {
        name: {
            "title": one.title,
            "source": one.source,
            "scale": one.scale,
            "seconds": one.seconds,
            "numbers": [list(vars(number).values()) for number in one.numbers],
            "findings": [dict(finding) for finding in one.findings],
            "notes": list(one.notes),
        }
        for name, one in sorted(experiments.items())
    }
    with replacing(file) as temporary:
        temporary.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
