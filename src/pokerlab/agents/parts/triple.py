"""Probability triples (fold, call, raise), their conversion to legal actions, and agents built on them.

The probability of an illegal action goes to the next best: a fold becomes a check if that is free, a raise becomes a
call if raising is not allowed, and a call becomes an all-in in a game of all-in or fold.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import accumulate
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from pokerlab.agents.agent import PolicyAgent
from pokerlab.errors import BadSetting
from pokerlab.games.poker.betting import CALL, FOLD, RAISE, STAND_PAT, Action, Betting, Legal, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.settings import number
from pokerlab.strategy.policy import PolicyTable, table_of

PotFraction = Annotated[float, number(0, 1e9)]  # raise size outside fixed limit


class Triple(NamedTuple):
    """The probabilities of folding, of checking or calling, and of betting or raising. They sum to one.

    >>> Triple.of(raise_=0.95, call=0.05)
    Triple(fold=0.0, call=0.05, raise_=0.95)
    """

    fold: float
    call: float
    raise_: float

    @staticmethod
    def of(*, fold: float = 0.0, call: float = 0.0, raise_: float = 0.0) -> Triple:
        """A validated triple."""
        parts = (fold, call, raise_)
        if min(parts) < 0 or abs(sum(parts) - 1) > 1e-9:
            raise BadSetting(f"a probability triple has three parts of at least 0 that sum to 1; got {parts}")
        return Triple(*parts)


ALWAYS_FOLD = Triple(1.0, 0.0, 0.0)
ALWAYS_CALL = Triple(0.0, 1.0, 0.0)
ALWAYS_RAISE = Triple(0.0, 0.0, 1.0)


def allowed(triple: Triple, legal: Legal) -> Triple:
    """The triple with the probability of illegal actions moved to legal ones."""
    fold, call, raise_ = triple
    if legal.most <= 0:
        call = call + raise_  # not in place: these may be arrays
        raise_ = 0.0
    if not legal.fold:
        call = call + fold
        fold = 0.0
    if legal.call < 0:
        if legal.most > 0:
            raise_ = raise_ + call
        else:
            fold = fold + call
        call = 0.0
    return Triple(fold, call, raise_)


def betting_options(triple: Triple, view: View, *, pot_fraction: float) -> list[tuple[Action, float]]:
    """The possible actions of a triple, with their probabilities."""
    fold, call, raise_ = allowed(triple, view.legal)
    options = [(FOLD, fold), (CALL, call)]
    if raise_ > 0:
        options.append((sized(view, view.legal, pot_fraction), raise_))
    return [(action, chance) for action, chance in options if chance > 0]


def choose(triple: Triple, view: View, rng: np.random.Generator, *, pot_fraction: float = 1.0) -> Action:
    """Sample an action from the triple; outside fixed limit, a raise is by this fraction of the pot."""
    legal = view.legal
    fold, call, raise_ = allowed(triple, legal)
    point = rng.random() * (fold + call + raise_)
    if point < raise_:
        return sized(view, legal, pot_fraction)
    return CALL if point < raise_ + call else FOLD


class TripleAgent(PolicyAgent):
    """An agent that maps a view to a triple and samples its action from it."""

    pot_fraction = 1.0  # raise size outside fixed limit

    @abstractmethod
    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        """The triple of a view; without `rng`, raises BadSetting if the hand can only be read by sampling."""

    def triples_at(self, place: PublicNode) -> Triple:
        """The triples of all hands at a public node, each an array [hand] or a number for all of them."""
        triples = [self.triple_at(view, None) for _, view in place.views()]
        return Triple(*np.array(triples).T)

    @staticmethod
    def exchange(view: View) -> Action:
        """The discards in a draw; none by default."""
        return STAND_PAT

    def act(self, view: View, rng: np.random.Generator) -> Action:
        if view.betting.drawing:
            return self.exchange(view)
        return choose(self.triple_at(view, rng), view, rng, pot_fraction=self.fraction_at(view, rng))

    def fraction_at(self, view: View, rng: np.random.Generator | None) -> float:
        """The size of a raise at a view, as a fraction of the pot; by default the same everywhere."""
        return self.pot_fraction

    def probabilities(self, view: View) -> dict[str, float]:
        """The triple of this view as actions; raises BadSetting if the hand can only be read by sampling."""
        text = view.game.action_text
        if view.betting.drawing:
            return {text(self.exchange(view)): 1.0}
        options = betting_options(self.triple_at(view, None), view, pot_fraction=self.fraction_at(view, None))
        *_, total = accumulate(chance for _, chance in options)  # sum() rounds differently since Python 3.12
        return {text(action): chance / total for action, chance in options}

    def table(self, place: PublicNode) -> PolicyTable:
        """The probabilities of all hands at once: only their triples differ."""
        hands, actions = place.hands(), place.actions
        if place.betting.drawing or not hands.cards:
            return table_of(self, place)
        view, count = place.view(hands.cards[0]), len(hands.cards)
        chances = np.zeros((count, 3))
        for column, chance in enumerate(allowed(self.triples_at(place), view.legal)):
            chances[:, column] = chance
        np.maximum(chances, 0.0, out=chances)
        chances /= (chances[:, 0] + chances[:, 1] + chances[:, 2])[:, None]  # in the order of `probabilities`
        rows, raising = np.zeros((count, len(actions))), chances[:, 2].any()
        options = [FOLD, CALL, sized(view, view.legal, self.pot_fraction)] if raising else [FOLD, CALL]
        for column, action in enumerate(options):
            text = view.game.action_text(action)
            if text in actions:
                rows[:, actions.index(text)] = chances[:, column]
        return PolicyTable(hands.texts, actions, rows)


class SizedTripleAgent(TripleAgent):
    """A triple agent that chooses the size of its raises by hand, outside fixed limit."""

    @abstractmethod
    def raise_fraction(self, view: View, rng: np.random.Generator | None) -> float:
        """The size of a raise as a fraction of the pot; 0 for the usual size, `pot_fraction`."""

    def fraction_at(self, view: View, rng: np.random.Generator | None) -> float:
        if view.game.rules.limit == "fixed":
            return self.pot_fraction
        return self.raise_fraction(view, rng) or self.pot_fraction

    def table(self, place: PublicNode) -> PolicyTable:
        return table_of(self, place)


class ConstantTripleAgent(TripleAgent):
    """An agent that plays the same triple with every hand."""

    constant_triple: ClassVar[Triple]
    ignores_cards: ClassVar[bool] = True

    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        return self.constant_triple

    def triples_at(self, place: PublicNode) -> Triple:
        return self.constant_triple


def sized(view: View, legal: Legal, pot_fraction: float) -> Action:
    """A bet or raise by a fraction of the pot after the call, or the nearest legal amount."""
    return sized_at(view.game, view.betting, legal, pot_fraction)


def sized_at(game: PokerGame, betting: Betting, legal: Legal, pot_fraction: float) -> Action:
    """The same for the seat to act anywhere in the betting."""
    if game.betting.limit == "fixed":
        return RAISE
    owed = max(betting.level - betting.live[betting.actor], 0)
    added = pot_fraction * (game.pot(betting) + owed)
    total = game.betting.antes[betting.actor] + betting.level + round(min(added, legal.most))
    return raise_to(legal.nearest(total))


def highest(*chances: float) -> float:
    """The highest of some chances; hand by hand if they are arrays."""
    return max(chances) if isinstance(chances[-1], float) else np.maximum.reduce(chances)


def lowest(*chances: float) -> float:
    """The lowest of some chances; hand by hand if the last is an array."""
    return min(chances) if isinstance(chances[-1], float) else np.minimum(*chances)


def ramp(value: float, middle: float, width: float) -> float:
    """The probability of acting near a threshold: 0 below it, 1 above, rising linearly over the width around it.

    >>> ramp(0.5, 0.5, 0.2), ramp(0.3, 0.5, 0.2), ramp(0.7, 0.5, 0.2)
    (0.5, 0.0, 1.0)
    >>> ramp(np.array([0.5, 0.3]), 0.5, 0.2)
    array([0.5, 0. ])
    """
    if isinstance(value, np.ndarray):
        return np.clip((value - middle) / width + 0.5, 0.0, 1.0) if width > 0 else (value >= middle).astype(float)
    if width <= 0:
        return 1.0 if value >= middle else 0.0
    return min(max((value - middle) / width + 0.5, 0.0), 1.0)
