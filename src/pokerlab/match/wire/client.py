"""Any agent on any dealer of the competition's protocol: connect, see states, answer with actions."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.agents.parts.wire import LineSocket, LineTooLong
from pokerlab.errors import PokerlabError
from pokerlab.formats.acpc import VERSION, read_match_state, returns_of
from pokerlab.games.poker.engine import PokerGame

if TYPE_CHECKING:
    from pokerlab.agents.agent import Agent

STATE_SECONDS = 3600.0  # that a dealer may be silent; its other clients have their time too


class LostDealer(PokerlabError):
    """The dealer cannot be reached, or says what is not the protocol."""


@dataclass
class ClientResult:
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
    state_seconds: float = STATE_SECONDS,
    on_hand: Callable[[ClientResult], None] | None = None,
) -> ClientResult:
    """Seat an agent at a dealer until the dealer ends the match; knock for so many seconds until it listens.

    A dealer that sends no whole state for `state_seconds` is lost.
    """
    played = ClientResult()
    rng = np.random.default_rng(seed)
    agent.reset()
    with _knock(host, port, connect_seconds) as connection:
        lines = LineSocket(connection)
        lines.send(f"VERSION:{VERSION}", state_seconds)
        finished, betting = -1, None
        while (line := _state(lines, state_seconds)) is not None:
            if not line or line[0] in "#;":
                continue
            view, hand = read_match_state(game, line, betting)
            betting = view.betting
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
                    lines.send(f"{line}:{game.action_text(action)}", state_seconds)
                except OSError:
                    break
    return played


def _state(lines: LineSocket, seconds: float) -> str | None:
    """The next line of the dealer; None where it has ended the match."""
    try:
        return lines.line(time.monotonic() + seconds)
    except TimeoutError as problem:
        raise LostDealer(f"the dealer has sent no state for {seconds:g} s") from problem
    except LineTooLong as problem:
        raise LostDealer(f"this is no dealer: {problem}") from problem
    except OSError:
        return None


def _knock(host: str, port: int, seconds: float) -> socket.socket:
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
