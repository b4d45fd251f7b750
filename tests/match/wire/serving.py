"""Dealers and clients for tests: good ones, and ones that do as they are told."""

from __future__ import annotations

import asyncio
import contextlib
import io
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from pokerlab.formats.acpc import read_match_state
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import Action, PokerGame, View
from pokerlab.match.wire.client import LostDealer, play_on_dealer
from pokerlab.match.wire.dealer import Dealer, ServingResult
from pokerlab.match.wire.seat import Limits

QUICK = Limits(response=2.0, hand=4.0, per_hand=5.0, connect=5.0, bad_lines=5, bad_actions=5)


class Mixed:
    """Calls, raises and folds at random."""

    name = "mixed"

    def act(self, view: View, rng: np.random.Generator) -> Action:
        legal, choice = view.legal, rng.random()
        if choice < 0.15 and legal.fold:
            return Action("f")
        if choice < 0.5 and legal.can_raise:
            fixed = view.game.rules.limit == "fixed"
            return Action("r", 0 if fixed else legal.nearest(int(rng.integers(legal.least, legal.most + 1))))
        return Action("c")

    def reset(self) -> None:
        pass


def poker(name: str) -> PokerGame:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    return game


@dataclass
class Hosted:
    """A dealer in a thread of its own."""

    dealer: Dealer
    log: io.StringIO
    ports: list[int] = field(default_factory=list)
    result: ServingResult | None = None
    ready: threading.Event = field(default_factory=threading.Event)

    def start(self) -> threading.Thread:
        def listening(ports: list[int]) -> None:
            self.ports = ports
            self.ready.set()

        def run() -> None:
            self.result = asyncio.run(self.dealer.serve(on_listening=listening))

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        assert self.ready.wait(10)
        return thread


def host(game: PokerGame, hands: int, *, limits: Limits = QUICK, seed: int | None = 4) -> Hosted:
    names = ["Alice", "Bob", "Carol", "Dave"][: game.players]
    log = io.StringIO()
    return Hosted(Dealer(game, names, hands=hands, seed=seed, limits=limits, log=log, title="test"), log)


def with_clients(
    game: PokerGame, hands: int, *clients: Callable[[int], object], limits: Limits = QUICK, seed: int | None = 4
) -> Hosted:
    """Serve a match to these clients, one a seat, and wait for its end."""
    hosted = host(game, hands, limits=limits, seed=seed)
    serving = hosted.start()
    threads = [
        threading.Thread(target=client, args=(port,), daemon=True)
        for client, port in zip(clients, hosted.ports, strict=True)
    ]
    for thread in threads:
        thread.start()
    serving.join(30)
    assert not serving.is_alive(), "the dealer hangs"
    for thread in threads:
        thread.join(10)
    assert hosted.result is not None
    return hosted


def good(game: PokerGame, seed: int = 1) -> Callable[[int], object]:
    def client(port: int) -> None:
        with contextlib.suppress(LostDealer):  # the other client may have ended the match before this one came
            play_on_dealer(game, Mixed(), "127.0.0.1", port, seed=seed)

    return client


def raw(talk: Callable[[socket.socket, Reader], None]) -> Callable[[int], None]:
    def client(port: int) -> None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            talk(connection, Reader(connection))

    return client


class Reader:
    """Lines from a dealer, all of them kept."""

    def __init__(self, connection: socket.socket) -> None:
        self.file = connection.makefile("r", newline="\r\n")
        self.lines: list[str] = []

    def until_turn(self, game: PokerGame) -> str:
        for line in self.file:
            if line.startswith("#"):
                continue
            self.lines.append(line.strip())
            view, _ = read_match_state(game, line)
            if view.is_turn:
                return line.strip()
        return ""

    def rest(self) -> None:
        for line in self.file:
            self.lines.append(line.strip())


def misbehaving(game: PokerGame, answer: Callable[[str], bytes]) -> Callable[[int], None]:
    """A client that answers each of its turns with whatever `answer` makes of the state."""

    def talk(connection: socket.socket, reader: Reader) -> None:
        connection.sendall(b"VERSION:2.0.0\r\n")
        while line := reader.until_turn(game):
            connection.sendall(answer(line))

    return raw(talk)
