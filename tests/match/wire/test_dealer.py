"""The dealer against good clients, and against every kind of bad one: it never hangs and never shows other cards."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from match.wire.serving import QUICK, Mixed, Reader, good, host, misbehaving, poker, raw, with_clients
from pokerlab.errors import AgentFailed, BadSetting
from pokerlab.formats.acpc import read_match_state, returns_of
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.engine import View, raise_to
from pokerlab.match.wire.client import LostDealer, play_on_dealer
from pokerlab.match.wire.dealer import Dealer, _give_up_leads
from pokerlab.match.wire.seat import Limits

SPOT = str(Path(__file__).parents[3] / "examples" / "turn.toml")


@pytest.mark.parametrize("name", ["holdem-limit", "holdem-nolimit", "holdem-limit(players=3)", "leduc", "kuhn", SPOT])
def test_a_match_and_its_log(name: str) -> None:
    game = poker(name)
    hosted = with_clients(game, 30, *(good(game, seed) for seed in range(game.players)))
    result = hosted.result
    assert result is not None
    assert (result.forfeited, result.hands, result.notes) == ("", 30, [])
    assert sum(result.scores) == pytest.approx(0)
    lines = hosted.log.getvalue().splitlines()
    assert lines[0] == f"# name/game/hands/seed test {game.name} 30 4"
    assert lines[1:4] == ["#--t_response 2000", "#--t_hand 4000", "#--t_per_hand 5000"]
    assert len(lines) == 4 + 30 + 1
    totals = dict.fromkeys(result.names, 0.0)
    for number, line in enumerate(lines[4:-1]):
        kind, hand, _, _, won, names = line.split(":")
        assert (kind, int(hand)) == ("STATE", number)
        order = names.split("|")
        # positions move by one seat each hand
        assert order == [result.names[(place + number) % game.players] for place in range(game.players)]
        for who, chips in zip(order, won.split("|"), strict=True):
            totals[who] += float(chips)
    score = lines[-1].split(":")
    assert score[0] == "SCORE"
    assert score[2] == "|".join(result.names)
    assert [float(chips) for chips in score[1].split("|")] == pytest.approx([totals[who] for who in result.names])


def test_same_seed_same_log() -> None:
    game = poker("leduc")
    first, second = (with_clients(game, 20, good(game, 1), good(game, 2)).log.getvalue() for _ in range(2))
    assert first == second


def test_what_a_client_says_it_won_is_what_the_dealer_says() -> None:
    game = poker("holdem-nolimit")
    told = []
    hosted = with_clients(
        game, 40, lambda port: told.append(play_on_dealer(game, Mixed(), "127.0.0.1", port, seed=5)), good(game)
    )
    assert hosted.result is not None
    assert told[0].hands == 40
    assert told[0].unknown == 0
    assert told[0].won == pytest.approx(hosted.result.scores[0])
    assert sum(told[0].winnings) == pytest.approx(told[0].won)
    assert len(told[0].winnings) == 40


def test_a_client_who_learns_sees_how_hands_end() -> None:
    class Learning(Mixed):
        ends: ClassVar[list[tuple[int, bool]]] = []

        def observe(self, view: View) -> None:
            self.ends.append((view.betting.actor, returns_of(view) is not None))

    game = poker("leduc")
    with_clients(game, 12, lambda port: play_on_dealer(game, Learning(), "127.0.0.1", port, seed=5), good(game))
    assert Learning.ends == [(TERMINAL, True)] * 12


def test_what_a_client_may_not_do_is_replaced_and_counted() -> None:
    """As at our own tables; an agent that fails is named, with the line where it did."""

    class Wrong(Mixed):
        def act(self, view: View, rng: np.random.Generator) -> Any:
            return "call" if view.to_call else raise_to(10**9)

    game, told = poker("holdem-nolimit"), []
    hosted = with_clients(
        game, 5, lambda port: told.append(play_on_dealer(game, Wrong(), "127.0.0.1", port, seed=5)), good(game)
    )
    assert hosted.result is not None
    assert not hosted.result.forfeits
    assert told[0].hands == 5
    assert sum(told[0].faults.values()) >= 5
    assert any("'call' is not an action: return FOLD, CALL or raise_to" in reason for reason in told[0].faults)

    class Failing(Mixed):
        def act(self, view: View, rng: np.random.Generator) -> Any:
            return {}["x"]

    failed: list[str] = []

    def fails(port: int) -> None:
        try:
            play_on_dealer(game, Failing(), "127.0.0.1", port, seed=5)
        except AgentFailed as problem:
            failed.append(str(problem))

    with_clients(game, 1, fails, good(game))
    assert re.search(r"the agent mixed failed .*KeyError: 'x', in line \d+ of test_dealer.py", failed[0])


def silent(connection: socket.socket, reader: Reader) -> None:
    connection.sendall(b"VERSION:2.0.0\r\n")
    reader.rest()


def wrong_version(connection: socket.socket, reader: Reader) -> None:
    connection.sendall(b"HELLO\r\n")
    reader.rest()


def hangs_up(connection: socket.socket, reader: Reader) -> None:
    connection.sendall(b"VERSION:2.0.0\r\n")
    connection.close()


@pytest.mark.parametrize(
    ("client", "reason"),
    [
        (raw(silent), "time is up"),
        (raw(wrong_version), "VERSION"),
        (raw(hangs_up), "disconnected|connection"),
        (lambda port: None, "never connected"),
    ],
)
def test_a_client_that_does_not_play_forfeits(client: Callable[[int], None], reason: str) -> None:
    game = poker("holdem-limit")
    limits = Limits(response=0.5, hand=1.0, per_hand=5.0, connect=1.0)
    hosted = with_clients(game, 10, client, good(game), limits=limits)
    assert hosted.result is not None
    assert hosted.result.forfeited == "Alice"
    assert re.search(reason, hosted.result.reason)
    lines = hosted.log.getvalue().splitlines()
    assert any(line.startswith("# FORFEIT Alice:") for line in lines)
    assert lines[-1].startswith("SCORE:")


@pytest.mark.parametrize(
    "answer",
    [
        lambda line: b"\x00\xff\xfe junk \x80\r\n" * 9,
        lambda line: (b"x" * 100_000 + b"\r\n") * 9,
        lambda line: (b"\r\n" * 2 + b"what?\r\n") * 9,
    ],
    ids=["binary", "oversized", "chatter"],
)
def test_lines_that_answer_nothing_are_passed_over_until_the_limit(answer: Callable[[str], bytes]) -> None:
    game = poker("holdem-limit")
    hosted = with_clients(game, 10, misbehaving(game, answer), good(game))
    assert hosted.result is not None
    assert hosted.result.forfeited == "Alice"
    assert "lines that are not responses" in hosted.result.reason
    noted = [line for line in hosted.log.getvalue().splitlines() if line.startswith("# Alice, hand")]
    assert len(noted) == QUICK.bad_lines + 1
    assert all("passed over" in line for line in noted)


def test_answers_to_other_states_are_passed_over_and_named() -> None:
    """However many there are, they forfeit nothing; the answer to the state at hand counts."""
    game = poker("leduc")
    late = misbehaving(game, lambda line: b"MATCHSTATE:0:99::Ah|:c\r\n" * 60 + line.encode() + b":c\r\n")
    hosted = with_clients(game, 10, late, good(game))
    assert hosted.result is not None
    assert (hosted.result.forfeited, hosted.result.hands) == ("", 10)
    noted = [line for line in hosted.log.getvalue().splitlines() if line.startswith("# Alice, hand")]
    assert len(noted) == 101
    assert "an answer to another state, 'MATCHSTATE:0:99::Ah|:c'" in noted[0]
    assert "not written here" in noted[-1]


def test_a_stream_of_old_answers_does_not_stop_the_clock() -> None:
    game = poker("kuhn")

    def talk(connection: socket.socket, reader: Reader) -> None:
        connection.sendall(b"VERSION:2.0.0\r\n")
        while True:
            connection.sendall(b"MATCHSTATE:0:99::As|:c\r\n" * 1000)

    hosted = with_clients(game, 10, raw(talk), good(game), limits=Limits(response=0.5))
    assert hosted.result is not None
    assert hosted.result.forfeited == "Alice"
    assert "time is up" in hosted.result.reason


def test_who_forfeits_keeps_no_lead() -> None:
    """Alice wins two hands and leaves in the third; what she has left is nobody's lead any more."""
    game = poker("kuhn")

    def talk(connection: socket.socket, reader: Reader) -> None:
        connection.sendall(b"VERSION:2.0.0\r\n")
        for _ in range(2):
            if line := reader.until_turn(game):
                connection.sendall(line.encode() + b":r\r\n")
        reader.until_turn(game)

    folding = misbehaving(game, lambda line: line.encode() + b":f\r\n")
    hosted = with_clients(game, 10, raw(talk), folding)
    assert hosted.result is not None
    assert (hosted.result.forfeited, hosted.result.hands) == ("Alice", 3)
    lines = hosted.log.getvalue().splitlines()
    assert next(line for line in lines if line.startswith("STATE:0:rf:")).endswith(":1|-1:Alice|Bob")
    assert lines[-1] == "SCORE:0|0:Alice|Bob"
    assert hosted.result.scores == [0, 0]


