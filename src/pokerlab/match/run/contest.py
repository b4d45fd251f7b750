"""Contests at one table in which stacks are carried from hand to hand: freeze-outs and match play.

In a *freeze-out* players play until one has all the chips; who has none left is out. In *match play* a session has a
fixed number of hands, and a player without chips buys another stack ("rebuy"), or all stacks are as at the start
("reset"). Blinds may rise.

The big blind moves forward by one player in every hand, past players who are out, so nobody posts it twice in a row or
skips it; the small blind and the button are the two players before it. (A button that moves in this way is never dead.)
Of players who lose their last chips in one hand, the one who had more at its start takes the better place; with equal
stacks they share places and prizes. A freeze-out that does not end within `most_hands` hands is decided by chips.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.match.table.blinds import BlindLevel, BlindSchedule
from pokerlab.match.table.stacked import StackedTable
from pokerlab.settings import check_fields, one_of, whole

KINDS = ("freezeout", "match-play")
WHEN_BROKE = ("rebuy", "reset")
MOST_HANDS = 2000  # of a freeze-out, by default
MOST_CHIPS = 10**9


@dataclass(frozen=True)
class ContestRules:
    """How stacks change between hands."""

    stacks: tuple[int, ...]  # at the start, by agent
    kind: Annotated[str, one_of(*KINDS)] = "freezeout"
    schedule: BlindSchedule | None = None  # None: the game's own blinds throughout
    payouts: tuple[float, ...] = (1.0,)  # of a freeze-out: each place's share of the prizes, the first place first
    most_hands: Annotated[int, whole(1, 10**6)] = MOST_HANDS  # of a freeze-out, or in match play of a session
    when_broke: Annotated[str, one_of(*WHEN_BROKE)] = "rebuy"  # in match play

    def __post_init__(self) -> None:
        check_fields(self)
        if sum(self.stacks) > MOST_CHIPS:
            raise BadSetting(f"all stacks together are at most {MOST_CHIPS:,} chips; got {sum(self.stacks):,}")
        if len(self.payouts) > len(self.stacks):
            raise BadSetting(f"there are {len(self.payouts)} prizes and only {len(self.stacks)} players")

    def as_dict(self) -> dict[str, Any]:
        """As plain values; equal values mean the same contest."""
        plain: dict[str, Any] = {"kind": self.kind, "stacks": list(self.stacks), "most_hands": self.most_hands}
        plain["blinds"] = None if self.schedule is None else str(self.schedule)
        if self.kind == "freezeout":
            return plain | {"payouts": list(self.payouts)}
        return plain | {"when_broke": self.when_broke}


@dataclass(frozen=True, eq=False)
class ContestRecord:
    """The result of one contest, by agent."""

    hands: int
    won: np.ndarray  # [agent] chips over all hands
    stacks: np.ndarray  # [agent] at the end
    places: np.ndarray  # [agent, place] 1 for the place taken, parts of 1 if shared; in match play 0
    buy_ins: np.ndarray  # [agent] further stacks bought, or times that the agent was broke
    is_capped: bool  # a freeze-out that was decided by chips


class Stacks:
    """The stacks of one contest, and who sits where; `rotation` moves all players by that many seats at the start."""

    def __init__(self, table: StackedTable, rules: ContestRules, rotation: int = 0) -> None:
        self._table, self._rules = table, rules
        self.players = len(rules.stacks)
        self.stacks = list(rules.stacks)
        self.hands = 0
        self._won = np.zeros(self.players)
        self._buy_ins = np.zeros(self.players)
        self._out: list[tuple[int, int, int]] = []  # hand, stack at its start, agent: of those who are out
        self._big = (table.big_blind_seat(self.players) - rotation) % self.players

    @property
    def level(self) -> BlindLevel:
        """The blinds of the next hand."""
        schedule = self._rules.schedule
        return self._table.own_level if schedule is None else schedule.at(self.hands)

    @property
    def is_over(self) -> bool:
        """Whether no hand follows."""
        if self.hands >= self._rules.most_hands:
            return True
        return self._rules.kind == "freezeout" and len(self._out) == self.players - 1

    def seats(self) -> tuple[int, ...]:
        """The agent in each seat of the next hand."""
        playing = [agent for agent in range(self.players) if self.stacks[agent]]
        first = playing.index(self._big) - self._table.big_blind_seat(len(playing))
        return tuple(playing[(first + seat) % len(playing)] for seat in range(len(playing)))

    def add(self, seats: Sequence[int], payoffs: Sequence[float]) -> None:
        """Pay a hand out, and move the big blind."""
        before = list(self.stacks)
        for agent, payoff in zip(seats, payoffs, strict=True):
            self.stacks[agent] += round(payoff)
            self._won[agent] += payoff
        broke = [agent for agent in seats if not self.stacks[agent]]
        if self._rules.kind == "freezeout":
            self._out += [(self.hands, before[agent], agent) for agent in broke]
        else:
            self._buy_ins[broke] += 1
            for agent in seats if broke and self._rules.when_broke == "reset" else broke:
                self.stacks[agent] = self._rules.stacks[agent]
        self.hands += 1
        self._big = next(
            agent for step in range(1, self.players + 1) if self.stacks[agent := (self._big + step) % self.players]
        )

    def record(self) -> ContestRecord:
        """The result, once the contest is over."""
        stacks = np.array(self.stacks, float)
        is_freezeout = self._rules.kind == "freezeout"
        places = self._places() if is_freezeout else np.zeros((self.players, self.players))
        is_capped = is_freezeout and len(self._out) < self.players - 1
        return ContestRecord(self.hands, self._won, stacks, places, self._buy_ins, is_capped)

    def _places(self) -> np.ndarray:
        """The place of each agent; equal players share places.  # [agent, place]"""
        keys: dict[int, tuple[int, int]] = {agent: (hand, stack) for hand, stack, agent in self._out}
        keys |= {agent: (self.hands, stack) for agent, stack in enumerate(self.stacks) if stack}
        places = np.zeros((self.players, self.players))
        for agent, key in keys.items():
            better = sum(other > key for other in keys.values())
            equal = sum(other == key for other in keys.values())
            places[agent, better : better + equal] = 1 / equal
        return places
