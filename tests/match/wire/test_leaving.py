"""Leaving a dealer in the middle of a hand saves nobody that hand, and nobody else's match ends by accident."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

from match.wire.serving import QUICK, Reader, good, host, misbehaving, poker, raw, with_clients
from pokerlab.games.poker.engine import Action, PokerGame, View
from pokerlab.match.hands.history import History
from pokerlab.match.hands.imports import import_hands
from pokerlab.match.wire.client import play_on_dealer
from pokerlab.match.wire.seat import MOST_UNREAD, Limits, WireSeat

CALLING = b":c\r\n"


def scripted(game: PokerGame, answers: Iterable[str]) -> Callable[[int], None]:
    """A client that gives these answers at its turns, and at the turn after them goes away."""

    def talk(connection: socket.socket, reader: Reader) -> None:
        connection.sendall(b"VERSION:2.0.0\r\n")
        for answer in answers:
            if line := reader.until_turn(game):
                connection.sendall(f"{line}:{answer}\r\n".encode())
        reader.until_turn(game)

    return raw(talk)


def calling(game: PokerGame) -> Callable[[int], None]:
    return misbehaving(game, lambda line: line.encode() + CALLING)


def hand_lines(log: str) -> list[str]:
    return [line for line in log.splitlines() if line.startswith("STATE:")]


@pytest.mark.parametrize(
    ("alice", "bob", "betting", "lost"),
    [
        (["r5000", "c"], ["c", "c", "r20000"], "cr5000c/cr20000f", 5000),  # gone when she is bet into on the flop
        (["r5000"], ["r300", "r20000"], "r300r5000r20000f", 5000),  # gone when she is raised all-in
        ([], ["r20000"], "r20000f", 100),
        ([], [], "cc/cc/cc/cc", 100),  # gone with nothing to call: checked down, her cards dead
        (["c", "c"], [], "cc/cc/cc/cc", 100),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_who_leaves_has_folded(alice: list[str], bob: list[str], betting: str, lost: int, seed: int) -> None:
    """Alice is the big blind; Bob acts first before the flop and second after it."""
    game = poker("holdem-nolimit")
    hosted = with_clients(game, 10, scripted(game, alice), scripted(game, [*bob, *"ccccc"]), seed=seed)
    result = hosted.result
    assert result is not None
    assert result.forfeits == {"Alice": "it disconnected"}
    assert result.hands == 1
    (line,) = hand_lines(hosted.log.getvalue())
    assert line.split(":")[2] == betting
    assert result.scores == [-lost, lost]


@pytest.mark.parametrize("seed", range(6))
def test_who_leaves_all_in_has_played(seed: int) -> None:
    """Raise all-in, see the call, go away: the hand counts. A loss stands; a win is a lead, which a forfeit ends."""
    game = poker("holdem-nolimit")
    hosted = with_clients(game, 10, scripted(game, ["r20000"]), calling(game), seed=seed)
    result = hosted.result
    assert result is not None
    first, second = hand_lines(hosted.log.getvalue())  # she is missed at her turn in the second hand
    assert first.split(":")[2] == "cr20000c///"
    won = float(first.split(":")[4].split("|")[0])
    assert second.split(":")[2] == "f"  # she is the small blind of 50 there
    assert result.scores[0] == min(won - 50, 0)
    assert sum(result.scores) == 0
    assert list(result.forfeits) == ["Alice"]


@pytest.mark.parametrize("seed", range(3))
def test_the_others_play_the_hand_to_its_end(seed: int, tmp_path: Path) -> None:
    """Of three, Bob, the big blind, goes away; a bet is made later, and the log can be read back."""
    game = poker("holdem-nolimit(players=3)")
    alice = scripted(game, ["c", "c", "r500", *["c"] * 9])
    hosted = with_clients(game, 5, alice, scripted(game, []), calling(game), seed=seed)
    result = hosted.result
    assert result is not None
    (line,) = hand_lines(hosted.log.getvalue())
    assert line.split(":")[2].startswith("ccc/ccc/r500fc/")
    assert result.scores[1] == -100
    assert list(result.forfeits) == ["Bob"]
    path = tmp_path / "log"
    path.write_text(hosted.log.getvalue())
    with History(tmp_path / "hands.duckdb") as history:
        assert import_hands(history, path, "acpc", game=game).hands == 1


def test_a_best_hand_that_left_wins_nothing() -> None:
    """The log has the hand as its cards were, and says how it counts."""
    game = poker("kuhn")
    counted = set()
    for seed in range(8):
        hosted = with_clients(game, 5, scripted(game, []), calling(game), seed=seed)
        assert hosted.result is not None
        (line,) = hand_lines(hosted.log.getvalue())
        assert hosted.result.scores == [-1, 1]
        won = line.split(":")[4]
        assert ("its cards win nothing, and the hand counts -1|1" in hosted.log.getvalue()) == (won == "1|-1")
        counted.add(won)
    assert counted == {"1|-1", "-1|1"}


def test_two_leave_in_one_hand() -> None:
    game = poker("holdem-limit(players=3)")
    hosted = with_clients(game, 5, scripted(game, []), scripted(game, []), calling(game))
    assert hosted.result is not None
    assert list(hosted.result.forfeits) == ["Alice", "Bob"]
    assert hosted.result.scores == [-5, -10, 15]


# ---- strangers ---------------------------------------------------------------------------------------------------


def knock(port: int, words: bytes | None) -> socket.socket:
    stranger = socket.create_connection(("127.0.0.1", port), timeout=5)
    if words is None:
        stranger.close()
    elif words:
        stranger.sendall(words)
    return stranger


@pytest.mark.parametrize(
    "words",
    [None, b"", b"VERS", b"GET / HTTP/1.1\r\n\r\n", b"VERSION:9.0.0\r\n", b"\x00\xff" * 200_000, b"\n"],
    ids=["closes", "silent", "half a line", "browser", "another version", "binary without end", "empty line"],
)
def test_a_stranger_does_not_take_a_seat(words: bytes | None, caplog: pytest.LogCaptureFixture) -> None:
    game = poker("kuhn")
    hosted = host(game, 5)
    serving = hosted.start()
    strangers = [knock(port, words) for port in hosted.ports for _ in range(3)]
    time.sleep(0.1)  # until the dealer has heard them
    players = [threading.Thread(target=good(game), args=(port,), daemon=True) for port in hosted.ports]
    for player in players:
        player.start()
    serving.join(20)
    assert hosted.result is not None, "the dealer hangs"
    assert (hosted.result.forfeited, hosted.result.hands) == ("", 5)
    for stranger in strangers:
        stranger.close()
    assert not caplog.records  # asyncio complains of nothing


def test_strangers_alone(caplog: pytest.LogCaptureFixture) -> None:
    hosted = host(poker("kuhn"), 5, limits=Limits(connect=0.3))
    serving = hosted.start()
    strangers = [knock(port, b"HELLO") for port in hosted.ports]
    serving.join(20)
    assert hosted.result is not None
    assert list(hosted.result.forfeits) == ["Alice", "Bob"]
    assert [stranger.recv(10) for stranger in strangers] == [b"", b""]
    assert not caplog.records


def test_a_crowd_of_strangers_keeps_nobody_out() -> None:
    game = poker("kuhn")
    hosted = host(game, 5)
    serving = hosted.start()
    strangers = [knock(hosted.ports[0], b"") for _ in range(90)]
    for port in hosted.ports:
        threading.Thread(target=good(game), args=(port,), daemon=True).start()
    serving.join(20)
    assert hosted.result is not None
    assert hosted.result.hands == 5
    for stranger in strangers:
        stranger.close()


# ---- time and size -----------------------------------------------------------------------------------------------


def test_a_byte_now_and_then_is_no_answer() -> None:
    game = poker("kuhn")

    def talk(connection: socket.socket, reader: Reader) -> None:
        connection.sendall(b"VERSION:2.0.0\r\n")
        line = reader.until_turn(game)
        for letter in line:
            connection.sendall(letter.encode())
            time.sleep(0.1)

    hosted = with_clients(game, 5, raw(talk), good(game), limits=Limits(response=0.5))
    assert hosted.result is not None
    assert "time is up" in hosted.result.forfeits["Alice"]


class LeastRaise:
    """Raises by the least as long as it may."""

    name = "least"

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return Action("r", view.legal.least) if view.legal.can_raise else Action("c")

    def reset(self) -> None:
        pass


def test_answers_to_long_states_fit() -> None:
    """A thousand least raises, one by one: the last states are longer than a line of any other kind may be."""
    game = poker("holdem-nolimit(stack=100000, ante=1)")  # the server's limit of 64 actions knows no antes

    def client(port: int) -> None:
        play_on_dealer(game, LeastRaise(), "127.0.0.1", port, seed=1)

    hosted = with_clients(game, 1, client, client, limits=Limits(response=20, hand=60, per_hand=60, line_bytes=1000))
    result = hosted.result
    assert result is not None
    assert (result.forfeited, result.hands, result.notes) == ("", 1, [])
    assert len(hand_lines(hosted.log.getvalue())[0]) > 5000


@pytest.mark.parametrize("ending", ["", " ", "  \t", " \r"])
@pytest.mark.parametrize(("word", "betting"), [("c", "c"), ("k", "c"), ("R", "r"), ("b", "r"), ("r4", "r"), ("F", "f")])
def test_answers_are_read_as_leniently_as_the_competition_reads_them(word: str, ending: str, betting: str) -> None:
    game = poker("holdem-limit")
    hosted = with_clients(game, 1, calling(game), scripted(game, [word + ending, *"cccc"]))
    assert hosted.result is not None
    assert hosted.result.notes == []
    assert hand_lines(hosted.log.getvalue())[0].split(":")[2].startswith(betting)


def test_a_client_that_does_not_read_holds_nobody_up() -> None:
    """What is sent is kept for it up to a limit, and then it has left."""

    class Transport:
        unread = 0

        def is_closing(self) -> bool:
            return False

        def get_write_buffer_size(self) -> int:
            return self.unread

    class Writer:
        transport = Transport()

        def write(self, data: bytes) -> None:
            self.transport.unread += len(data)

    async def sent() -> tuple[str, int]:
        seat = WireSeat("ann", QUICK, print)
        seat._writer = Writer()  # type: ignore[assignment]
        while not seat.gone:
            seat.send("x" * 1000)
        seat.send("more")
        return seat.gone, Writer.transport.unread

    gone, unread = asyncio.run(sent())
    assert gone == "it does not read what it is sent"
    assert MOST_UNREAD < unread < MOST_UNREAD + 2000


# ---- the seed ----------------------------------------------------------------------------------------------------


def test_deals_are_secret_until_they_are_over() -> None:
    game = poker("leduc")
    one, other = (with_clients(game, 8, good(game, 1), good(game, 2), seed=None) for _ in range(2))
    assert one.dealer.seed != other.dealer.seed
    assert one.dealer.seed > 2**20  # beyond what can be tried out
    lines = one.log.getvalue().splitlines()
    told = [number for number, line in enumerate(lines) if str(one.dealer.seed) in line]
    assert told == [len(lines) - 2]
    again = with_clients(game, 8, good(game, 1), good(game, 2), seed=one.dealer.seed)
    assert hand_lines(again.log.getvalue()) == hand_lines(one.log.getvalue())
