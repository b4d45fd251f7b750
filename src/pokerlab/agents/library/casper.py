"""Looks up similar decisions of other players and acts as they did: a case-based player.

CASPER (Rubin and Watson, "Investigating the effectiveness of applying case-based reasoning to the game of Texas
hold'em", 2007; section 6.1 of their review, 2011) generated its cases from hand histories of Poki. A case has numbers
that describe the hand, the betting and the table, and the action that was taken; the nearest cases make a probability
triple.

Here cases are of `formula` at tables of two, three and six, unless a file of `pokerlab learn` is given. Features and
their weights are ours (agents/parts/examples.py, case_base.py); theirs were hand-picked, too. The size of a raise is
the mean of those of the nearest cases that raised. The policies `majority` and `best-outcome` are those of its
successor, Sartre.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from pokerlab.agents.parts.case_base import POLICIES, CaseBase, Outcomes, reuse, summed
from pokerlab.agents.parts.examples import Example, features, group
from pokerlab.agents.parts.learned import Teacher, arrays_for
from pokerlab.agents.parts.situations import check_open_betting
from pokerlab.agents.parts.triple import Triple, TripleAgent
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.settings import Text, one_of, whole
from pokerlab.strategy.policy import PolicyTable, table_of

TEACHER = Teacher(
    (
        ("holdem-limit", "holdem-limit(players=3)", "holdem-limit(players=6)"),
        ("holdem-nolimit", "holdem-nolimit(players=3)", "holdem-nolimit(players=6)"),
    ),
    hands=500,  # of each
)


def learn(examples: Iterable[Example]) -> Mapping[str, np.ndarray]:
    """The cases of some decisions."""
    return CaseBase.learned(examples).arrays()


@dataclass(frozen=True)
class Casper(TripleAgent):
    """How many cases are retrieved, and how their actions are reused."""

    label = "casper"
    file: Text = ""  # of `pokerlab learn casper`; by default it learns from `formula`
    neighbours: Annotated[int, whole(1, 10_000)] = 20
    policy: Annotated[str, one_of(*POLICIES)] = POLICIES[0]
    hands: Annotated[int, whole(1)] = TEACHER.hands  # of its teacher that it learns from, without a file

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting for draw games, and for those that deal private cards later."""
        check_open_betting(game, self.label)

    def similar(self, view: View, rng: np.random.Generator | None) -> Outcomes:
        """The nearest cases."""
        cases = _cases(self.file, view.game, TEACHER._replace(hands=self.hands))
        return summed(*cases.nearest(group(view), features(view, rng), self.neighbours))

    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        return reuse(self.similar(view, rng), self.policy)

    def fraction_at(self, view: View, rng: np.random.Generator | None) -> float:
        fixed = view.game.rules.limit == "fixed"
        return self.pot_fraction if fixed else self.similar(view, rng).fraction or self.pot_fraction

    def table(self, place: PublicNode) -> PolicyTable:
        return table_of(self, place)  # raises differ in size


@lru_cache(maxsize=32)
def _cases(file: str, game: PokerGame, teacher: Teacher) -> CaseBase:
    return CaseBase.of(arrays_for("casper", file, game, learn, teacher))


agent = Casper
