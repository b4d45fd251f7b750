"""The rerun on abstractions: a whole run at a tiny scale, and how its points are judged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pokerlab.abstraction.buckets import Buckets, RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import IMPERFECT, PERFECT
from pokerlab.events import SILENT
from pokerlab.formats.opening import open_game
from pokerlab.papers import abstractions
from pokerlab.papers._abstraction_runs import (
    METHODS,
    HoldemMatches,
    Outcome,
    Scale,
    meetings,
    refines,
    round_methods,
    written,
)
from pokerlab.papers.result import PaperResult
from pokerlab.registry import available


@pytest.fixture(scope="module")
def result(quick_paper: Callable[[str], tuple[PaperResult, list[float]]]) -> PaperResult:
    """The whole paper, quick."""
    found, said = quick_paper("abstractions")
    assert said == sorted(said)
    assert said[-1] == 1
    return found


def test_all_of_it_is_there(result: PaperResult) -> None:
    scale = abstractions.QUICK
    assert [figure.name for figure in result.figures] == ["buckets", "recall", "iterations"]
    assert result.settings["seed"] == 3
    whole, grid, recall, *curves, thinned = result.tables
    assert len(thinned.rows) == 2 * len(scale.counts)
    assert all({"as trained", "purified", "threshold 0.15"} <= set(row.ours) for row in thinned.rows)
    assert [row.ours["counted"] for row in whole.rows[:3]] == [row.printed for row in whole.rows[:3]]
    assert grid.columns() == list(scale.methods)
    assert len(grid.rows) == len(scale.counts)
    assert len(recall.rows) == len(scale.remembering) * len(scale.classes)
    assert len(curves) == len(scale.curves) == len(result.figures[2].panels)
    lines = result.figures[0].panels[0].lines
    assert [line.label for line in lines[: len(scale.methods)]] == list(scale.methods)
    assert all((np.asarray(line.low) <= line.y).all() for line in lines[: len(scale.methods)])
    assert all(value > 0 for table in result.tables[:-1] for row in table.rows for value in row.ours.values())


def test_findings_have_evidence(result: PaperResult) -> None:
    assert len(result.findings) == 6 + len(abstractions.QUICK.curves)
    assert all(any(sign.isdigit() for sign in one.evidence) or "no finer" in one.evidence for one in result.findings)


def test_what_remembers_is_measured_inside_too_and_has_less_to_gain_there(result: PaperResult) -> None:
    forgets, remembers = result.tables[3:5]
    assert all("inside the abstraction" not in row.ours for row in forgets.rows)
    assert all(row.ours["inside the abstraction"] > 0 for row in remembers.rows)  # type: ignore[operator]
    assert remembers.rows[-1].ours["inside the abstraction"] < remembers.rows[-1].ours["real game"]  # type: ignore[operator]


def test_every_method_is_compared() -> None:
    known = {entry.name for entry in available("abstractions")} - {
        "lossless",
        "gameshrink",
        "joint",
        "public",
        "uniform",
    }  # not of the review
    assert set(abstractions.USUAL.methods) == set(abstractions.FULL.methods) == set(METHODS) == known


def test_recalls_have_about_as_many_infosets() -> None:
    for classes in (1, 2, 3, 4):
        _, count, recall = abstractions.USUAL.without("emd", classes)
        assert recall == IMPERFECT
        remembered = abstractions.USUAL.infosets(classes, PERFECT)
        assert abstractions.USUAL.infosets(count, IMPERFECT) == pytest.approx(remembered, rel=0.02)
    assert abstractions.USUAL.infosets(2, PERFECT) == 13 * 8 + 26 * 56 + 52 * 392


def test_methods_of_small_differences_have_more_seeds() -> None:
    scale = abstractions.USUAL
    assert scale.seeds_of(("potential", 5, IMPERFECT)) == scale.deciding > scale.seeds
    assert scale.seeds_of(("emd", 5, IMPERFECT)) == scale.seeds
    assert scale.seeds_of(("strength", 1, PERFECT)) == scale.seeds


def thrown(tables: list[list[int]]) -> Buckets:
    game = open_game("leduc")
    rounds = tuple(RoundBuckets("by hand", max(table) + 1, np.array(table, np.uint16)) for table in tables)
    return Buckets(CardRounds.of(game), rounds)  # type: ignore[arg-type]


def test_refinements_split_buckets_and_join_none() -> None:
    coarse, fine = thrown([[0, 0, 1], [0] * 15]), thrown([[1, 0, 2], [0] * 15])
    other = thrown([[0, 1, 1], [0] * 15])
    assert refines(fine, coarse)
    assert refines(fine, other)
    assert refines(coarse, coarse)
    assert not refines(coarse, fine)
    assert not refines(other, coarse)


def outcome(*real: float, tables: list[list[int]] | None = None) -> list[Outcome]:
    return [Outcome(thrown(tables or [[0, 1, 2], [0] * 15]), 1, (one,)) for one in real]


def test_only_points_that_differ_beyond_chance_are_worse() -> None:
    scale = abstractions.QUICK
    found = {
        ("strength", 3, IMPERFECT): outcome(1.0, 1.001, tables=[[0, 0, 1], [0] * 15]),
        ("strength", 6, IMPERFECT): outcome(2.0, 2.001),
        ("emd", 3, IMPERFECT): outcome(1.0, 1.5),
        ("emd", 6, IMPERFECT): outcome(2.0, 2.5),
        ("values", 3, IMPERFECT): outcome(2.0, 2.001),
        ("values", 6, IMPERFECT): outcome(1.0, 1.001),
    }
    experiment = abstractions.Experiment(scale, found, {})
    assert experiment.worse() == [("strength", 3, 6, True)]
    drawn = experiment.grid_figure().panels[0].lines[-1]
    assert (drawn.style, list(drawn.x), list(drawn.y)) == ("rings", [6.0], [pytest.approx(2.0005)])


def test_ratios_are_geometric_means_over_sizes() -> None:
    keys = [("emd", 3, IMPERFECT), ("emd", 6, IMPERFECT), ("values", 3, IMPERFECT), ("values", 6, IMPERFECT)]
    found = dict(zip(keys, [outcome(1.0, 1.0), outcome(1.0, 2.0), outcome(4.0, 4.0), outcome(9.0, 18.0)], strict=True))
    experiment = abstractions.Experiment(abstractions.QUICK, found, {})
    finding = experiment.less_exploitable("values", "by emd", {"emd": [(keys[2], keys[0]), (keys[3], keys[1])]})
    assert finding.evidence == "by emd: emd 6.00 times (6.00 to 6.00)"
    assert finding.holds is False
    back = [(keys[0], keys[2])]
    assert experiment.less_exploitable("", "", {"emd": back}).holds is True
    assert experiment.less_exploitable("", "", {"emd": back, "same": [(keys[0], keys[0])]}).holds is None


@pytest.mark.parametrize(
    ("curves", "verdict"),
    [
        (((3.0, 1.0, 2.0), (4.0, 3.0, 4.01)), True),  # each seed rises, though their intervals meet
        (((3.0, 2.0, 1.0), (3.0, 2.0, 1.1)), False),
        (((3.0, 1.0, 2.0), (3.0, 1.0, 0.9)), None),
    ],
)
def test_overfitting_is_a_rise_after_the_least(curves: tuple[tuple[float, ...], ...], verdict: bool | None) -> None:
    scale = Scale((), (), 2, 1, 1, (), (), (1, 10, 100), ())
    runs = [Outcome(thrown([[0, 1, 2], [0] * 15]), 1, curve) for curve in curves]
    (found,) = abstractions.Experiment(scale, {}, {("emd", 2, PERFECT): runs}).overfitting()
    assert found.holds is verdict


def test_methods_meet_head_to_head() -> None:
    """In Leduc, where the same buckets draw and those that see nothing lose."""
    plan = HoldemMatches(("strength", "potential"), 3, 200_000, 20_000, game="leduc(ranks=5)")
    found = meetings(plan, 1, SILENT)
    assert set(found) == {("strength", "potential"), ("potential", "strength")}
    one, other = found[("strength", "potential")], found[("potential", "strength")]
    assert abs(one.mean + other.mean) < one.half + other.half
    table = abstractions._holdem_table(HoldemMatches(plan.methods, 3, 1, 1), found)
    assert table.rows[0].ours["against potential"] == pytest.approx(100 * one.mean)  # blinds of 5 and 10


def test_cells_name_their_methods() -> None:
    assert round_methods("potential", 6, 3) == ("lossless", "potential:6", "emd:6")
    assert [written("nested", count) for count in (3, 5, 10, 20, 100)] == [
        "nested:3x1",
        "nested:5x1",
        "nested:5x2",
        "nested:10x2",
        "nested:20x5",
    ]
