"""Learns from its own hands alone: starts at random and repeats what won in similar situations.

CASEY (Sandven and Tessem, "A case-based learner for poker", 2006; section 6.1 of Rubin and Watson's review, 2011)
begins with an empty case base. While it knows too few similar cases it acts at random and records what came of it;
later it takes the action that won most in similar situations, and folds if every action that it knows loses.

The features and the distance are those of `casper`. A case's outcome is what the hand won from the decision on, in big
blinds. An action that was never tried in similar cases counts as even: it is tried where all others lose.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pokerlab.agents.parts.case_base import CaseBase, summed
from pokerlab.agents.parts.examples import examples, features, group
from pokerlab.agents.parts.situations import check_open_betting
from pokerlab.agents.parts.triple import PotFraction, Triple, allowed, choose
from pokerlab.formats.acpc import returns_of
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import declared, whole

RANDOM = Triple(1 / 3, 1 / 3, 1 / 3)


class Casey:
    """A case base that grows with every hand."""

    def __init__(self, name: str, *, neighbours: int, least: int, fraction: float) -> None:
        self.name = name
        self._neighbours, self._least, self._fraction = neighbours, least, fraction
        self.reset()

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting for draw games, and for those that deal private cards later."""
        check_open_betting(game, self.name)

    def reset(self) -> None:
        self.cases = CaseBase()
        self._hand: list[tuple[View, Action, np.ndarray]] = []

    def act(self, view: View, rng: np.random.Generator) -> Action:
        described = features(view, rng)
        action = choose(self.triple(view, described), view, rng, pot_fraction=self._fraction)
        self._hand.append((view, action, described))
        return action

    def triple(self, view: View, described: np.ndarray) -> Triple:
        """The action that won most in similar cases; any while there are too few."""
        distance, solutions = self.cases.nearest(group(view), described, self._neighbours)
        if len(distance) < self._least:
            return RANDOM
        similar = summed(distance, solutions)
        mean = np.divide(similar.gains, similar.counts, out=np.zeros(3), where=similar.counts > 0)
        mean[0] = 0.0  # what is in the pot is lost by folding
        possible = np.array(allowed(RANDOM, view.legal)) > 0
        best = int(np.argmax(np.where(possible, mean, -np.inf)))
        return Triple(*(float(number == best) for number in range(3)))

    def observe(self, view: View) -> None:
        """Record the decisions of a finished hand with what they won."""
        returns = returns_of(view)
        if returns is not None:
            taken = [(seen, action) for seen, action, _ in self._hand]
            for example, (_, _, described) in zip(examples(taken, returns), self._hand, strict=True):
                self.cases.add(example, described)
        self._hand = []


@declared("casey")
def agent(
    name: str,
    *,
    neighbours: Annotated[int, whole(1, 10_000)] = 30,
    least: Annotated[int, whole(1, 10_000)] = 30,
    pot_fraction: PotFraction = 1.0,
) -> Casey:
    """Compares a decision with its `neighbours` most similar cases; with fewer than `least` it acts at random."""
    return Casey(name, neighbours=neighbours, least=least, fraction=pot_fraction)
