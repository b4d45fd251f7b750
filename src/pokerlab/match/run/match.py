"""A match: agents, a game, a number of hands and a seed give payoffs with their statistics.

A match is split into blocks of deals (block.py), played sequentially or by several processes. The result is combined in
block order, so it never depends on the number of workers. In a duplicate match every deal is played by each rotation of
the seats, and the unit of observation is the deal. Memory use does not grow with the number of hands.

Agents start every block without memory, unless the match preserves it (`keep_memory`): then blocks are played
sequentially in this process, and in a duplicate match each rotation of the seats has its own agents, so that no agent
has seen the cards of a deal before.
"""

from __future__ import annotations

import copy
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from pokerlab import parallel, specs
from pokerlab.agents.agent import Actor, Agent, SupportsGame, is_repeatable, needs_one_process
from pokerlab.agents.opening import open_agent
from pokerlab.errors import AgentFailed, BadSetting
from pokerlab.events import SILENT, CancelToken, Watch
from pokerlab.formats.game_words import words_of
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.estimators.estimator import open_estimator
from pokerlab.match.run.block import Block, BlockResult, play_block
from pokerlab.match.run.result import MatchResult, Tally
from pokerlab.match.run.saved import SavedMatch
from pokerlab.match.table.clock import DECISION_SECONDS
from pokerlab.settings import number as number_from

Piece = TypeVar("Piece")
Result = TypeVar("Result")

MOST_HANDS = 10**12
DEALS_PER_BLOCK = 1000
SECONDS_WORTH_PROCESSES = 2.0  # below this, starting processes takes longer than it saves


