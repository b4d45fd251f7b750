"""The ACPC protocol: serve a match, pass by pass, and connect an agent to a dealer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadFile, BadSetting
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.statistics import Moments, Summary
from pokerlab.match.table.rehearsal import rehearse
from pokerlab.match.wire.client import STATE_SECONDS, ClientResult, LostDealer, play_on_dealer
from pokerlab.match.wire.dealer import LOOPBACK, Dealer, ServingResult, secret_seed
from pokerlab.match.wire.seat import Limits

MOST_NOTES = 20  # reported per pass


@dataclass(frozen=True)
class Listening:
    """The ports that wait for players: the payload of the first event of a pass."""

    names: tuple[str, ...]
    ports: tuple[int, ...]  # [seat]
    table: int = 0  # of a mirrored match


@dataclass(frozen=True)
class ServedPass:
    """One pass of a served match, and its log."""

    log: Path
    served: ServingResult

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        served = self.served
        return {
            "log": str(self.log),
            "hands": served.hands,
            "scores": dict(zip(served.names, served.scores, strict=True)),
            "forfeits": served.forfeits,
            "notes": served.notes[:MOST_NOTES],
        }


@dataclass(frozen=True)
class ServedMatch:
    """A whole served match: one pass, or one for each rotation of the seats, in turn or at tables of their own."""

    game: str
    hands: int
    seed: int  # of the deals
    names: tuple[str, ...]
    passes: tuple[ServedPass, ...]

    @property
    def winnings(self) -> dict[str, Summary]:
        """Chips won per hand, by name, with the interval; the unit of observation is the deal.

        With several passes these are means over all passes of each deal that every pass finished. Empty if there are
        fewer than two such deals.
        """
        deals = min(one.served.hands for one in self.passes)
        if deals < 2:
            return {}
        total = np.zeros((deals, len(self.names)))
        for one in self.passes:
            order = [one.served.names.index(name) for name in self.names]
            total += np.array(one.served.by_hand[:deals])[:, order]
        moments = Moments.none(len(self.names)).add(total / len(self.passes))
        return {name: moments.summary(number) for number, name in enumerate(self.names)}

    @property
    def scores(self) -> dict[str, float]:
        """Chips won over all passes, by name."""
        total = dict.fromkeys(self.names, 0.0)
        for one in self.passes:
            for name, score in zip(one.served.names, one.served.scores, strict=True):
                total[name] += score
        return total

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "game": self.game,
            "hands": self.hands,
            "seed": self.seed,
            "passes": [one.as_dict() for one in self.passes],
            "scores": self.scores,
            "winnings": {
                name: {"mean": one.mean, "low": one.low, "high": one.high} for name, one in self.winnings.items()
            },
            "forfeited": sorted({name for one in self.passes for name in one.served.forfeits}),
        }


def serve_match(
    game: PokerGame,
    *,
    hands: int,
    names: Sequence[str] = (),
    ports: Sequence[int] = (),
    host: str = LOOPBACK,
    log: Path,
    title: str = "match",
    duplicate: bool = False,
    mirror: bool = False,
    fixed_button: bool = False,
    limits: Limits | None = None,
    seed: int | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> ServedMatch:
    """Serve a match; in a duplicate match every rotation of the seats is a pass with the same cards and its own log.

    In a mirrored match the rotations are played at the same time, each at a table with its own ports: a name is a side,
    with another player at each table. `ports` then has those of all tables, table by table.

    The seed is random and unpredictable by default. A cancelled match raises Cancelled; its log ends with the last
    finished hand.
    """
    if duplicate and mirror:
        raise BadSetting("the passes of a match are played in turn (duplicate) or at once (mirror), not both")
    watch = Watch("serve", on_progress, cancel, "hands")
    seats = tuple(names) or tuple(f"player{seat + 1}" for seat in range(game.players))
    deals = secret_seed() if seed is None else seed
    deal: dict[str, Any] = {"hands": hands, "seed": deals, "secret": seed is None, "limits": limits, "title": title}
    served = _Served(game, seats, deal | {"fixed_button": fixed_button}, host=host, watch=watch)
    rotations = range(game.players if duplicate or mirror else 1)
    logs = [log.with_suffix(f".{rotation}{log.suffix}") if len(rotations) > 1 else log for rotation in rotations]
    passes = asyncio.run(_at_once(served, logs, ports)) if mirror else _in_turn(served, logs, ports)
    return ServedMatch(game.name, hands, deals, seats, tuple(passes))


def _in_turn(served: _Served, logs: Sequence[Path], ports: Sequence[int]) -> list[ServedPass]:
    """Play the passes one after the other, each seat at the same port."""
    listen = dict(zip(served.names, ports, strict=True)) if len(ports) == len(served.names) else {}
    passes = []
    for rotation, log in enumerate(logs):
        order = served.order(rotation)
        wanted = [listen[name] for name in order] if listen else ports
        passes.append(asyncio.run(served.one(rotation, log, wanted, opened=listen)))
    return passes


async def _at_once(served: _Served, logs: Sequence[Path], ports: Sequence[int]) -> list[ServedPass]:
    """Play all passes at the same time."""
    count = len(served.names)
    if ports and len(ports) != count * len(logs):
        raise BadSetting(f"{len(logs)} tables with {count} seats need {count * len(logs)} ports, not {len(ports)}")
    tables = [
        asyncio.create_task(served.one(rotation, log, ports[rotation * count :][:count], opened={}))
        for rotation, log in enumerate(logs)
    ]
    try:
        return list(await asyncio.gather(*tables))
    finally:
        for table in tables:
            table.cancel()
        await asyncio.gather(*tables, return_exceptions=True)


class _Served:
    """What the passes of a match have in common."""

    def __init__(
        self, game: PokerGame, names: tuple[str, ...], deal: Mapping[str, Any], *, host: str, watch: Watch
    ) -> None:
        self.names = names
        self._game, self._deal, self._host, self._watch = game, deal, host, watch

    def order(self, rotation: int) -> tuple[str, ...]:
        """The names by seat."""
        return self.names[rotation:] + self.names[:rotation]

    async def one(self, rotation: int, log: Path, ports: Sequence[int], *, opened: dict[str, int]) -> ServedPass:
        """Play one pass; the ports of its names are noted in `opened`."""
        order = self.order(rotation)
        with _writing(log) as file:

            def listening(open_ports: list[int]) -> None:
                with suppress(OSError):  # pipes and devices have no earlier log
                    file.truncate(0)  # only now: if a match cannot begin, the earlier log stays
                opened.update(zip(order, open_ports, strict=True))  # the same port for the same seat
                payload = Listening(order, tuple(open_ports), rotation)
                self._watch.at("listening", 0, self._deal["hands"], payload=payload)

            dealer = Dealer(self._game, order, **self._deal, log=file, watch=self._watch)
            return ServedPass(log, await dealer.serve(self._host, ports, on_listening=listening))


@contextmanager
def _writing(path: Path) -> Iterator[TextIO]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", newline="\n") as file:
            yield file
    except OSError as problem:
        raise BadFile(f"cannot write the log {path}: {problem.strerror or problem}") from problem


@dataclass(frozen=True)
class AtDealer:
    """An agent's record of its matches at a dealer."""

    agent: str
    game: str
    seed: int
    results: tuple[ClientResult, ...]
    lost: str = ""  # how the dealer was lost; empty if it ended the last match

    @property
    def hands(self) -> int:
        """Hands finished."""
        return sum(result.hands for result in self.results)

    @property
    def won(self) -> float:
        """Chips won, as far as it was visible."""
        return sum(result.won for result in self.results)

    @property
    def a_hand(self) -> Summary | None:
        """Chips won per hand, with the interval; None if there are too few hands."""
        won = np.array([chips for result in self.results for chips in result.winnings])
        return Moments.none(1).add(won[:, None]).summary(0) if len(won) > 1 else None

    @property
    def faults(self) -> Counter[str]:
        """Illegal actions, by reason."""
        return sum((result.faults for result in self.results), Counter())

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        unseen, a_hand = sum(result.unknown for result in self.results), self.a_hand
        return {
            "agent": self.agent,
            "game": self.game,
            "hands": self.hands,
            "won": self.won,
            "chips": None if a_hand is None else {"mean": a_hand.mean, "low": a_hand.low, "high": a_hand.high},
            "hands_unseen": unseen,
            "faults": dict(self.faults),
            "seed": self.seed,
            "lost": self.lost or None,
        }


def play_at_dealer(
    game: PokerGame | None,
    agent: str,
    host: str,
    port: int,
    *,
    matches: int = 1,
    wait: float = 0.0,
    silence: float = STATE_SECONDS,
    seed: int | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> AtDealer:
    """Connect an agent to a dealer for some matches; try for `wait` seconds, disconnect after `silence` seconds.

    Without a game, the one that the dealer names is played. A dealer that vanishes ends the matches; `lost` says how.
    """
    first = secret_seed() if seed is None else seed
    player = open_agent(agent)
    if game is not None:
        rehearse(game, [player])  # the dealer's clock does not wait for compilation
    times = {"connect_seconds": wait, "state_seconds": silence}
    watch = Watch("play at a dealer", on_progress, cancel, "hands")
    results: list[ClientResult] = []
    lost = ""
    for number in range(matches):
        try:
            results.append(play_on_dealer(game, player, host, port, seed=first + number, **times, watch=watch))
        except LostDealer as problem:
            if problem.played is not None:
                results.append(problem.played)
            if not results:
                raise
            lost = str(problem)
            break
    return AtDealer(agent, results[0].game, first, tuple(results), lost)
