"""The worked examples of Rubin and Watson's review, number by number."""

from __future__ import annotations

import pytest

from pokerlab.papers.cfr_worked_example import paper

PRINTED = {  # sections 4.6.5 and 5.1.1
    "expected value at A's node": 2,
    "regret of fold": -6,
    "regret of call": -1,
    "regret of raise": 4,
    "counterfactual regret of fold": -2.4,
    "counterfactual regret of call": -0.4,
    "counterfactual regret of raise": 1.6,
    "next probability of fold": 0,
    "next probability of call": 0,
    "next probability of raise": 1,
    "EV(2), A folds": -5,
    "EV(3), A calls": -1.4,
    "EV(5), A raises and B folds": 7,
    "EV(6), A raises and B calls": -4.5,
    "EV(4), A raises": -3.35,
    "EV(1), the best": -1.4,
}


def test_every_number():
    told = []
    result = paper(on_progress=lambda event: told.append(event.share))
    found = {row.what: row.ours["ours"] for table in result.tables for row in table.rows}
    assert found == pytest.approx(PRINTED, abs=1e-12)
    assert all(finding.holds for finding in result.findings)
    assert told == sorted(told)
    assert result.as_dict()["name"] == "cfr_worked_example"
