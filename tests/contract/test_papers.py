"""Laws of every paper, found and not listed: a quick run has its numbers, tells them as JSON and draws its figures."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from functools import cache
from numbers import Real
from pathlib import Path

import pytest

from command_line import CommandLine
from pokerlab.papers.result import PaperResult
from pokerlab.registry import available, find
from pokerlab.report.figure import draw
from pokerlab.report.paper import table_cells

PAPERS = [entry.name for entry in available("papers")]
pytestmark = pytest.mark.parametrize("name", PAPERS)


@cache
def rerun(name: str) -> tuple[PaperResult, list[float]]:
    """A quick run, and how far it said that it was."""
    shares: list[float] = []
    module = importlib.import_module(find("papers", name).module)
    return module.paper(quick=True, seed=3, on_progress=lambda what, share: shares.append(share)), shares


def numbers_in(value: object) -> Iterator[float]:
    """Every number of plain values."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(one)
    elif isinstance(value, Real):
        yield float(value)


def test_our_numbers_stand_beside_the_printed_ones(name: str) -> None:
    result, _ = rerun(name)
    assert result.name.replace("_", "-") == name
    assert result.title
    assert result.source
    rows = [row for table in result.tables for row in table.rows]
    printed = [row for row in rows if row.printed is not None]
    assert printed
    for row in printed:  # exact numbers are ours too
        assert row.exact is not None or row.ours, row.what
    assert all(value is not None for row in rows for value in row.ours.values())
    for table in result.tables:
        headings, cells = table_cells(table)
        assert all(len(line) == len(headings) for line in cells)
        names = [line[0] for line in cells if not line[0].startswith(" ")]  # what is indented belongs to the row above
        assert len(set(names)) == len(names), table.title
    assert result.findings
    assert all(finding.claim and finding.evidence for finding in result.findings)


def test_progress_grows_from_nothing_to_all(name: str) -> None:
    _, shares = rerun(name)
    assert shares
    assert shares == sorted(shares)
    assert shares[0] >= 0
    assert shares[-1] <= 1


def test_it_is_told_as_json(name: str) -> None:
    told = rerun(name)[0].as_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert list(numbers_in(told["tables"]))


def test_its_figures_are_drawn(name: str) -> None:
    figures = rerun(name)[0].figures
    assert len({figure.name for figure in figures}) == len(figures)
    kinds = {
        tuple(sorted({line.style for panel in figure.panels for line in panel.lines})): figure for figure in figures
    }
    for figure in kinds.values():  # one of each kind: a picture takes a third of a second
        pictures = draw(figure)
        assert pictures["png"].startswith(b"\x89PNG")
        assert b"<svg" in pictures["svg"]


def test_the_command_prints_the_same_numbers(name: str, cli: CommandLine, tmp_path: Path) -> None:
    few = len(rerun(name)[0].figures) < 5
    told = cli(["paper", name, "--quick", "--seed", "3", "--json", *(["--out", str(tmp_path)] if few else [])]).json
    if few:  # many take long to draw; the page is the same template
        assert (tmp_path / "index.html").read_text(encoding="utf-8").count("<img") == len(told["figures"])
    rows = [row["ours"] for table in told["tables"] for row in table["rows"]]
    mine = [row["ours"] for table in rerun(name)[0].as_dict()["tables"] for row in table["rows"]]
    assert rows == mine