def test_a_loss_stands_when_one_forfeits() -> None:
    def after(*gone: int) -> list[float]:
        scores = [-4.0, 6.0, -2.0]
        _give_up_leads(scores, gone)
        return scores

    assert after() == after(0) == after(0, 2) == [-4, 6, -2]
    assert after(1) == [-1, 0, 1]
    assert after(0, 1) == [-4, 0, 4]  # none of the two gets what the other gave up
    assert after(0, 1, 2) == [0, 0, 0]


def test_junk_before_a_good_answer_does_no_harm() -> None:
    game = poker("leduc")
    noisy = misbehaving(game, lambda line: b"# note\r\n" + line.encode() + b":c\r\n")
    hosted = with_clients(game, 10, noisy, good(game))
    assert hosted.result is not None
    assert (hosted.result.forfeited, hosted.result.hands) == ("", 10)


def test_illegal_actions_become_the_nearest_legal_and_are_named() -> None:
    game = poker("holdem-nolimit")
    greedy = misbehaving(game, lambda line: line.encode() + b":r999999999\r\n")
    hosted = with_clients(game, 5, greedy, good(game))
    assert hosted.result is not None
    assert hosted.result.notes
    assert all(note.startswith("Alice, hand") for note in hosted.result.notes)
    assert "r20000" in hosted.log.getvalue()
    assert "# Alice, hand" in hosted.log.getvalue()


