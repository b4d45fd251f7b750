"""One block of a match: some deals, played once by each rotation of the seats.

A block depends only on the settings of the match and its own number, so blocks can be played anywhere, in any order,
with the same result. Its seed determines the deals and an independent random generator for each pass and agent. Every
agent starts each pass without memory, unless the match passes its agents from block to block.

In deal d of pass p, agent a sits in seat (a + d + p) modulo the number of players: the button moves from deal to deal,
and over the passes of a duplicate match every agent holds every hand of the deal once.
"""

from __future__ import annotations

import copy
import hashlib
import os
import stat
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np

from pokerlab.agents.agent import Agent, HasDiagnostics, Observer, is_repeatable
from pokerlab.agents.opening import open_agent
from pokerlab.errors import AgentFailed, BadFile
from pokerlab.events import CancelToken
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.categories import category_names, dealt_categories
from pokerlab.match.estimators.estimator import open_estimator
from pokerlab.match.hands.hand_text import betting_text, cards_text, replay
from pokerlab.match.hands.journal import Journal, SavedHand, one_line
from pokerlab.match.table.clock import DECISION_SECONDS, DecisionClock, Decisions, TimeUp
from pokerlab.match.table.referee import play_hand, show_end
from pokerlab.own_code import words_of
from pokerlab.places import here
from pokerlab.store import Store

_SMALL = 1_000_000  # bytes; smaller files are identified by content, larger ones by modification time


@dataclass(frozen=True)
class Block:
    """A unit of work: deals `first` to `first + deals - 1` of a match."""

    game: PokerGame
    agents: tuple[str | Agent, ...]
    seed: int
    number: int
    first: int
    deals: int
    passes: int
    adjust: str = ""  # the estimator that takes luck out of results; "": none
    store: Store | None = None  # where hands are stored while they are played
    journal: str = ""  # name of the journal in the store
    decision_seconds: float = DECISION_SECONDS  # an agent that takes longer fails


@dataclass(frozen=True, eq=False)
class BlockResult:
    """The result, by agent (not by seat)."""

    number: int
    payoffs: np.ndarray  # [pass, deal, agent] chips
    adjusted: np.ndarray | None  # the same by the estimator
    faults: Counter[tuple[int, str]]  # number of illegal actions, by (agent, reason)
    remarks: Counter[tuple[int, str]] = field(default_factory=Counter)  # agents' messages about their play, with counts
    categories: np.ndarray | None = None  # [pass, deal, agent] int8: of the hand dealt, in draw games
    decisions: tuple[Decisions, ...] = ()  # by agent; empty if they were not timed now


def play_block(
    block: Block, memories: Sequence[Sequence[Agent]] | None = None, *, cancel: CancelToken | None = None
) -> BlockResult:
    """Play all passes of a block; Cancelled is raised between two hands.

    `memories` holds the agents of each pass, which remember earlier blocks; by default agents start each pass without
    memory.
    """
    agents = [opened_agents(block.agents)] * block.passes if memories is None else memories
    deals = block.game.deals(_chance(block, 0), block.deals)
    journal = Journal(block.store.journal(block.journal)) if block.store is not None else None
    faults: Counter[tuple[int, str]] = Counter()
    remarks: Counter[tuple[int, str]] = Counter()
    decisions = [Decisions()] * block.game.players
    passes = []
    try:
        for passed, seated in enumerate(agents):
            if memories is None:
                for agent in seated:
                    agent.reset()
            with DecisionClock(block.decision_seconds) as clock:
                passes.append(
                    _play_pass(
                        block, passed, deals, agents=seated, journal=journal, faults=faults, cancel=cancel, clock=clock
                    )
                )
            for place, agent in enumerate(seated):
                decisions[place] = decisions[place].and_also(clock.decisions(agent))
                if isinstance(agent, HasDiagnostics):
                    remarks.update({(place, text): count for text, count in agent.remarks().items()})
    except TimeUp as problem:  # it arrived just after the decision
        raise AgentFailed(f"a decision took longer than {block.decision_seconds:g} seconds") from problem
    finally:
        if journal is not None:
            journal.close()
    payoffs, adjusted = (np.stack(arrays) for arrays in zip(*passes, strict=True))
    expected = adjusted if block.adjust else None
    categories = _categories(block, deals)
    return BlockResult(block.number, payoffs, expected, faults, remarks, categories, tuple(decisions))


def block_categories(block: Block) -> np.ndarray | None:
    """The categories of a block's dealt hands, without playing it.  # [pass, deal, agent] int8"""
    return _categories(block, block.game.deals(_chance(block, 0), block.deals)) if category_names(block.game) else None


def _categories(block: Block, deals: Sequence[Sequence[int]]) -> np.ndarray | None:
    by_seat = dealt_categories(block.game, deals)
    if by_seat is None:
        return None
    return np.stack([_by_agent(by_seat, block.first + passed) for passed in range(block.passes)])


