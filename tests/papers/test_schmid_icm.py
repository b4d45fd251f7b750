"""Table 6.1 of the thesis."""

from __future__ import annotations

from fractions import Fraction

from pokerlab.papers.schmid_icm import TABLE, paper
from published import tournaments as published


def test_the_table_is_right_to_its_digits() -> None:
    result = paper(quick=True, seed=4)
    assert {stacks: printed for stacks, (printed, _) in published.TABLE_6_1.items()} == TABLE
    exact = [value for _, values in published.TABLE_6_1.values() for value in values]
    assert [row.exact for row in result.tables[0].rows] == exact
    assert [row.error < 1e-12 for row in result.tables[0].rows if row.error is not None] == [True] * 9
    assert [finding.holds for finding in result.findings] == [True] * 3
    assert isinstance(result.tables[1].rows[1].exact, Fraction)
