"""Freeze-outs and match play: stacks carried from hand to hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab.agents.library.always_call import AlwaysCall
from pokerlab.errors import BadSetting
from pokerlab.events import Cancelled, CancelToken, Watch
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.action import CALL, Action, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.match.hands.history import History
from pokerlab.match.hands.query import HandsFile
from pokerlab.match.run.contest import ContestRules, Stacks
from pokerlab.match.run.contests import ContestSettings, play_contests
from pokerlab.match.table.blinds import BlindLevel, read_schedule
from pokerlab.match.table.stacked import StackedTable, game_at
from untimed import untimed

PUSH = "push-fold(players=3, stack=5)"
LEVELS = "50/100x4, 100/200/20x6, 400/800"


def poker(name: str) -> PokerGame:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    return game


class Pusher:
    """Goes all-in in every hand."""

    repeatable = True

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return raise_to(view.legal.most) if view.legal.can_raise else CALL


class Watcher(AlwaysCall):
    """Remembers what it saw, until it is reset."""

    def __init__(self) -> None:
        self.seen: list[tuple[tuple[int, ...], int]] = []
        self.passes: list[list[tuple[tuple[int, ...], int]]] = []

    def reset(self) -> None:
        self.passes.append(self.seen)
        self.seen = []

    def observe(self, view: View) -> None:
        self.seen.append((view.game.rules.stacks or (), view.seat))


@pytest.mark.parametrize("name", ["holdem-nolimit", "holdem-limit", "five-card-draw", "leduc", "push-fold"])
def test_fewer_players_sit_as_in_the_library_s_own_games(name: str) -> None:
    """With its own blinds, the game of fewer players has the rules of the preset for that many."""
    for most in (3, 5):
        table = StackedTable(poker(f"{name}(players={most})"))
        for players in range(2, most + 1):
            stacks = tuple(range(700, 700 + players))
            own = poker(f"{name}(players={players})").rules
            expected = replace(own, stacks=stacks, odd_chips="seat")
            assert table.game(stacks, table.own_level).rules == expected


def test_bets_grow_with_the_blinds() -> None:
    table = StackedTable(poker("holdem-limit(players=3)"))
    rules = table.game((900, 30, 7), BlindLevel(10, 20, 3)).rules
    assert [round_.bet for round_ in rules.rounds] == [20, 20, 40, 40]
    assert (rules.blinds, rules.antes) == ((10, 20, 0), (3, 3, 3))
    assert game_at(table.base, (900, 30, 7), (10, 20, 0), (3, 3, 3)).rules == rules
    ante = StackedTable(poker("leduc"))
    assert [round_.bet for round_ in ante.game((9, 9), BlindLevel(0, 0, 3)).rules.rounds] == [6, 12]
    with pytest.raises(BadSetting, match="antes and no blinds"):
        ante.check_level(BlindLevel(1, 2))
    with pytest.raises(BadSetting, match="whole chips"):
        StackedTable(poker("holdem-limit(blinds=(2, 4))")).check_level(BlindLevel(1, 1))


def test_the_big_blind_moves_forward_past_players_who_are_out() -> None:
    """Whoever is out, the big blind goes to the next player left; small blind and button are the two before."""
    stacks = Stacks(StackedTable(poker("holdem-nolimit(players=4)")), ContestRules((500,) * 4))
    assert stacks.seats() == (0, 1, 2, 3)  # small blind, big blind, under the gun, button
    stacks.add((0, 1, 2, 3), (0, 0, -500, 500))
    assert stacks.seats() == (1, 3, 0)  # 2 would have posted it
    stacks.add((1, 3, 0), (-500, 500, 0))
    assert stacks.seats() == (0, 3)  # heads-up: the big blind and the button
    stacks.add((0, 3), (100, -100))
    assert stacks.seats() == (3, 0)
    stacks.add((3, 0), (600, -600))
    assert stacks.is_over
    record = stacks.record()
    assert record.places.argmax(axis=1).tolist() == [1, 2, 3, 0]
    assert record.stacks.tolist() == [0, 0, 0, 2000]


def test_players_out_in_one_hand_are_ranked_by_their_stacks_before_it() -> None:
    rules = ContestRules((300, 500, 300, 900))
    stacks = Stacks(StackedTable(poker("holdem-nolimit(players=4)")), rules)
    stacks.add((0, 1, 2, 3), (-300, -500, -300, 1100))
    assert stacks.record().places.tolist() == [[0, 0, 0.5, 0.5], [0, 1, 0, 0], [0, 0, 0.5, 0.5], [1, 0, 0, 0]]


@pytest.mark.parametrize(("when", "stacks"), [("rebuy", [900, 300, 200]), ("reset", [300, 300, 500])])
def test_match_play(when: str, stacks: list[int]) -> None:
    rules = ContestRules((300, 300, 500), kind="match-play", most_hands=2, when_broke=when)
    session = Stacks(StackedTable(poker("holdem-nolimit(players=3)")), rules)
    session.add((0, 1, 2), (600, -300, -300))
    assert session.stacks == stacks
    session.add(session.seats(), (0.0, 0.0, 0.0))
    assert session.is_over
    assert session.record().won.tolist() == [600, -300, -300]
    assert session.record().buy_ins.tolist() == [0, 1, 0]


def settings(agents: list[Any], rules: ContestRules, game: str = PUSH, **more: Any) -> ContestSettings:
    return ContestSettings.of(game, agents, rules, **more)


@pytest.mark.parametrize("duplicate", [True, False])
@pytest.mark.parametrize("stacks", [(900, 500, 100), (300, 300, 900)])
def test_equals_win_by_their_share_of_the_chips(stacks: tuple[int, ...], duplicate: bool) -> None:
    """Between players who always push, chips are a martingale: the chance to win is the share of the chips."""
    rules = ContestRules(stacks, schedule=read_schedule(LEVELS))
    result = play_contests(settings([Pusher()] * 3, rules, repeat=600, seed=11, duplicate=duplicate))
    assert result.contests == 600
    assert result.capped == 0
    for share, wins in zip(result.chip_shares, result.wins, strict=True):
        spread = 4 * (wins.high - wins.low) / 3.92  # four standard errors
        assert abs(wins.share - share) < spread
    assert sum(wins.share for wins in result.wins) == pytest.approx(1)
    assert result.place_counts.sum(axis=0) == pytest.approx([600] * 3)
    assert result.place_counts.sum(axis=1) == pytest.approx([600] * 3)


def test_second_places_are_those_of_the_chip_model_where_it_is_exact() -> None:
    """With equal stacks the chip model is exact by symmetry, for any prizes and any blinds."""
    rules = ContestRules((400,) * 3, schedule=read_schedule(LEVELS), payouts=(0.5, 0.3, 0.2))
    result = play_contests(settings(["random"] * 3, rules, repeat=300, seed=5))
    assert result.model_prizes == pytest.approx([1 / 3] * 3)
    for prize, place in zip(result.prizes, result.places, strict=True):
        assert abs(prize.mean - 1 / 3) < 4 * prize.standard_error
        assert abs(place.mean - 2) < 4 * place.standard_error


def test_a_level_lasts_for_a_hand_at_least() -> None:
    with pytest.raises(BadSetting, match="one hand or more"):
        read_schedule("10/20x5, 20/40x0")


def test_chips_stay_at_the_table_and_agents_keep_their_memory() -> None:
    first, second, third = Watcher(), Watcher(), Watcher()
    rules = ContestRules((700, 310, 95), schedule=read_schedule("50/100x3, 100/200"))
    game = "holdem-nolimit(players=3)"
    result = play_contests(settings([first, second, third], rules, game, repeat=3, seed=2))
    winners = [len(watcher.passes) for watcher in (first, second, third)]
    assert winners == [winners[0]] * 3
    watched = [[hand for seen in (*one.passes, one.seen) for hand in seen] for one in (first, second, third)]
    seen = [hand for own in watched for hand in own]
    assert {sum(stacks) for stacks, _ in seen} == {1105}
    assert {len(stacks) for stacks, _ in seen} == {2, 3}
    assert result.hands.mean * 3 == max(map(len, watched))


def test_the_same_for_any_number_of_workers(tmp_path: Path) -> None:
    chosen = settings(["formula", "random"], ContestRules((9, 6)), "leduc", repeat=60, seed=3)
    alone = play_contests(chosen)
    several = play_contests(chosen, workers=2, backend="threads")
    assert untimed(alone.as_dict()) == untimed(several.as_dict())


@pytest.mark.parametrize("rules", [ContestRules((9, 14), "match-play", most_hands=6), ContestRules((9, 14))])
def test_covariances_are_of_what_counts(rules: ContestRules) -> None:
    """Chips in match play, prizes else: on the diagonal the squares of their standard errors."""
    found = play_contests(settings(["formula", "random"], rules, "leduc", repeat=8, seed=3))
    assert found.covariance is not None
    counted = found.winnings if rules.kind == "match-play" else found.prizes
    assert np.sqrt(np.diag(found.covariance)) == pytest.approx([one.standard_error for one in counted])


def test_saved_and_resumed(tmp_path: Path) -> None:
    """Hands are saved with their stacks, replay by the rules, and an interrupted run continues to the same result."""
    rules = ContestRules((12, 9, 4), payouts=(0.7, 0.3), schedule=read_schedule("1x4, 2"))
    chosen = settings(["formula", "random", "rules"], rules, "leduc(players=3)", repeat=33, seed=8)
    whole = play_contests(chosen)
    file, token = tmp_path / "f.duckdb", CancelToken()

    def stop(event: Any) -> None:
        if event.done:
            token.cancel()

    with pytest.raises(Cancelled), History(file) as history:
        play_contests(chosen, history=history, watch=Watch("match", stop, token, "contests"))
    with History(file) as history:
        again = play_contests(chosen, history=history, resume=True)
    assert untimed(again.as_dict()) == untimed(whole.as_dict())
    with HandsFile(file) as hands:
        (match,) = hands.matches()
        assert (match.contest, match.finished, match.hands) == ("freezeout", True, match.wanted)
        for hand in hands.hands(match):
            game, (_, end) = hand.game(match), hand.steps(match)
            assert game.returns(end) == hand.payoffs
            assert sum(game.rules.stacks or ()) == 25
            assert game.rules.antes == (1 if hand.stakes and hand.stakes.antes[0] == 1 else 2,) * game.players
        rows = hands.query("select count(distinct hand) from actions").rows
        assert rows[0][0] <= match.hands
        assert hands.query("select sum(chips) from actions where action = 'fold'").rows == [(0,)]


def test_the_command(tmp_path: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    levels = tmp_path / "levels.txt"
    levels.write_text("1 x 5  # antes of the first level\n2 x 5\n4\n", encoding="utf-8")
    words = ["match", "formula", "random", "--game", "leduc", "--format", "freezeout", "--stack", "10,14"]
    words += ["--blinds", str(levels), "--repeat", "20", "--workers", "1", "--out", "f.duckdb"]
    record = cli([*words, "--json"]).json
    assert record["contest"]["blinds"] == "1x5, 2x5, 4"
    assert record["contests"] == 20
    assert [one["chip_share"] for one in record["agents"]] == pytest.approx([10 / 24, 14 / 24])
    assert "competition's logs have no stacks" in cli(["hands", "f.duckdb", "--export", "acpc", "a.log"]).error
    assert "formula" in cli(["stats", "f.duckdb"]).out
    session = [
        "match",
        "random",
        "rules",
        "--game",
        "leduc",
        "--format",
        "match-play",
        "--stack",
        "8",
        "--workers",
        "1",
    ]
    out = cli([*session, "--hands", "200", "--repeat", "10", "--workers", "1"]).out
    assert "10 sessions of 20.0 ± 0.0 hands" in " ".join(out.split())


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--stack", "9"], "--stack needs --format"),
        (["--format", "sng"], "the format is cash, freezeout or match-play"),
        (["--format", "freezeout"], "no stacks of its own"),
        (["--format", "freezeout", "--stack", "9,9,9"], "stacks are one number for all 2 players"),
        (["--format", "freezeout", "--stack", "9,0"], "a stack must be positive; got 0"),
        (["--format", "freezeout", "--stack", "9", "--blinds", "1/2"], "antes and no blinds"),
        (["--format", "freezeout", "--stack", "9", "--blinds", "1, 2"], "does not say for how many hands"),
        (["--format", "freezeout", "--stack", "9", "--payouts", "1,2"], "a better place must not pay less"),
        (["--format", "freezeout", "--stack", "9", "--payouts", "3,2,1"], "3 prizes and only 2 players"),
        (["--format", "freezeout", "--stack", "9", "--keep-memory"], "does not go with"),
        (["--format", "match-play", "--stack", "9", "--when-broke", "cry"], "one of rebuy, reset"),
        (["--format", "match-play", "--stack", "9", "--payouts", "1"], "--payouts are the prizes of freeze-outs"),
    ],
)
def test_what_cannot_be_played(words: list[str], reason: str, cli: CommandLine) -> None:
    shown = cli(["match", "random", "random", "--game", "leduc", *words])
    assert shown.code == 2
    assert reason in " ".join(shown.error.split())


def test_programs_of_the_protocol_do_not_know_stacks(cli: CommandLine) -> None:
    words = ["match", "remote", "random", "--game", "leduc", "--format", "freezeout", "--stack", "9"]
    assert "protocol sends no stacks" in " ".join(cli(words).error.split())


def test_a_tournament_of_freeze_outs(cli: CommandLine) -> None:
    words = ["tournament", "formula", "random", "always-fold", "--game", "leduc", "--format", "freezeout"]
    words += ["--stack", "12", "--repeat", "16", "--workers", "1", "--most-hands", "40"]
    record = cli([*words, "--json"]).json
    assert (record["kind"], record["contests"], record["players"]) == ("freezeout", 16, 2)
    assert record["bankroll"][0]["agent"] == "formula"
    assert sum(one["prize_percent"] for one in record["bankroll"]) == pytest.approx(0)
