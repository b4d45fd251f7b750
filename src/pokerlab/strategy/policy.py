"""What a policy is: how a player acts, at one decision or with every hand at a public node at once.

Strategies of every form and agents that can tell their probabilities are policies. Locks, best responses, the
exploitability of an agent and the browser ask policies and know nothing of how a form stores its numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from pokerlab.games.poker.place import Place


@dataclass(frozen=True, eq=False)
class PolicyTable:
    """What is done at a public place with each hand."""

    hands: Sequence[str]
    actions: Sequence[str]
    probability: np.ndarray  # [hand, action] float64; NaN in the rows of hands that the policy knows nothing of


@dataclass(frozen=True)
class StrategyLine:
    """One infoset of a strategy, as people read it."""

    infoset: str
    player: int
    reach: float | None  # how likely its player, as far as it is up to him, comes to it; None where nobody knows
    actions: Mapping[str, float]
    hand: str = ""  # where an infoset is a hand at a public place: both apart
    board: str = ""
    moves: str = ""


@runtime_checkable
class Policy(Protocol):
    """How likely each action is, wherever a player decides."""

    def probabilities(self, view: Any) -> Mapping[str, float]:
        """Each action by its text, as the game writes it, with its probability; they sum to one.

        `view` is what `games.game.turn_of` gives: it has a `seat` and an `infoset`; in poker it is a View. UnknownName
        where the policy knows nothing of this decision.
        """
        ...

    def table(self, place: Place) -> PolicyTable:
        """The same for every hand that the seat to act may hold at a public place of a poker game."""
        ...


def table_of(policy: Policy, place: Place) -> PolicyTable:
    """A policy's table, asked for hand by hand; BadSetting at a draw, where each hand has actions of its own."""
    from pokerlab.errors import BadSetting, UnknownName

    if place.betting.drawing:
        raise BadSetting("at a draw every hand has its own actions: ask for the probabilities of one hand")
    actions = place.actions
    hands, rows = [], []
    for hand, view in place.views():
        hands.append(hand)
        try:
            found = policy.probabilities(view)
            rows.append([float(found.get(action, 0.0)) for action in actions])
        except UnknownName:
            rows.append([float("nan")] * len(actions))
    return PolicyTable(hands, actions, np.array(rows, float).reshape(len(hands), len(actions)))
