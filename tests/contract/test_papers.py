"""Laws of every paper, found and not listed: a quick run has its numbers, tells them as JSON and draws its figures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from numbers import Real
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from pokerlab.display.elements.figure import draw
from pokerlab.display.papers.paper import table_cells
from pokerlab.papers.result import PaperResult
from pokerlab.registry import available, find
from quick_papers import SEED

PAPERS = [entry.name for entry in available("papers")]
pytestmark = pytest.mark.parametrize("name", PAPERS)
Rerun = Callable[[str], tuple[PaperResult, list[float]]]
BY_CLOCK = re.compile(r"a second|after [\d.e-]+ s$")  # names of columns
FEW = 5  # figures: fewer are drawn by the command, of more one of each kind


def numbers_in(value: object) -> Iterator[float]:
    """Every number of plain values."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(one)
    elif isinstance(value, Real):
        yield float(value)


def test_our_numbers_stand_beside_the_printed_ones(name: str, quick_paper: Rerun) -> None:
    result, _ = quick_paper(name)
    assert result.name.replace("_", "-") == name
    assert result.title
    assert result.source
    rows = [row for table in result.tables for row in table.rows]
    printed = [row for row in rows if row.printed is not None]
    assert printed or result.findings  # some claims are printed in words alone
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


def test_progress_grows_from_nothing_to_all(name: str, quick_paper: Rerun) -> None:
    _, shares = quick_paper(name)
    assert shares
    assert shares == sorted(shares)
    assert shares[0] >= 0
    assert shares[-1] <= 1


def test_it_is_told_as_json(name: str, quick_paper: Rerun) -> None:
    told = quick_paper(name)[0].as_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert list(numbers_in(told["tables"]))


def test_its_figures_are_drawn(name: str, quick_paper: Rerun, pytestconfig: pytest.Config) -> None:
    """One of each kind; in a sample the one that has most kinds of lines."""
    figures = quick_paper(name)[0].figures
    assert len({figure.name for figure in figures}) == len(figures)
    kinds = {
        tuple(sorted({line.style for panel in figure.panels for line in panel.lines})): figure for figure in figures
    }
    chosen = [kinds[max(kinds, key=len)]] if kinds and pytestconfig.getoption("--sample") else kinds.values()
    for figure in chosen if len(figures) >= FEW else ():  # a picture takes a third of a second
        pictures = draw(figure)
        assert pictures["png"].startswith(b"\x89PNG")
        assert b"<svg" in pictures["svg"]


@pytest.mark.sampled(6)
def test_the_command_prints_the_same_numbers(
    name: str, cli: CommandLine, tmp_path: Path, quick_paper: Rerun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the quick run found; `test_the_command_runs_the_paper` runs one through the command."""
    result, asked = quick_paper(name)[0], []
    monkeypatch.setattr(find("papers", name).module + ".paper", lambda **settings: asked.append(settings) or result)
    few = len(result.figures) < FEW
    told = cli(["paper", name, "--quick", "--seed", str(SEED), "--json", *(["--out", str(tmp_path)] if few else [])])
    assert [(one["quick"], one["full"], one["seed"]) for one in asked] == [(True, False, SEED)]
    if few:  # many take long to draw; the page is the same template
        drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert drawn["index.html"].count(b"<img") == len(told.json["figures"])
        for figure in result.figures:
            assert drawn[f"{figure.name}.png"].startswith(b"\x89PNG")
            assert b"<svg" in drawn[f"{figure.name}.svg"]
    assert ours(told.json) == ours(result.as_dict())


@pytest.mark.sampled(1)
def test_the_command_runs_the_paper(name: str, cli: CommandLine, quick_paper: Rerun) -> None:
    told = cli(["paper", name, "--quick", "--seed", str(SEED), "--json"])
    assert ours(told.json) == ours(quick_paper(name)[0].as_dict())


def ours(told: dict[str, Any]) -> list[object]:
    """Our numbers in every row of every table, but for those that depend on the clock."""
    rows = (row["ours"].items() for table in told["tables"] for row in table["rows"] if "seconds" not in row["ours"])
    return [{name: value for name, value in row if not BY_CLOCK.search(name)} for row in rows]
