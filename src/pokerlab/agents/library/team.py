"""A team of agents and a coach who sends one of them into each hand, the more often the more it wins.

The coach is UCB1 (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002): after
each member has played once, the next hand is played by the one with the largest mean payoff plus sqrt(2 ln n / n_j), n
being the hands played and n_j those of the member, with payoffs scaled so that the most that can be lost is 0 and the
most that can be won is 1. Teams of counter-strategies are Johanson, Zinkevich and Bowling's ("Computing robust
counter-strategies", 2007): each beats one kind of opponent, and the coach finds out which one this is.

Hands in which the team never acted are not counted, nor those whose end it does not see. What the coach has learned is
kept over the hands of a pass of a match, a block of deals, and forgotten at its end.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Annotated, Any

import numpy as np

from pokerlab.agents.agent import Agent, HasDiagnostics, Observer, SupportsGame, is_repeatable, needs_one_process
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadSetting
from pokerlab.formats.acpc import returns_of
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import UNLIMITED
from pokerlab.games.poker.state import View
from pokerlab.settings import declared, number
from pokerlab.specs import split_specs

NOBODY = -1


class Team:
    """Agents of whom one plays each hand."""

    def __init__(self, members: list[Agent], *, name: str, exploration: float, stakes: float) -> None:
        self.name = name
        self.members = members
        self.repeatable = all(map(is_repeatable, members))
        self.one_process = any(map(needs_one_process, members))
        self._exploration, self._stakes = exploration, stakes
        self._playing = NOBODY
        self._sent: Counter[str] = Counter()
        self._begin()

    def _begin(self) -> None:
        self.hands = [0] * len(self.members)  # that each has played
        self.sums = [0.0] * len(self.members)  # of their payoffs, scaled

    def check_game(self, game: PokerGame) -> None:
        """BadSetting where a member cannot play a game, or nobody can say how much may be lost in it."""
        for member in self.members:
            if isinstance(member, SupportsGame):
                member.check_game(game)
        if not self._stakes and most_lost(game) >= UNLIMITED:
            raise BadSetting(f"{self.name} cannot tell how much can be lost in {game.name}: say it with stakes=CHIPS")

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """What the member does who plays this hand."""
        if self._playing == NOBODY:
            self._playing = self.choice()
            self._sent[f"{self.members[self._playing].name} played the hand"] += 1
        return self.members[self._playing].act(view, rng)

    def choice(self) -> int:
        """The member for the next hand: the first who has not played yet, or by UCB1, the first of equals."""
        if 0 in self.hands:
            return self.hands.index(0)
        logarithm = 2 * math.log(sum(self.hands))
        worths = [
            total / count + self._exploration * math.sqrt(logarithm / count)
            for total, count in zip(self.sums, self.hands, strict=True)
        ]
        return worths.index(max(worths))

    def observe(self, view: View) -> None:
        """Count what was won by the member who played; members who learn see every hand."""
        won = returns_of(view)
        if self._playing != NOBODY and won is not None:
            most = self._stakes or most_lost(view.game)
            players = view.game.players  # of whom all but one can lose so much to it
            self.hands[self._playing] += 1
            self.sums[self._playing] += (won[view.seat] + most) / (most * players)
        self._playing = NOBODY
        for member in self.members:
            if isinstance(member, Observer):
                member.observe(view)

    def reset(self) -> None:
        """Forget the opponent."""
        self._begin()
        self._playing = NOBODY
        for member in self.members:
            member.reset()

    def remarks(self) -> Counter[str]:
        """How often each member was sent into a hand, and what they have to say themselves."""
        said, self._sent = self._sent, Counter()
        for member in self.members:
            if isinstance(member, HasDiagnostics):
                said.update(member.remarks())
        return said


def most_lost(game: PokerGame) -> float:
    """The most chips that one seat can lose in a hand; as much as UNLIMITED where nothing bounds it."""
    rules = game.rules
    stacks = max(room + ante for room, ante in zip(game.betting.room, game.betting.antes, strict=True))
    if rules.limit != "fixed" or any(round_.betting and round_.raises is None for round_ in rules.rounds):
        return stacks
    bets = sum(round_.bet * (round_.raises or 0) for round_ in rules.rounds if round_.betting)
    return min(stacks, max(rules.antes) + max(rules.blinds) + bets)


def _members(name: str, value: Any) -> str:
    """Agents as a list, or as one text with commas between them; at least one."""
    specs = split_specs(value) if isinstance(value, str) else value
    if not isinstance(specs, (list, tuple)) or not specs or not all(isinstance(one, str) and one for one in specs):
        raise BadSetting("name the members of a team, as in team:always-call,formula")
    return ",".join(specs)


@declared("team")
def agent(
    name: str,
    *,
    members: Annotated[str, _members] = "",
    exploration: Annotated[float, number(0, below=math.inf)] = 1.0,
    stakes: Annotated[float, number(0, below=math.inf)] = 0,
) -> Team:
    """A team and its coach. `members` are agents, a list or with commas between them; `exploration` multiplies what is
    added to the mean of a member, 1 in UCB1 itself; `stakes` are the chips that count as the most that can be lost, 0
    the most that the rules allow."""
    members = members or _members(name, "")
    return Team([open_agent(one) for one in split_specs(members)], name=name, exploration=exploration, stakes=stakes)
