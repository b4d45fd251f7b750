"""Plays what equilibrium players did in the same situation: cases by class of hand, betting and board.

Sartre (Rubin and Watson, "A memory-based approach to two-player Texas hold'em", 2009; section 6.1 of their review,
2011) was trained on the logs of the best equilibrium players of earlier competitions. A case is the class of a hand,
the betting so far and the texture of the board; retrieved cases are reused by the policies majority, probabilistic or
best-outcome ("Similarity-based retrieval and solution re-use policies", 2010).

Here cases are of the blueprints that ship with the package, playing themselves, unless a file of `pokerlab learn` is
given; the no-limit form sees bets as six sizes. Classes of hands are ours (agents/parts/case_tables.py). Theirs
compared similar betting by a table of similarities; here the first of five levels with enough cases counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from pokerlab.agents.parts.case_base import POLICIES, Outcomes, reuse
from pokerlab.agents.parts.case_tables import CaseTables, levels
from pokerlab.agents.parts.examples import Example
from pokerlab.agents.parts.learned import Teacher, arrays_for
from pokerlab.agents.parts.situations import check_open_betting
from pokerlab.agents.parts.triple import Triple, TripleAgent
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.settings import Text, one_of, whole
from pokerlab.strategy.policy import PolicyTable, table_of

TEACHER = Teacher((("holdem-limit",), ("holdem-nolimit",)), agent="blueprint", hands=4000)
NOTHING_SIMILAR = Outcomes(np.zeros(3), np.zeros(3), 0.0)


def learn(examples: Iterable[Example]) -> Mapping[str, np.ndarray]:
    """The tables of some decisions."""
    return CaseTables.learned(examples).arrays()


@dataclass(frozen=True)
class Sartre(TripleAgent):
    """When cases are similar enough, and how they are reused."""

    label = "sartre"
    file: Text = ""  # of `pokerlab learn sartre`; by default it learns from the blueprints that ship
    policy: Annotated[str, one_of(*POLICIES)] = POLICIES[0]
    hands: Annotated[int, whole(1)] = TEACHER.hands  # of its teacher that it learns from, without a file
    least: Annotated[int, whole(1)] = 3  # cases that a level needs before it counts

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting for draw games, and for those that deal private cards later."""
        check_open_betting(game, self.label)

    def similar(self, view: View, rng: np.random.Generator | None) -> Outcomes:
        """The cases of the most precise level that has enough of them, else of the last that has any."""
        tables, best = _tables(self.file, view.game, TEACHER._replace(hands=self.hands)), NOTHING_SIMILAR
        for words in levels(view, rng):
            found = tables.outcomes(words)
            if found is not None:
                best = found
                if found.counts.sum() >= self.least:
                    break
        return best

    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        return reuse(self.similar(view, rng), self.policy)

    def fraction_at(self, view: View, rng: np.random.Generator | None) -> float:
        fixed = view.game.rules.limit == "fixed"
        return self.pot_fraction if fixed else self.similar(view, rng).fraction or self.pot_fraction

    def table(self, place: PublicNode) -> PolicyTable:
        return table_of(self, place)  # raises differ in size


@lru_cache(maxsize=32)
def _tables(file: str, game: PokerGame, teacher: Teacher) -> CaseTables:
    return CaseTables.of(arrays_for("sartre", file, game, learn, teacher))


agent = Sartre
