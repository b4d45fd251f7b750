"""Other programs seated as agents: good ones, slow ones, and ones that will not go."""

from __future__ import annotations

import contextlib
import shlex
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import windows
from match.wire.serving import Mixed, good, misbehaving, poker
from pokerlab.agents.library import remote
from pokerlab.agents.library.remote import HOST, LostProgram, Remote
from pokerlab.agents.library.remote import agent as remote_agent
from pokerlab.errors import AgentFailed, BadSetting, PokerlabError
from pokerlab.games.poker.engine import Action, View, raise_to
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.wire.client import ClientResult, play_on_dealer


def test_a_remote_program_plays_as_an_agent() -> None:
    game = poker("holdem-limit")
    seat = remote_agent(seconds=10)
    program = threading.Thread(target=good(game, 3), args=(seat.port,), daemon=True)
    program.start()
    rng = np.random.default_rng(0)
    agents = [seat, Mixed()]
    for hand in range(20):
        state = game.start(game.deal(rng))
        while (actor := game.player(state)) >= 0:
            action = agents[(actor + hand) % 2].act(game.view(state, actor), rng)
            state = game.child(state, action)
        seat.observe(game.view(state, (0 - hand) % 2))
    seat.reset()
    program.join(10)
    assert not program.is_alive()


@pytest.mark.parametrize("known", [True, False], ids=["the game is given", "the game is named"])
def test_a_client_at_our_own_table_plays_by_its_rules(known: bool) -> None:
    """Which have no limit of 64 actions in a round, unlike those of the competition's server."""

    class LeastRaise(Mixed):
        def act(self, view: View, rng: np.random.Generator) -> Action:
            return raise_to(view.legal.least) if view.legal.can_raise else Action("c")

    game, told = poker("holdem-nolimit"), list[ClientResult]()
    seat = remote_agent(seconds=10)

    def program(port: int) -> None:
        told.append(play_on_dealer(game if known else None, LeastRaise(), HOST, port, seed=1))

    client = threading.Thread(target=program, args=(seat.port,), daemon=True)
    client.start()
    result = play_match(MatchSettings.of(game, [seat, LeastRaise()], hands=2))
    seat.reset()
    client.join(10)
    assert (told[0].game, told[0].hands, told[0].faults) == (game.name, 2, {})
    assert (result.hands, result.faults) == (2, ())


def answering(word: str) -> Callable[[int], None]:
    """A program that answers every state in which it is to act with this word."""

    def program(port: int) -> None:
        game = poker("holdem-nolimit")
        talk = misbehaving(game, lambda line: f"{line}:{word}\r\n".encode())
        talk(port)

    return program


@pytest.mark.parametrize(("word", "named"), [("zzz", "zzz"), ("r1", "r1"), ("r", "'r'"), ("", "''")])
def test_a_bad_action_of_a_remote_program_is_replaced_and_counted(word: str, named: str) -> None:
    game = poker("holdem-nolimit")
    seat = remote_agent(seconds=10)
    program = threading.Thread(target=answering(word), args=(seat.port,), daemon=True)
    program.start()
    result = play_match(MatchSettings.of(game, [seat, "always-call"], hands=6))
    seat.reset()
    program.join(10)
    assert result.hands == 6
    assert sum(count for agent, _, count in result.faults if agent == seat.name) >= 6
    assert all(named in reason for _, reason, _ in result.faults)


def test_a_remote_program_that_ends_is_missed_at_once() -> None:
    seat = remote_agent("/bin/true", seconds=1000)
    with pytest.raises(AgentFailed, match=r"ended, with exit code 0, and never connected"):
        play_match(MatchSettings.of("kuhn", [seat, "random"], hands=2))


def test_where_a_remote_seat_listens_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    game = poker("kuhn")
    seat = Remote(seconds=0.2)
    with pytest.raises(LostProgram):
        seat.act(game.view(game.start([0, 1]), 0), np.random.default_rng(0))
    out, error = capsys.readouterr()
    assert (out, error) == ("", f"waiting for a program on 127.0.0.1 port {seat.port}\n")


