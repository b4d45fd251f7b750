"""If-then rules of an expert: a table by groups of hole cards before the flop, and rules by hand class after it.

Section 2.1 of Rubin and Watson, "Computer poker: a review" (2011): each rule names a situation (how good the hand
is, how many raises there are to call, how many opponents, how late the position) and gives a probability triple;
the first rule that fits is used. Hands and rules are our own:

- hole cards of hold'em fall into eight groups: the 169 classes in the order of E[HS^2], the expected square of the
  strength at the river, which rewards hands that can become very good, cut at fixed shares of all hands;
- any other hand falls into eight classes by the share of opponent hands that it beats now;
- a large bet relative to the pot counts as an extra raise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from pokerlab.agents.library.formula import pot_odds
from pokerlab.agents.parts import drawing
from pokerlab.agents.parts.hand_reading import holdem_deck, opponents, read
from pokerlab.agents.parts.triple import PotFraction, Triple, TripleAgent
from pokerlab.cards.combos import CLASS_SIZES, COMBO_CLASS, combo_index
from pokerlab.games.poker.state import View

GROUP_ENDS = (0.025, 0.06, 0.11, 0.18, 0.28, 0.42, 0.62)  # cumulative share of all hands in groups 1 to 7
CLASS_ENDS = (0.95, 0.88, 0.78, 0.65, 0.50, 0.35, 0.20)  # minimum strength of classes 1, 2, ... 7
DRAW = 0.16  # positive potential that makes a hand a draw
LARGE_BETS = (0.36, 0.46)  # pot odds from which a bet counts as one and as two extra raises
MANY = 99


class Facts(NamedTuple):
    """What the rules depend on."""

    group: int  # 1 is the best, 8 the worst
    draw: bool  # likely to improve
    to_call: bool
    raises: int  # in this round; large bets count more
    opponents: int
    position: float  # 0 acts first, 1 acts last


class Rule(NamedTuple):
    """A triple that applies if the facts meet all of these conditions."""

    then: Triple
    worst: int = 8  # the worst group allowed
    draw: bool = False  # whether the hand must be a draw
    to_call: bool | None = None
    raises: tuple[int, int] = (0, MANY)
    opponents: tuple[int, int] = (1, MANY)
    position: float = 0.0  # the earliest allowed

    def fits(self, facts: Facts) -> bool:
        """Whether the rule applies to these facts."""
        return (
            facts.group <= self.worst
            and (facts.draw or not self.draw)
            and self.to_call in (None, facts.to_call)
            and self.raises[0] <= facts.raises <= self.raises[1]
            and self.opponents[0] <= facts.opponents <= self.opponents[1]
            and facts.position >= self.position
        )


def _column(triples: dict[int, tuple[float, float, float]], **conditions: object) -> tuple[Rule, ...]:
    """Rules for one situation, from the best group to the worst: {worst group: (fold, call, raise)}."""
    return tuple(
        Rule(Triple.of(fold=fold, call=call, raise_=raise_), worst, **conditions)  # type: ignore[arg-type]
        for worst, (fold, call, raise_) in triples.items()
    )


_ALONE, _CROWD = (1, 1), (2, MANY)
OPENING = (
    *_column({1: (0, 0.05, 0.95)}, raises=(3, MANY), opponents=_CROWD, position=0.8),
    *_column({1: (0, 0.1, 0.9)}),
    *_column({2: (0, 0.2, 0.8), 5: (0, 0.25, 0.75), 6: (0, 0.6, 0.4)}, raises=(0, 0), opponents=_ALONE),
    *_column({7: (0.05, 0.75, 0.2), 8: (0.35, 0.5, 0.15)}, raises=(0, 0), opponents=_ALONE),
    *_column({3: (0, 0.4, 0.6), 5: (0, 0.85, 0.15), 6: (0.05, 0.9, 0.05)}, raises=(1, 1), opponents=_ALONE),
    *_column({7: (0.1, 0.85, 0.05), 8: (0.45, 0.5, 0.05)}, raises=(1, 1), opponents=_ALONE),
    *_column({3: (0, 0.6, 0.4), 5: (0, 1, 0), 6: (0.1, 0.9, 0)}, raises=(2, 2), opponents=_ALONE),
    *_column({7: (0.4, 0.6, 0), 8: (0.8, 0.2, 0)}, raises=(2, 2), opponents=_ALONE),
    *_column(
        {3: (0, 1, 0), 5: (0.05, 0.95, 0), 6: (0.3, 0.7, 0), 7: (0.7, 0.3, 0), 8: (0.95, 0.05, 0)}, opponents=_ALONE
    ),
    *_column({3: (0, 0.2, 0.8), 4: (0, 0.5, 0.5), 5: (0.2, 0.6, 0.2)}, raises=(0, 0)),
    *_column({6: (0.3, 0.5, 0.2), 7: (0.7, 0.2, 0.1)}, raises=(0, 0), position=0.7),
    *_column({2: (0, 0.5, 0.5), 3: (0, 0.8, 0.2), 4: (0.3, 0.7, 0), 5: (0.7, 0.3, 0)}, raises=(1, 1)),
    *_column({2: (0, 0.8, 0.2), 3: (0.4, 0.6, 0)}),
    *_column({8: (1, 0, 0)}),
)
LATER = (
    *_column({3: (0, 0.15, 0.85), 4: (0, 0.35, 0.65)}, to_call=False),
    *_column({8: (0, 0.5, 0.5)}, to_call=False, draw=True, opponents=_ALONE),
    *_column({5: (0, 0.65, 0.35), 6: (0, 0.85, 0.15), 8: (0, 0.88, 0.12)}, to_call=False, opponents=_ALONE),
    *_column({5: (0, 0.85, 0.15), 8: (0, 0.97, 0.03)}, to_call=False),
    *_column({1: (0, 0.2, 0.8), 2: (0, 0.4, 0.6), 3: (0, 0.75, 0.25), 4: (0, 0.95, 0.05)}, raises=(0, 1)),
    *_column({8: (0.1, 0.8, 0.1)}, raises=(0, 1), draw=True),
    *_column({5: (0.05, 0.93, 0.02), 6: (0.25, 0.73, 0.02), 7: (0.7, 0.27, 0.03), 8: (0.9, 0.05, 0.05)}, raises=(0, 1)),
    *_column({1: (0, 0.3, 0.7), 2: (0, 0.8, 0.2), 3: (0.05, 0.93, 0.02), 4: (0.1, 0.9, 0)}),
    *_column({8: (0.2, 0.8, 0)}, draw=True, raises=(0, 2)),
    *_column({5: (0.3, 0.7, 0), 6: (0.6, 0.4, 0), 8: (0.95, 0.05, 0)}),
)


@cache
def hole_card_groups() -> np.ndarray:
    """The group, 1 to 8, of each of the 169 classes of hole cards.

    >>> from pokerlab.cards.combos import CLASS_NAMES
    >>> [name for name, group in zip(CLASS_NAMES, hole_card_groups(), strict=True) if group == 1]
    ['AA', 'KK', 'QQ', 'JJ', 'TT', '99']
    """
    from pokerlab.cards.measures import preflop_strength

    order = np.argsort(-preflop_strength().squared, kind="stable")
    share_before = np.cumsum(CLASS_SIZES[order]) - CLASS_SIZES[order]
    groups = np.zeros(len(order), np.int64)
    groups[order] = 1 + np.searchsorted(GROUP_ENDS, share_before / CLASS_SIZES.sum(), side="right")
    return groups


def facts_of(view: View, rng: np.random.Generator | None) -> Facts:
    """The facts of a view."""
    others = opponents(view)
    to_call, pot = view.to_call, view.pot
    odds = pot_odds(to_call, pot)
    raises = view.betting.raises
    if raises:
        raises += sum(odds >= large for large in LARGE_BETS)
    position = view.seat / (view.game.players - 1)
    if holdem_deck(view.game) == "high" and not view.board:
        group = int(hole_card_groups()[COMBO_CLASS[combo_index(*view.cards)]])
        return Facts(group, False, to_call > 0, raises, others, position)
    reading = read(view, rng).against(others)
    group = 1 + sum(reading.now < least for least in CLASS_ENDS)
    return Facts(group, reading.positive >= DRAW, to_call > 0, raises, others, position)


@dataclass(frozen=True)
class Expert(TripleAgent):
    """The expert system."""

    label = "rules"
    exchange = staticmethod(drawing.exchange)
    pot_fraction: PotFraction = 0.75  # raise size outside fixed limit

    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        now = facts_of(view, rng)
        rules = OPENING if view.betting.round == 0 else LATER
        return next(rule.then for rule in rules if rule.fits(now))


agent = Expert
