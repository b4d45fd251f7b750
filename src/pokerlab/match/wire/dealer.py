"""A dealer for the protocol of the Annual Computer Poker Competition (ACPC): serves any poker game over TCP.

Each seat has its own port. A client that takes its seat is sent a comment that names the game, which is played by the
rules of the original ACPC server where a game definition can express it (formats/wire_game.py). After every change of
state each client receives the state as its seat sees it, and the client to act responds with the same line and its
action. Bad clients are handled as the ACPC rules say: a response to another state is ignored; an illegal action becomes
the nearest legal one, or a call if none is near; a client that exceeds its time limit, disconnects, or keeps sending
junk forfeits the match and any lead in it.

Leaving does not save a hand. From the first turn without a response, the seat folds to any bet and otherwise checks,
and its cards win nothing; the others play the hand to its end, and the match ends with it. A seat that is all-in has no
turn left: its hand is played to the end as usual. (The original ACPC server ends such a match without a score.)

All of this is logged. A client can neither hang the dealer nor learn another's cards: a seat is sent only its own view.
By default the seed is drawn so that nobody can predict the deals, and revealed when the match is over.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TextIO

import numpy as np

from pokerlab.errors import BadSetting, IllegalAction
from pokerlab.events import SILENT, Watch
from pokerlab.formats.acpc import match_state, number, read_answer, state_line
from pokerlab.formats.wire_game import as_dealt, game_comment
from pokerlab.games.poker.engine import CALL, FOLD, Action, PokerGame, State
from pokerlab.match.table.referee import instead
from pokerlab.match.wire.seat import Forfeit, Limits, WireSeat

LOOPBACK = "127.0.0.1"
_POLL_SECONDS = 0.2  # seconds between polls of the cancel token
_LAST_LINES = 2.0  # seconds that clients have to read the last lines of a match
_SEPARATORS = "|:# "


@dataclass
class ServingResult:
    """How a served match ended: chips won by seat, finished hands, and who forfeited and why."""

    names: tuple[str, ...]
    scores: list[float]
    seed: int
    hands: int = 0
    forfeits: dict[str, str] = field(default_factory=dict)  # the reasons, by name
    notes: list[str] = field(default_factory=list)  # irregularities of clients, one sentence each
    by_hand: list[tuple[float, ...]] = field(default_factory=list)  # chips won by seat in each finished hand

    @property
    def forfeited(self) -> str:
        """Who forfeited, in words; empty if nobody did."""
        return ", ".join(self.forfeits)

    @property
    def reason(self) -> str:
        """Why, in words."""
        return "; ".join(dict.fromkeys(self.forfeits.values()))


class Dealer:
    """One match: a game, named seats, a number of hands, a seed, and where to write the log.

    Without a seed, an unpredictable one is drawn. A secret seed is written to the log when the match is over. The
    button moves by one seat from hand to hand, unless it is fixed: then the last seat always has it.
    """

    def __init__(
        self,
        game: PokerGame,
        names: Sequence[str],
        *,
        hands: int,
        seed: int | None = None,
        secret: bool = False,
        limits: Limits | None = None,
        log: TextIO | None = None,
        title: str = "pokerlab",
        fixed_button: bool = False,
        watch: Watch = SILENT,
    ) -> None:
        if len(names) != game.players or len(set(names)) != len(names):
            raise BadSetting(f"{game.name} needs {game.players} different names, and these are {', '.join(names)}")
        for name in names:
            if not name.isprintable() or not name or any(letter in name for letter in _SEPARATORS):
                raise BadSetting(f"the name {name[:40]!r} cannot be used in a log: no spaces, |, : or #")
        if not title.isprintable():
            raise BadSetting(f"the name {title[:40]!r} of the match cannot be used in a log: only letters, on one line")
        if hands < 1:
            raise BadSetting(f"a match has at least one hand, not {hands}")
        if any(round_.draw for round_ in game.rules.rounds):
            raise BadSetting(f"the protocol has no draws, so {game.name} cannot be served")
        self.game, self.names, self.hands = as_dealt(game), tuple(names), hands
        self.secret = secret or seed is None
        self.seed = secret_seed() if seed is None else seed
        self.limits = limits or Limits()
        self.log, self.title, self.watch = log, title, watch
        self.fixed_button = fixed_button
        self.seats: list[WireSeat] = []
        self._hand_number = 0

    async def serve(
        self,
        host: str = LOOPBACK,
        ports: Sequence[int] = (),
        *,
        on_listening: Callable[[list[int]], None] | None = None,
    ) -> ServingResult:
        """Listen on a port for each seat (0: any free one), play the match, and return how it ended."""
        self._result = ServingResult(self.names, [0.0] * len(self.names), self.seed)
        greeting = game_comment(self.game)
        self.seats = [WireSeat(name, self.limits, partial(self._note, name), greeting=greeting) for name in self.names]
        wanted = list(ports) or [0] * len(self.names)
        if len(wanted) != len(self.names):
            raise BadSetting(f"{len(self.names)} seats need as many ports, and these are {len(wanted)}")
        servers = []
        try:
            for seat, port in zip(self.seats, wanted, strict=True):
                try:
                    servers.append(await asyncio.start_server(seat.welcome, host, port))
                except (OSError, OverflowError, UnicodeError) as problem:
                    raise BadSetting(f"cannot listen on {host} port {port}: {problem}") from problem
            if on_listening:
                on_listening([server.sockets[0].getsockname()[1] for server in servers])
            return await self._watched_match()
        finally:
            for server in servers:
                server.close()
            await asyncio.gather(*(seat.close(_LAST_LINES) for seat in self.seats))

    def _note(self, name: str, text: str) -> None:
        """Log an irregularity of a client."""
        note = f"{name}, hand {self._hand_number}: {text}"
        self._result.notes.append(note)
        self._write(f"# {note}")

    async def _watched_match(self) -> ServingResult:
        """The match, which can also be cancelled while waiting for clients."""
        match = asyncio.create_task(self._match())
        try:
            while not (await asyncio.wait({match}, timeout=_POLL_SECONDS))[0]:
                self.watch.check()
            return match.result()
        finally:
            match.cancel()

    async def _match(self) -> ServingResult:
        result = self._result
        seed = "secret" if self.secret else self.seed
        game = self.game.name.replace(" ", "")
        self._write(f"# name/game/hands/seed {self.title} {game} {self.hands} {seed}")
        self._write(f"#--t_response {round(1000 * self.limits.response)}")
        self._write(f"#--t_hand {round(1000 * self.limits.hand)}")
        self._write(f"#--t_per_hand {round(1000 * self.limits.per_hand)}")
        deadline = time.monotonic() + self.limits.connect
        for seat in self.seats:
            await seat.wait_for_player(deadline)
        rng = np.random.default_rng(self.seed)
        while result.hands < self.hands and not any(seat.gone for seat in self.seats):
            await self._hand(result.hands, self.game.deal(rng))
            self.watch.at("", result.hands, self.hands)
        self._forfeits()
        if self.secret:
            self._write(f"# seed {self.seed}")
        self._write(f"SCORE:{'|'.join(number(score) for score in result.scores)}:{'|'.join(self.names)}")
        return result

    def _forfeits(self) -> None:
        for seat in self.seats:
            if seat.gone:
                self._result.forfeits[seat.name] = seat.gone
                self._write(f"# FORFEIT {seat.name}: {seat.gone}")
        _give_up_leads(self._result.scores, [number for number, seat in enumerate(self.seats) if seat.gone])

    async def _hand(self, hand: int, cards: Sequence[int]) -> None:
        game, count = self.game, len(self.names)
        self._hand_number = hand
        state = game.start(cards)
        seats = [self.seats[number] for number in self._order(hand)]
        for seat in seats:
            seat.hand_seconds = 0.0
        dead = 0  # bit mask of positions that had left when it was their turn
        while True:
            shown = [match_state(game, state, position, hand) for position in range(count)]
            for seat, line in zip(seats, shown, strict=True):
                seat.send(line)
            actor = game.player(state)
            if actor < 0:
                break
            action = await self._choice(seats[actor], state, shown[actor])
            if action is None:
                dead |= 1 << actor
                action = instead(game.legal(state), FOLD)
            state = game.child(state, action)
        self._settle(hand, state, dead)

    def _order(self, hand: int) -> list[int]:
        """The seat in each position of a hand."""
        count, moved = len(self.names), 0 if self.fixed_button else hand
        return [(position + moved) % count for position in range(count)]

    async def _choice(self, seat: WireSeat, state: State, shown: str) -> Action | None:
        """The action of a seat; None if it has left."""
        if seat.gone:
            return None
        try:
            return self._legal(seat, state, await seat.answer(shown, self.limits.per_hand * self.hands))
        except Forfeit as forfeit:
            seat.gone = str(forfeit)
            return None

    def _settle(self, hand: int, state: State, dead: int) -> None:
        """Score and log a hand; the log records it as played, the score ignores the cards of seats that left."""
        game = self.game
        order = self._order(hand)
        names = [self.names[number] for number in order]
        returns = counted = game.returns(state)
        alive = state.betting.alive & ~dead
        if dead and alive and alive != state.betting.alive:
            counted = game.returns(state._replace(betting=state.betting._replace(alive=alive)))
        self._write(state_line(game, state, hand, returns, names))
        if counted != returns:
            gone = " and ".join(name for position, name in enumerate(names) if dead >> position & 1)
            score = "|".join(map(number, counted))
            self._note(gone, f"left, so its cards win nothing, and the hand counts {score}")
        by_seat = [0.0] * len(order)
        for place, won in zip(order, counted, strict=True):
            by_seat[place] = won
            self._result.scores[place] += won
        self._result.by_hand.append(tuple(by_seat))
        self._result.hands = hand + 1

    def _legal(self, seat: WireSeat, state: State, text: str) -> Action:
        """The action that a text means, or the nearest legal one, which is logged and counted."""
        game = self.game
        action = None
        try:
            action = read_answer(game, text)
            game.verify_action(state, action)
            return action
        except IllegalAction as problem:
            fixed = _nearest(game, state, action)
            self._note(seat.name, f"{text[:20]!r} became {game.action_text(fixed)}; {str(problem)[:120]}")
            seat.bad_actions += 1
            if seat.bad_actions > self.limits.bad_actions:
                raise Forfeit(f"it chose more than {self.limits.bad_actions} illegal actions") from problem
            return fixed

    def _write(self, line: str) -> None:
        if self.log is not None:
            self.log.write(line + "\n")
            self.log.flush()


def secret_seed() -> int:
    """An unpredictable seed."""
    return secrets.randbits(63)


def _nearest(game: PokerGame, state: State, wanted: Action | None) -> Action:
    """The replacement for an illegal action: the nearest raise, else a call, else a fold."""
    legal = game.legal(state)
    if wanted is not None and wanted.kind == "r" and legal.can_raise:
        return Action("r", legal.nearest(wanted.amount))
    return instead(legal, CALL)


def _give_up_leads(scores: list[float], gone: Sequence[int]) -> None:
    """Seats that forfeit score at most zero: their winnings are shared equally among those who stayed.

    Losses stand; but if nobody stayed, nobody can win them, and all score zero.
    """
    staying = len(scores) - len(gone)
    lead = sum(max(scores[seat], 0.0) for seat in gone)
    for seat, score in enumerate(scores):
        if not staying:
            scores[seat] = 0.0
        else:
            scores[seat] = min(score, 0.0) if seat in gone else score + lead / staying
