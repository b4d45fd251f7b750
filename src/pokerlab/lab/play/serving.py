"""The ACPC protocol: serve a match, pass by pass, and connect an agent to a dealer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadFile
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
    """A whole served match."""

    game: str
    hands: int
    seed: int  # of the deals
    names: tuple[str, ...]
    passes: tuple[ServedPass, ...]

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
    limits: Limits | None = None,
    seed: int | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> ServedMatch:
    """Serve a match; in a duplicate match every rotation of the seats is a pass with the same cards and its own log.

    The seed is random and unpredictable by default. A cancelled match raises Cancelled; its log ends with the last
    finished hand.
    """
    watch = Watch("serve", on_progress, cancel, "hands")
    seats = list(names) or [f"player{seat + 1}" for seat in range(game.players)]
    deals = secret_seed() if seed is None else seed
    listen = dict(zip(seats, ports, strict=True)) if len(ports) == len(seats) else {}
    passes = []
    for rotation in range(game.players if duplicate else 1):
        order = seats[rotation:] + seats[:rotation]
        path = log.with_suffix(f".{rotation}{log.suffix}") if duplicate else log

        wanted = [listen[name] for name in order] if listen else ports
        deal: dict[str, Any] = {"hands": hands, "seed": deals, "secret": seed is None, "limits": limits, "title": title}
        with _writing(path) as file:

            def listening(open_ports: list[int], order: list[str] = order, file: TextIO = file) -> None:
                with suppress(OSError):  # pipes and devices have no earlier log
                    file.truncate(0)  # only now: if a match cannot begin, the earlier log stays
                listen.update(zip(order, open_ports, strict=True))  # the same port for the same seat
                watch.at("listening", 0, hands, payload=Listening(tuple(order), tuple(open_ports)))

            dealer = Dealer(game, order, **deal, log=file, watch=watch)
            passes.append(ServedPass(path, asyncio.run(dealer.serve(host, wanted, on_listening=listening))))
    return ServedMatch(game.name, hands, deals, tuple(seats), tuple(passes))


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
