"""Play at a table, matches, and tournaments. These return records and emit events; nothing is printed."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab import registry
from pokerlab.agents.agent import Actor, Agent, SupportsGame
from pokerlab.agents.library.human import Leaves
from pokerlab.agents.library.strategy import StrategyAgent
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadFile, BadSetting
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.formats.game_file import path_in
from pokerlab.formats.opening import is_saved, open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.draw import play_draw_match
from pokerlab.match.hands.exchange import PlayedHand
from pokerlab.match.hands.hand_text import betting_text, cards_text, log_line
from pokerlab.match.hands.history import History
from pokerlab.match.run.match import DEALS_PER_BLOCK, MatchSettings, play_match
from pokerlab.match.run.result import MatchResult
from pokerlab.match.run.ring import RingPlan, RingTournament, play_ring
from pokerlab.match.run.saved import save_match
from pokerlab.match.run.tables import play_table_match
from pokerlab.match.run.tournament import Tournament, play_tournament
from pokerlab.match.table.clock import DECISION_SECONDS
from pokerlab.match.table.session import Event, HandEnds, Session
from pokerlab.parallel import worker_count
from pokerlab.specs import read
from pokerlab.store import data_home, notify
from pokerlab.writing import reason

PERSON = "you"  # the name of a human at a table
GAME_LINE = "# game "  # a log's comment that names its game


def open_poker(text: str, otherwise: str) -> PokerGame:
    """The poker game that a text names; BadSetting ends with `otherwise` if it names another game."""
    game = open_game(text)
    if not isinstance(game, PokerGame):
        raise BadSetting(f"{text[:40]} is not a poker game{otherwise}")
    return game


# ---- a human at a table ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seating:
    """A game and the user's opponents."""

    game: PokerGame
    opponents: tuple[Agent, ...]
    names: tuple[str, ...]  # of the opponents, without repeats


