"""The rerun of Goykhman's paper: its measures, its printed and exact numbers, and a whole run at a tiny scale."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from pokerlab.events import SILENT
from pokerlab.papers import goykhman
from pokerlab.papers._goykhman import runs
from pokerlab.papers._goykhman.exact import AMOUNTS, FLOP, VON_NEUMANN, exact_of
from pokerlab.papers._goykhman.numbers import class_table, trio_table
from pokerlab.papers._goykhman.runs import Plan, make
from pokerlab.papers.result import interval
from published.goykhman import CFR_C, CONTINUOUS, FLOP_PRINTED, FLOP_VALUE, PRINTED_HUNDREDTHS


@pytest.fixture(scope="module")
def result():
    """The whole paper at a tiny scale, and at one a little larger in place of the paper's."""
    larger = replace(runs.QUICK, numbers_generations=8, numbers_rounds=40_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(goykhman, "SMALL", runs.QUICK)
        patch.setattr(goykhman, "FULL", larger)
        said = []
        found = goykhman.paper(full=True, seed=7, on_progress=lambda event: said.append(event.share))
    assert said
    assert max(said) <= 1
    return found


def row(result, start, what, scale=""):
    table = next(table for table in result.tables if table.title.startswith(start) and table.title.endswith(scale))
    return next(line for line in table.rows if line.what == what)


def test_all_figures_and_tables_are_there(result):
    names = [figure.name for figure in result.figures]
    assert names[:33] == [f"figure-{number:02d}" for number in range(1, 34)]
    assert {"methods-von-neumann", "methods-flop", "variants"} <= set(names)
    assert len(result.findings) == 3 + 3 + 3 + 2
    assert result.as_dict()["settings"] == {"seed": 7, "seeds": 5, "full": True}
    starts = [
        table.title.partition(";")[0] for table in result.tables if table.title.endswith("five seeds, scaled down")
    ]
    assert [f"{start}; five seeds, the paper's scale" for start in starts[:7]] == [
        table.title for table in result.tables if table.title.endswith("; five seeds, the paper's scale")
    ]


@pytest.mark.parametrize("amounts", AMOUNTS)
@pytest.mark.parametrize("scale", ["five seeds, scaled down", "five seeds, the paper's scale"])
def test_each_number_has_both_methods_errors_and_seconds(result, scale, amounts):
    words = f"a={amounts[0]}, B={amounts[1]}"
    for title, what in (
        ("Von Neumann poker: thresholds", "x1"),
        ("Von Neumann poker on 100 cards", "c x 100"),
        ("Von Neumann poker: values", "value to Player"),
        ("Flop poker: values", "value to Player"),
        ("Flop poker: hands decided", "wrong of 338"),
        ("How near Dealer", "distance"),
    ):
        line = row(result, title, f"{what}, {words}", scale)
        assert {"GA", "CFR"} <= set(line.ours)
        assert {"GA", "CFR"} <= set(line.errors)
        assert min(line.times["GA"], line.times["CFR"]) > 0
        assert "±" in line.ours["GA"]
    line = row(result, "Von Neumann poker: thresholds", f"x1, {words}", scale)
    for method in ("GA", "CFR"):
        mean = float(line.ours[method].partition(" ")[0])
        assert line.errors[method] == pytest.approx(mean - float(line.exact), abs=0.05)
    assert set(row(result, "Fitness", f"Player, {words}", scale).errors) == {"GA"}


def test_tables_of_the_larger_scale_are_of_its_runs(result):
    games = [
        row(result, "Von Neumann poker: values", "  games a run", scale).ours
        for scale in ("scaled down", "the paper's scale")
    ]
    assert games == [{"GA": "9.6e+03", "CFR": "2e+04"}, {"GA": "1.3e+04", "CFR": "4e+04"}]


def test_both_scales_have_intervals(result):
    for scale in ("scaled down", "the paper's scale"):
        several = [finding for finding in result.findings if f"five seeds, {scale}" in finding.claim]
        assert len(several) == 3
        assert {finding.verdict for finding in several} <= {"holds", "does not hold", "undecided"}
    table = next(table for table in result.tables if table.title.startswith("Every run at the paper's scale"))
    assert len(table.rows) == 2 * len(AMOUNTS) * 2
    assert all("±" in line.ours["value"] for line in table.rows)


def test_dealer_always_calls_in_a_large_pot_exactly():
    verdict = goykhman.finding_large_pot()
    assert verdict.holds is True
    assert "a=1, B=1: calls 100.0%" not in verdict.evidence  # not in any pot
    exact = exact_of(FLOP, (8, 1))
    assert exact.solution.second.min() == pytest.approx(1)


def test_rounds_that_suffice_are_read_off_the_curve():
    plan = Plan(VON_NEUMANN, (1, 2), "CFR", 0, 60_000)
    outcome = make([plan], SILENT)[0]
    rounds, left = goykhman._after(outcome, 20_000)
    assert rounds <= 20_000
    assert left >= outcome.exploitability
    assert goykhman._after(outcome, 1e9) == (60_000, outcome.exploitability)


@pytest.mark.parametrize("amounts", AMOUNTS)
def test_printed_and_exact_columns(result, amounts):
    words = f"a={amounts[0]}, B={amounts[1]}"
    for place, name in enumerate(("x1", "x2", "c", "y0")):
        line = row(result, "Von Neumann poker: thresholds", f"{name}, {words}")
        assert line.printed == PRINTED_HUNDREDTHS[amounts][place] / 100
        assert line.exact == CONTINUOUS[amounts][place]
        assert line.ours["100 cards, LP"] == pytest.approx(float(line.exact), abs=0.01)
    value = row(result, "Flop poker: values", f"value to Player, {words}")
    assert value.printed == FLOP_PRINTED[amounts]
    assert value.exact == pytest.approx(FLOP_VALUE[amounts], abs=1e-8)
    calls = row(result, "Von Neumann poker on 100 cards", f"c x 100, {words}")
    assert calls.printed == CFR_C[amounts]


def test_class_table_counts_every_hand():
    assert all(line.error == 0 for line in class_table().rows)


def test_trio_is_not_transitive():
    rows = {line.what: line.exact for line in trio_table().rows}
    assert rows["p(22 | AKo)"] == pytest.approx(0.52341, abs=5e-6)
    assert rows["p(AKo | JTs)"] == pytest.approx(0.59254, abs=5e-6)
    assert rows["p(JTs | 22)"] == pytest.approx(0.53125, abs=5e-6)
    assert rows["worst hand on the river"] == rows["worst hand on the flop"] == "32o"


def test_call_range_holds_a_vertex():
    """Independently found vertices of Dealer's optimum: 22.25, 15.17, 45.76 calls in the indifferent zone."""
    for amounts, vertex in zip(AMOUNTS, (22.25, 15.17, 45.76), strict=True):
        low, high = exact_of(VON_NEUMANN, amounts).call_range
        assert low - 0.005 <= vertex <= high + 0.005


def test_measures_of_exact_strategies():
    exact = exact_of(VON_NEUMANN, (1, 2))
    best, worst = (exact.admissibility(dealer) for dealer in (exact.admissible, exact.loosest))
    assert (best.distance, best.punishment) == (0, pytest.approx(1))
    assert worst.punishment == pytest.approx(0)
    assert worst.distance > 0.2
    read = exact.thresholds(exact.solution.first, exact.admissible)
    assert (read.x1, read.x2) == (pytest.approx(0.11), pytest.approx(0.78))
    flop = exact_of(FLOP, (1, 2))
    assert flop.wrong_genes(flop.solution.first, flop.solution.second).count == 0
    flipped = flop.wrong_genes(1 - flop.solution.first, flop.solution.second)
    assert flipped.count == 169 - 2  # two hands of Player are mixed


def test_intervals_cover_the_mean():
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(2000):
        found = interval(rng.normal(3, 2, 5))
        covered += found.low <= 3 <= found.high
    assert abs(covered / 2000 - 0.95) < 5 * np.sqrt(0.95 * 0.05 / 2000)


def test_kept_runs_go_on_to_the_same_outcome(monkeypatch, tmp_path):
    monkeypatch.setenv("POKERLAB_HOME", str(tmp_path))
    short = Plan(VON_NEUMANN, (1, 2), "GA", 3, 4, replace(runs.QUICK.numbers), keep=True)
    whole = make([replace(short, iterations=9, keep=False)], SILENT)[0]
    make([short], SILENT)
    resumed = make([replace(short, iterations=9)], SILENT)[0]
    assert resumed.first.tolist() == whole.first.tolist()
    assert resumed.history.tolist() == whole.history.tolist()
    assert resumed.curve[-1, 2] == whole.curve[-1, 2]
    assert Fraction(resumed.curve[-1, 0]) == whole.plan.games
