"""The chart of push or fold: figure 6.1 cell by cell, gaps, other stakes, and refusals."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from pokerlab.display.preflop.push_fold import show_chart
from pokerlab.errors import BadSetting
from pokerlab.lab.preflop.push_fold import push_fold, stakes
from pokerlab.lab.preflop.push_fold_chart import push_fold_chart
from pokerlab.papers.schmid_pushfold import CORRECTED, FIGURE, differences
from published.push_fold import CHARTED, DIFFERENT, GAPS


@pytest.fixture(scope="module")
def whole():
    events = []
    found = push_fold_chart("20", on_progress=events.append)
    assert [(event.done, event.total) for event in events] == [(done, 191) for done in range(1, 192)]
    return found


def test_figure_6_1(whole):
    """Every cell but two, of which the printed one is no equilibrium."""
    cells = {row.what: (row.printed, row.ours["ours"]) for row in differences(whole.chart)}
    assert cells == DIFFERENT
    assert len(differences(whole.chart)) == 338 - 336
    assert whole.published == tuple(differences(whole.chart))
    rows = {row["hand"]: row for row in whole.rows()}
    assert {key: rows[key[1]][key[0]] for key in CHARTED} == CHARTED
    assert rows["97o"]["push"] == 10.8  # the thesis's own example
    for hand in CORRECTED:
        assert whole.chart.cells(0)[hand] == FIGURE[0][hand]
    screen = Console(width=120, record=True, file=StringIO())
    show_chart(screen, whole)
    assert "336 of 338 cells agree with figure 6.1" in screen.export_text()


def test_gaps(whole):
    spans = whole.chart.spans(0)
    for hand, (high, low, below) in GAPS.items():
        upper = [span for span in spans[hand] if span[1] > below]
        assert (upper[0][1], upper[-1][0], spans[hand][-1][1]) == (high, low, below)
    assert not whole.chart.with_gaps(1)
    mixed = whole.chart.mixed(0)
    assert mixed["Q4o"] == (8.0, 8.1, 8.2, 8.3)
    assert whole.chart.exploitabilities.max() < 1e-12


def test_each_stack_is_its_own_game(whole):
    place = whole.chart.stacks.tolist().index(12.7)
    alone = push_fold(stakes(stack="12.7"))
    assert whole.chart.values[place] == pytest.approx(alone.value, abs=1e-12)
    for role in (0, 1):
        assert whole.chart.acts[role][place] == pytest.approx(alone.strategy.acts[role], abs=1e-9)


def test_other_stakes():
    """An ante that takes small stacks leaves them out; other steps have other cells, and no figure to compare with."""
    found = push_fold_chart("4", ante="0.6", small_blind="1/3", step="1/4")
    assert found.published is None
    assert found.chart.stacks[0] == 1.0
    assert found.chart.stacks[-1] == 4.0
    assert len(found.chart.stacks) == 13
    assert found.chart.cells(0)["AA"] == "4+"
    eaten = push_fold_chart("3", ante="1.2")
    assert eaten.chart.stacks[0] > 1.6
    least = np.array([float(row["push"] or 0) for row in found.rows()])
    assert (least <= 4).all()


@pytest.mark.parametrize(
    ("most", "settings", "words"),
    [
        ("0.5", {}, "from 1"),
        ("20", {"step": "0"}, "steps above 0"),
        ("500", {"step": "0.01"}, "at most"),
        ("2", {"ante": "5"}, "takes every stack"),
        ("x", {}, "not a number"),
    ],
)
def test_refused_in_a_sentence(most, settings, words):
    with pytest.raises(BadSetting, match=words):
        push_fold_chart(most, **settings)
