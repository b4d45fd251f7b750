"""Many contests between the same agents: settings, blocks in parallel, a result that does not depend on the workers."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pokerlab.agents.agent import Actor, Agent, SupportsGame, is_repeatable, needs_fixed_stacks, needs_one_process
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadFile, BadSetting
from pokerlab.events import SILENT, CancelToken, Watch
from pokerlab.formats.game_words import words_of
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.hands.history import History
from pokerlab.match.hands.journal import agent_number
from pokerlab.match.hands.query import saved_hand
from pokerlab.match.run.contest import ContestRules, Stacks
from pokerlab.match.run.contest_block import ContestBlock, ContestBlockResult, block_from_hands, play_contest_block
from pokerlab.match.run.contest_result import ContestResult, ContestTally
from pokerlab.match.run.match import check_whole, open_table, played, unique_seats
from pokerlab.match.run.saved import save_match
from pokerlab.match.table.clock import DECISION_SECONDS
from pokerlab.match.table.stacked import StackedTable
from pokerlab.reading import count, json_value, text_of

MOST_CONTESTS = 10**7
GROUPS_PER_BLOCK = 5


@dataclass(frozen=True)
class ContestSettings:
    """Everything that the result depends on."""

    game: PokerGame
    agents: tuple[str | Agent, ...]
    rules: ContestRules
    repeat: int  # contests; rounded up to whole groups
    seed: int = 0
    duplicate: bool = True
    names: tuple[str, ...] = field(default=(), compare=False)
    decision_seconds: float = field(default=DECISION_SECONDS, compare=False)
    one_process: bool = field(default=False, compare=False)

    @staticmethod
    def of(
        game: str | PokerGame,
        agents: Sequence[str | Actor],
        rules: ContestRules,
        *,
        repeat: int,
        seed: int = 0,
        duplicate: bool | None = None,
        decision_seconds: float = DECISION_SECONDS,
    ) -> ContestSettings:
        """Validated settings; agents must be able to play with any number of players that may remain."""
        table = open_table(game, len(agents), "agents")
        if len(rules.stacks) != len(agents):
            raise BadSetting(f"there are {len(rules.stacks)} stacks for {len(agents)} agents")
        check_whole("repeat", repeat, most=MOST_CONTESTS)
        check_whole("seed", seed, least=0, most=2**63)
        stacked = StackedTable(table)
        for level in rules.schedule.levels if rules.schedule is not None else ():
            stacked.check_level(level)
        opened = [open_agent(agent) for agent in agents]
        for agent in opened:
            _check_players(agent, stacked, rules)
        names = unique_seats([agent.name for agent in opened])
        if duplicate is None:
            duplicate = all(map(is_repeatable, opened))
        seated = tuple(given if isinstance(given, str) else agent for given, agent in zip(agents, opened, strict=True))
        alone = any(map(needs_one_process, opened))
        return ContestSettings(table, seated, rules, repeat, seed, duplicate, names, float(decision_seconds), alone)

    @property
    def passes(self) -> int:
        """The contests of a group."""
        return self.game.players if self.duplicate else 1

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return -(-self.repeat // self.passes)

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return -(-self.groups // GROUPS_PER_BLOCK)

    def piece(self, number: int, *, saves: bool = False) -> ContestBlock:
        """One block."""
        first = number * GROUPS_PER_BLOCK
        groups = min(GROUPS_PER_BLOCK, self.groups - first)
        own = self.seed, number, first, groups, self.passes, saves, self.decision_seconds
        return ContestBlock(self.game, self.agents, self.rules, *own)

    def as_dict(self) -> dict[str, Any]:
        """As plain values; equal values mean the same contests."""
        return {
            **words_of(self.game),
            "agents": list(self.names),
            "hands": 0,  # known at the end
            "seed": self.seed,
            "duplicate": self.duplicate,
            "contest": {**self.rules.as_dict(), "repeat": self.groups * self.passes},
        }


def _check_players(agent: Agent, table: StackedTable, rules: ContestRules) -> None:
    if needs_fixed_stacks(agent):
        raise BadSetting(
            f"{agent.name} cannot play freeze-outs or match play: the competition's protocol sends no stacks, so a "
            "program would not know them; play with --format cash"
        )
    if not isinstance(agent, SupportsGame):
        return
    fewest = 2 if rules.kind == "freezeout" else table.base.players
    level = Stacks(table, rules).level
    for players in range(table.base.players, fewest - 1, -1):
        agent.check_game(table.game(rules.stacks[:players], level))


def play_contests(
    settings: ContestSettings,
    *,
    workers: int = 1,
    backend: str = "processes",
    history: History | None = None,
    resume: bool = False,
    watch: Watch = SILENT,
) -> ContestResult:
    """Play all contests, or the rest of them if a saved run is resumed.

    >>> rules = ContestRules((3, 2), most_hands=500)
    >>> result = play_contests(ContestSettings.of("kuhn", ["always-call", "always-call"], rules, repeat=200, seed=1))
    >>> result.wins[0].low < 3 / 5 < result.wins[0].high
    True
    """
    began = time.perf_counter()
    saved = None if history is None else _SavedContests(history, settings, resume=resume)
    done = 0 if saved is None else saved.blocks_done
    if done and not all(is_repeatable(open_agent(agent)) for agent in settings.agents):
        raise BadSetting("these contests cannot be resumed: an agent does not play the same hands again")
    tally = ContestTally(settings.rules)
    with watch.interruptible() as watch:
        results = _results(settings, saved, done, workers=workers, backend=backend, cancel=watch.cancel)
        for result in results:
            tally.add(result)
            watch.at("", tally.contests, settings.groups * settings.passes)
    if saved is not None:
        saved.finish(tally.hands)
    return tally.result(settings.names, settings.game, seconds=time.perf_counter() - began)


def _results(
    settings: ContestSettings,
    saved: _SavedContests | None,
    done: int,
    *,
    workers: int,
    backend: str,
    cancel: CancelToken | None,
) -> Iterator[ContestBlockResult]:
    """Blocks in order: first the saved ones, then those played now."""
    for number in range(done):
        assert saved is not None
        yield saved.block(settings.piece(number))
    pieces = (settings.piece(number, saves=saved is not None) for number in range(done, settings.blocks))
    at_once = 1 if settings.one_process else workers
    rest = settings.blocks - done
    for result in played(play_contest_block, pieces, rest, workers=at_once, backend=backend, cancel=cancel):
        if saved is not None:
            saved.add(result)
        yield result


class _SavedContests:
    """Contests in a file of hands: one match of it, whose blocks are added when they are finished."""

    def __init__(self, history: History, settings: ContestSettings, *, resume: bool) -> None:
        match = save_match(history, settings.as_dict(), resume=resume)
        self._history, self._number, self.blocks_done = history, match.number, match.blocks_done
        ((self._hands,),) = history.ask("select count(*) from hands where match = ?", [self._number])

    def add(self, result: ContestBlockResult) -> None:
        """Add a finished block."""
        numbered = [hand._replace(number=self._hands + hand.number) for hand in result.hands]
        said = json.dumps([[agent, text, times] for (agent, text), times in result.remarks.items()])
        self._history.add_hands(self._number, result.number, numbered, remarks=said)
        self._hands += len(numbered)

    def block(self, piece: ContestBlock) -> ContestBlockResult:
        """A block that was played before."""
        rows = self._history.saved_rows(self._number, piece.number)
        players = len(piece.agents)
        try:
            hands = [saved_hand(row, agents=players, players=players) for row in rows]
            ((said,),) = self._history.ask(
                "select remarks from blocks where match = ? and block = ?", [self._number, piece.number]
            )
            remarks = Counter(
                {
                    (agent_number(agent, players), text_of(text)): count(times)
                    for agent, text, times in json_value(said or "[]")
                }
            )
            return block_from_hands(piece, hands, remarks)
        except (ValueError, TypeError) as problem:
            raise BadFile(f"{self._history.path} is damaged: {problem}") from problem

    def finish(self, hands: int) -> None:
        """Mark the contests as finished."""
        self._history.run("update matches set finished = true, hands = ? where match = ?", [hands, self._number])