def _play_pass(
    block: Block,
    passed: int,
    deals: list[tuple[int, ...]],
    *,
    agents: Sequence[Agent],
    journal: Journal | None,
    faults: Counter[tuple[int, str]],
    cancel: CancelToken | None,
    clock: DecisionClock,
) -> tuple[np.ndarray, np.ndarray]:
    """Play every deal once; returns payoffs, and what the estimator makes of them, both [deal, agent]."""
    game, players = block.game, block.game.players
    saved: list[SavedHand] = []
    if journal is not None and not all(map(is_repeatable, agents)):
        saved = _saved_before(journal, passed, block)
    rngs = [_chance(block, 1 + passed * players + agent, len(saved)) for agent in range(players)]
    watching = any(isinstance(agent, Observer) for agent in agents)
    tables = []  # by rotation of the seats: the agent in each seat, and its generator
    for moved in range(players):
        seated = [(seat - moved) % players for seat in range(players)]
        tables.append((seated, [agents[agent] for agent in seated], [rngs[agent] for agent in seated]))
    quiet = not (watching or block.adjust or journal is not None)
    paid: list[Sequence[float]] = []  # by deal: payoffs by seat
    expected: list[Sequence[float]] = []
    estimator = open_estimator(block.adjust).start(game, agents) if block.adjust else None
    for deal, cards in enumerate(deals, start=block.first):
        seated, seats, chance = tables[(deal + passed) % players]
        if deal - block.first < len(saved):
            hand = saved[deal - block.first]
            paid.append(hand.payoffs)
            expected += [hand.adjusted] if block.adjust else []
            faults.update(hand.faults)
            if watching or estimator is not None:
                end = replay(game, hand.cards, hand.betting)[1]
                if estimator is not None:
                    estimator.estimate(end, seats)  # what it learned from the hand
                show_end(game, end, seats)
            continue
        if cancel is not None:
            cancel.raise_if_cancelled()
        played = play_hand(game, cards, seats, chance, clock)
        paid.append(played[1])
        for fault in played[2]:
            faults[seated[fault.seat], one_line(fault.reason)] += 1
        if quiet:
            continue
        if estimator is not None:
            expected.append(estimator.estimate(played.state, seats))
        if watching:
            show_end(game, played.state, seats)
        if journal is not None:
            journal.record(
                SavedHand(
                    number=block.first * (block.passes - 1) + passed * block.deals + deal,
                    deal=deal,
                    passed=passed,
                    seats=seated,
                    cards=cards_text(game, played.state),
                    betting=betting_text(game, played.state),
                    payoffs=played.payoffs,
                    adjusted=expected[-1] if expected else (),
                    faults=[(seated[seat], reason) for seat, reason in played.faults],
                ).line()
            )
    by_seat = np.array(paid, np.float64), np.array(expected or paid, np.float64)
    return _by_agent(by_seat[0], block.first + passed), _by_agent(by_seat[1], block.first + passed)


def _saved_before(journal: Journal, passed: int, block: Block) -> list[SavedHand]:
    """The hands of a pass that were played before the match was interrupted."""
    saved: list[SavedHand] = []
    while len(saved) < block.deals and (hand := journal.take(block.game.players)) is not None:
        if (hand.passed, hand.deal) != (passed, block.first + len(saved)) or bool(hand.adjusted) != bool(block.adjust):
            raise BadFile(f"{journal.name} is damaged: its hands are not those of its block")
        saved.append(hand)
    return saved


def _by_agent(by_seat: np.ndarray, moved: int) -> np.ndarray:
    """Values [deal, agent] from values by seat [deal, seat], given the rotation of the seats in the first deal."""
    deals, players = by_seat.shape
    seats = (np.arange(players) + moved + np.arange(deals)[:, None]) % players  # [deal, agent]
    return np.take_along_axis(by_seat, seats, axis=1)


def _chance(block: Block, stream: int, skipped: int = 0) -> np.random.Generator:
    """An independent generator for a stream of the block; a different one when resumed after `skipped` hands."""
    key = (block.number, stream, skipped) if skipped else (block.number, stream)
    seeds = np.random.SeedSequence(block.seed, spawn_key=key)
    return np.random.Generator(np.random.PCG64(seeds))


def opened_agents(agents: tuple[str | Agent, ...]) -> list[Agent]:
    """The agents of a block; concurrent threads never share an agent."""
    seen: Counter[str] = Counter()
    opened = []
    for agent in agents:
        if isinstance(agent, str):
            opened.append(_open_once(agent, seen[agent], _files_of(agent), threading.get_ident()))
            seen[agent] += 1
        else:
            opened.append(agent if threading.current_thread() is threading.main_thread() else copy.deepcopy(agent))
    return opened


@lru_cache(maxsize=32)
def _open_once(spec: str, place: int, files: tuple[tuple[str, str], ...], thread: int) -> Agent:
    """An agent opened once per thread, whatever its seat, and again for each further seat with the same name.

    If the files it names have changed, or the working folder has, it counts as another agent.
    """
    return open_agent(spec)


def _files_of(spec: str) -> tuple[tuple[str, str], ...]:
    """The files that an agent's name may refer to, as they are now: path, and a fingerprint of the contents."""
    files = []
    for word in words_of(spec):
        path = Path(os.path.abspath(os.path.expanduser(here(word))))
        try:
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                small = status.st_size <= _SMALL
                changes = f"{status.st_mtime_ns} {status.st_size}"
                files.append((str(path), hashlib.blake2b(path.read_bytes()).hexdigest() if small else changes))
        except (OSError, ValueError):  # not a file
            continue
    return tuple(files)
