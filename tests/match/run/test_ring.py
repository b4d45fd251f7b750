"""Tournaments at tables of three or more."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.play.playing import run_ring
from pokerlab.match.hands.history import History
from pokerlab.match.hands.query import HandsFile
from pokerlab.match.run.match import MatchSettings, play_match, poker_table
from pokerlab.match.run.ring import RingScores, Sitting, plan_ring, play_ring
from pokerlab.match.run.seatings import orders, table_count, tables
from pokerlab.match.run.tournament import instant_runoff
from untimed import untimed


def game(players: int) -> PokerGame:
    opened = open_game(f"leduc(players={players})")
    assert isinstance(opened, PokerGame)
    return opened


@pytest.mark.parametrize("seats", range(2, 11))
def test_orders_seat_everybody_equally_often_beside_everybody(seats: int) -> None:
    around = orders(seats)
    assert len(set(around)) == len(around)
    assert all(sorted(order) == list(range(seats)) and order[0] == 0 for order in around)
    beside = Counter((order[i], order[(i + 1) % seats]) for order in around for i in range(seats))
    assert len(beside) == seats * (seats - 1)
    assert len(set(beside.values())) == 1


@pytest.mark.parametrize(("agents", "seats", "most"), [(7, 3, 100), (2, 6, 100), (3, 5, 100), (11, 6, 45), (4, 9, 31)])
def test_tables_are_all_or_a_balanced_sample(agents: int, seats: int, most: int) -> None:
    chosen = tables(agents, seats, most=most, rng=np.random.default_rng(5))
    assert len(set(chosen)) == len(chosen) == min(most, table_count(agents, seats))
    assert all(len(table) == seats and len(set(table)) > 1 for table in chosen)
    assert agents < seats or all(len(set(table)) == seats for table in chosen)
    sat = Counter(agent for table in chosen for agent in table)
    assert max(sat.values()) - min(sat.values()) <= (1 if agents >= seats else seats)
    if len(chosen) == table_count(agents, seats):
        assert len(set(sat.values())) == 1


def test_covariances_of_a_table_are_those_of_its_deals() -> None:
    """Winnings at a table sum to zero, and so do the rows of their covariance."""
    settings = MatchSettings.of(game(3), ["formula", "random", "always-call"], hands=240, seed=2, duplicate=True)
    result = play_match(settings)
    assert result.covariance is not None
    assert np.allclose(result.covariance.sum(axis=1), 0, atol=1e-9)
    errors = [summary.standard_error for summary in result.summaries]
    assert np.sqrt(np.diag(result.covariance)) == pytest.approx(errors)


def test_the_run_off_counts_tables_of_remaining_agents_only() -> None:
    """d beats the table with c and loses the others; without c, who leaves first, d is last."""
    won = {(0, 1, 2): (2, 1, -3), (0, 1, 3): (1, 2, -3), (0, 2, 3): (0, -9, 9), (1, 2, 3): (1, -9, 8)}
    covariance = np.eye(3) - 1 / 3
    sittings = {table: {(0, 1, 2): Sitting(np.array(means, float), covariance)} for table, means in won.items()}
    scores = RingScores.of("abcd", sittings)
    assert scores.scores([0, 1, 2, 3]) == pytest.approx([1, 4 / 3, -7, 14 / 3])
    assert scores.score_errors([0, 1, 3]) == pytest.approx([(2 / 3) ** 0.5] * 3)
    runoff = instant_runoff(scores, rng=np.random.default_rng(1))
    assert [round_.dropped for round_ in runoff.rounds] == ["c", "d"]
    assert runoff.ranking == ("b", "a", "d", "c")
    drawn = scores.resampled(4000, np.random.default_rng(2))
    assert drawn.var(axis=0)[0, :3] == pytest.approx([2 / 3] * 3, rel=0.15)
    assert np.allclose(drawn.sum(axis=-1), 0, atol=1e-6)  # roots of rounding errors
    means, _ = scores.cross()
    assert means[3, 2] == pytest.approx(8.5)


@pytest.mark.parametrize(
    ("seats", "agents"), [(3, ["formula", "random", "always-fold", "random"]), (4, ["formula", "random"])]
)
def test_a_ring_tournament(seats: int, agents: list[str], tmp_path: Path) -> None:
    plan = plan_ring(game(seats), agents, hands=30, seed=3, duplicate=None)
    settings = [one for by_order in plan.matches.values() for one in by_order.values()]
    assert len(plan.matches) == plan.all_tables == table_count(len(agents), seats)
    assert len({one.seed for one in settings}) == len(settings) == len(plan.matches) * len(orders(seats))
    result = play_ring(plan)
    assert result.ranking[0][0] == result.runoff.ranking[0] == "formula"
    assert (result.scores.seats * result.scores.means).sum(axis=1) == pytest.approx(0)
    with History(tmp_path / "t.duckdb") as history:
        saved = play_ring(plan, history=history)
    with History(tmp_path / "t.duckdb") as history:
        again = play_ring(plan, history=history, resume=True)
    assert untimed(saved.as_dict()) == untimed(again.as_dict()) == untimed(result.as_dict())
    sat = {(name, seat): 0 for name in plan.agents for seat in range(seats)}
    for table, by_order in plan.matches.items():
        for order, one in by_order.items():
            for place, player in enumerate(order):
                for passed in range(one.passes):
                    for deal in range(one.deals):
                        sat[plan.agents[table[player]], (place + deal + passed) % seats] += 1
    for name in plan.agents:
        assert len({sat[name, seat] for seat in range(seats)}) == 1


def test_a_sample_says_so(cli: CommandLine) -> None:
    agents = ["always-call", "always-fold", "always-raise", "random", "rules"]
    words = [*agents, "--players", "3", "--game", "kuhn", "--hands", "12", "--tables", "5", "--workers", "1"]
    assert "a balanced sample of 5 of 10 tables" in " ".join(cli(["tournament", *words]).out.split())
    record = cli(["tournament", *words, "--json"]).json
    assert len(record["tables"]) == 5
    assert record["all_tables"] == len(list(combinations(agents, 3)))


def test_bad_ring_tournaments(cli: CommandLine) -> None:
    with pytest.raises(BadSetting, match="at least two"):
        plan_ring(game(3), ["random"], hands=10)
    words = ["tournament", "random", "rules", "--players", "4", "--game", "rhode-island", "--hands", "4"]
    assert "--players asks for 4" in cli(words).error


def test_a_second_run_is_a_new_one_unless_it_resumes(tmp_path: Path) -> None:
    plan, path = plan_ring(poker_table("kuhn", 3), ["formula", "random"], hands=9), tmp_path / "ring.duckdb"
    for more, saved in (({}, 4), ({}, 8), ({"resume": True}, 8)):
        run_ring(plan, workers=1, backend="serial", out=path, **more)
        with HandsFile(path) as hands:
            assert len(hands.matches()) == saved
