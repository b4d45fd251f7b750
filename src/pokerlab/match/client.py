"""Any agent on any dealer of the competition's protocol: connect, see states, answer with actions."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.games.acpc import NEWLINE, VERSION, read_match_state, returns_of
from pokerlab.games.poker import PokerGame

if TYPE_CHECKING:
    from pokerlab.agents.agent import Agent

LONGEST_LINE = 65536


class LostDealer(PokerlabError):
    """The dealer cannot be reached, or says what is not the protocol."""


@dataclass
class Played:
    """What a client saw of a match: hands finished and, where it could be seen, chips won."""

    hands: int = 0
    won: float = 0.0
    unknown: int = 0  # hands that ended in a way the dealer did not show


def play_on_dealer(
    game: PokerGame,
    agent: Agent,
    host: str,
    port: int,
    *,
    seed: int,
    connect_seconds: float = 0.0,
    on_hand: Callable[[Played], None] | None = None,
) -> Played:
    """Seat an agent at a dealer until the dealer ends the match; knock for so many seconds until it listens."""
    played = Played()
    rng = np.random.default_rng(seed)
    agent.reset()
    connection = _knock(host, port, connect_seconds)
    with connection, connection.makefile("rb") as lines:
        connection.settimeout(None)
        connection.sendall(f"VERSION:{VERSION}".encode() + NEWLINE)
        finished = -1
        while True:
            try:
                raw = lines.readline(LONGEST_LINE)
            except OSError:
                return played
            if not raw:
                return played
            line = raw.decode("ascii", "replace").strip()
            if not line or line[0] in "#;":
                continue
            view, hand = read_match_state(game, line)
            if view.betting.actor < 0:
                if hand != finished:
                    finished = hand
                    won = returns_of(view)
                    played.hands += 1
                    played.unknown += won is None
                    played.won += won[view.seat] if won else 0.0
                    if on_hand:
                        on_hand(played)
            elif view.is_turn:
                action = agent.act(view, rng)
                game.betting.verify(view.betting, action)
                try:
                    connection.sendall(f"{line}:{game.action_text(action)}".encode() + NEWLINE)
                except OSError:
                    return played


def _knock(host: str, port: int, seconds: float) -> socket.socket:
    deadline = time.monotonic() + seconds
    while True:
        try:
            return socket.create_connection((host, port), timeout=max(seconds, 10.0))
        except ConnectionRefusedError as problem:
            if time.monotonic() >= deadline:
                raise LostDealer(f"nobody listens at {host[:60]} port {port}") from problem
            time.sleep(0.1)
        except (OSError, OverflowError, UnicodeError) as problem:
            raise LostDealer(f"cannot reach a dealer at {host[:60]} port {port}: {problem}") from problem
