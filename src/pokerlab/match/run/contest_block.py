"""One block of contests: some groups of them, each played once by every rotation of the seats.

The contests of a group have the same cards: hand h of each is dealt from the same shuffled deck, however many players
are left. As in block.py, a block depends only on the settings and its number. Agents start every contest without
memory, and keep it to its end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from pokerlab.agents.agent import Agent, HasDiagnostics, Observer
from pokerlab.errors import AgentFailed
from pokerlab.events import CancelToken
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.hands.hand_text import betting_text, cards_text
from pokerlab.match.hands.journal import SavedHand, Stakes, one_line
from pokerlab.match.run.block import opened_agents
from pokerlab.match.run.contest import ContestRecord, ContestRules, Stacks
from pokerlab.match.table.clock import DECISION_SECONDS, DecisionClock, Decisions, TimeUp
from pokerlab.match.table.referee import play_hand, show_end
from pokerlab.match.table.stacked import StackedTable


@dataclass(frozen=True)
class ContestBlock:
    """A unit of work: groups `first` to `first + groups - 1`."""

    game: PokerGame  # of the full table
    agents: tuple[str | Agent, ...]
    rules: ContestRules
    seed: int
    number: int
    first: int
    groups: int
    passes: int
    saves: bool = False  # whether hands are returned
    decision_seconds: float = DECISION_SECONDS


@dataclass(frozen=True, eq=False)
class ContestBlockResult:
    """The contests of a block, and its hands if they are saved."""

    number: int
    records: tuple[tuple[ContestRecord, ...], ...]  # [group][pass]
    faults: Counter[tuple[int, str]]  # number of illegal actions, by (agent, reason)
    remarks: Counter[tuple[int, str]]
    hands: tuple[SavedHand, ...] = ()  # numbered from 0
    decisions: tuple[Decisions, ...] = ()  # by agent; empty if they were not timed now


def play_contest_block(block: ContestBlock, *, cancel: CancelToken | None = None) -> ContestBlockResult:
    """Play all contests of a block; Cancelled is raised between two hands."""
    player = _ContestPlayer(block, cancel)
    try:
        with DecisionClock(block.decision_seconds) as clock:
            records = tuple(
                tuple(player.play(group, passed, clock) for passed in range(block.passes))
                for group in range(block.first, block.first + block.groups)
            )
    except TimeUp as problem:  # it arrived just after the decision
        raise AgentFailed(f"a decision took longer than {block.decision_seconds:g} seconds") from problem
    decisions = tuple(map(clock.decisions, player.agents))
    return ContestBlockResult(block.number, records, player.faults, player.remarks, tuple(player.hands), decisions)


class _ContestPlayer:
    """Plays contests and collects faults, remarks and hands."""

    def __init__(self, block: ContestBlock, cancel: CancelToken | None) -> None:
        self._block, self._cancel = block, cancel
        self._table = StackedTable(block.game)
        self.agents = opened_agents(block.agents)
        self._watching = any(isinstance(agent, Observer) for agent in self.agents)
        self.faults: Counter[tuple[int, str]] = Counter()
        self.remarks: Counter[tuple[int, str]] = Counter()
        self.hands: list[SavedHand] = []

    def play(self, group: int, passed: int, clock: DecisionClock) -> ContestRecord:
        """One contest, to its end."""
        players = len(self.agents)
        for agent in self.agents:
            agent.reset()
        rngs = [self._chance(group, 1 + passed * players + agent) for agent in range(players)]
        stacks = Stacks(self._table, self._block.rules, rotation=group + passed)
        while not stacks.is_over:
            if self._cancel is not None:
                self._cancel.raise_if_cancelled()
            self._play_hand(stacks, rngs, (group, passed), clock)
        for place, agent in enumerate(self.agents):
            if isinstance(agent, HasDiagnostics):
                self.remarks.update({(place, text): count for text, count in agent.remarks().items()})
        return stacks.record()

    def _play_hand(
        self, stacks: Stacks, rngs: list[np.random.Generator], where: tuple[int, int], clock: DecisionClock
    ) -> None:
        seated = stacks.seats()
        agents = [self.agents[agent] for agent in seated]
        game = self._table.game(tuple(stacks.stacks[agent] for agent in seated), stacks.level)
        cards = game.deal(self._chance(where[0], 0, stacks.hands))
        played = play_hand(game, cards, agents, [rngs[agent] for agent in seated], clock)
        faults = [(seated[fault.seat], one_line(fault.reason)) for fault in played.faults]
        self.faults.update(faults)
        if self._watching:
            show_end(game, played.state, agents)
        stacks.add(seated, played.payoffs)
        if self._block.saves:
            self.hands.append(
                SavedHand(
                    number=len(self.hands),
                    deal=where[0],
                    passed=where[1],
                    seats=seated,
                    cards=cards_text(game, played.state),
                    betting=betting_text(game, played.state),
                    payoffs=played.payoffs,
                    faults=faults,
                    stakes=Stakes(game.rules.stacks or (), game.rules.blinds, game.rules.antes),
                )
            )

    def _chance(self, *key: int) -> np.random.Generator:
        seeds = np.random.SeedSequence(self._block.seed, spawn_key=key)
        return np.random.Generator(np.random.PCG64(seeds))


def block_from_hands(
    block: ContestBlock, hands: list[SavedHand], remarks: Counter[tuple[int, str]]
) -> ContestBlockResult:
    """The result of a block whose hands were saved; raises ValueError if they are not those of its contests."""
    table, left = StackedTable(block.game), iter(hands)
    faults: Counter[tuple[int, str]] = Counter()
    records = []
    for group in range(block.first, block.first + block.groups):
        row = []
        for passed in range(block.passes):
            stacks = Stacks(table, block.rules, rotation=group + passed)
            while not stacks.is_over:
                hand = next(left, None)
                expected = tuple(stacks.stacks[agent] for agent in stacks.seats())
                if hand is None or hand.stakes is None or (hand.deal, hand.passed) != (group, passed):
                    raise ValueError(f"the hands of contest {group} are not complete")
                if tuple(hand.seats) != stacks.seats() or hand.stakes.stacks != expected:
                    raise ValueError(f"hand {hand.number} does not follow from those before it")
                faults.update(hand.faults)
                stacks.add(tuple(hand.seats), hand.payoffs)
            row.append(stacks.record())
        records.append(tuple(row))
    if next(left, None) is not None:
        raise ValueError(f"block {block.number} has more hands than its contests")
    return ContestBlockResult(block.number, tuple(records), faults, remarks)