@dataclass(frozen=True)
class TableResult:
    """The result of a user's session."""

    game: str
    hands: int
    won: float  # by the user
    log: Path | None  # the file of hands; None if it could not be written
    seed: int  # of the cards, and of the opponents' random choices
    played: tuple[PlayedHand, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        log = self.log and str(self.log)
        return {"game": self.game, "hands": self.hands, "won": self.won, "log": log, "seed": self.seed}


def seat_opponents(game: str, against: Sequence[str] = ()) -> Seating:
    """Open a game and the agents of its other seats; one agent plays all of them, and the default depends on the game.

    A saved solution plays itself; `formula` plays games like hold'em, and `random` the rest.
    """
    chosen = open_poker(game, " with a table; try holdem-nolimit, holdem-limit or leduc")
    specs = list(against) or [_default_opponent(chosen, game)]
    if len(specs) == 1:
        specs = specs * (chosen.players - 1)
    if len(specs) != chosen.players - 1:
        raise BadSetting(f"{chosen.name} has {chosen.players - 1} other seats, and --against names {len(specs)} agents")
    opponents = tuple(open_agent(spec) for spec in specs)
    for agent in opponents:
        if isinstance(agent, SupportsGame):
            agent.check_game(chosen)
    names = [_agent_name(spec) for spec in specs]
    unique = tuple(f"{name} {i}" if names.count(name) > 1 else name for i, name in enumerate(names, 1))
    return Seating(chosen, opponents, unique)


def _agent_name(spec: str) -> str:
    """The name of an opponent at the table: an agent's name, or a user's file name."""
    head = spec.split(":")[0]
    file = None if registry.is_known("agents", head.split("(")[0]) else registry.own_file(read(spec)[0])
    return file.stem if file is not None else head


def _default_opponent(game: PokerGame, text: str) -> str:
    if is_saved(text):
        return f"strategy:{text.strip()}"
    return "formula" if game.deck.size == 52 and game.rules.rounds[0].private == 2 else "random"


def play_at_table(
    seating: Seating,
    person: Agent,
    *,
    hands: int = 0,
    seed: int | None = None,
    log: str = "",
    on_event: Callable[[Event], None],
) -> TableResult:
    """Let a user play until they leave, or a number of hands; every finished hand is saved in a log.

    The seed is random by default.
    """
    game, drawn = seating.game, secrets.randbits(32) if seed is None else seed
    session = Session(game, [person, *seating.opponents], [PERSON, *seating.names], seed=drawn, person=0)
    hand_log, played = HandLog(game, log), []
    try:
        for event in session.hands(hands):
            if isinstance(event, HandEnds):
                hand_log.add(event)
                played.append(_played_hand(game, event))
            on_event(event)
    except (Leaves, KeyboardInterrupt):
        pass  # the unfinished hand does not count
    saved = hand_log.path if hand_log.is_saved else None
    return TableResult(game.name, session.played, session.won[0], saved, drawn, tuple(played))


def _played_hand(game: PokerGame, end: HandEnds) -> PlayedHand:
    cards, betting = cards_text(game, end.state), betting_text(game, end.state)
    return PlayedHand(game, cards, betting, end.returns, end.names, end.number - 1)


def log_name(game: str) -> str:
    """The prefix of a log's name: a game without its settings, a file without its folder.

    >>> log_name("leduc(players=3)"), log_name("../mine/game.py(bet=2)"), log_name("file(path='spots/my.toml')")
    ('leduc', 'game', 'my')
    """
    path = path_in(game)
    return re.sub(r"[^\w.-]+", "-", path.stem if path else game.partition("(")[0])[:80]


def _found_again(game: str) -> str:
    """The name of a game as it can be opened from any folder."""
    name, settings = read(game)
    return (
        f"file(path={str(Path(settings['path']).absolute())!r})"
        if name == "file" and set(settings) == {"path"}
        else game
    )


class HandLog:
    """The hands of a session, one per line, in a named file or a new one in `data_home()`."""

    def __init__(self, game: PokerGame, path: str) -> None:
        self._game = game
        self._named = bool(path)  # by the user, who should know at once if it cannot be written
        kind = "spot" if game.unit != 1 else log_name(game.name)
        self.path = Path(path) if path else data_home() / "played" / f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}.log"
        self.is_saved = True

    def add(self, hand: HandEnds) -> None:
        """Save a hand; if that fails, give a Notice, or raise BadFile if the user named the file."""
        names = [name.replace(" ", "") for name in hand.names]
        line = log_line(self._game, hand.state, hand.number - 1, returns=hand.returns, names=names)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                if not file.tell():
                    file.write(f"{GAME_LINE}{_found_again(self._game.name)}\n")
                file.write(line + "\n")
        except OSError as problem:
            if self._named:
                raise BadFile(f"cannot save the hand in {self.path}: {reason(problem)}") from problem
            self.is_saved = False
            notify(f"hands are not saved: {self.path} cannot be written ({reason(problem)}); name a file with --log")


# ---- agents among themselves ----------------------------------------------------------------------------------------