def test_what_a_remote_seat_cannot_play() -> None:
    with pytest.raises(BadSetting, match="no draws"):
        MatchSettings.of("five-card-draw", ["remote", "random"], hands=2)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadSetting, match=f"cannot listen on 127.0.0.1 port {port}"):
            MatchSettings.of("kuhn", [f"remote(port={port})", "random"], hands=2)


def test_a_port_is_for_one_process() -> None:
    assert MatchSettings.of("kuhn", ["remote", "random"], hands=2).one_process
    assert MatchSettings.of("kuhn", ["remote:/bin/true(port=0)", "random"], hands=2).one_process is False
    assert Remote("/bin/true", port=18791).one_process
    assert [Remote(command, port=port).name for command, port in (("", 0), ("", 18791), ("/bin/true -x", 0))] == [
        "remote",
        "remote(18791)",
        "remote(/bin/true)",
    ]


def test_a_remote_program_that_is_not_there() -> None:
    game = poker("kuhn")
    state = game.start([0, 1])
    with pytest.raises(LostProgram, match="no program connected"):
        Remote(seconds=0.2).act(game.view(state, 0), np.random.default_rng(0))
    with pytest.raises(LostProgram, match="cannot start"):
        Remote("/no/such/program", seconds=0.2).act(game.view(state, 0), np.random.default_rng(0))


def first_turn(seat: Remote) -> Action:
    game = poker("kuhn")
    return seat.act(game.view(game.start([0, 1]), 0), np.random.default_rng(0))


