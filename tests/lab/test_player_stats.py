"""How agents play, counted from hands: against counts by hand, against SQL, and with intervals that hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.lab.play.player_stats import RATES, clustered_rate, play_stats, stats_of_file
from pokerlab.lab.play.playing import open_poker, run_match
from pokerlab.match.hands.exchange import PlayedHand
from pokerlab.match.hands.query import HandsFile
from pokerlab.match.run.match import MatchSettings

GAMES = ("holdem-nolimit", "leduc(players=3)", "five-card-draw", "holdem-limit")


def test_counts_of_a_few_hands() -> None:
    """Seat 0 is the big blind (100), seat 1 the small blind (50) and the button."""
    game = open_poker("holdem-nolimit", "")
    hands = [
        ("AhAd|7s2d", "f", (50, -50), ("me", "you")),  # a walk: I make no decision
        ("KhQd|7s2d", "r300f", (-100, 100), ("me", "you")),  # I fold to a raise
        ("9h9d|AsKs/2c3c4h/5d/6s", "cc/cr200c/cc/cc", (300, -300), ("you", "me")),  # limp, bet, showdown lost
        ("9h9d|Ah5h/2c3c4h", "r300c/cr600f", (-300, 300), ("you", "me")),  # raise, bet, win without showdown
    ]
    stats = play_stats(PlayedHand(game, *told, number) for number, told in enumerate(hands))
    me = next(one for one in stats.agents if one.agent == "me")
    counted = {rate.key: (rate.count, rate.of) for rate in me.rates}
    assert counted == {
        "vpip": (2, 3),
        "pfr": (1, 3),
        "aggression_frequency": (2, 2),
        "aggression_factor": (2, 0),
        "fold_to_bet": (1, 1),
        "saw_next": (2, 4),
        "showdown": (1, 2),
        "won_showdown": (0, 1),
    }
    you = next(one for one in stats.agents if one.agent == "you")
    assert {rate.key: (rate.count, rate.of) for rate in you.rates}["aggression_frequency"] == (0, 2)  # a call, a fold
    assert me.winnings.mean == pytest.approx(100 * (50 - 100 - 300 + 300) / 100 / 4)
    assert (stats.unit, stats.hands) == ("bb/100", 4)
    assert {part.name: part.hands for part in me.parts["street"]} == {"preflop": 2, "flop": 1, "showdown": 1}
    assert {part.name: part.hands for part in me.parts["position"]} == {"big blind": 2, "small blind, button": 2}
    assert {part.name for part in me.parts["hand group"]} == {
        "pairs TT+",
        "offsuit broadway",
        "suited broadway",
        "suited aces",
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, found = tmp_path_factory.mktemp("hands"), {}
    for game in GAMES:
        found[game] = folder / f"{open_game(game).name.split('(')[0]}.duckdb"
        agents = ["random", "probe", "always-call"][: open_game(game).players]
        run_match(MatchSettings.of(game, agents, hands=60, seed=3, duplicate=True), workers=1, out=found[game])
    return found


@pytest.mark.parametrize("game", GAMES)
def test_actions_add_up_to_what_folded_hands_lost(game: str, files: dict[str, Path]) -> None:
    """Who folded lost ante, blind and the chips of every action: the table is complete, with its amounts and seats."""
    rules = open_poker(game, "").rules
    with HandsFile(files[game]) as hands:
        rows = hands.query(
            "select hand, seat, sum(chips) filter (action <> 'draw'), any_value(payoff) from actions "
            "join players using (match, hand, seat, agent) group by hand, seat having bool_or(action = 'fold')"
        ).rows
        total = hands.query("select count(distinct hand), max(number) from actions").rows
    assert total[0][0] == sum(1 for _ in _all_hands(files[game]))
    assert len(rows) > 10
    for _, seat, chips, payoff in rows:
        assert payoff == -(chips + rules.blinds[seat] + rules.antes[seat])


def _all_hands(path: Path) -> list[int]:
    with HandsFile(path) as hands:
        return [hand.number for hand in hands.hands(hands.match())]


@pytest.mark.parametrize("game", GAMES)
def test_rates_are_those_of_the_table_of_actions_and_parts_sum_to_the_total(game: str, files: dict[str, Path]) -> None:
    stats = stats_of_file(files[game])
    first = {"leduc(players=3)": "round 1", "five-card-draw": "round 1"}.get(game, "preflop")
    with HandsFile(files[game]) as hands:
        counted = hands.query(
            "select agent, count(distinct hand) filter (action in ('call', 'bet', 'raise')), count(distinct hand) "
            f"from actions where street = '{first}' group by agent"
        ).rows
        won = dict(hands.query("select agent, avg(payoff) from players group by agent").rows)
    blind = max(max(open_poker(game, "").rules.blinds), max(open_poker(game, "").rules.antes))
    for agent, entered, decided in counted:
        own = next(one for one in stats.agents if one.agent == agent)
        assert (own.rates[0].count, own.rates[0].of) == (entered, decided)
        assert own.winnings.mean == pytest.approx(100 * won[agent] / blind)
        for parts in own.parts.values():
            assert sum(part.hands for part in parts) == own.hands
            assert sum(part.winnings.mean for part in parts) == pytest.approx(own.winnings.mean)


def test_the_interval_is_that_of_the_match(files: dict[str, Path]) -> None:
    """Hands of one deal are one observation, as in the result of the match."""
    settings = MatchSettings.of("holdem-nolimit", ["random", "probe"], hands=60, seed=3, duplicate=True)
    result = run_match(settings, workers=1)
    own = stats_of_file(files["holdem-nolimit"]).agents[0]
    assert result.units.usual.rate == "bb/100"
    expected = result.units.usual.of(result.summaries[0])
    assert (own.winnings.low, own.winnings.high) == pytest.approx((expected.low, expected.high))


def test_intervals_of_rates_hold_where_hands_of_a_deal_are_alike() -> None:
    """Two hands of a deal that always agree are one observation; the interval covers the truth 95 times in 100."""
    rng, covered, runs = np.random.default_rng(1), 0, 600
    for _ in range(runs):
        deals = np.repeat(np.arange(60), 2)
        count = np.repeat(rng.random(60) < 0.3, 2).astype(float)
        rate = clustered_rate(RATES[0], count, np.ones(120), deals)
        covered += rate.low <= 0.3 <= rate.high
    assert abs(covered / runs - 0.95) < 3 * (0.95 * 0.05 / runs) ** 0.5 + 0.01
    never = clustered_rate(RATES[0], np.zeros(10), np.ones(10), np.arange(10))
    assert (never.low, round(never.high, 3)) == (0, 0.278)  # none of ten is not none of all


def test_the_command(files: dict[str, Path], tmp_path: Path, cli: CommandLine) -> None:
    file = str(files["holdem-nolimit"])
    shown = cli(["stats", file], width=80).printed
    for part in ("VPIP", "W$SD", "by hand group", "by position", "bb/100", "showdown"):
        assert part in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    csv = tmp_path / "stats.csv"
    assert cli(["stats", file, "--agent", "probe", "--csv", str(csv)]).code == 0
    assert csv.read_text().startswith("agent,table,row,of,value,low,high\nprobe,winnings,all,60,")
    assert "nobody in these hands is called 'me'" in cli(["stats", file, "--agent", "me"]).refusal
    with pytest.raises(BadSetting, match="has matches 1 to 1, not 99"):
        stats_of_file(files["holdem-nolimit"], match=99)


def test_a_match_that_is_not_there_is_refused(files: dict[str, Path], cli: CommandLine) -> None:
    file = str(files["holdem-limit"])
    assert "has matches 1 to 1, not 99" in cli(["hands", file, "--match", "99"]).refusal
    assert "where match = 99" in cli(["hands", file, "select 1", "--match", "99"]).refusal
    assert [one["match"] for one in cli(["hands", file, "--match", "1", "--json"]).json["matches"]] == [1]