def match(
    agents: Sequence[str | Actor],
    *,
    game: str | PokerGame = "holdem-limit",
    hands: int = 10_000,
    seed: int = 0,
    duplicate: bool | None = None,
    block: int = DEALS_PER_BLOCK,
    adjust: str = "",
    keep_memory: bool = False,
    decision_seconds: float = DECISION_SECONDS,
    workers: int | None = None,
    backend: str = "processes",
    out: Path | str | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> MatchResult:
    """Let agents play a poker game; the result has the winnings of each with their 95 % intervals.

    - agents: one for each seat: names as "formula" or "./mybot.py(nerve=0.8)", or objects with `act(view, rng)`
    - game: a poker game by name, file or object
    - hands: how many to play
    - seed: of the cards and of the agents' random choices; the same seed gives the same match
    - duplicate: whether every deal is played from every seat, which takes most of the luck out; by default it is,
      unless an agent is a human or another program, which would remember the cards
    - block: deals per block; agents forget everything between blocks
    - adjust: an estimator that takes luck out of the results, too: "aivat", "mivat", "divat", "imaginary", "all-in"
    - keep_memory: whether agents remember over the whole match; one process plays it
    - decision_seconds: the time limit of a decision; an agent that exceeds it stops the match with an error
    - workers: processes; all cores by default. It does not change the result
    - backend: where they work: "processes", "threads", "serial" or an installed one
    - out: a file that every hand is saved to
    - resume: whether to continue an interrupted match from its file
    - on_progress: called with an Event for each step
    - cancel: a CancelToken that stops the match, which raises Cancelled
    """
    settings = MatchSettings.of(
        game,
        tuple(agents),
        hands=hands,
        seed=seed,
        duplicate=duplicate,
        block=block,
        adjust=adjust,
        keep_memory=keep_memory,
        decision_seconds=decision_seconds,
    )
    saved = None if out is None else Path(out)
    watching: dict[str, Any] = {"on_progress": on_progress, "cancel": cancel}
    return run_match(settings, workers=workers, backend=backend, out=saved, resume=resume, **watching)


def run_match(
    settings: MatchSettings,
    *,
    workers: int | None = None,
    backend: str = "processes",
    out: Path | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> MatchResult:
    """Play a match; its hands are saved if a file is named. A cancelled match raises Cancelled."""
    with _opened(out) as history:
        saved = None if history is None else save_match(history, settings.as_dict(), resume=resume)
        watch = Watch("match", on_progress, cancel, "hands")
        return play_match(settings, workers=worker_count(backend, workers), backend=backend, saved=saved, watch=watch)


def _opened(path: Path | None) -> AbstractContextManager[History | None]:
    """The file of hands; None without a path."""
    return nullcontext() if path is None else History(path)


def run_compiled_match(
    settings: MatchSettings,
    *,
    workers: int | None = None,
    keeps: bool = False,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> MatchResult:
    """Play a match in compiled code, which saves no hands: solutions of a small game, or agents of a draw game."""
    agents = [open_agent(agent) for agent in settings.agents]
    if keeps or settings.adjust:
        raise BadSetting("--compiled cannot save or adjust hands: leave out --out and --adjust")
    strategies = [agent for agent in agents if isinstance(agent, StrategyAgent)]
    if len(strategies) < len(agents) and settings.game.dealing.draws:
        return play_draw_match(settings, agents, workers=workers, watch=Watch("match", on_progress, cancel, "hands"))
    if len(strategies) < len(agents):
        raise BadSetting(
            "--compiled plays saved solutions only (strategy:FILE), and in draw games blueprints and rules"
        )
    return play_table_match(
        settings.game,
        strategies,
        hands=settings.hands,
        seed=settings.seed,
        duplicate=settings.duplicate,
        names=settings.names,
        workers=workers,
    )


def run_tournament(
    matches: dict[tuple[str, str], MatchSettings],
    *,
    seed: int = 0,
    workers: int | None = None,
    backend: str = "processes",
    out: Path | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> Tournament:
    """Play every match of a round robin; the hands are saved if a file is named."""
    settings: dict[str, Any] = {
        "seed": seed,
        "workers": worker_count(backend, workers),
        "backend": backend,
        "resume": resume,
    }
    with _opened(out) as history:
        watch = Watch("tournament", on_progress, cancel, "hands")
        return play_tournament(matches, history=history, watch=watch, **settings)


def run_ring(
    plan: RingPlan,
    *,
    workers: int | None = None,
    backend: str = "processes",
    out: Path | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> RingTournament:
    """Play every table of a ring tournament; the hands are saved if a file is named."""
    settings: dict[str, Any] = {"workers": worker_count(backend, workers), "backend": backend, "resume": resume}
    with _opened(out) as history:
        watch = Watch("tournament", on_progress, cancel, "hands")
        return play_ring(plan, history=history, watch=watch, **settings)


def check_resumable(what: str, *, resume: bool, out: Path | None) -> None:
    """Raise BadSetting if resuming without a file."""
    if resume and out is None:
        raise BadSetting(f"--resume needs --out FILE, the file that the {what} was saved in")