def connecting(port: int, *pieces: bytes, pause: float = 0.0) -> threading.Thread:
    """A program that says these pieces one after the other, then waits to be disconnected."""

    def program() -> None:
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=20) as connection:
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(pause)
            while connection.recv(1000):
                pass

    thread = threading.Thread(target=program, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("trickling", ["VERSION:2.0.0\r\n", "MATCHSTATE:0:0::Qs|:c\r\n"])
def test_a_byte_now_and_then_is_no_answer(trickling: str) -> None:
    """The time is that of the whole line, of the opening as of an answer."""
    seat = Remote(seconds=0.5)
    before = b"" if trickling.startswith("VERSION") else b"VERSION:2.0.0\r\n"
    connecting(seat.port, before, *(letter.encode() for letter in trickling), pause=0.1)
    with pytest.raises(LostProgram, match=r"in 0\.5 s"):
        first_turn(seat)
    seat.close()


def test_old_answers_do_not_stop_the_clock() -> None:
    seat = Remote(seconds=0.5)
    connecting(seat.port, b"VERSION:2.0.0\r\n", *[b"MATCHSTATE:0:9::Qs|:c\r\n"] * 50, pause=0.1)
    with pytest.raises(LostProgram, match=r"did not respond within 0\.5 s"):
        first_turn(seat)
    seat.close()


@pytest.mark.parametrize("words", [None, b"", b"VERS", b"GET / HTTP/1.1\r\n\r\n", b"\x00\xff\n"])
def test_a_stranger_does_not_take_the_seat(words: bytes | None) -> None:
    seat = remote_agent(seconds=10)
    strangers = [socket.create_connection((HOST, seat.port), timeout=5) for _ in range(60)]
    for stranger in strangers:
        if words is None:
            stranger.close()
        else:
            stranger.sendall(words)
    # the system keeps 128 that knock; the program comes after them
    connecting(seat.port, b"VERSION:2.0.0\r\n", b"MATCHSTATE:0:0::Qs|:c  \r\n")
    assert first_turn(seat) == Action("c")
    seat.close()
    for stranger in strangers:
        stranger.close()


def test_a_line_without_end_is_not_kept() -> None:
    """However much is sent, no more is kept than the longest line of the protocol could be."""
    seat = Remote(seconds=30)
    connecting(seat.port, b"VERSION:2.0.0\r\n", *[b"x" * 2**20] * 20)
    with pytest.raises(LostProgram, match="too long for a state or an action"):
        first_turn(seat)
    seat.close()


STUBBORN = """
import signal, socket, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
ignoring = "import signal, time; signal.signal(15, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
child = subprocess.Popen([sys.executable, "-c", ignoring], stdout=subprocess.PIPE)
child.stdout.readline()
open(sys.argv[1], "w").write(str(child.pid))
connection = socket.create_connection((sys.argv[2], int(sys.argv[3])))
connection.sendall(b"VERSION:2.0.0\\r\\nMATCHSTATE:0:0::Qs|:c\\r\\n")
time.sleep(600)
"""


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to look")
@pytest.mark.parametrize("groups", [True, False], ids=["groups", "no groups"])
def test_a_program_that_will_not_end_is_ended_with_all_it_started(
    groups: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stubborn.py").write_text(STUBBORN, encoding="utf-8")
    seat = Remote(shlex.join([sys.executable, str(tmp_path / "stubborn.py"), str(tmp_path / "child")]), seconds=20.0)
    assert first_turn(seat) == Action("c")
    assert seat._process is not None
    pids = [seat._process.pid, int((tmp_path / "child").read_text())]
    assert all(map(is_running, pids))
    with monkeypatch.context() as patch:
        if not groups:
            patch.setattr(remote, "sys", windows.Sys())
        seat.close()
    for _ in range(100):
        if not any(map(is_running, pids)):
            break
        time.sleep(0.05)
    assert not any(map(is_running, pids))


def test_paths_of_windows_in_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    command = r'"C:\Program Files\bot.exe" --dir C:\new\ "two words"'
    assert remote._words(r"./my\ bot -x '\n'") == ["./my bot", "-x", r"\n"]
    with monkeypatch.context() as patch:
        patch.setattr(remote, "sys", windows.Sys())
        words = remote._words(command)
    assert words == ["C:\\Program Files\\bot.exe", "--dir", "C:\\new\\", "two words"]


def test_no_exchange_waits_for_an_acknowledgement() -> None:
    seat = remote_agent(seconds=10)
    connecting(seat.port, b"VERSION:2.0.0\r\n", b"MATCHSTATE:0:0::Qs|:c\r\n")
    first_turn(seat)
    assert seat._lines is not None
    assert seat._lines.connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    seat.close()


# ---- a client and a bad dealer -----------------------------------------------------------------------------------


def dealing(*pieces: bytes, pause: float = 0.0) -> int:
    """The port of a dealer that says these pieces to who comes, and then nothing."""
    listener = socket.create_server((HOST, 0))

    def dealer() -> None:
        with contextlib.suppress(OSError), listener, listener.accept()[0] as connection:
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(pause)
            while connection.recv(1000):
                pass

    threading.Thread(target=dealer, daemon=True).start()
    return int(listener.getsockname()[1])


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ([], r"no state for 0\.3 s"),
        ([bytes([letter]) for letter in b"MATCHSTATE:0:0::Qs|"], r"no state for 0\.3 s"),
        ([b"x" * 2**20] * 20, "not a dealer: a line of more than"),
        ([b"\x00\xff\x1b[31m\r\n"], "is not a state"),
    ],
    ids=["silent", "slow", "without end", "binary"],
)
def test_a_client_leaves_a_bad_dealer(pieces: list[bytes], words: str) -> None:
    seconds = 20.0 if len(pieces) == 20 else 0.3
    port = dealing(*pieces, pause=0.1 if len(pieces) != 20 else 0.0)
    with pytest.raises(PokerlabError, match=words):
        play_on_dealer(poker("kuhn"), Mixed(), HOST, port, seed=0, state_seconds=seconds)
