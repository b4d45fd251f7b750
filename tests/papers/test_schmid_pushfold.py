"""The paper on figure 6.1: a quick run; tests/lab/test_push_fold_chart.py compares every cell."""

from __future__ import annotations

import pytest

from pokerlab.papers.schmid_pushfold import CORRECTED, FIGURE, form_of, paper
from published.push_fold import EQUILIBRIA, GAPS


def test_the_figure_as_it_was_read():
    assert [len(cells) for cells in FIGURE] == [169, 169]
    assert {FIGURE[0][hand] for hand in CORRECTED} >= {"19.9", "19.3", "11.9", "14.4", "18.8"}
    assert {hand: float(FIGURE[0][hand]) for hand in GAPS} == {hand: spans[0] for hand, spans in GAPS.items()}


@pytest.mark.slow
def test_a_quick_run():
    result = paper(quick=True)
    differing, gaps, values = result.tables
    assert len(differing.rows) < 6  # every half of a big blind misses a few narrow spans
    assert [row.what for row in gaps.rows] == list(GAPS)
    row = values.rows[0]
    assert row.errors["linear program"] < 1e-12
    for method, value in row.ours.items():
        assert value == pytest.approx(row.ours["linear program"], abs=2 * row.errors[method] + 1e-12)


@pytest.mark.slow
def test_the_whole_paper():
    result = paper()
    assert {row.what for row in result.tables[0].rows} == {"Q4o, pusher", "K7o, caller"}
    for row in result.tables[2].rows:
        stack = int(row.what.split()[0])
        if stack in EQUILIBRIA:
            assert row.ours["linear program"] == pytest.approx(EQUILIBRIA[stack][0], abs=5e-7)
    assert [finding.holds for finding in result.findings] == [False, True, True]


def test_the_figures_stakes():
    form = form_of(10)
    assert (form.pot, form.max_abs_payoff, form.money) == (150, 1000, "big blinds")