@dataclass(frozen=True)
class MatchSettings:
    """Everything that the result of a match depends on."""

    game: PokerGame
    agents: tuple[str | Agent, ...]
    hands: int
    seed: int = 0
    duplicate: bool = False
    block: int = DEALS_PER_BLOCK  # deals per block; agents start each pass of a block without memory
    adjust: str = ""  # an estimator that takes luck out of the results, too: "aivat"; "": none
    keep_memory: bool = False  # memory lasts for the whole match instead
    names: tuple[str, ...] = field(default=(), compare=False)
    decision_seconds: float = field(default=DECISION_SECONDS, compare=False)  # an agent that takes longer fails
    one_process: bool = field(default=False, compare=False)  # an agent can only play in this process

    @staticmethod
    def of(
        game: str | PokerGame,
        agents: tuple[str | Actor, ...] | list[str | Actor] | list[str],
        *,
        hands: int,
        seed: int = 0,
        duplicate: bool | None = False,
        block: int = DEALS_PER_BLOCK,
        adjust: str = "",
        keep_memory: bool = False,
        decision_seconds: float = DECISION_SECONDS,
    ) -> MatchSettings:
        """Validated settings; the game and the agents are opened by name.

        If `duplicate` is None, the match is a duplicate match if all agents can forget a deal: people and other
        programs cannot.
        """
        table = open_table(game, len(agents), "agents")
        check_whole("hands", hands, most=MOST_HANDS)
        check_whole("block", block, most=10**6)
        check_whole("seed", seed, least=0, most=2**63)
        number_from(1e-3, 1e9)("decision_seconds", decision_seconds)
        opened = [open_agent(agent) for agent in agents]
        for agent in opened:
            if isinstance(agent, SupportsGame):
                agent.check_game(table)
        if adjust:
            open_estimator(adjust).start(table, opened)
        names = unique_seats([agent.name for agent in opened])
        alone = any(map(needs_one_process, opened))
        if duplicate is None:
            duplicate = all(map(is_repeatable, opened))
        seated = tuple(given if isinstance(given, str) else agent for given, agent in zip(agents, opened, strict=True))
        rules = hands, seed, duplicate, block, adjust, keep_memory
        return MatchSettings(table, seated, *rules, names, float(decision_seconds), alone)

    @property
    def passes(self) -> int:
        """How often each deal is played."""
        return self.game.players if self.duplicate else 1

    @property
    def deals(self) -> int:
        """The number of different deals; hands are rounded up to whole deals."""
        return -(-self.hands // self.passes)

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return -(-self.deals // self.block)

    def piece(self, number: int) -> Block:
        """One block of this match."""
        first = number * self.block
        deals = min(self.block, self.deals - first)
        return Block(
            self.game,
            self.agents,
            self.seed,
            number,
            first,
            deals,
            self.passes,
            self.adjust,
            decision_seconds=self.decision_seconds,
        )

    def as_dict(self) -> dict[str, Any]:
        """As plain values; equal values mean the same match."""
        return {
            **words_of(self.game),
            "agents": list(self.names),
            "hands": self.deals * self.passes,
            "seed": self.seed,
            "duplicate": self.duplicate,
            "block": self.block,
            "adjust": self.adjust or False,
            **({"keep_memory": True} if self.keep_memory else {}),
        }


def check_whole(name: str, value: Any, *, least: int = 1, most: int) -> None:
    """Raise BadSetting unless the value is a whole number in this range."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadSetting(f"{name} must be a whole number from {least} to {most}; got {str(value)[:40]!r}")


def open_table(game: str | PokerGame, count: int, players: str) -> PokerGame:
    """The game of a match; raises BadSetting unless it is a poker game for this many players."""
    table = open_game(game)
    if not isinstance(table, PokerGame):
        raise BadSetting(f"{table.name} is not a poker game, and matches are played at a poker table")
    if count != table.players:
        raise BadSetting(f"{table.name} needs {table.players} {players}; got {count}")
    return table


def poker_table(game: str, players: int | None) -> PokerGame:
    """The poker game of a text, for this many players: its setting `players` is set where the text leaves it out."""
    name, settings = specs.read(game)
    if players is None or "players" in settings:
        table = open_game(game)
    else:
        try:
            table = open_game(specs.spec_text(name, {**settings, "players": players}))
        except BadSetting:
            table = open_game(game)  # a file, or a game for one number of players
    if not isinstance(table, PokerGame):
        raise BadSetting(f"{table.name} is not a poker game, and matches are played at a poker table")
    if players is not None and table.players != players:
        raise BadSetting(f"{table.name} seats {table.players} players, and --players asks for {players}")
    return table


def unique_seats(names: list[str]) -> tuple[str, ...]:
    """Names, numbered if the same agent sits twice."""
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return tuple(unique)


def play_match(
    settings: MatchSettings,
    *,
    workers: int = 1,
    backend: str = "processes",
    saved: SavedMatch | None = None,
    blocks: Iterator[BlockResult] | None = None,
    watch: Watch = SILENT,
) -> MatchResult:
    """Play a match, or the rest of it if `saved`, a match of a history file, was already started.

    A cancelled match raises Cancelled; with `saved` it can be resumed. `blocks` are played with those of other matches
    (see `played_together`).

    Several workers run on a back end of parallel.py.

    >>> settings = MatchSettings.of("kuhn", ["always-raise", "always-fold"], hands=200, duplicate=True)
    >>> play_match(settings).summaries[0].mean
    1.0
    """
    began = time.perf_counter()
    tally = Tally(settings.game.players, settings.passes)
    total = settings.deals * settings.passes
    if saved is not None:
        saved.store = parallel.open_backend(backend).store(saved.folder)
    workers = 1 if settings.one_process or settings.keep_memory else workers
    with watch.interruptible() as watch:
        running: dict[str, Any] = {"workers": workers, "backend": backend, "cancel": watch.cancel}
        for result in _results(settings, saved=saved, blocks=blocks, **running):
            tally.add(result, first=result.number * settings.block)
            watch.at("", tally.hands, total, payload=tally.standing(settings.names, settings.game))
    if saved is not None:
        saved.finish()
    seconds = time.perf_counter() - began
    return tally.result(settings.names, settings.game, seconds=seconds, estimator=settings.adjust)


def _results(
    settings: MatchSettings,
    *,
    workers: int,
    backend: str,
    saved: SavedMatch | None,
    blocks: Iterator[BlockResult] | None,
    cancel: CancelToken | None,
) -> Iterator[BlockResult]:
    """Blocks in order: first the saved ones, then those played now."""
    memories = _agents_by_pass(settings, saved) if settings.keep_memory else None
    done = saved.blocks_done if saved is not None else 0
    for number in range(done):
        assert saved is not None
        before = saved.block(settings.piece(number))
        if memories is not None:
            _check_repeated(before, play_block(settings.piece(number), memories))
        yield before
    pieces, results = _pieces(settings, saved), blocks
    if results is not None:
        results = islice(results, settings.blocks - done)
    elif memories is not None:
        results = (play_block(piece, memories, cancel=cancel) for piece in pieces)
    else:
        rest = settings.blocks - done
        results = played(play_block, pieces, rest, workers=workers, backend=backend, cancel=cancel)
    for result in results:
        if saved is not None:
            saved.add(result)
        yield result


def _pieces(settings: MatchSettings, saved: SavedMatch | None) -> Iterator[Block]:
    """The blocks that are still to be played."""
    for number in range(0 if saved is None else saved.blocks_done, settings.blocks):
        yield settings.piece(number) if saved is None else saved.with_journal(settings.piece(number))


def can_play_together(matches: Sequence[MatchSettings], backend: str) -> bool:
    """Whether the blocks of several matches can be played at the same time, so that none waits for the last of another.

    A file holds matches with the same settings one after the other.
    """
    if not parallel.is_elastic(backend) or any(one.one_process or one.keep_memory for one in matches):
        return False
    return len({json.dumps(one.as_dict(), sort_keys=True) for one in matches}) == len(matches)


def played_together(
    matches: Sequence[tuple[MatchSettings, SavedMatch | None]],
    *,
    workers: int,
    backend: str,
    cancel: CancelToken | None,
) -> Iterator[BlockResult]:
    """The blocks of several matches in order, played at the same time."""
    for _, saved in matches:
        if saved is not None:
            saved.store = parallel.open_backend(backend).store(saved.folder)
    pieces = (piece for settings, saved in matches for piece in _pieces(settings, saved))
    return parallel.run(play_block, pieces, backend=backend, workers=workers, cancel=cancel)


def _agents_by_pass(settings: MatchSettings, saved: SavedMatch | None) -> list[list[Agent]]:
    """Agents with memory, separate for each pass; raises BadSetting if what they learned cannot be recovered."""
    seats = []
    for passed in range(settings.passes):
        copied = [agent if passed == 0 or isinstance(agent, str) else copy.deepcopy(agent) for agent in settings.agents]
        seats.append([open_agent(agent) for agent in copied])
    for agent in (agent for agents in seats for agent in agents):
        agent.reset()
        if saved is not None and saved.is_begun and not is_repeatable(agent):
            raise BadSetting(
                f"this match keeps the memory of its agents and cannot be resumed: {agent.name} does not play the "
                "same hands again from the same seed"
            )
    return seats


def _check_repeated(before: BlockResult, again: BlockResult) -> None:
    """Raise AgentFailed if a block, replayed to restore the agents' memory, came out differently."""
    if not np.array_equal(before.payoffs, again.payoffs):
        raise AgentFailed(
            f"the match cannot be resumed: played again with the same seed, block {before.number + 1} came out "
            "differently, so an agent draws on more than its view and its seed"
        )


def played(
    play: Callable[..., Result],
    pieces: Iterator[Piece],
    count: int,
    *,
    workers: int,
    backend: str,
    cancel: CancelToken | None,
) -> Iterator[Result]:
    """Play blocks: the first here and, if it shows that the rest will take a while, the rest on a back end."""
    if workers > 1 and count > 1:
        began = time.perf_counter()
        yield play(next(pieces), cancel=cancel)
        if (time.perf_counter() - began) * (count - 1) > SECONDS_WORTH_PROCESSES or backend not in parallel.BACKENDS:
            at_once = min(workers, count - 1)
            yield from parallel.run(play, pieces, backend=backend, workers=at_once, cancel=cancel)
            return
    yield from map(partial(play, cancel=cancel), pieces)
