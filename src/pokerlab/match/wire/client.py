"""Any agent on any ACPC dealer: connect, receive states, respond with actions.

The protocol does not name the game. A dealer of ours does, in a comment; at any other the user has to. A client that
plays another game than the dealer deals would go unnoticed, since dealers replace actions that they cannot read: the
first action that comes back as another one ends the match.

As at our own tables, an illegal action is replaced by a legal one and counted with its reason.
"""

from __future__ import annotations

import re
import socket
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.agents.parts.wire import LineSocket, LineTooLong
from pokerlab.errors import BadSetting, PokerlabError
from pokerlab.events import SILENT, Watch
from pokerlab.formats.acpc import VERSION, read_match_state, returns_of
from pokerlab.formats.wire_game import as_dealt, is_same_game, read_game_comment, with_rulings_of
from pokerlab.games.poker.engine import RAISE, PokerGame
from pokerlab.match.table.referee import choose, observe
from pokerlab.match.table.rehearsal import rehearse

if TYPE_CHECKING:
    from pokerlab.agents.agent import Agent
    from pokerlab.games.poker.betting import Betting
    from pokerlab.games.poker.state import View

_POLL_SECONDS = 0.2  # seconds between polls of the cancel token
STATE_SECONDS = 3600.0  # that a dealer may be silent while other clients use their time
MOST_SECONDS = 1e9  # that a connection can be waited for
_ACTION = re.compile(r"[fc]|r[0-9]*")


class LostDealer(PokerlabError):
    """The dealer cannot be reached, has vanished, or does not speak the protocol."""

    def __init__(self, message: str, played: ClientResult | None = None) -> None:
        super().__init__(message)
        self.played = played  # before the dealer was lost; None if the match had not begun


class WrongGame(PokerlabError):
    """The dealer deals another game than the client plays, or one that the client does not know."""


@dataclass
class ClientResult:
    """What a client saw of a match: finished hands and, if visible, chips won."""

    game: str = ""
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
    game: PokerGame | None,
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

    Without a game, the one that the dealer names is played. A dealer is lost, and LostDealer has what was played, if it
    sends no complete state for `state_seconds`, or if the connection ends in the middle of a hand or before the first.
    """
    agent.reset()
    with _connect(host, port, connect_seconds) as connection:
        lines = LineSocket(connection)
        match = _ClientMatch(game, agent, seed)
        connected = _is_sent(lines, f"VERSION:{VERSION}", state_seconds)
        try:
            while connected and (line := _state(lines, state_seconds, watch)) is not None:
                action = match.answer(line, watch)
                connected = not action or _is_sent(lines, f"{line}:{action}", state_seconds)
        except LostDealer as problem:
            problem.played = match.played if match.game else None
            raise
        if match.unfinished:
            raise LostDealer(f"the dealer disconnected {match.unfinished}", match.played if match.game else None)
    return match.played


class _Sent(NamedTuple):
    """An action on its way to the dealer."""

    hand: str
    before: str  # the betting that it responds to
    action: str


class _ClientMatch:
    """One match as a client sees it."""

    def __init__(self, game: PokerGame | None, agent: Agent, seed: int) -> None:
        self.game = None if game is None else as_dealt(game)
        self.played = ClientResult(game.name if game else "")
        self.unfinished = "before the first hand"  # where the match stands if it ends now; empty after a hand
        self._agent = agent
        self._rng = np.random.default_rng(seed)
        self._betting: Betting | None = None
        self._finished = -1  # the last finished hand
        self._sent: _Sent | None = None

    def answer(self, line: str, watch: Watch) -> str:
        """The action in response to a line, in text; empty if none is due."""
        if not line or line[0] in "#;":
            self._read_comment(line)
            return ""
        if self.game is None:
            raise WrongGame("the dealer does not name its game: give it with --game")
        self._check_sent(line)
        view, hand = read_match_state(self.game, line, self._betting)
        self._betting = view.betting
        self.unfinished = "" if view.betting.actor < 0 else f"in the middle of hand {hand}"
        if view.betting.actor < 0:
            if hand != self._finished:
                self._finished = hand
                self._finish(view, watch)
            return ""
        return self._action(self.game, view, line) if view.is_turn else ""

    def _read_comment(self, line: str) -> None:
        """Take the game from the comment that names it, or check that it is the one to play."""
        if self._betting is not None:
            return
        try:
            named = read_game_comment(line)
        except BadSetting as problem:
            if self.game is None:
                raise WrongGame(f"{problem}; give the game with --game") from problem
            return
        if named is None:
            return
        if self.game is None:
            rehearse(named, [self._agent])
            self.game, self.played.game = named, named.name
        elif is_same_game(self.game, named):
            self.game = with_rulings_of(named, self.game)
        else:
            raise WrongGame(f"the dealer deals {named.name[:60]}, and this client plays {self.game.name}")

    def _check_sent(self, line: str) -> None:
        """Raise WrongGame if the last action has come back as another one."""
        sent = self._sent
        parts = line.split(":")
        if sent is None or len(parts) < 4 or parts[2] != sent.hand or parts[3] == sent.before:
            return
        self._sent = None
        back = _ACTION.match(parts[3], len(sent.before)) if parts[3].startswith(sent.before) else None
        if back is None or back.group() != sent.action:
            shown = f"as {back.group()}" if back else f"in the betting {parts[3][:60]!r}"
            raise WrongGame(
                f"in hand {sent.hand} the dealer was sent {sent.action} and took it {shown}: it does not deal "
                f"{self.played.game}; name its game with --game"
            )

    def _finish(self, view: View, watch: Watch) -> None:
        won = returns_of(view)
        self.played.count(won[view.seat] if won else None)
        observe(self._agent, view)
        watch.at("", self.played.hands, None, payload=self.played)

    def _action(self, game: PokerGame, view: View, line: str) -> str:
        action, fault = choose(self._agent, view, self._rng, partial(game.betting.verify, view.betting))
        if fault:
            self.played.faults[fault] += 1
        if action.kind == "r" and game.rules.limit == "fixed":
            action = RAISE  # its size, which an agent may give, has no place in the protocol
        _, _, hand, betting, _ = line.split(":")
        self._sent = _Sent(hand, betting, game.action_text(action))
        return self._sent.action


def _is_sent(lines: LineSocket, line: str, seconds: float) -> bool:
    """Send a line; False if the dealer has hung up."""
    try:
        lines.send(line, seconds)
    except OSError:
        return False
    return True


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
            return socket.create_connection(
                (host, port), timeout=min(max(deadline - time.monotonic(), 10.0), MOST_SECONDS)
            )
        except ConnectionRefusedError as problem:
            if time.monotonic() >= deadline:
                raise LostDealer(f"no dealer listens at {host[:60]} port {port}") from problem
            time.sleep(0.1)
        except (OSError, OverflowError, UnicodeError) as problem:
            raise LostDealer(f"cannot reach a dealer at {host[:60]} port {port}: {problem}") from problem
