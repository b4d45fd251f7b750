"""A dealer that speaks the protocol of the annual computer poker competition: it serves any poker game over TCP.

Each seat has a port of its own. After every change of the state each client gets the state as its seat may see it,
and the client to act answers with the same line and its action. What the rules say about bad clients holds here: an
answer to another state is passed over; an action that is not legal becomes the nearest that is, a call where none is
near; a client that is silent beyond its time, goes away, or keeps sending junk forfeits the match and any lead in it.
The log names all of this. One client can neither hang the dealer nor learn what another holds: nothing is sent to a
seat but its own view.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TextIO

import numpy as np

from pokerlab.errors import BadSetting, IllegalAction, PokerlabError
from pokerlab.games.acpc import NEWLINE, VERSION, match_state, number, read_action, state_line
from pokerlab.games.poker import CALL, Action, PokerGame, State

LOOPBACK = "127.0.0.1"
MOST_SECONDS = 1e9
MOST_NOTES = 100  # lines of one client that are passed over and named in the log
_ANSWER = re.compile(r"MATCHSTATE:\d+:\d+:[^:]*:[^:]*:[^:]*")


@dataclass(frozen=True)
class Limits:
    """How long and how badly a client may behave. Times are in seconds."""

    response: float = 600.0  # of one action
    hand: float = 600.0  # of one seat's actions in one hand
    per_hand: float = 7.0  # of one seat on average over the match
    connect: float = 60.0  # until every client has connected and named its version
    bad_lines: int = 100  # lines that are no answer to any state, over the match
    bad_actions: int = 1000  # illegal actions that were changed, over the match
    line_bytes: int = 4096

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if not 0 < value <= MOST_SECONDS:  # nan is neither
                raise BadSetting(f"the limit {name} must be positive and at most {MOST_SECONDS:g}, not {value}")


class Forfeit(PokerlabError):
    """A client broke a limit; `seat` is where it sat."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat


@dataclass
class Served:
    """How a served match ended: chips won by seat, hands finished, and who forfeited why."""

    names: tuple[str, ...]
    scores: list[float]
    hands: int = 0
    forfeited: str = ""
    reason: str = ""
    notes: list[str] = field(default_factory=list)  # what was odd about clients, one sentence each


class _Client:
    """One connection: lines in under limits, lines out."""

    def __init__(self, seat: int, name: str, limits: Limits, tell: Callable[[str], None]) -> None:
        self.seat, self.name, self.limits = seat, name, limits
        self._tell, self._told = tell, 0
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.buffer = b""
        self.bad_lines = self.bad_actions = 0
        self.hand_seconds = self.match_seconds = 0.0
        self.connected = asyncio.Event()

    async def send(self, line: str) -> None:
        """Send a line; a client that does not read what it is sent forfeits."""
        assert self.writer is not None
        try:
            self.writer.write(line.encode() + NEWLINE)
            await asyncio.wait_for(self.writer.drain(), self.limits.response)
        except (TimeoutError, OSError) as problem:
            raise Forfeit(self.seat, "the connection does not take what is sent") from problem

    async def line(self, deadline: float, what: str) -> str:
        """The next line before a deadline; a line too long or not text comes back as its first bytes, marked."""
        assert self.reader is not None
        skipping = False
        while True:
            head, found, rest = self.buffer.partition(b"\n")
            if found:
                self.buffer = rest
                if not skipping and len(head) <= self.limits.line_bytes:
                    return head.rstrip(b"\r").decode("ascii", "replace")
                self._bad_line(f"a line of more than {self.limits.line_bytes:,} bytes", head)
                skipping = False
                continue
            if len(self.buffer) > self.limits.line_bytes:
                self.buffer, skipping = self.buffer[:40], True
            remaining = deadline - time.monotonic()
            try:
                if remaining <= 0:
                    raise TimeoutError
                data = await asyncio.wait_for(self.reader.read(4096), remaining)
            except (TimeoutError, OSError) as problem:
                kind = "its time is up" if isinstance(problem, TimeoutError) else "the connection broke"
                raise Forfeit(self.seat, f"{kind} ({what})") from problem
            if not data:
                raise Forfeit(self.seat, f"it went away ({what})")
            self.buffer = self.buffer[:40] + data if skipping else self.buffer + data

    def _bad_line(self, what: str, line: bytes | str) -> None:
        """Name a line that answers nothing; too many of them forfeit."""
        self._passed_over(what, line)
        self.bad_lines += 1
        if self.bad_lines > self.limits.bad_lines:
            raise Forfeit(self.seat, f"it sent more than {self.limits.bad_lines} lines that answer nothing")

    def _passed_over(self, what: str, line: bytes | str) -> None:
        """Name a line that is passed over, unless there have been many."""
        self._told += 1
        text = line[:40].decode("ascii", "replace") if isinstance(line, bytes) else line[:40]
        if self._told <= MOST_NOTES:
            self._tell(f"passed over {what}, {text!r}")
        elif self._told == MOST_NOTES + 1:
            self._tell("more lines that are passed over are not written here")

    async def action(self, shown: str, allowance: float) -> str:
        """The action that answers the state shown; time is counted against this client."""
        began = time.monotonic()
        seconds = min(self.limits.response, self.limits.hand - self.hand_seconds, allowance - self.match_seconds)
        what = "time for this action, hand or match"
        try:
            while True:
                answer = await self.line(began + seconds, what)
                if answer.startswith(shown + ":"):
                    return answer[len(shown) + 1 :]
                if _ANSWER.fullmatch(answer):
                    self._passed_over("an answer to another state", answer)
                elif answer and answer[0] not in "#;":
                    self._bad_line("a line that answers nothing", answer)
                if time.monotonic() > began + seconds:  # a stream of such lines is no answer either
                    raise Forfeit(self.seat, f"its time is up ({what})")
        finally:
            spent = time.monotonic() - began
            self.hand_seconds += spent
            self.match_seconds += spent

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


