"""A client plays the game that the dealer deals, notices when it does not, and says when the dealer vanishes."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Sequence

import numpy as np
import pytest

from command_line import CommandLine
from match.wire.serving import Mixed, good, poker, with_clients
from pokerlab.formats.wire_game import game_comment
from pokerlab.games.poker.engine import Action, View, raise_to
from pokerlab.lab.play.serving import play_at_dealer
from pokerlab.match.wire.client import ClientResult, LostDealer, WrongGame, play_on_dealer

HOST = "127.0.0.1"
ENDS = "MATCHSTATE:0:0:rf:Qs|"  # of Kuhn: one bets, the other folds


class Raising(Mixed):
    """Raises to 300, or by the fixed bet."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return Action("r") if view.game.rules.limit == "fixed" else raise_to(300)


def scripted_dealer(*lines: str, matches: int = 1) -> int:
    """The port of a dealer that sends each match these lines, "?" meaning to wait for an answer, and hangs up."""
    listener = socket.create_server((HOST, 0))

    def deal(connection: socket.socket) -> None:
        with connection, connection.makefile("r", newline="\r\n") as heard:
            heard.readline()  # the version
            for line in lines:
                if line == "?":
                    heard.readline()
                else:
                    connection.sendall(line.encode() + b"\r\n")

    def serve() -> None:
        with contextlib.suppress(OSError), listener:
            for left in reversed(range(matches)):
                connection = listener.accept()[0]
                if not left:
                    listener.close()  # before the last hand ends, or a client that is quick still connects
                deal(connection)

    threading.Thread(target=serve, daemon=True).start()
    return int(listener.getsockname()[1])


@pytest.mark.parametrize("name", ["holdem-nolimit", "leduc", "holdem-limit(players=3)"])
def test_a_client_plays_the_game_that_the_dealer_names(name: str) -> None:
    game, told = poker(name), list[ClientResult]()

    def client(port: int) -> None:
        told.append(play_on_dealer(None, Mixed(), HOST, port, seed=5))

    hosted = with_clients(game, 40, client, *(good(game, seed) for seed in range(1, game.players)))
    assert hosted.result is not None
    assert (hosted.result.hands, hosted.result.notes) == (40, [])  # no action was replaced
    assert (told[0].game, told[0].hands, told[0].faults) == (name, 40, {})
    assert told[0].won == pytest.approx(hosted.result.scores[0])


def test_a_client_of_another_game_leaves_before_the_first_hand() -> None:
    refused: list[str] = []

    def client(port: int) -> None:
        with pytest.raises(WrongGame) as told:
            play_on_dealer(poker("holdem-limit"), Mixed(), HOST, port, seed=5)
        refused.append(str(told.value))

    game = poker("holdem-nolimit")
    hosted = with_clients(game, 5, client, good(game))
    assert refused == ["the dealer deals holdem-nolimit, and this client plays holdem-limit"]
    assert hosted.result is not None
    assert hosted.result.forfeited == "Alice"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["# hello", "MATCHSTATE:0:0::Qs|"], "does not name its game: give it with --game"),
        (['# game {"game":"x"}', "MATCHSTATE:0:0::Qs|"], "cannot be read: .*; give the game with --game"),
    ],
)
def test_a_game_that_is_not_named_must_be_given(lines: Sequence[str], words: str) -> None:
    with pytest.raises(WrongGame, match=words):
        play_on_dealer(None, Mixed(), HOST, scripted_dealer(*lines), seed=1)
    with pytest.raises(LostDealer, match="disconnected before the first hand|in the middle of hand 0"):
        play_on_dealer(poker("kuhn"), Mixed(), HOST, scripted_dealer(*lines), seed=1)