def test_too_many_illegal_actions_forfeit() -> None:
    game = poker("leduc")
    hosted = with_clients(game, 100, misbehaving(game, lambda line: line.encode() + b":zzz\r\n"), good(game))
    assert hosted.result is not None
    assert hosted.result.forfeited == "Alice"
    assert "illegal" in hosted.result.reason


def test_no_client_sees_the_cards_of_another_before_the_showdown() -> None:
    game = poker("holdem-limit")
    readers: list[Reader] = []

    def talk(connection: socket.socket, reader: Reader) -> None:
        readers.append(reader)
        connection.sendall(b"VERSION:2.0.0\r\n")
        while line := reader.until_turn(game):
            connection.sendall(line.encode() + b":c\r\n")

    with_clients(game, 10, raw(talk), good(game))
    assert len(readers[0].lines) > 20
    for line in readers[0].lines:
        view, _ = read_match_state(game, line)
        other = line.split(":")[4].split("/")[0].split("|")[1 - view.seat]
        assert not other or (view.betting.actor < 0 and not view.betting.folded_out)


def test_a_second_connection_to_a_seat_is_turned_away() -> None:
    game = poker("kuhn")
    hosted = host(game, 5)
    serving = hosted.start()
    first = threading.Thread(target=good(game, 1), args=(hosted.ports[0],), daemon=True)
    first.start()
    first.join(0.5)
    with socket.create_connection(("127.0.0.1", hosted.ports[0]), timeout=5) as intruder:
        assert intruder.recv(100) == b""
    good(game, 2)(hosted.ports[1])
    serving.join(20)
    assert hosted.result is not None
    assert hosted.result.hands == 5


def test_bad_settings() -> None:
    game = poker("kuhn")
    with pytest.raises(BadSetting, match="2 different names"):
        Dealer(game, ["a"], hands=1, seed=0)
    with pytest.raises(BadSetting, match="cannot be used in a log"):
        Dealer(game, ["a|b", "c"], hands=1, seed=0)
    with pytest.raises(BadSetting, match="at least one hand"):
        Dealer(game, ["a", "b"], hands=0, seed=0)
    for seconds in (-1, 0, float("inf"), float("nan"), 1e300):
        with pytest.raises(BadSetting, match="must be positive and at most"):
            Limits(response=seconds)
    with pytest.raises(LostDealer, match="no dealer listens"):
        play_on_dealer(game, Mixed(), "127.0.0.1", 1, seed=0)
