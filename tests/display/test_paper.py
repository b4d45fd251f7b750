"""Rerun papers as text, figures and a page."""

import io
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from pokerlab.display.elements.figure import draw
from pokerlab.display.elements.numbers import number_text
from pokerlab.display.papers.paper import print_paper, table_cells, write_paper
from pokerlab.errors import BadFile
from pokerlab.figure import Figure, Line, Mark, Panel
from pokerlab.papers.result import Finding, PaperResult, Row, Table


@pytest.fixture
def result():
    rows = (
        Row("x1", printed=11, exact=Fraction(1, 9), ours={"GA": 0.1125}, error=0.0014, seconds=1.5),
        Row("[odd] <name>", ours={"CFR": float("nan")}),
    )
    panel = Panel(
        lines=(Line([1, 2, 3], [0.1, 0.5, 0.2], label="GA", low=[0, 0.4, 0.1], high=[0.2, 0.6, 0.3]),),
        marks=(Mark(2, "x2"), Mark(2.2, "c", end=2.8)),
        y_log=True,
    )
    grid = Panel(cells=np.eye(2), cell_text=[["AA", "AKs"], ["AKo", "KK"]])
    return PaperResult(
        name="example",
        title="An <example>",
        source="nobody",
        tables=(Table("numbers", rows),),
        figures=(
            Figure("figure-1", "a caption", (panel, Panel(lines=(Line([0], [1], style="bars"),)))),
            Figure("f2", "", (grid,)),
        ),
        findings=(Finding("it works", True, "measured"), Finding("it is open", None, "not measured")),
        settings={"seed": np.int64(3)},
    )


def test_values_read_well():
    assert number_text(Fraction(1, 9), 4) == "1/9 = 0.1111"
    assert number_text(None, 4) == ""
    assert number_text(10_000, 4) == "10,000"
    assert number_text(1.5e-7, 4) == "1.5e-07"


def test_empty_columns_are_left_out(result):
    headings, rows = table_cells(result.tables[0])
    assert headings == ["", "printed", "exact", "GA", "CFR", "error", "seconds"]
    assert rows[0] == ["x1", "11", "1/9 = 0.111111", "0.112500", "", "0.0014", "1.50"]


def test_errors_and_seconds_by_method_have_columns():
    row = Row("x1", ours={"GA": 0.1, "CFR": 0.2}, errors={"GA": -0.01, "CFR": 0.09}, times={"CFR": 2.0})
    headings, rows = table_cells(Table("numbers", (row,)))
    assert headings == ["", "GA", "CFR", "GA error", "CFR error", "CFR seconds"]
    assert rows[0][3:] == ["-0.01", "0.09", "2.00"]


def test_a_finding_can_word_its_verdict(result, tmp_path):
    worded = Finding("it works", None, "measured once", words="as claimed in one seed")
    told = replace(result, findings=(worded,))
    assert told.as_dict()["findings"][0]["verdict"] == "as claimed in one seed"
    assert "as claimed in one seed" in write_paper(told, tmp_path).read_text(encoding="utf-8")


def test_terminal_output_keeps_brackets(result):
    from rich.console import Console

    with Console(width=120, record=True, file=io.StringIO()) as console:
        print_paper(result, console)
    text = console.export_text()
    assert "[odd] <name>" in text
    assert "undecided" in text


def test_figures_are_drawn_the_same_twice(result):
    once, twice = draw(result.figures[0]), draw(result.figures[0])
    assert once == twice
    assert once["png"].startswith(b"\x89PNG")
    assert b"<svg" in once["svg"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["$x$", "a$\\frac$.sol", "$", "\\$", "$$$", "\x1b[31m$_{$"])
def test_names_are_no_formulas(name):
    """Dollar signs come from names of files; what stands between two would be read as mathematics, or refused."""
    line = Line([1, 2], [0.1, 0.5], label=name)
    panel = Panel(lines=(line,), marks=(Mark(1, name),), title=name, x_label=name, y_label=name, y_log=True)
    grid = Panel(cells=np.eye(1), cell_text=[[name]], title=name)
    assert draw(Figure("f", "", (panel, grid)))["svg"].startswith(b"<?xml")


def test_page_needs_no_other_file(result, tmp_path):
    page = write_paper(result, tmp_path / "new" / "folder")
    text = page.read_text()
    assert text.count("data:image/svg+xml;base64,") == 2
    assert "An &lt;example&gt;" in text
    assert {path.name for path in page.parent.iterdir()} == {
        "index.html", "figure-1.png", "figure-1.svg", "f2.csv", "f2.png", "f2.svg",
    }  # fmt: skip


def test_unwritable_folder_is_refused(result, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="file"):
        write_paper(result, tmp_path / "file")


def test_json_is_plain(result):
    import json

    plain = result.as_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["tables"][0]["rows"][0]["exact_fraction"] == "1/9"
    assert plain["tables"][0]["rows"][1]["ours"] == {"CFR": None}
