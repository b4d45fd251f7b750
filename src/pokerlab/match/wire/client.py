"""Any agent on any ACPC dealer: connect, receive states, respond with actions.

As at our own tables, an illegal action is replaced by a legal one and counted with its reason.
"""

from __future__ import annotations

import socket
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.agents.parts.wire import LineSocket, LineTooLong
from pokerlab.errors import PokerlabError
from pokerlab.events import SILENT, Watch
from pokerlab.formats.acpc import VERSION, read_match_state, returns_of
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.table.referee import choose, observe

if TYPE_CHECKING:
    from pokerlab.agents.agent import Agent

_POLL_SECONDS = 0.2  # seconds between polls of the cancel token
STATE_SECONDS = 3600.0  # that a dealer may be silent while other clients use their time


class LostDealer(PokerlabError):
    """The dealer cannot be reached, or does not speak the protocol."""


@dataclass
class ClientResult:
    """What a client saw of a match: finished hands and, if visible, chips won."""

    hands: int = 0
    won: float = 0.0
    unknown: int = 0  # hands whose result the dealer did not show
    winnings: list[float] = field(default_factory=list)  # chips won, hand by hand, if visible
    faults: Counter[str] = field(default_factory=Counter)  # illegal actions, by reason

    def count(self, won: float | None) -> None:
        """Count a finished hand and the chips won in it; None if that was not visible."""
        self.hands += 1
        if won is None:
            self.unknown += 1
            return
        self.won += won
        self.winnings.append(won)


def play_on_dealer(
    game: PokerGame,
    agent: Agent,
    host: str,
    port: int,
    *,
    seed: int,
    connect_seconds: float = 0.0,
    state_seconds: float = STATE_SECONDS,
    watch: Watch = SILENT,
) -> ClientResult:
    """Seat an agent at a dealer until the dealer ends the match; retry connecting for this many seconds.

    A dealer that sends no complete state for `state_seconds` is considered lost.
    """
    played = ClientResult()
    rng = np.random.default_rng(seed)
    agent.reset()
    with _connect(host, port, connect_seconds) as connection:
        lines = LineSocket(connection)
        lines.send(f"VERSION:{VERSION}", state_seconds)
        finished, betting = -1, None
        while (line := _state(lines, state_seconds, watch)) is not None:
            if not line or line[0] in "#;":
                continue
            view, hand = read_match_state(game, line, betting)
            betting = view.betting
            if view.betting.actor < 0:
                if hand != finished:
                    finished = hand
                    won = returns_of(view)
                    played.count(won[view.seat] if won else None)
                    observe(agent, view)
                    watch.at("", played.hands, None, payload=played)
            elif view.is_turn:
                action, fault = choose(agent, view, rng, partial(game.betting.verify, view.betting))
                if fault:
                    played.faults[fault] += 1
                try:
                    lines.send(f"{line}:{game.action_text(action)}", state_seconds)
                except OSError:
                    break
    return played


def _state(lines: LineSocket, seconds: float, watch: Watch) -> str | None:
    """The next line from the dealer; None if it has ended the match."""
    deadline = time.monotonic() + seconds
    try:
        while True:
            watch.check()
            now = time.monotonic()
            try:
                return lines.line(min(deadline, now + _POLL_SECONDS))
            except TimeoutError as problem:
                if now + _POLL_SECONDS >= deadline:
                    raise LostDealer(f"the dealer has sent no state for {seconds:g} s") from problem
    except LineTooLong as problem:
        raise LostDealer(f"this is not a dealer: {problem}") from problem
    except OSError:
        return None


def _connect(host: str, port: int, seconds: float) -> socket.socket:
    deadline = time.monotonic() + seconds
    while True:
        try:
            return socket.create_connection((host, port), timeout=max(deadline - time.monotonic(), 10.0))
        except ConnectionRefusedError as problem:
            if time.monotonic() >= deadline:
                raise LostDealer(f"nobody listens at {host[:60]} port {port}") from problem
            time.sleep(0.1)
        except (OSError, OverflowError, UnicodeError) as problem:
            raise LostDealer(f"cannot reach a dealer at {host[:60]} port {port}: {problem}") from problem
