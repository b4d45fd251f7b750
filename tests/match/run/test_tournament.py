"""Round robins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pokerlab.errors import BadSetting
from pokerlab.match.hands.history import History
from pokerlab.match.run.tournament import pairings, play_tournament


def test_round_robin(tmp_path: Path) -> None:
    agents = ["formula", "random", "always-fold", "random"]
    matches = pairings("leduc", agents, hands=200, seed=3)
    assert len(matches) == 6
    assert len({settings.seed for settings in matches.values()}) == 6
    result = play_tournament(matches, seed=3)
    assert result.table.agents == ("formula", "random-2", "always-fold", "random-4")
    assert np.allclose(np.nan_to_num(result.table.means), -np.nan_to_num(result.table.means).T)
    assert result.ranking[0][0] == result.runoff.ranking[0] == "formula"
    assert sum(mean for _, mean, _ in result.ranking) == pytest.approx(0)
    for pair, match in result.results.items():
        first, second = (result.table.agents.index(name) for name in pair)
        assert result.table.means[first, second] == pytest.approx(match.summaries[0].mean * 1000)
    with History(tmp_path / "t.duckdb") as history:
        kept = play_tournament(matches, seed=3, history=history)
    with History(tmp_path / "t.duckdb") as history:
        again = play_tournament(matches, seed=3, history=history, resume=True)
    assert kept.as_dict() == again.as_dict() == result.as_dict()


def test_bad_tournaments() -> None:
    with pytest.raises(BadSetting, match="at least two"):
        pairings("leduc", ["random"], hands=10)
    with pytest.raises(BadSetting, match="seats 3 players"):
        pairings("kuhn(players=3)", ["random", "random"], hands=10)
