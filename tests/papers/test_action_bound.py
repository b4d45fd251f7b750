"""The action bound: what the thesis' program loses, and what ours does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pokerlab.papers.action_bound import Case, case, game_of
from pokerlab.papers.result import PaperResult


def test_the_findings(quick_paper: Callable[[str], tuple[PaperResult, list[float]]]) -> None:
    verdicts = [finding.holds for finding in quick_paper("action-bound")[0].findings]
    assert verdicts == [True, False, True, True]


@pytest.mark.parametrize(("cards", "sizes"), [(3, 12), (6, 25)])
def test_another_deck_and_number_of_sizes(cards: int, sizes: int) -> None:
    found: Case = case(cards, sizes)
    assert found.actions == sizes + 1
    assert found.used["interior"][1] > found.used["ours"][1]
    assert found.used["ours"][0] <= cards
    assert found.used["ours"][1] <= found.bounds[1] == 2 * cards
    assert found.gaps["ours"] < 1e-8
    assert found.values["ours"] == pytest.approx(found.values["simplex"], abs=1e-8)


def test_the_sizes_go_up_to_the_pot() -> None:
    assert game_of(5, 10) == "one-card(cards=5, ante=5, stack=15)"