class Dealer:
    """One match: a game, seats with names, a number of hands, a seed, and where to write the log."""

    def __init__(
        self,
        game: PokerGame,
        names: Sequence[str],
        *,
        hands: int,
        seed: int,
        limits: Limits | None = None,
        log: TextIO | None = None,
        title: str = "pokerlab",
        on_hand: Callable[[int], None] | None = None,
    ) -> None:
        if len(names) != game.players or len(set(names)) != len(names):
            raise BadSetting(f"{game.name} needs {game.players} different names, and these are {', '.join(names)}")
        for name in names:
            if not name or any(letter in name for letter in "|:# \r\n"):
                raise BadSetting(f"the name {name[:40]!r} cannot stand in a log: no spaces, |, : or #")
        if hands < 1:
            raise BadSetting(f"a match has at least one hand, not {hands}")
        if any(round_.draw for round_ in game.rules.rounds):
            raise BadSetting(f"the protocol has no draws, so {game.name} cannot be served")
        self.game, self.names, self.hands, self.seed = game, tuple(names), hands, seed
        self.limits = limits or Limits()
        self.log, self.title, self.on_hand = log, title, on_hand
        self.clients: list[_Client] = []
        self._result = Served(self.names, [0.0] * len(self.names))
        self._hand_number = 0

    async def serve(
        self,
        host: str = LOOPBACK,
        ports: Sequence[int] = (),
        *,
        on_listening: Callable[[list[int]], None] | None = None,
    ) -> Served:
        """Listen on a port for each seat (0: any free one), play the match, and say how it ended."""
        self._result = Served(self.names, [0.0] * len(self.names))
        self.clients = [_Client(seat, name, self.limits, self._teller(name)) for seat, name in enumerate(self.names)]
        wanted = list(ports) or [0] * len(self.names)
        if len(wanted) != len(self.names):
            raise BadSetting(f"{len(self.names)} seats need as many ports, and these are {len(wanted)}")
        servers = []
        try:
            for client, port in zip(self.clients, wanted, strict=True):
                try:
                    servers.append(await asyncio.start_server(self._welcome(client), host, port))
                except (OSError, OverflowError) as problem:
                    raise BadSetting(f"cannot listen on {host} port {port}: {problem}") from problem
            if on_listening:
                on_listening([server.sockets[0].getsockname()[1] for server in servers])
            return await self._match()
        finally:
            for client in self.clients:
                client.close()
            for server in servers:
                server.close()

    def _welcome(self, client: _Client) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
        async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if client.reader is not None:  # the seat is taken
                writer.close()
                return
            client.reader, client.writer = reader, writer
            client.connected.set()

        return connect

    def _teller(self, name: str) -> Callable[[str], None]:
        return lambda text: self._note(f"{name}, hand {self._hand_number}: {text}")

    def _note(self, note: str) -> None:
        self._result.notes.append(note)
        self._write(f"# {note}")

    async def _match(self) -> Served:
        result = self._result
        self._write(f"# name/game/hands/seed {self.title} {self.game.name} {self.hands} {self.seed}")
        self._write(f"#--t_response {round(1000 * self.limits.response)}")
        self._write(f"#--t_hand {round(1000 * self.limits.hand)}")
        self._write(f"#--t_per_hand {round(1000 * self.limits.per_hand)}")
        try:
            await self._gather_clients()
            rng = np.random.default_rng(self.seed)
            for hand in range(self.hands):
                await self._hand(hand, self.game.deal(rng), result)
                if self.on_hand:
                    self.on_hand(hand + 1)
        except Forfeit as forfeit:
            result.forfeited, result.reason = self.names[forfeit.seat], str(forfeit)
            self._write(f"# FORFEIT {result.forfeited}: {result.reason}")
            _give_up_lead(result.scores, forfeit.seat)
        self._write(f"SCORE:{'|'.join(number(score) for score in result.scores)}:{'|'.join(self.names)}")
        return result

    async def _gather_clients(self) -> None:
        deadline = time.monotonic() + self.limits.connect
        for client in self.clients:
            try:
                await asyncio.wait_for(client.connected.wait(), max(deadline - time.monotonic(), 0.001))
            except TimeoutError as problem:
                raise Forfeit(client.seat, "it never connected") from problem
            line = await client.line(deadline, "time to name its version")
            if not line.startswith("VERSION:") or line.split(":")[1].split(".")[0] != VERSION.split(".")[0]:
                raise Forfeit(client.seat, f"it opened with {line[:40]!r} where VERSION:{VERSION} was due")

    async def _hand(self, hand: int, cards: Sequence[int], result: Served) -> None:
        game, count = self.game, len(self.names)
        self._hand_number = hand
        state = game.start(cards)
        for client in self.clients:
            client.hand_seconds = 0.0
        while True:
            shown = [match_state(game, state, position, hand) for position in range(count)]
            for position in range(count):
                await self.clients[(position + hand) % count].send(shown[position])
            actor = game.player(state)
            if actor < 0:
                break
            client = self.clients[(actor + hand) % count]
            text = await client.action(shown[actor], self.limits.per_hand * self.hands)
            state = game.child(state, self._legal(client, state, text))
        returns = game.returns(state)
        for position, won in enumerate(returns):
            result.scores[(position + hand) % count] += won
        result.hands = hand + 1
        order = [self.names[(position + hand) % count] for position in range(count)]
        self._write(state_line(game, state, hand, returns, order))

    def _legal(self, client: _Client, state: State, text: str) -> Action:
        """The action that a text means, or the nearest legal one, which is noted and counted."""
        game = self.game
        try:
            action = read_action(game, text)
            game.verify_action(state, action)
            return action
        except IllegalAction as problem:
            legal = game.legal(state)
            wanted = text[1:].isdigit() and text[0] == "r" and legal.can_raise
            fixed = Action("r", min(max(int(text[1:11]), legal.least), legal.most)) if wanted else CALL
            if game.rules.limit == "push":
                fixed = Action("f")
            changed = f"{text[:20]!r} became {game.action_text(fixed)}; {str(problem)[:120]}"
            self._note(f"{client.name}, hand {self._hand_number}: {changed}")
            client.bad_actions += 1
            if client.bad_actions > self.limits.bad_actions:
                raise Forfeit(client.seat, f"it chose more than {self.limits.bad_actions} illegal actions") from problem
            return fixed

    def _write(self, line: str) -> None:
        if self.log is not None:
            self.log.write(line.encode("ascii", "replace").decode() + "\n")
            self.log.flush()


def _give_up_lead(scores: list[float], seat: int) -> None:
    """A seat that forfeits scores zero at best: what it had won is shared evenly among the others."""
    lead = max(scores[seat], 0.0)
    for other in range(len(scores)):
        scores[other] += -lead if other == seat else lead / (len(scores) - 1)
