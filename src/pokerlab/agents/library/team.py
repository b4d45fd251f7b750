"""A team of agents and a coach that picks one for each hand, favouring those that win more.

The coach is UCB1 (parts/coach.py): after each member has played once, the next hand goes to the member with the largest
mean payoff plus a bonus for having played little. Teams of counter-strategies are due to Johanson, Zinkevich and
Bowling ("Computing robust counter-strategies", 2007): each member beats one kind of opponent, and the coach learns
which kind this is.

Hands in which the team never acted are not counted, nor those whose end it does not see. The coach's statistics last
for one pass of a match (a block of deals) and are then forgotten.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Annotated, Any

import numpy as np

from pokerlab.agents.agent import Agent, HasDiagnostics, Observer, SupportsGame, is_repeatable, needs_one_process
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.coach import Coach, most_lost, scaled
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
    """Agents of which one plays each hand."""

    def __init__(self, members: list[Agent], *, name: str, exploration: float, stakes: float) -> None:
        self.name = name
        self.members = members
        self.repeatable = all(map(is_repeatable, members))
        self.one_process = any(map(needs_one_process, members))
        self.coach = Coach(len(members), exploration=exploration)
        self._stakes = stakes
        self._playing = NOBODY
        self._sent: Counter[str] = Counter()

    @property
    def hands(self) -> list[int]:
        """How many hands each member has played."""
        return self.coach.trials

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting if a member cannot play the game, or the game has no bound on losses."""
        for member in self.members:
            if isinstance(member, SupportsGame):
                member.check_game(game)
        if not self._stakes and most_lost(game) >= UNLIMITED:
            raise BadSetting(f"{self.name} does not know the largest loss in {game.name}: give it with stakes=CHIPS")

    def act(self, view: View, rng: np.random.Generator) -> Action:
        if self._playing == NOBODY:
            self._playing = self.coach.choice()
            self._sent[f"{self.members[self._playing].name} played the hand"] += 1
        return self.members[self._playing].act(view, rng)

    def observe(self, view: View) -> None:
        """Add the payoff of the member that played; members that learn see every hand."""
        won = returns_of(view)
        if self._playing != NOBODY and won is not None:
            most = self._stakes or most_lost(view.game)
            self.coach.add(self._playing, scaled(won[view.seat], most, view.game.players))
        self._playing = NOBODY
        for member in self.members:
            if isinstance(member, Observer):
                member.observe(view)

    def reset(self) -> None:
        self.coach.reset()
        self._playing = NOBODY
        for member in self.members:
            member.reset()

    def remarks(self) -> Counter[str]:
        """How often each member was chosen, and the members' own messages."""
        remarks, self._sent = self._sent, Counter()
        for member in self.members:
            if isinstance(member, HasDiagnostics):
                remarks.update(member.remarks())
        return remarks


def _members(name: str, value: Any) -> str:
    """Agents as a list or a comma-separated text; at least one."""
    specs = split_specs(value) if isinstance(value, str) else value
    if not isinstance(specs, (list, tuple)) or not specs or not all(isinstance(spec, str) and spec for spec in specs):
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
    """A team and its coach. `members` are agents, as a list or separated by commas; `exploration` multiplies the
    exploration bonus (1 in UCB1 itself); `stakes` is the largest loss in chips used for scaling (0: the most that the
    rules allow)."""
    agents = [open_agent(spec) for spec in split_specs(members or _members(name, ""))]
    return Team(agents, name=name, exploration=exploration, stakes=stakes)