@pytest.mark.parametrize(
    ("name", "state", "back", "words"),
    [
        ("holdem-limit", "MATCHSTATE:1:7::|AsKs", "MATCHSTATE:1:7:c:|AsKs", "sent r and took it as c"),
        ("holdem-nolimit", "MATCHSTATE:1:7::|AsKs", "MATCHSTATE:1:7:c:|AsKs", "sent r300 and took it as c"),
        ("holdem-nolimit", "MATCHSTATE:1:7::|AsKs", "MATCHSTATE:1:7:r:|AsKs", "sent r300 and took it as r:"),
        ("holdem-nolimit", "MATCHSTATE:1:7::|AsKs", "MATCHSTATE:1:7:r3000:|AsKs", "sent r300 and took it as r3000"),
        (
            "holdem-nolimit",
            "MATCHSTATE:0:7:c:AsKs|",
            "MATCHSTATE:0:7:r300c:AsKs|",
            "sent r300 and took it in the betting 'r300c'",
        ),
    ],
)
def test_a_client_stops_at_its_first_action_that_comes_back_as_another(
    name: str, state: str, back: str, words: str
) -> None:
    port = scripted_dealer(state, "?", state, "?", back, "?")  # a state that is repeated is answered again
    with pytest.raises(
        WrongGame, match=f"in hand 7 the dealer was {words}.*not deal {name}; name its game with --game"
    ):
        play_on_dealer(poker(name), Raising(), HOST, port, seed=1)


class LimitTotal(Mixed):
    """Gives the total of a raise where the limit fixes it."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return raise_to(view.legal.least)


def test_an_action_that_comes_back_as_it_was_is_no_reason_to_stop() -> None:
    port = scripted_dealer("MATCHSTATE:1:7::|AsKs", "?", "MATCHSTATE:1:7:r:|AsKs", "MATCHSTATE:1:7:rf:|AsKs")
    assert play_on_dealer(poker("holdem-limit"), LimitTotal(), HOST, port, seed=1).won == 10
    port = scripted_dealer("MATCHSTATE:1:7::|AsKs", "?", "MATCHSTATE:1:7:r300:|AsKs", "MATCHSTATE:1:7:r300f:|AsKs")
    assert play_on_dealer(poker("holdem-nolimit"), Raising(), HOST, port, seed=1).won == 100


@pytest.mark.parametrize(
    ("lines", "hands", "words"),
    [
        ([], 0, "the dealer disconnected before the first hand"),
        ([ENDS, "MATCHSTATE:1:1::|As"], 1, "the dealer disconnected in the middle of hand 1"),
        ([ENDS, "MATCHSTATE:0:1::As|", "?"], 1, "the dealer disconnected in the middle of hand 1"),
        ([ENDS], 1, None),
    ],
)
def test_a_client_whose_dealer_vanishes_says_so(
    lines: Sequence[str], hands: int, words: str | None, cli: CommandLine
) -> None:
    port = scripted_dealer(game_comment(poker("kuhn")), *lines)
    ended = cli(["client", HOST, str(port), "--agent", "always-call", "--json"])
    told = json.loads(ended.out)
    assert (ended.code, ended.error.strip()) == ((2, words) if words else (0, ""))
    assert (told["game"], told["hands"], told["lost"]) == ("kuhn", hands, words)


def test_what_was_played_before_a_dealer_vanished_is_told() -> None:
    port = scripted_dealer(ENDS, matches=2)
    result = play_at_dealer(poker("kuhn"), "always-call", HOST, port, matches=3, seed=1)
    assert (result.hands, result.lost) == (2, f"no dealer listens at {HOST} port {port}")
    with pytest.raises(LostDealer, match="no dealer listens"):
        play_at_dealer(poker("kuhn"), "always-call", HOST, port, seed=1)


@pytest.mark.parametrize("seconds", ["1e308", "inf", "nan", "-1"])
def test_a_wait_without_end_is_refused(seconds: str, cli: CommandLine) -> None:
    assert "--wait" in cli(["client", HOST, "1", "--wait", seconds]).refusal


def test_python_may_wait_without_end() -> None:
    port = scripted_dealer(ENDS)
    assert play_on_dealer(poker("kuhn"), Mixed(), HOST, port, seed=1, connect_seconds=1e308).hands == 1
