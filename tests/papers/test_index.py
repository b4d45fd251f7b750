"""The table of all papers, the recorded runs that it is made from, and the small papers of counts and scores."""

from __future__ import annotations

import numpy as np
import pytest

from command_line import CommandLine
from docs.papers.record import PAGE, page
from pokerlab.papers._records import Experiment, experiment_of, recorded, save
from pokerlab.papers.acpc_2012 import AGENTS, printed_scores, reconstructed
from pokerlab.papers.result import Finding, PaperResult, Row, Table
from pokerlab.registry import available
from published.competition import HALF_WIDTHS_2012, RUNOFF_2012


def test_the_page_is_made_from_the_records() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m docs.papers.record"


def test_records_are_of_papers_that_there_are(cli: CommandLine) -> None:
    experiments, names = recorded(), [entry.name for entry in available("papers")]
    assert set(experiments) <= set(names)
    listed = cli(["paper", "--json"]).json
    assert [one["name"] for one in listed["papers"]] == names
    assert {one["name"]: one["printed"] for one in listed["experiments"]} == {
        name: len(one.numbers) for name, one in experiments.items()
    }
    printed = cli(["paper"], width=160).printed
    assert all(name in printed for name in names)


def test_a_run_is_recorded_and_read_back(tmp_path) -> None:
    rows = (Row("a", 2, ours={"counted": 3, "again": 4}), Row("b", 0.5, exact=0.25), Row("c", ours={"counted": 1}))
    findings = (Finding("x is y", True, "z"), Finding("p", None, "q", words="open"))
    result = PaperResult("some-paper", "Title", "Source", (Table("t", rows),), findings=findings, seconds=2.34)
    one = experiment_of("some-paper", result, "full")
    save({one.name: one}, tmp_path / "records.json")
    again = recorded(tmp_path / "records.json")["some-paper"]
    assert isinstance(again, Experiment)
    assert again == one
    assert [(number.printed, number.ours, number.method) for number in again.numbers] == [
        (2, 3, "counted"),
        (0.5, 0.25, "exact"),
    ]
    assert (again.count(True), again.count(False), again.count(None)) == (1, 0, 1)


def test_the_competition_is_transcribed_and_its_cross_table_gives_the_scores_back() -> None:
    scores = printed_scores()
    for place, name in enumerate(AGENTS):
        assert scores[place, : len(RUNOFF_2012[name]), 0].tolist() == list(RUNOFF_2012[name])
        assert scores[place, : len(RUNOFF_2012[name]), 1].tolist() == list(HALF_WIDTHS_2012[name])
    table, differences = reconstructed(scores)
    assert np.abs(differences).max() < 3
    for round_index in range(len(AGENTS) - 1):
        left = [table.agents.index(name) for name in AGENTS[: len(AGENTS) - round_index]]
        assert table.scores(left) == pytest.approx(scores[: len(left), round_index, 0], abs=3)
