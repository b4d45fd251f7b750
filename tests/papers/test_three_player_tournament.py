"""The three-player tournament, small."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pokerlab.papers.result import PaperResult
from pokerlab.papers.three_player_tournament import PRIZES, PUBLISHED_PERCENT, paper
from published.tournaments import THREE_PLAYER_EPSILON


def test_what_there_is(quick_paper: Callable[[str], tuple[PaperResult, list[float]]]) -> None:
    """Even a quick run comes near the published bound, with either prize structure."""
    result, told = quick_paper("three-player-tournament")
    assert pytest.approx(100 * THREE_PLAYER_EPSILON) == PUBLISHED_PERCENT
    gaps = {row.what.split(",")[0]: row.ours for row in result.tables[0].rows}
    assert set(gaps) == set(PRIZES)
    for row in result.tables[0].rows:
        last, first = row.ours["ε"], row.ours["ε after round 1"]
        assert isinstance(last, float)
        assert isinstance(first, float)
        assert last < first / 2
    assert told == sorted(told)


@pytest.mark.slow
def test_the_usual_size() -> None:
    result = paper()
    decided = [finding for finding in result.findings if finding.holds is not None]
    assert all(finding.holds for finding in decided), [finding.evidence for finding in decided]
