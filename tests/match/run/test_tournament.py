"""Round robins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.match.hands.history import History
from pokerlab.match.run.ring import plan_ring
from pokerlab.match.run.tournament import pairings, play_tournament
from untimed import untimed


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
    assert untimed(kept.as_dict()) == untimed(again.as_dict()) == untimed(result.as_dict())


def test_bad_tournaments() -> None:
    with pytest.raises(BadSetting, match="at least two"):
        pairings("leduc", ["random"], hands=10)
    with pytest.raises(BadSetting, match="needs 3 agents"):
        pairings("kuhn(players=3)", ["random", "random"], hands=10)


def test_slow_agents_play_fewer_hands(tmp_path: Path, cli: CommandLine) -> None:
    """Their pairs and tables alone: the other pairs play the same hands, and the intervals say what it costs."""
    agents, picture = ["formula", "random", "rules"], tmp_path / "who.png"
    words = ["tournament", *agents, "--game", "leduc", "--hands", "400", "--workers", "1", "--seed", "3"]
    whole = cli([*words, "--json"]).json
    fewer = cli([*words, "--fewer-hands", "random=40", "--plot", str(picture), "--json"]).json
    assert fewer["fewer_hands"] == [
        {"agents": ["formula", "random"], "hands": 40},
        {"agents": ["random", "rules"], "hands": 40},
    ]
    assert "fewer_hands" not in whole
    assert fewer["mbb"][0][2] == whole["mbb"][0][2]
    assert fewer["half_widths"][0][1] > 2 * whole["half_widths"][0][1]
    assert picture.stat().st_size > 10_000
    plan = plan_ring(open_game("kuhn(players=3)"), [*agents, "probe"], hands=120, fewer={"probe": 12})
    counts = {table: {match.hands for match in by_order.values()} for table, by_order in plan.matches.items()}
    assert {table: hands == {6} for table, hands in counts.items()} == {table: 3 in table for table in counts}
    for bad in ("random", "random=", "random=0", "=5"):
        assert "an agent and a number of hands" in cli([*words, "--fewer-hands", bad]).error
    assert "which does not play" in cli([*words, "--fewer-hands", "probe=5"]).error


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("words", [["--hands", "1"], ["--hands", "1", "--plain"]])
def test_one_deal_a_pair_says_that_nothing_is_known(words: list[str], cli: CommandLine) -> None:
    """The error of a single deal is unknown: no interval, no confidence, no warning of NumPy."""
    told = ["tournament", "always-call", "random", "probe", "--game", "kuhn", "--workers", "1", *words]
    shown = cli(told)
    assert "confidence unknown" in shown.printed
    assert "inf" not in shown.out
    assert "nan" not in shown.out
    assert "Warning" not in shown.error
    rounds = cli([*told, "--json"]).json["runoff"]["rounds"]
    assert [one["confidence"] for one in rounds] == [None, None]
